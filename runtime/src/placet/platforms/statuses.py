"""What an HTTP status says by itself, and what the answer's headers add; alike for every platform."""

import re
from collections.abc import Mapping
from typing import Literal
from urllib.parse import unquote

__all__ = ["category_of", "effect_of", "file_name", "is_passing", "media_type", "retry_after_s"]

_CATEGORIES = {
    400: "invalid_argument",
    401: "token_invalid",
    403: "no_permission",
    404: "not_found",
    405: "invalid_argument",
    409: "conflict",
    410: "not_found",
    412: "conflict",
    413: "invalid_argument",
    414: "invalid_argument",
    415: "invalid_argument",
    422: "invalid_argument",
    429: "rate_limited",
    431: "invalid_argument",
}
_UNDECIDED = frozenset({408, 409, 425, 499})
"""Client errors that do not say whether the request was acted upon."""

_PASSING = frozenset({429, 500, 502, 503, 504})
_SECONDS = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,3})?\Z")
_MEDIA = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,60}/[A-Za-z0-9!#$&^_.+-]{1,60}\Z")
_EXTENDED = re.compile(r"filename\*\s*=\s*utf-8'[^']*'([^;\s]+)", re.IGNORECASE)
_QUOTED = re.compile(r'filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))', re.IGNORECASE)
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def category_of(status: int) -> str:
    """The neutral word for an error status."""
    return _CATEGORIES.get(status, "invalid_argument" if 400 <= status < 500 else "server")


def effect_of(status: int) -> Literal["none", "unknown"]:
    """ "none" when the status alone proves that a write did nothing."""
    return "none" if 400 <= status < 500 and status not in _UNDECIDED else "unknown"


def is_passing(status: int) -> bool:
    """True when the same request may fare better later."""
    return status in _PASSING


def retry_after_s(headers: Mapping[str, str], *names: str) -> float | None:
    """Seconds from the first of the named headers that has them; None when none does, or says 0."""
    for name in names:
        value = headers.get(name, "").strip()
        if _SECONDS.match(value) and float(value):
            return float(value)
    return None


def media_type(headers: Mapping[str, str]) -> str:
    """The media type without parameters, lower-case; octets when the header is none."""
    value = headers.get("content-type", "").partition(";")[0].strip().lower()
    return value if _MEDIA.match(value) else "application/octet-stream"


def file_name(headers: Mapping[str, str]) -> str | None:
    """The name that an answer gives its file: its last part only, without control characters, at most 200 long."""
    header = headers.get("content-disposition", "")
    if found := _EXTENDED.search(header):
        name = unquote(found[1], errors="replace")
    elif found := _QUOTED.search(header):
        name = unquote(re.sub(r"\\(.)", r"\1", found[1]) if found[1] is not None else found[2])
    else:
        return None
    name = _UNSAFE.sub("", re.split(r"[/\\]", name)[-1]).strip()
    return name[-200:] if name not in ("", ".", "..") else None
