"""Total deadlines of many calls under one timer.

All calls of a gate may last equally long, so they end in the order in which they began, and only the oldest needs a
timer. A cancel scope for each costs more than most steps of the chain, and leaves a timer in the loop behind.
"""

import asyncio
import time
from types import TracebackType

__all__ = ["Deadline", "Deadlines"]


class Deadline:
    """One call's, as a context: what is in it is cancelled when its time is over, and that cancellation ends there."""

    __slots__ = ("_cancelling", "_is_over", "_running", "_task", "ends")

    def __init__(self, running: "dict[Deadline, None]", ends: float) -> None:
        self._running, self.ends = running, ends
        self._is_over = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task, self._cancelling = task, task.cancelling()
        self._running[self] = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not self._is_over:
            del self._running[self]
            return False
        # Unless somebody else cancelled the task besides.
        is_ours = self._task.uncancel() <= self._cancelling
        return is_ours and kind is asyncio.CancelledError

    def strike(self) -> None:
        """Its time is over."""
        del self._running[self]
        self._is_over = True
        self._task.cancel()


class Deadlines:
    """The calls of one event loop that are under way, oldest first."""

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._running: dict[Deadline, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> Deadline:
        """A deadline that counts from now, to be entered at once."""
        if self._timer is None:
            self._watch(self._after_s)
        return Deadline(self._running, time.monotonic() + self._after_s)

    def close(self) -> None:
        """What still runs is watched no longer."""
        if self._timer is not None:
            self._timer.cancel()

    def _watch(self, wait_s: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._look)

    def _look(self) -> None:
        self._timer = None
        now = time.monotonic()
        for one in list(self._running):
            if one.ends > now:
                self._watch(one.ends - now)
                break
            one.strike()
