"""One exchange, against servers that behave and servers that do not."""

import asyncio
import gzip
import socket
import zlib
from collections.abc import AsyncIterator

import anyio
import anyio.lowlevel
import pytest

from placet.contract.platform import Answer, HttpRequest, Tenant
from placet.transport import Departure, TransportError, TransportReason
from placet.transport.pool import Transport, TransportOptions
from tests.runtime.transport.loopback import Loopback, answer, read_request, request, serve, tenant

pytestmark = pytest.mark.anyio

MIB = 1024 * 1024


def no_brands(_: Tenant) -> str:
    raise LookupError


@pytest.fixture
async def transport() -> AsyncIterator[Transport]:
    made = Transport(no_brands, options=TransportOptions(max_answer_bytes=MIB))
    yield made
    await made.close()


async def answers(here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        await read_request(here, n, reader)
        writer.write(answer(b'{"code": 0}', headers=("X-Log-Id: L1", "x-twice: a", "X-Twice: b")))
        await writer.drain()


async def failed(
    transport: Transport, call: HttpRequest, who: Tenant, *, deadline_s: float = 5
) -> TransportError:
    with anyio.fail_after(5), pytest.raises(TransportError) as caught:
        await transport.send(call, who, deadline_s=deadline_s)
    return caught.value


async def test_an_answer_comes_whole_with_lower_case_names(transport: Transport) -> None:
    """Status, header names in lower case with repeated ones joined, and the bytes."""
    async with serve(answers) as here:
        got = await transport.send(request(here), tenant(here.base), deadline_s=5)

    assert (got.status, got.body, got.headers["x-log-id"], got.headers["x-twice"]) == (
        200,
        b'{"code": 0}',
        "L1",
        "a, b",
    )


async def test_a_request_goes_out_exactly_as_encoded(transport: Transport) -> None:
    """No part of path or query is decoded, normalised or encoded again, and no cookie or redirect header is added."""
    target = "/a%2Fb/..c/%E5%BE%85?q=a%20b&q=&f=%7B%22x%22%3A1%7D&plus=a+b"
    async with serve(answers) as here:
        call = request(
            here,
            target,
            method="PUT",
            headers={"Authorization": "Bearer t", "Content-Type": "application/json"},
            body=b"{}",
        )
        await transport.send(call, tenant(here.base), deadline_s=5)

    (got,) = here.requests
    assert (got.method, got.target, got.body) == ("PUT", target, b"{}")
    assert got.header("authorization") == ["Bearer t"]
    assert {name.lower() for name, _ in got.headers} == {
        "host", "authorization", "content-type", "content-length", "accept", "accept-encoding", "user-agent"
    }  # fmt: skip


async def test_a_large_body_has_a_length_and_arrives_whole(transport: Transport) -> None:
    """A body over a megabyte goes in pieces, not chunked, and warns nobody."""
    body = bytes(range(256)) * 8192
    async with serve(answers) as here:
        await transport.send(request(here, method="POST", body=body), tenant(here.base), deadline_s=5)

    (got,) = here.requests
    assert got.body == body
    assert (got.header("content-length"), got.header("transfer-encoding")) == ([str(len(body))], [])


async def test_connections_are_kept_per_app(transport: Transport) -> None:
    """Calls of one app share a connection; another app's calls never travel on it."""
    async with serve(answers) as here:
        for app in ("cli_a", "cli_b", "cli_a", "cli_b"):
            await transport.send(request(here), tenant(here.base, app), deadline_s=5)

    assert [r.connection for r in here.requests] == [1, 2, 1, 2]


async def test_a_redirect_is_an_answer(transport: Transport) -> None:
    """It is not followed: the token would travel to whoever the answer names."""
    async with serve(answers) as elsewhere:

        async def redirects(
            here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
        ) -> None:
            await read_request(here, n, reader)
            writer.write(
                answer(status="307 Temporary Redirect", headers=(f"Location: {elsewhere.base}/steal",))
            )
            await writer.drain()

        async with serve(redirects) as here:
            got = await transport.send(
                request(here, headers={"Authorization": "Bearer t"}), tenant(here.base), deadline_s=5
            )

    assert (got.status, elsewhere.connections) == (307, 0)


async def test_cookies_are_forgotten(transport: Transport) -> None:
    """What a server sets is not sent back."""

    async def sets(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while True:
            await read_request(here, n, reader)
            writer.write(answer(headers=("Set-Cookie: session=1; Path=/",)))
            await writer.drain()

    async with serve(sets) as here:
        for _ in range(2):
            await transport.send(request(here), tenant(here.base), deadline_s=5)

    assert here.requests[1].header("cookie") == []


async def test_proxies_of_the_environment_are_ignored(
    transport: Transport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sets a variable does not get to read the calls."""
    async with serve(answers) as proxy, serve(answers) as here:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.base)
        await transport.send(request(here), tenant(here.base), deadline_s=5)

    assert (proxy.connections, len(here.requests)) == (0, 1)


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"X": "a\r\nEvil: 1"}, id="line-break"),
        pytest.param({"X": "a\n"}, id="line-feed"),
        pytest.param({"X": "a\x00b"}, id="nul"),
        pytest.param({"X": "待办"}, id="non-ascii"),
        pytest.param({"X\r\nEvil": "1"}, id="name-line-break"),
        pytest.param({"X Y": "1"}, id="name-space"),
        pytest.param({"": "1"}, id="name-empty"),
        pytest.param({"Authorization": "a", "authorization": "b"}, id="two-identities"),
        pytest.param({"Host": "evil.example"}, id="host"),
        pytest.param({"transfer-encoding": "chunked"}, id="transfer-encoding"),
        pytest.param({"Content-Length": "1"}, id="content-length"),
        pytest.param({"Cookie": "a=b"}, id="cookie"),
        pytest.param({"Expect": "100-continue"}, id="expect"),
    ],
)
async def test_no_header_breaks_out(transport: Transport, headers: dict[str, str]) -> None:
    """A header that could end, double or replace another is refused before a connection is made."""
    async with serve(answers) as here:
        error = await failed(transport, request(here, headers=headers), tenant(here.base))

    assert (error.sent, error.reason, here.connections) == (False, TransportReason.REQUEST, 0)


@pytest.mark.parametrize("method", ["get", "GET / HTTP/1.1\r\nX: 1\r\n\r\nGET", "CONNECT", "TRACE", ""])
async def test_no_method_breaks_out(transport: Transport, method: str) -> None:
    """Only the five methods that platforms use are sent."""
    async with serve(answers) as here:
        error = await failed(transport, request(here, method=method), tenant(here.base))

    assert (error.sent, error.reason, here.connections) == (False, TransportReason.REQUEST, 0)


async def test_a_call_stays_on_its_tenants_host(transport: Transport) -> None:
    """A URL of another host is refused, however it came to be."""
    async with serve(answers) as here, serve(answers) as other:
        error = await failed(transport, request(other), tenant(here.base))

    assert (error.sent, error.reason, other.connections) == (False, TransportReason.REQUEST, 0)


@pytest.mark.parametrize("base", [None, "http://192.0.2.1", "not a url"])
async def test_a_tenant_without_a_usable_host_sends_nothing(transport: Transport, base: str | None) -> None:
    """An unknown brand has no default host, and http goes to loopback only."""
    error = await failed(transport, request("http://192.0.2.1"), tenant(base))

    assert (error.sent, error.reason) == (False, TransportReason.REQUEST)


async def test_a_closed_transport_sends_nothing(transport: Transport) -> None:
    """After `close` a call is refused as not sent."""
    async with serve(answers) as here:
        await transport.close()
        error = await failed(transport, request(here), tenant(here.base))

    assert (error.sent, error.reason) == (False, TransportReason.CLOSED)


# Before anything left


async def test_a_host_that_does_not_resolve_was_sent_nothing(
    transport: Transport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS fails before a connection exists."""

    async def unresolved(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unresolved)
    error = await failed(transport, request("https://nowhere.example"), tenant("https://nowhere.example"))

    assert (error.sent, error.reason) == (False, TransportReason.DNS)


async def test_a_refused_connection_was_sent_nothing(transport: Transport) -> None:
    """Nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{taken.getsockname()[1]}"
        error = await failed(transport, request(base, method="POST", body=b"x"), tenant(base))

    assert (error.sent, error.reason) == (False, TransportReason.CONNECT)


async def test_a_failed_handshake_was_sent_nothing(transport: Transport) -> None:
    """A server that speaks no TLS gets a greeting, and no byte of the request."""
    seen: list[bytes] = []

    async def no_tls(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        seen.append(await reader.read(4096))
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()

    async with serve(no_tls) as here:
        base = here.base.replace("http:", "https:")
        error = await failed(transport, request(base, headers={"Authorization": "Bearer t-1"}), tenant(base))

    assert (error.sent, error.reason) == (False, TransportReason.TLS)
    assert b"t-1" not in b"".join(seen)


async def test_a_handshake_that_never_ends_was_sent_nothing(transport: Transport) -> None:
    """The deadline covers connecting."""

    async def silent(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await reader.read()

    async with serve(silent) as here:
        base = here.base.replace("http:", "https:")
        error = await failed(transport, request(base), tenant(base), deadline_s=0.1)

    assert (error.sent, error.reason) == (False, TransportReason.TIMEOUT)


async def test_a_call_that_found_no_free_connection_was_sent_nothing() -> None:
    """The deadline covers the wait for the pool."""
    transport = Transport(no_brands, options=TransportOptions(max_connections=1))

    async def silent(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await read_request(here, n, reader)
        arrived.set()
        await reader.read()

    arrived = anyio.Event()
    async with serve(silent) as here, anyio.create_task_group() as group:
        group.start_soon(lambda: failed(transport, request(here), tenant(here.base), deadline_s=2))
        with anyio.fail_after(5):
            await arrived.wait()
        error = await failed(transport, request(here), tenant(here.base), deadline_s=0.05)
        group.cancel_scope.cancel()
    await transport.close()

    assert (error.sent, error.reason, len(here.requests)) == (False, TransportReason.TIMEOUT, 1)


async def test_a_deadline_that_has_passed_sends_nothing(transport: Transport) -> None:
    """No time left, no connection."""
    async with serve(answers) as here:
        error = await failed(transport, request(here), tenant(here.base), deadline_s=0)

    assert (error.sent, error.reason, here.requests) == (False, TransportReason.TIMEOUT, [])


# After the request may have left


def bomb(size: int) -> bytes:
    return gzip.compress(bytes(size), 9)


GARBAGE = [
    pytest.param(b"", TransportReason.RESET, id="closed-without-answer"),
    pytest.param(b"HTTP/1.1 200 OK\r\nContent-Le", TransportReason.RESET, id="closed-in-headers"),
    pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", TransportReason.TRUNCATED, id="short-body"),
    pytest.param(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}", TransportReason.TRUNCATED, id="short-chunk"),
    pytest.param(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", TransportReason.TRUNCATED, id="no-last-chunk"),
    pytest.param(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}", TransportReason.MALFORMED, id="broken-chunk-size"),
    pytest.param(b"SMTP ready\r\n\r\n", TransportReason.MALFORMED, id="not-http"),
    pytest.param(b"HTTP/1.1 abc OK\r\n\r\n", TransportReason.MALFORMED, id="no-status"),
    pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", TransportReason.MALFORMED, id="two-lengths"),
    pytest.param(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000 + b"\r\n\r\n", TransportReason.MALFORMED, id="huge-header"),
    pytest.param(b"HTTP/1.1 200 OK\r\n" + b"X: a\r\n" * 10_000 + b"\r\n", TransportReason.MALFORMED, id="many-headers"),
    pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", TransportReason.TOO_LARGE, id="huge-length"),
    pytest.param(b"HTTP/1.1 200 OK\r\n\r\n" + bytes(MIB + 1), TransportReason.TOO_LARGE, id="huge-without-length"),
    pytest.param(answer(bomb(64 * MIB), headers=("Content-Encoding: gzip",)), TransportReason.TOO_LARGE, id="bomb"),
    pytest.param(answer(b"not gzip", headers=("Content-Encoding: gzip",)), TransportReason.ENCODING, id="not-gzip"),
    pytest.param(answer(gzip.compress(b"{}")[:-4], headers=("Content-Encoding: gzip",)), TransportReason.TRUNCATED, id="short-gzip"),
    pytest.param(answer(gzip.compress(b"{}") + b"x", headers=("Content-Encoding: gzip",)), TransportReason.ENCODING, id="gzip-and-more"),
    pytest.param(answer(gzip.compress(gzip.compress(b"{}")), headers=("Content-Encoding: gzip, gzip",)), TransportReason.ENCODING, id="gzip-twice"),
    pytest.param(answer(zlib.compress(b"{}"), headers=("Content-Encoding: br",)), TransportReason.ENCODING, id="not-asked-for"),
]  # fmt: skip


@pytest.mark.parametrize("method", ["GET", "PUT", "POST"])
@pytest.mark.parametrize(("raw", "reason"), GARBAGE)
async def test_a_broken_answer_is_typed_and_counts_as_sent(
    transport: Transport, raw: bytes, reason: TransportReason, method: str
) -> None:
    """Whatever comes instead of an answer: one typed error, one request, and never the claim that nothing was sent."""

    async def breaks(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await read_request(here, n, reader)
        writer.write(raw)
        await writer.drain()

    async with serve(breaks) as here:
        error = await failed(transport, request(here, method=method), tenant(here.base))

    assert (error.sent, error.reason, len(here.requests)) == (True, reason, 1)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{",
        b"HTTP/1.1 100 Continue\r\n\r\n",
    ],
)
async def test_an_answer_that_stalls_ends_at_the_deadline(transport: Transport, raw: bytes) -> None:
    """The deadline is total: an answer that trickles is no exception."""

    async def stalls(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await read_request(here, n, reader)
        writer.write(raw)
        await writer.drain()
        await reader.read()

    async with serve(stalls) as here:
        error = await failed(transport, request(here), tenant(here.base), deadline_s=0.1)

    assert (error.sent, error.reason) == (True, TransportReason.TIMEOUT)


async def test_a_reset_counts_as_sent(transport: Transport) -> None:
    """A connection that dies after the request was read says nothing about what was done."""

    async def resets(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await read_request(here, n, reader)
        writer.transport.abort()

    async with serve(resets) as here:
        error = await failed(transport, request(here, method="POST", body=b"{}"), tenant(here.base))

    assert (error.sent, error.reason) == (True, TransportReason.RESET)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "POST", "PATCH"])
async def test_a_request_is_never_sent_again_by_the_client_library(transport: Transport, method: str) -> None:
    """On a kept connection that closes after it read the request, exactly one request arrives (regression: aiohttp
    repeats PUT and DELETE by itself)."""

    async def once(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await read_request(here, n, reader)
        writer.write(answer())
        await writer.drain()
        await read_request(here, n, reader)

    async with serve(once) as here:
        await transport.send(request(here, "/first"), tenant(here.base), deadline_s=5)
        error = await failed(transport, request(here, "/second", method=method), tenant(here.base))

    assert (error.sent, error.reason) == (True, TransportReason.RESET)
    assert [r.target for r in here.requests] == ["/first", "/second"]


@pytest.mark.parametrize(
    ("connects", "body"),
    [
        pytest.param(True, b"{}", id="waiting-for-the-answer"),
        pytest.param(True, bytes(64 * MIB), id="writing"),
        pytest.param(False, b"{}", id="connecting"),
    ],
)
async def test_a_cancelled_call_knows_whether_it_left(
    transport: Transport, connects: bool, body: bytes
) -> None:
    """Cancellation travels as itself, and the departure tells a write that may have happened from one that did not."""
    started = anyio.Event()

    async def reads_a_little(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if connects:
            await reader.read(64)
        started.set()
        await asyncio.Event().wait()

    departure = Departure()
    cancelled = False

    async with serve(reads_a_little) as here:
        base = here.base if connects else here.base.replace("http:", "https:")

        async def call() -> None:
            nonlocal cancelled
            try:
                await transport.send(
                    request(base, method="POST", body=body), tenant(base), deadline_s=30, departure=departure
                )
            except anyio.get_cancelled_exc_class():
                cancelled = True
                raise

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            with anyio.fail_after(5):
                await started.wait()
            group.cancel_scope.cancel()

    assert (cancelled, departure.left) == (True, connects)


async def test_a_deadline_and_a_cancellation_at_the_same_moment(transport: Transport) -> None:
    """Whichever comes first, the caller's scope ends as itself or the call fails as timed out, and nothing lingers."""

    async def silent(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await reader.read()

    ends: set[TransportReason | bool] = set()
    async with serve(silent) as here:
        for _ in range(30):
            with anyio.move_on_after(0.01) as scope:
                try:
                    await transport.send(request(here), tenant(here.base), deadline_s=0.01)
                except TransportError as error:
                    ends.add(error.reason)
            ends.add(scope.cancelled_caught)
            await anyio.lowlevel.checkpoint()
            task = asyncio.current_task()
            assert task is not None and task.cancelling() == 0

    assert ends <= {TransportReason.TIMEOUT, True, False}


async def test_a_pool_lives_on_after_faults(transport: Transport) -> None:
    """A connection that broke or was cancelled is not used again, and the next call works."""

    async def every_other(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while True:
            await read_request(here, n, reader)
            if n % 2:
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nstale")
                await writer.drain()
                return
            writer.write(answer(b"fresh"))
            await writer.drain()

    bodies: list[Answer] = []
    async with serve(every_other) as here:
        for _ in range(3):
            await failed(transport, request(here), tenant(here.base, f"cli_{len(bodies)}"))
            bodies.append(
                await transport.send(request(here), tenant(here.base, f"cli_{len(bodies)}"), deadline_s=5)
            )

    assert [one.body for one in bodies] == [b"fresh"] * 3


async def test_gzip_is_read(transport: Transport) -> None:
    """A compressed answer arrives decoded."""
    body = b'{"items": [1, 2, 3]}' * 1000

    async def zips(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await read_request(here, n, reader)
        writer.write(answer(gzip.compress(body), headers=("Content-Encoding: GZIP",)))
        await writer.drain()

    async with serve(zips) as here:
        got = await transport.send(request(here), tenant(here.base), deadline_s=5)

    assert got.body == body


@pytest.mark.parametrize("body", [b"<html>502 Bad Gateway</html>", b"", b'{"code": 0', "乱码".encode("gbk")])
async def test_a_whole_answer_is_not_judged_here(transport: Transport, body: bytes) -> None:
    """HTML, nothing and broken JSON are complete answers; what they mean is the platform's to say."""

    async def says(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await read_request(here, n, reader)
        writer.write(answer(body, status="502 Bad Gateway"))
        await writer.drain()

    async with serve(says) as here:
        got = await transport.send(request(here), tenant(here.base), deadline_s=5)

    assert (got.status, got.body) == (502, body)


async def test_errors_show_no_secret(transport: Transport) -> None:
    """Neither text, repr nor cause of an error holds a token, an address or a line of the answer."""

    async def echoes(
        here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        got = await read_request(here, n, reader)
        writer.write(
            f"HTTP/1.1 2x {got.header('authorization')[0]}\r\nX{got.header('authorization')[0]}\r\n\r\n".encode()
        )
        await writer.drain()

    async with serve(echoes) as here:
        call = request(here, "/p?token=qs-1", headers={"Authorization": "Bearer t-1"})
        error = await failed(transport, call, tenant(here.base, secret="s-1"))

    shown = f"{error} {error!r} {error.__cause__} {vars(error)}"
    assert not any(secret in shown for secret in ("t-1", "qs-1", "s-1", "127.0.0.1"))
    assert error.__suppress_context__
