"""Records of calls that change nothing, gathered for at most a moment before they are stored.

A read may be answered before its record is on disk, but never by more than the batch's time and count. While the
sink fails nothing that changes something may go out, and reads only as long as their records can still be kept.
"""

import asyncio
import contextlib
import math

from placet.contract.errors import PlacetError
from placet.contract.stores import AppendAudit, AuditEntry, EntryRefused, StoreError, TruthStore
from placet.finishing import Finishing

__all__ = ["AuditUnavailable", "BatchedAudit"]


def _unstorable(entry: AuditEntry) -> AuditEntry:
    """What stands in the place of a record that the store refused as such."""
    return AuditEntry(
        at=entry.at if math.isfinite(entry.at) else 0.0,
        event="unstorable",
        call_id=entry.call_id if entry.call_id.isalnum() else "",
        tenant="",
        tool="",
        actor="",
    )


class AuditUnavailable(PlacetError):
    """A record cannot be kept, so what it is about must not happen. Holds no values."""


class BatchedAudit:
    """A buffer before a store. Belongs to one event loop.

    Args:
        max_delay_s: How long a record may wait before it is handed to the store.
        max_batch: Records that are handed over at once, without waiting.
        max_kept: Records kept while the store fails; at that number every further one is refused.
    """

    def __init__(
        self, store: TruthStore, *, max_delay_s: float = 1.0, max_batch: int = 256, max_kept: int = 4096
    ) -> None:
        if not 0 < max_delay_s <= 60 or not 0 < max_batch <= max_kept:
            raise ValueError(
                "a batch waits up to 60 seconds, and keeps at least as many records as it hands over"
            )
        self._store = store
        self._max_delay_s = max_delay_s
        self._max_batch = max_batch
        self._max_kept = max_kept
        self._kept: list[AuditEntry] = []
        self._timer: asyncio.TimerHandle | None = None
        self._flushing: asyncio.Task[None] | None = None
        self._finishing = Finishing()
        self._turn = asyncio.Lock()
        self._fault: str | None = None
        self._is_closed = False

    @property
    def fault(self) -> str | None:
        """Why the last attempt to store failed; None while the sink works."""
        return self._fault

    @property
    def waiting(self) -> int:
        """Records that are not stored yet."""
        return len(self._kept)

    def add(self, entry: AuditEntry) -> None:
        """Keep a record for the next batch.

        Raises:
            AuditUnavailable: it cannot be kept; what it is about must be refused.
        """
        kept = self._kept
        if self._is_closed or len(kept) >= self._max_kept:
            raise AuditUnavailable(self._fault or "the audit is closed or behind")
        kept.append(entry)
        if len(kept) >= self._max_batch and self._fault is None:
            self._start()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._max_delay_s, self._start)

    def require_working(self) -> None:
        """Ask before something that changes something.

        Raises:
            AuditUnavailable: the last batch could not be stored.
        """
        if self._is_closed or self._fault is not None:
            raise AuditUnavailable(self._fault or "the audit is closed")

    async def flush(self) -> None:
        """Store what waits, in the order it came. A cancelled caller's batch is finished: none is stored twice.

        Raises:
            AuditUnavailable: it could not be stored; it is still kept.
        """
        await asyncio.shield(self._finishing.start(self._flushed()))

    async def _flushed(self) -> None:
        async with self._turn:
            while self._kept:
                batch = self._kept[: self._max_batch]
                try:
                    await self._stored(batch)
                except Exception as error:
                    is_told = isinstance(error, StoreError)
                    self._fault = str(error) if is_told else f"the store failed ({type(error).__name__})"
                    raise AuditUnavailable(self._fault) from error
                self._fault = None

    async def _stored(self, batch: list[AuditEntry]) -> None:
        """Store the first records of those that are kept; one that no store will ever take does not hold up others."""
        try:
            await self._store.apply(*(AppendAudit(entry=entry) for entry in batch))
        except EntryRefused:
            if len(batch) > 1:
                for entry in batch:
                    await self._stored([entry])
                return
            await self._store.apply(AppendAudit(entry=_unstorable(batch[0])))
        del self._kept[: len(batch)]

    async def close(self) -> None:
        """Store what waits and take nothing more. The store itself stays open.

        Raises:
            AuditUnavailable: records were lost, because the sink fails.
        """
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._flushing is not None:
            with contextlib.suppress(AuditUnavailable):
                await asyncio.shield(self._flushing)
        await self.flush()

    def _start(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.get_running_loop().create_task(self._flush_or_try_again())

    async def _flush_or_try_again(self) -> None:
        try:
            await self.flush()
        except AuditUnavailable:
            # The fault is visible, and stands until an attempt succeeds.
            if not self._is_closed and self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(self._max_delay_s, self._start)
