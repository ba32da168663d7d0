"""One pooled HTTP client per (app, base URL), and the one function that exchanges a request for an answer.

Owns connections, TLS and deadlines. What it must never do: follow a redirect, keep a cookie, read a proxy from the
environment, send a request twice, or let one app's connection carry another app's call.
"""

import math
import re
import ssl
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import aiohttp
import anyio
from aiohttp.connector import Connection
from msgspec import Struct
from multidict import CIMultiDictProxy
from yarl import URL

from placet.contract.errors import PlacetError
from placet.contract.platform import Answer, HttpRequest, Secret, Tenant
from placet.transport.addresses import checked_base_url, target_fault
from placet.transport.answers import read_bounded
from placet.transport.bodies import encoded_form, in_pieces
from placet.transport.faults import Departure, TransportError, TransportReason

__all__ = ["Transport", "TransportOptions"]

_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+\Z")
_VALUE = re.compile(r"[!-~](?:[ \t!-~]*[!-~])?\Z|\Z")
_OURS = frozenset(
    {
        "accept-encoding", "connection", "content-length", "cookie", "expect", "host", "keep-alive", "te",
        "trailer", "transfer-encoding", "upgrade", "proxy-authorization", "proxy-connection",
    }
)  # fmt: skip
_LARGE_BYTES = 256 * 1024


class TransportOptions(Struct, frozen=True, kw_only=True):
    """Bounds of every pool.

    Attributes:
        max_connections: Of one app to one host; further calls wait in order, within their deadlines.
        keepalive_s: Idle connections are closed after it.
        max_answer_bytes: Of an answer, as received and decoded.
        proxy: A proxy's URL; None connects directly whatever the environment says.
    """

    max_connections: int = 64
    keepalive_s: float = 15.0
    dns_ttl_s: int = 300
    max_answer_bytes: int = 32 * 1024 * 1024
    proxy: Secret | None = None

    def __post_init__(self) -> None:
        if (
            self.max_connections < 1
            or self.max_answer_bytes < 1
            or self.keepalive_s < 0
            or self.dns_ttl_s < 0
        ):
            raise ValueError("transport bounds must be positive")


_departing: ContextVar[Departure] = ContextVar("placet_departing")
"""The departure of the request that the current task is sending."""


class _SentTwice(Exception):
    """The client library was about to send a request again."""


class _Connector(aiohttp.TCPConnector):
    """Marks a request's departure when it gets a connection, and gives it no second one.

    aiohttp re-sends PUT, DELETE and GET by itself when a kept connection turns out to be closed; for a write that was
    perhaps received, that is a second effect.
    """

    async def connect(self, *arguments: Any, **named: Any) -> Connection:
        gone = _departing.get()
        if gone.left:
            raise _SentTwice
        connection = await super().connect(*arguments, **named)
        gone.left = True
        return connection


class _Pool(Struct):
    base: str
    session: aiohttp.ClientSession


class Transport:
    """Sends requests of tenants. Made inside a running loop and closed in the same one.

    Args:
        base_url: A tenant's base URL by its brand; a tenant's own `base_url` is taken first.
        ssl_context: Trust of another kind than the system's; it must verify.
    """

    def __init__(
        self,
        base_url: Callable[[Tenant], str],
        *,
        options: TransportOptions | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        if ssl_context is not None and (
            ssl_context.verify_mode is not ssl.CERT_REQUIRED or not ssl_context.check_hostname
        ):
            raise ValueError("a transport verifies certificates and host names")
        self._base_url = base_url
        self._options = options or TransportOptions()
        self._ssl = ssl_context
        self._pools: dict[tuple[str, str, str, str | None], _Pool] = {}
        self._closed = False

    async def send(
        self,
        request: HttpRequest,
        tenant: Tenant,
        *,
        deadline_s: float,
        max_bytes: int | None = None,
        departure: Departure | None = None,
    ) -> Answer:
        """The complete answer, whatever its status.

        Args:
            deadline_s: Total: waiting for a connection, connecting, sending and reading.
            max_bytes: Bound of the answer, when it is another than the options'.
            departure: Is told whether the request may have left; the way to know it when this is cancelled.
        Raises:
            TransportError: no complete answer; `sent` says whether the request may have left.
        """
        gone = departure if departure is not None else Departure()
        if not deadline_s > 0:
            raise TransportError(sent=False, reason=TransportReason.TIMEOUT)
        pool = self._pool(tenant)
        headers, data, fault = request.headers, request.body, _fault(request, pool.base)
        if fault is None and (request.form or request.multipart):
            ends = anyio.current_time() + deadline_s
            headers, data, fault = await _form(request, deadline_s)
            deadline_s = ends - anyio.current_time()
        if fault is not None:
            raise TransportError(sent=False, reason=TransportReason.REQUEST, detail=fault)
        bound = self._options.max_answer_bytes if max_bytes is None else max_bytes
        _departing.set(gone)
        try:
            return await _exchange(pool.session, request, headers, data, deadline_s, bound)
        except (aiohttp.ClientError, OSError, _SentTwice) as error:
            # The cause is not chained: its text holds addresses and lines of the answer.
            raise TransportError(sent=gone.left, reason=_reason(error, gone.left)) from None

    async def close(self) -> None:
        """Close every connection; a call made afterwards is refused."""
        self._closed = True
        pools, self._pools = self._pools, {}
        for pool in pools.values():
            await pool.session.close()

    def _pool(self, tenant: Tenant) -> _Pool:
        key = (tenant.app, tenant.platform, tenant.brand, tenant.base_url)
        found = self._pools.get(key)
        if found is None:
            if self._closed:
                raise TransportError(sent=False, reason=TransportReason.CLOSED)
            found = self._pools[key] = self._open(tenant)
        return found

    def _open(self, tenant: Tenant) -> _Pool:
        try:
            base = checked_base_url(
                tenant.base_url if tenant.base_url is not None else self._base_url(tenant)
            )
        except (ValueError, LookupError):
            raise TransportError(
                sent=False, reason=TransportReason.REQUEST, detail="the tenant has no usable base URL"
            ) from None
        options = self._options
        connector = _Connector(
            limit=options.max_connections,
            keepalive_timeout=options.keepalive_s,
            use_dns_cache=True,
            ttl_dns_cache=options.dns_ttl_s,
            ssl=True if self._ssl is None else self._ssl,
        )
        session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            proxy=None if options.proxy is None else options.proxy.reveal(),
            headers={"Accept-Encoding": "gzip", "User-Agent": "placet"},
        )
        return _Pool(base, session)


