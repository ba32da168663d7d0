"""A request as it arrived: what was on the wire, and what it decodes to."""

import json
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, unquote

from msgspec import Struct

from placet.contract.words import Identity

__all__ = ["Part", "Received"]


class Part(Struct, frozen=True, kw_only=True):
    """One member of a multipart body. `file_name` is None for a plain field."""

    name: str
    content: bytes
    file_name: str | None = None
    media_type: str | None = None


@dataclass(kw_only=True)
class Received:
    """One recorded request; decoding happens when it is first looked at.

    Attributes:
        number: 1 for the first request the server saw.
        at: Unix seconds of the server's clock.
        raw_path: Path and query exactly as sent.
        headers: Names in lower case.
        app: The app whose token it carried, or that asked for one; empty while unknown.
        identity: The kind of that token; None without one.
        user: The open_id of a user token.
    """

    number: int
    at: float
    method: str
    raw_path: str
    headers: dict[str, str]
    body: bytes
    app: str = ""
    identity: Identity | None = None
    user: str = ""
    answered: int | None = field(default=None)
    """HTTP status of the answer; None while there is none or when the connection was dropped."""

    @cached_property
    def segments(self) -> tuple[str, ...]:
        """The path's segments, each decoded by itself, so that an encoded slash stays inside its segment."""
        path = self.raw_path.partition("?")[0]
        return tuple(unquote(one) for one in path.split("/")[1:])

    @property
    def path(self) -> str:
        """The decoded path."""
        return "/" + "/".join(self.segments)

    @cached_property
    def query(self) -> tuple[tuple[str, str], ...]:
        """Query pairs, decoded, in order."""
        return tuple(parse_qsl(self.raw_path.partition("?")[2], keep_blank_values=True))

    def first(self, name: str) -> str | None:
        """The first query value of a name."""
        return next((value for key, value in self.query if key == name), None)

    @cached_property
    def json(self) -> Any:
        """The body as JSON; None when there is none.

        Raises:
            ValueError: the body is no JSON.
        """
        return json.loads(self.body) if self.body else None

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The members of a multipart body, in order; empty for any other body."""
        kind = self.headers.get("content-type", "")
        boundary = re.search(r'boundary="?([^";]+)"?', kind)
        if not kind.startswith("multipart/form-data") or boundary is None:
            return ()
        return _parts(self.body, boundary[1].encode())


def _parts(body: bytes, boundary: bytes) -> tuple[Part, ...]:
    pieces = (b"\r\n" + body).split(b"\r\n--" + boundary)[1:-1]
    return tuple(_part(piece.removeprefix(b"\r\n")) for piece in pieces)


def _part(piece: bytes) -> Part:
    head, _, content = piece.partition(b"\r\n\r\n")
    lines = head.decode("utf-8", "replace").split("\r\n")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    disposition = headers.get("content-disposition", "")
    return Part(
        name=_parameter(disposition, "name") or "",
        content=content,
        file_name=_parameter(disposition, "filename"),
        media_type=headers.get("content-type"),
    )


def _parameter(disposition: str, name: str) -> str | None:
    """A parameter in either of its forms: quoted as browsers do, or `name*=utf-8''...` (RFC 5987)."""
    extended = re.search(rf"[; ]{name}\*=utf-8''([^;]+)", disposition, re.IGNORECASE)
    if extended is not None:
        return unquote(extended[1])
    plain = re.search(rf'[; ]{name}="((?:[^"\\]|\\.)*)"', disposition)
    if plain is None:
        return None
    text = plain[1].replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n")
    return re.sub(r"\\(.)", r"\1", text)
