"""From a neutral request to what is put on the wire, alike for every platform: address, query, headers and body.

Nothing that arguments say can change the host or the route, replace a header of ours, or break out of a header.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import UNSET

from placet.contract.errors import RequestRefused
from placet.contract.platform import HttpRequest, WireCall

__all__ = ["build_request", "checked_base"]

JSON_TYPE = "application/json; charset=utf-8"

_PLACEHOLDER = re.compile(r":([A-Za-z_][A-Za-z0-9_]*)")
_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}\Z")
_VALUE = re.compile(r"[!-~](?:[ !-~]*[!-~])?\Z|\Z")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_RESERVED = frozenset(
    {
        "authorization", "connection", "content-length", "content-type", "cookie", "host", "proxy-authorization",
        "transfer-encoding", "upgrade",
    }
)  # fmt: skip


@lru_cache(maxsize=256)
def checked_base(base: str) -> str:
    """A base URL without its last slash.

    Raises:
        RequestRefused: it is neither https nor loopback, or has a user, a query or a fragment.
    """
    try:
        parts = urlsplit(base)
        host = parts.hostname or ""
    except ValueError:
        raise RequestRefused("the tenant's base URL cannot be read") from None
    safe = parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)
    if not host or not safe or "@" in parts.netloc or "?" in base or "#" in base:
        raise RequestRefused(
            "the tenant's base URL must be https, or loopback, and nothing but host and path"
        )
    return base.rstrip("/")


def build_request(wire: WireCall, *, base: str, authorisation: Mapping[str, str]) -> HttpRequest:
    """The request of a call.

    Args:
        base: A base URL, checked.
        authorisation: The headers that carry the credential; none of the call's may have their names.
    Raises:
        RequestRefused: a placeholder has no value, a header is not one, or text cannot be encoded.
    """
    try:
        url = base + _path(wire) + _query(wire)
        headers = _headers(wire.headers, authorisation)
        body = None if wire.body is UNSET or wire.call.body != "json" else msgspec.json.encode(wire.body)
    except (UnicodeEncodeError, TypeError, OverflowError):
        raise RequestRefused("a value of the request cannot be encoded") from None
    if body is not None:
        headers["Content-Type"] = JSON_TYPE
    is_form = wire.call.body in ("multipart", "urlencoded")
    return HttpRequest(
        method=wire.call.http,
        url=url,
        headers=headers,
        body=body,
        form=wire.form if is_form else (),
        multipart=wire.call.body == "multipart",
    )


def _path(wire: WireCall) -> str:
    path, rest, names = _route(wire.call.route)
    given = wire.path
    for name, text in rest:
        path += _segment(name, given.get(name)) + text
    if len(given) != len(names):
        raise RequestRefused(f"the route has no placeholder {', '.join(sorted(given.keys() - names))}")
    return path


@lru_cache(maxsize=4096)
def _route(route: str) -> tuple[str, tuple[tuple[str, str], ...], frozenset[str]]:
    """The text before the first placeholder, each placeholder's name with the text behind it, and all names."""
    first, *rest = _PLACEHOLDER.split(route)
    return first, tuple(zip(rest[::2], rest[1::2], strict=True)), frozenset(rest[::2])


def _segment(name: str, value: str | None) -> str:
    if isinstance(value, str):
        if value.isalnum() and value.isascii():
            return value
        if value not in ("", ".", "..", f":{name}"):
            return quote(value, safe="")
    raise RequestRefused(f"the route's placeholder {name!r} has no value that can stand in a path")


def _query(wire: WireCall) -> str:
    if not wire.query:
        return ""
    return "?" + "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in wire.query)


def _headers(given: Mapping[str, str], authorisation: Mapping[str, str]) -> dict[str, str]:
    headers = {**authorisation, **given}
    if given:
        taken = _RESERVED | {name.lower() for name in authorisation}
        for name in given:
            if name.lower() in taken:
                raise RequestRefused(f"the header {name!r} is not a call's to set")
    for name, value in headers.items():
        if not _NAME.match(name) or not _VALUE.match(value):
            raise RequestRefused("a header holds characters that no header has")
    return headers
