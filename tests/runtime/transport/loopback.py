"""Loopback servers that behave or misbehave as a test says, byte for byte."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from placet.contract.platform import HttpRequest, Secret, Tenant

__all__ = ["Loopback", "Recorded", "answer", "read_request", "request", "serve", "tenant"]


@dataclass
class Recorded:
    """A request as it came."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes
    connection: int

    def header(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name]


@dataclass
class Loopback:
    """A running server. `base` is its base URL."""

    port: int
    scheme: str = "http"
    requests: list[Recorded] = field(default_factory=list)
    connections: int = 0

    @property
    def base(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"


Handler = Callable[[Loopback, int, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serve(handler: Handler, *, tls: ssl.SSLContext | None = None) -> AsyncIterator[Loopback]:
    """Run `handler` for every connection; it gets the server, the connection's number and the streams."""
    here = Loopback(0, "https" if tls else "http")
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        here.connections += 1
        try:
            await handler(here, here.connections, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()
            tasks.discard(task)

    server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls, limit=1 << 20)
    here.port = server.sockets[0].getsockname()[1]
    try:
        yield here
    finally:
        server.close()
        for _ in range(3):
            await asyncio.sleep(0)  # a connection accepted just now gets its task
        while tasks:
            task = next(iter(tasks))
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def read_request(here: Loopback, connection: int, reader: asyncio.StreamReader) -> Recorded:
    """The next whole request of a connection, noted in `here.requests`."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in head[1:] if line)]
    length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
    found = Recorded(method, target, headers, await reader.readexactly(length), connection)
    here.requests.append(found)
    return found


def answer(body: bytes = b"{}", *, status: str = "200 OK", headers: tuple[str, ...] = ()) -> bytes:
    """A well-formed answer."""
    lines = (f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", "")
    return "\r\n".join(lines).encode() + body


def tenant(base_url: str | None, app: str = "cli_a", secret: str = "s3cret") -> Tenant:
    return Tenant(app=app, platform="http", brand="own", secret=Secret(secret), base_url=base_url)


def request(
    here: Loopback | str,
    path: str = "/x",
    *,
    method: str = "GET",
    headers: dict[str, str] | None = None,
    body: bytes | None = None,
) -> HttpRequest:
    base = here if isinstance(here, str) else here.base
    return HttpRequest(method=method, url=base + path, headers=headers or {}, body=body)
