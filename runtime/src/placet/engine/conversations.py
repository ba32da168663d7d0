"""One turn of a conversation at a time, across tasks and processes."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from placet.contract.errors import PlacetError
from placet.contract.stores import SharedState, StoreError

__all__ = ["Busy", "Conversations"]

POLL_S = 0.05


class Busy(PlacetError):
    """The conversation, or the engine as a whole, had no place in time. The next move is to try again later."""


class Conversations:
    """Leases over conversations, and a bound on how many turns run at once.

    Args:
        shared: Where other processes see the lease.
        most: Turns of this process at once.
        wait_s: How long a turn waits for its place.
        lease_s: How long a process that died keeps a conversation from the others.
    """

    def __init__(
        self,
        shared: SharedState,
        *,
        fresh_id: Callable[[], str],
        most: int = 32,
        wait_s: float = 60.0,
        lease_s: float = 30.0,
    ) -> None:
        self._shared, self._fresh_id, self._wait_s, self._lease_s = shared, fresh_id, wait_s, lease_s
        self._places = asyncio.Semaphore(most)
        self._locks: dict[str, asyncio.Lock] = {}
        self._users: Counter[str] = Counter()

    @asynccontextmanager
    async def hold(self, key: str) -> AsyncIterator[int]:
        """The conversation, for as long as the block runs; gives a fencing token that only rises.

        Raises:
            Busy: it was not free in time.
            StoreError: nobody can say whether it is free.
        """
        owner, ends = self._fresh_id(), asyncio.get_running_loop().time() + self._wait_s
        async with self._lock(key, ends), self._place(ends):
            token = await self._acquired(key, owner, ends)
            renewing = asyncio.create_task(self._renew(key, owner, asyncio.current_task()))
            try:
                yield token
            finally:
                renewing.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await renewing
                with contextlib.suppress(StoreError):
                    await self._shared.release(_name(key), owner=owner)

    async def _acquired(self, key: str, owner: str, ends: float) -> int:
        loop = asyncio.get_running_loop()
        while True:
            token = await self._shared.acquire(_name(key), owner=owner, ttl_s=self._lease_s)
            if token is not None:
                return token
            if loop.time() >= ends:
                raise Busy("another turn of this conversation is running; try again when it has ended")
            await asyncio.sleep(POLL_S)

    async def _renew(self, key: str, owner: str, holder: "asyncio.Task[object] | None") -> None:
        """Keep the lease; a holder that has lost it is cancelled, for somebody else may be at work."""
        while True:
            await asyncio.sleep(self._lease_s / 3)
            try:
                kept = await self._shared.acquire(_name(key), owner=owner, ttl_s=self._lease_s)
            except StoreError:
                continue  # it may come back before the lease is over
            if kept is None and holder is not None:
                holder.cancel()
                return

    @asynccontextmanager
    async def _lock(self, key: str, ends: float) -> AsyncIterator[None]:
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._users[key] += 1
        try:
            await _in_time(lock.acquire(), ends)
            try:
                yield
            finally:
                lock.release()
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._locks[key]

    @asynccontextmanager
    async def _place(self, ends: float) -> AsyncIterator[None]:
        await _in_time(self._places.acquire(), ends)
        try:
            yield
        finally:
            self._places.release()


async def _in_time(waiting: Awaitable[object], ends: float) -> None:
    try:
        async with asyncio.timeout_at(ends):
            await waiting
    except TimeoutError:
        raise Busy("too many turns are running; try again later") from None


def _name(key: str) -> str:
    return f"conversation {key}"
