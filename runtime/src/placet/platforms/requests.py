"""From a neutral request to what is put on the wire, alike for every platform: address, query, headers and body.

Nothing that arguments say can change the host or the route, replace a header of ours, or break out of a header.
"""

import re
from collections.abc import Mapping
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
    used: set[str] = set()

    def value_of(match: re.Match[str]) -> str:
        name = match[1]
        value = wire.path.get(name)
        if not isinstance(value, str) or value in ("", ".", "..") or value == match[0]:
            raise RequestRefused(f"the route's placeholder {name!r} has no value that can stand in a path")
        used.add(name)
        return quote(value, safe="")

    path = _PLACEHOLDER.sub(value_of, wire.call.route)
    if used != set(wire.path):
        unknown = ", ".join(sorted(set(wire.path) - used))
        raise RequestRefused(f"the route has no placeholder {unknown}")
    return path


def _query(wire: WireCall) -> str:
    if not wire.query:
        return ""
    return "?" + "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in wire.query)


def _headers(given: Mapping[str, str], authorisation: Mapping[str, str]) -> dict[str, str]:
    taken = _RESERVED | {name.lower() for name in authorisation}
    for name in given:
        if name.lower() in taken:
            raise RequestRefused(f"the header {name!r} is not a call's to set")
    headers = {**authorisation, **given}
    for name, value in headers.items():
        if not _NAME.match(name) or not _VALUE.match(value):
            raise RequestRefused("a header holds characters that no header has")
    return headers
