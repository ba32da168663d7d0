"""Form bodies: multipart and urlencoded forms as bytes, with names that cannot break out of a header."""

import secrets
from collections.abc import AsyncIterator, Callable
from urllib.parse import urlencode

from placet.contract.platform import FilePart, HttpRequest

__all__ = ["encoded_form", "in_pieces"]

_PIECE_BYTES = 64 * 1024
_ESCAPES = {ord('"'): "%22", ord("\r"): "%0D", ord("\n"): "%0A", 0: "%00"}


async def encoded_form(
    request: HttpRequest, *, boundary: Callable[[], str] = lambda: secrets.token_hex(16)
) -> tuple[bytes, str]:
    """The bytes of a form and their content type.

    Args:
        boundary: 128 random bits as text; never found in content, because nobody can foresee it.
    Raises:
        ValueError: body and form at once, a file outside a multipart form, or a file that is not what was staged.
    """
    if request.body is not None:
        raise ValueError("a request has a body or a form, not both")
    if not request.multipart:
        return _urlencoded(request.form), "application/x-www-form-urlencoded"
    mark = boundary()
    parts: list[bytes] = []
    for name, value in request.form:
        if isinstance(value, FilePart):
            content = await value.content.read()
            if len(content) != value.content.size:
                raise ValueError("a file no longer has the length that was staged")
            head = (
                f'; filename="{_quoted(value.name)}"\r\nContent-Type: {_media_type(value.content.media_type)}'
            )
        else:
            content, head = value.encode(), ""
        parts.append(
            f'--{mark}\r\nContent-Disposition: form-data; name="{_quoted(name)}"{head}\r\n\r\n'.encode()
        )
        parts += (content, b"\r\n")
    parts.append(f"--{mark}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={mark}"


async def in_pieces(body: bytes) -> AsyncIterator[bytes]:
    """The body in pieces, so that a large one neither blocks the loop nor is copied at once."""
    view = memoryview(body)
    for start in range(0, len(body), _PIECE_BYTES):
        yield bytes(view[start : start + _PIECE_BYTES])


def _urlencoded(form: tuple[tuple[str, str | FilePart], ...]) -> bytes:
    pairs: list[tuple[str, str]] = []
    for name, value in form:
        if isinstance(value, FilePart):
            raise ValueError("a file needs a multipart form")
        pairs.append((name, value))
    return urlencode(pairs).encode()


def _quoted(name: str) -> str:
    """As browsers write names (WHATWG HTML, "multipart form data", read 2026-11)."""
    return name.translate(_ESCAPES)


def _media_type(text: str) -> str:
    plain = text.isascii() and text.isprintable() and "/" in text
    return text if plain else "application/octet-stream"
