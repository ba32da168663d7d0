"""Eight real processes with one login, over a real store and a real socket."""

import asyncio
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
import msgspec
import pytest

from tests.runtime.transport.loopback import Loopback, answer, read_request, serve

pytestmark = pytest.mark.anyio

HOSTS = 8


async def gives_tokens(
    here: Loopback, n: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    while True:
        await read_request(here, n, reader)
        await asyncio.sleep(0.05)  # a slow platform: long enough for all the others to want a token too
        body = {"token": f"t-{len(here.requests)}", "expires_at": time.time() + 7200}
        writer.write(answer(msgspec.json.encode(body)))
        await writer.drain()


async def test_eight_processes_refresh_once(tmp_path: Path) -> None:
    """All start cold, then all find the token revoked at once: the platform sees one request each time, and every
    process holds the same, whole token."""
    async with serve(gives_tokens) as here, AsyncExitStack() as stack:
        hosts = [
            await asyncio.create_subprocess_exec(
                sys.executable, str(Path(__file__).with_name("host.py")), f"sqlite:///{tmp_path / 'shared.db'}", here.base,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            )
            for _ in range(HOSTS)
        ]  # fmt: skip
        for host in hosts:
            stack.push_async_callback(host.wait)

        async def all_say(word: str) -> set[str]:
            for host in hosts:
                assert host.stdin is not None
                host.stdin.write(f"{word}\n".encode())
            return await heard()

        async def heard() -> set[str]:
            return {
                (await host.stdout.readline()).decode().strip() for host in hosts if host.stdout is not None
            }

        with anyio.fail_after(120):
            assert await heard() == {"ready"}
            assert await all_say("get") == {"t-1"}
            assert await all_say("force") == {"t-2"}
            assert await all_say("get") == {"t-2"}
            for host in hosts:
                assert host.stdin is not None
                host.stdin.close()

    assert len(here.requests) == 2
    assert all(host.returncode == 0 for host in hosts)
    assert b"t-2" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
