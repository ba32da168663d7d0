"""A loopback server that answers as fast as plain asyncio can: the samples by their paths, one body to all else.

Prints its port, then serves.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.measuring import Failed
from tests.bench.samples import answer_to

OTHER = b'{"code":0,"data":{"record":{"fields":{"text":"' + b"x" * 800 + b'"}}}}'


def _answer(body: bytes) -> bytes:
    head = (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nX-Tt-Logid: 20261130abcdef\r\n"
    )
    return head + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Answering(asyncio.Protocol):
    """Finds the end of each request by its Content-Length."""

    answers: dict[bytes, bytes] = {}  # noqa: RUF012 - what was made once is sent to every connection

    def __init__(self) -> None:
        self.waiting = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.waiting += data
        while (end := self.waiting.find(b"\r\n\r\n")) >= 0:
            head = self.waiting[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].partition(b"\r\n")[0]) if at >= 0 else 0
            if len(self.waiting) < end + 4 + length:
                return
            path = self.waiting[:end].split(b" ", 2)[1].partition(b"?")[0]
            self.waiting = self.waiting[end + 4 + length :]
            answer = self.answers.get(path)
            if answer is None:
                answer = self.answers[path] = _answer(answer_to(path.decode()) or OTHER)
            self.transport.write(answer)


@contextmanager
def answering() -> Iterator[str]:
    """The base URL of such a server in a process of its own."""
    workspace = Path(__file__).parent.parent.parent
    command = [sys.executable, "-m", "tests.bench.answering"]
    server = subprocess.Popen(command, cwd=workspace, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        if not port:
            raise Failed("the loopback server did not start")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.communicate()


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Answering, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
