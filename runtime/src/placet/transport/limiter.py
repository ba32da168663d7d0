"""Keeps calls below a platform's rate: at most `count` in any `per_s` seconds, in the order they came.

A window of this process decides first and costs nothing; several processes share the rate through `SharedState`.
Every wait has an end that is known when it begins, so a caller sleeps once and never polls.
"""

import time
from collections import deque
from collections.abc import Awaitable, Callable

import anyio

from placet.contract.platform import RateKey
from placet.contract.stores import SharedState, StoreError
from placet.transport.faults import TransportError, TransportReason

__all__ = ["Limiter"]

_MANY_BUCKETS = 4096
_SHORTEST_WAIT_S = 0.005


class _Window:
    """The moments at which this process's last calls left or will leave; strictly in order."""

    __slots__ = ("moments", "turn")

    def __init__(self) -> None:
        self.moments: deque[float] = deque()
        self.turn = anyio.Lock()

    def next_free(self, key: RateKey, now: float) -> float:
        """The earliest moment for one more call, behind everybody who came before."""
        moments = self.moments
        while moments and moments[0] <= now - key.per_s:
            moments.popleft()
        moment = max(now, moments[-1]) if moments else now
        if len(moments) >= key.count:
            moment = max(moment, moments[-key.count] + key.per_s)
        return moment


class Limiter:
    """One per runtime. A bucket's name holds the app and the endpoint, as the platform says.

    Args:
        shared: Where processes count together; None when this process is alone.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        shared: SharedState | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._shared = shared
        self._clock = clock
        self._sleep = sleep
        self._windows: dict[str, _Window] = {}

    async def wait(self, key: RateKey, *, deadline_s: float) -> None:
        """Return when the call may leave.

        Raises:
            TransportError: `rate_limit`, at once, when that would be after the deadline; nothing is taken then.
        """
        if key.count < 1 or not key.per_s > 0:
            raise ValueError(f"the bucket {key.name!r} lets nothing through")
        start = self._clock()
        latest = start + deadline_s
        window = self._window(key.name)
        moment = window.next_free(key, start)
        if moment > latest:
            raise _limited(moment - start)
        window.moments.append(moment)
        if moment > start:
            try:
                await self._sleep(moment - start)
            except BaseException:
                _give_back(window, moment)
                raise
        if self._shared is not None:
            await self._take_shared(self._shared, window, key, latest)

    async def _take_shared(self, shared: SharedState, window: _Window, key: RateKey, latest: float) -> None:
        with anyio.move_on_after(latest - self._clock()):
            async with window.turn:  # one of this process asks at a time, in order
                while True:
                    try:
                        wait_s = await shared.take(key.name, count=key.count, per_s=key.per_s)
                    except StoreError:
                        return  # this process's own window holds
                    if wait_s <= 0:
                        return
                    if self._clock() + wait_s > latest:
                        raise _limited(wait_s)
                    await self._sleep(max(wait_s, _SHORTEST_WAIT_S))
        raise _limited(key.per_s)

    def _window(self, name: str) -> _Window:
        found = self._windows.get(name)
        if found is None:
            if len(self._windows) >= _MANY_BUCKETS:
                # The oldest half: a bucket that is still busy starts anew, which the platform's 429 corrects.
                for old in list(self._windows)[: _MANY_BUCKETS // 2]:
                    del self._windows[old]
            found = self._windows[name] = _Window()
        return found


def _give_back(window: _Window, moment: float) -> None:
    try:
        window.moments.remove(moment)
    except ValueError:
        return  # it has passed out of the window


def _limited(wait_s: float) -> TransportError:
    return TransportError(
        sent=False,
        reason=TransportReason.RATE_LIMIT,
        detail="the rate limit leaves no room before the deadline",
        retry_after_s=max(0.0, wait_s),
    )