async def _exchange(
    session: aiohttp.ClientSession,
    request: HttpRequest,
    headers: dict[str, str],
    data: bytes | None,
    deadline_s: float,
    max_bytes: int,
) -> Answer:
    """The client library keeps the deadline: total, from waiting for a connection to the answer's last byte."""
    body: Any = data
    if data is not None and len(data) > _LARGE_BYTES:
        headers = {**headers, "Content-Length": str(len(data))}
        body = in_pieces(data)
    async with session.request(
        request.method,
        URL(request.url, encoded=True),
        headers=headers,
        data=body,
        allow_redirects=False,
        timeout=aiohttp.ClientTimeout(total=deadline_s, sock_connect=None, ceil_threshold=math.inf),
    ) as response:
        found = response.headers
        try:
            content = await read_bounded(
                response.content.readany,
                encoding=found.get("Content-Encoding", "").strip().lower(),
                length=response.content_length,
                max_bytes=max_bytes,
            )
        except TransportError:
            response.close()
            raise
        return Answer(status=response.status, headers=_lower(found), body=content)


async def _form(request: HttpRequest, deadline_s: float) -> tuple[dict[str, str], bytes | None, str | None]:
    """Headers and body of a form, and what is wrong with it; its files are read here, before anything is sent."""
    try:
        with anyio.fail_after(deadline_s):
            body, content_type = await encoded_form(request)
    except TimeoutError:
        raise TransportError(sent=False, reason=TransportReason.TIMEOUT) from None
    except (ValueError, PlacetError) as error:
        return {}, None, str(error)
    headers = {name: value for name, value in request.headers.items() if name.lower() != "content-type"}
    return {**headers, "Content-Type": content_type}, body, None


def _fault(request: HttpRequest, base: str) -> str | None:
    if request.method not in _METHODS:
        return "the method is none that a platform uses"
    seen: set[str] = set()
    for name, value in request.headers.items():
        lower = name.lower()
        if not _TOKEN.match(name) or not _VALUE.match(value):
            return "a header holds characters that no header has"
        if lower in _OURS:
            return "a header is set that belongs to the connection"
        if lower in seen:
            return "a header is set twice"
        seen.add(lower)
    return target_fault(base, request.url)


def _reason(error: BaseException, left: bool) -> TransportReason:
    match error:
        case aiohttp.ClientConnectorDNSError():
            return TransportReason.DNS
        case TimeoutError():
            return TransportReason.TIMEOUT
        case aiohttp.ClientSSLError() | ssl.SSLError() | aiohttp.ServerFingerprintMismatch():
            return TransportReason.RESET if left else TransportReason.TLS
        case aiohttp.ClientPayloadError():
            return TransportReason.TRUNCATED
        case aiohttp.InvalidURL():
            return TransportReason.REQUEST
        case aiohttp.ClientResponseError():
            return TransportReason.MALFORMED if left else TransportReason.CONNECT
        case _:
            return TransportReason.RESET if left else TransportReason.CONNECT


def _lower(headers: CIMultiDictProxy[str]) -> dict[str, str]:
    """Header names in lower case; values of a repeated one are joined as HTTP does."""
    found: dict[str, str] = {}
    for name, value in headers.items():
        key = name.lower()
        if not value.isascii():
            value = value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        found[key] = f"{found[key]}, {value}" if key in found else value
    return found
