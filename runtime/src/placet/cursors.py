"""Page cursors: where a list goes on, inside a page too.

A cursor names the platform's token of a page, the page size it holds for, and how many items of that page were
already given. So a page that was cut to a budget is read again and continued inside, and nothing is lost or repeated.
It holds for the list it came from: another tool, app or argument makes it a stranger's, which is refused. It is no
secret and no proof; whatever it says is checked like an argument.
"""

import base64
import binascii
import json

from msgspec import Struct

from placet.sanitise.unicode import find_forbidden

__all__ = ["Cursor", "InvalidCursor", "is_token", "read_cursor", "write_cursor"]

_TOKEN_MOST = 4096
_SKIP_MOST = 1_000_000
_WRONG = "is none that this list gave; send it unchanged and with the same arguments, or leave it out"


class InvalidCursor(ValueError):
    """The text is no cursor of this list."""


class Cursor(Struct, frozen=True, kw_only=True):
    """A place in a list.

    Attributes:
        token: The platform's token of the page, empty for the first; an offset or page number as text.
        skip: Items of the page already given.
        size: The page size under which `skip` was counted; None when none was sent.
    """

    token: str = ""
    skip: int = 0
    size: int | None = None


def is_token(text: str) -> bool:
    """True for a platform's token that a cursor can carry."""
    return len(text) <= _TOKEN_MOST and not find_forbidden(text, 1)


def write_cursor(cursor: Cursor, of: str) -> str:
    """The cursor as text for a model: URL-safe, without meaning to it.

    Args:
        of: Names the list: everything that must be the same when it goes on.
    """
    body = json.dumps([of, cursor.token, cursor.skip, cursor.size], separators=(",", ":"))
    return "p1." + base64.urlsafe_b64encode(body.encode()).decode().rstrip("=")


def read_cursor(text: str, of: str, *, size_max: int | None = None, is_number: bool = False) -> Cursor:
    """The cursor of a text.

    Args:
        of: As for `write_cursor`.
        size_max: The largest page that may be asked for.
        is_number: True when the token is an offset or a page number.

    Raises:
        InvalidCursor: `write_cursor` did not write it for this list, or it asks for what no list has.
    """
    mark, _, body = text.partition(".")
    try:
        if mark != "p1":
            raise ValueError
        decoded = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        owner, token, skip, size = json.loads(decoded)
    except (ValueError, TypeError, binascii.Error, RecursionError) as error:
        raise InvalidCursor(_WRONG) from error
    sound = (
        owner == of
        and isinstance(token, str)
        and is_token(token)
        and (not is_number or token == "" or (token.isascii() and token.isdecimal() and len(token) < 16))
        and type(skip) is int
        and 0 <= skip <= _SKIP_MOST
        and (size is None or (type(size) is int and 0 < size <= (size_max or _SKIP_MOST)))
    )
    if not sound:
        raise InvalidCursor(_WRONG)
    return Cursor(token=token, skip=skip, size=size)
