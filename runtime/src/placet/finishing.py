"""Work that must end once it has begun, whoever still waits for it.

A cancelled caller is gone at once, by whatever means it was cancelled: `asyncio.timeout`, `Task.cancel` of a web
server, a cancel scope. What it had begun runs on in a task that is kept here, and is waited for at the end.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import anyio

__all__ = ["Finishing"]

T = TypeVar("T")


class Finishing:
    """The tasks of one event loop that must end."""

    def __init__(self) -> None:
        self._open: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin the work. Wait for it through `asyncio.shield`, or not at all."""
        task = asyncio.get_running_loop().create_task(work)
        self._open.add(task)
        task.add_done_callback(self._ended)
        return task

    async def drain(self, within_s: float) -> None:
        """Wait until all have ended; what still runs after so many seconds is given up."""
        with anyio.CancelScope(shield=True):
            ends = asyncio.get_running_loop().time() + within_s
            while self._open and (left_s := ends - asyncio.get_running_loop().time()) > 0:
                await asyncio.wait(set(self._open), timeout=left_s)
            given_up = set(self._open)
            for task in given_up:
                task.cancel()
            await asyncio.gather(*given_up, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._open.discard(task)
        if not task.cancelled():
            task.exception()  # looked at: nobody may be there to be told
