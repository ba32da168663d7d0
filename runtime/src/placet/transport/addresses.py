"""Which addresses may be called: the tenant's base URL and what lies below it, nothing that arguments could say."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from placet.segments import leads_elsewhere

__all__ = ["checked_base_url", "is_loopback", "target_fault"]

_HOST = re.compile(r"(?=.{1,253}\Z)(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*\Z")
_PREFIX = re.compile(r"(?:/[A-Za-z0-9\-._~]+)*\Z")
_TARGET = re.compile(r"/[A-Za-z0-9\-._~!$&'()*+,;=:@/?\[\]%]*\Z")
_BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_DOTS = re.compile(r"/(?:\.|%2[eE]){1,2}(?:/|\Z)")


def checked_base_url(text: str) -> str:
    """`text` in one spelling, without a slash at its end.

    Raises:
        ValueError: it is not an https URL of a host (http for loopback), or has credentials, a query or a fragment.
            The sentence does not repeat the text, which may hold a password.
    """
    if not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        raise ValueError("the base URL holds characters that no URL has")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError("the base URL cannot be read") from None
    if "@" in parts.netloc:
        raise ValueError("the base URL may not hold a user or a password")
    if "?" in text or "#" in text:
        raise ValueError("the base URL may not hold a query or a fragment")
    host = (parts.hostname or "").lower()
    if not _is_host(host):
        raise ValueError("the base URL names no host")
    if parts.scheme not in ("http", "https"):
        raise ValueError("the base URL must start with https://")
    if parts.scheme == "http" and not is_loopback(host):
        raise ValueError("http is for loopback hosts only; use https://")
    prefix = parts.path.rstrip("/")
    if not _PREFIX.match(prefix) or _DOTS.search(prefix):
        raise ValueError("the path of the base URL may hold plain segments only")
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + (f":{port}" if port is not None else "") + prefix


def target_fault(base: str, url: str) -> str | None:
    """What is wrong with `url` as a request to `base` (already checked); None when it may be sent.

    A segment of nothing but one or two dots, encoded or not and however often, or behind an encoded slash, is refused:
    whatever stands before the platform may resolve it, and the request would reach another route than the one that was
    judged.
    """
    if not url.startswith(base):
        return "the address does not lie below the tenant's base URL"
    target = url[len(base) :]
    if not _TARGET.match(target) or ("%" in target and _BROKEN_ESCAPE.search(target)):
        return "the address is not fully encoded"
    if ("/." in target or "%" in target) and leads_elsewhere(target.partition("?")[0]):
        return "the address holds a segment of dots"
    return None


def is_loopback(host: str) -> bool:
    """True for localhost, 127.0.0.0/8 and ::1, in no other spelling."""
    if host == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback and (address.version == 4 or address.compressed == "::1")


def _is_host(host: str) -> bool:
    if _HOST.match(host):
        # All digits and dots is an address, and a resolver would read "2130706433" or "127.1" as one.
        last = host.rpartition(".")[2]
        return not last.isdigit() or _is_address(host)
    return ":" in host and "%" not in host and _is_address(host)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
