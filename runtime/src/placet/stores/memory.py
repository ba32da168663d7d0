"""Stores of one process that forget everything when it ends: for tests and trials."""

import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from placet.contract.approvals import ApprovalRow
from placet.contract.documents import Document, ListDocuments, LookUpDocument, SwapDocument
from placet.contract.stores import (
    AppendAudit,
    BeginWrite,
    EntryRefused,
    FinishWrite,
    LedgerRow,
    LookUpWrite,
    Operation,
    ResolveWrite,
    StoredToken,
    StoreError,
)
from placet.stores.approval_table import MemoryTable
from placet.stores.approval_table import answer as answer_approval
from placet.stores.chain import Chain, ChainKeys, Record, closed_entry
from placet.stores.document_table import MemoryDocuments, answer_document
from placet.stores.outcomes import with_outcome
from placet.stores.rules import begun, finished, resolved

__all__ = ["MemoryShared", "MemoryTruth"]


class MemoryTruth:
    """Ledger, approvals and audit in dictionaries. A tuple is applied between two awaits, hence at once.

    Args:
        keys: None makes one that lives as long as the store.
    """

    def __init__(self, keys: ChainKeys | None = None, *, clock: Callable[[], float] = time.time) -> None:
        self.keys = keys or ChainKeys([secrets.token_bytes(32)])
        self._clock = clock
        self._rows: dict[str, LedgerRow] = {}
        self._approvals: dict[str, ApprovalRow] = {}
        self._documents: dict[tuple[str, str], Document] = {}
        self._records: list[Record] = []
        self._chain = Chain(secrets.token_hex(16), self.keys.signing)
        self._is_closed = False

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        if self._is_closed:
            raise StoreError("the store is closed")
        mark = self._chain.mark()
        changes = _Changes(self._approvals, self._documents)
        answers: list[Any] = []
        try:
            for operation in operations:
                answers.append(self._answer(with_outcome(operation, answers), changes))
        except Exception as error:
            self._chain.reset(mark)
            raise EntryRefused(f"the store refused what it was given ({type(error).__name__})") from error
        self._rows.update(changes.rows)
        changes.approvals.apply()
        changes.documents.apply()
        self._records.extend(changes.records)
        return tuple(answers)

    async def ready(self) -> None:
        """Always, until it is closed."""
        await self.apply()

    async def close(self) -> None:
        if not self._is_closed and self._chain.seq:
            self._records.append(self._chain.append(closed_entry(at=self._clock())))
        self._is_closed = True

    def trail(self) -> "MemoryTrail":
        """The audit's reading end, over the records as they are when it reads."""
        return MemoryTrail(self._records)

    def _answer(self, operation: Operation, changes: "_Changes") -> Any:
        match operation:
            case AppendAudit():
                record = self._chain.append(operation.entry)
                changes.records.append(record)
                return record.chain, record.seq
            case BeginWrite():
                answer = begun(self._row(operation.key, changes), operation)
                if answer.verdict == "started":
                    changes.rows[operation.key] = answer.row
                return answer
            case FinishWrite():
                return changes.keep(finished(self._row(operation.key, changes), operation))
            case ResolveWrite():
                return changes.keep(resolved(self._row(operation.key, changes), operation))
            case LookUpWrite():
                return self._row(operation.key, changes)
            case SwapDocument() | LookUpDocument() | ListDocuments():
                return answer_document(changes.documents, operation)
            case _:
                return answer_approval(changes.approvals, operation)

    def _row(self, key: str, changes: "_Changes") -> LedgerRow | None:
        return changes.rows.get(key) or self._rows.get(key)


class _Changes:
    """What one tuple has changed so far."""

    def __init__(self, approvals: dict[str, ApprovalRow], documents: dict[tuple[str, str], Document]) -> None:
        self.rows: dict[str, LedgerRow] = {}
        self.records: list[Record] = []
        self.approvals = MemoryTable(approvals)
        self.documents = MemoryDocuments(documents)

    def keep(self, row: LedgerRow | None) -> bool:
        if row is None:
            return False
        self.rows[row.key] = row
        return True


class MemoryTrail:
    """Reads what a `MemoryTruth` wrote."""

    def __init__(self, records: list[Record]) -> None:
        self._records = records

    def chains(self) -> tuple[str, ...]:
        return tuple(sorted({record.chain for record in self._records}))

    def records(self, chain: str, *, first: int = 1, last: int | None = None) -> Iterator[Record]:
        for record in list(self._records):
            if record.chain == chain and record.seq >= first and (last is None or record.seq <= last):
                yield record

    def head(self, chain: str) -> Record | None:
        return next((record for record in reversed(self._records) if record.chain == chain), None)

    def latest(self, count: int) -> tuple[Record, ...]:
        return tuple(self._records[-count:]) if count > 0 else ()

    def close(self) -> None:
        """Nothing to let go."""


class MemoryShared:
    """Leases, rate windows and tokens of one process."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._leases: dict[str, tuple[str, float, int]] = {}
        self._taken: dict[str, deque[float]] = {}
        self._tokens: dict[str, StoredToken] = {}
        self._is_closed = False

    async def acquire(self, name: str, *, owner: str, ttl_s: float) -> int | None:
        now = self._now()
        held_by, until, token = self._leases.get(name, ("", 0.0, 0))
        if until > now and held_by != owner:
            return None
        if until <= now:
            token = max(token + 1, int(now * 1000))
        self._leases[name] = (owner, now + ttl_s, token)
        return token

    async def release(self, name: str, *, owner: str) -> None:
        self._now()
        held_by, _, token = self._leases.get(name, ("", 0.0, 0))
        if held_by == owner:
            self._leases[name] = (owner, 0.0, token)

    async def take(self, bucket: str, *, count: int, per_s: float) -> float:
        now = self._now()
        taken = self._taken.get(bucket)
        if taken is None or taken.maxlen != count:
            taken = self._taken[bucket] = deque(maxlen=count)
        if len(taken) == count and taken[0] + per_s > now:
            return min(per_s, taken[0] + per_s - now)
        taken.append(now)
        return 0.0

    async def get_token(self, key: str) -> StoredToken | None:
        self._now()
        return self._tokens.get(key)

    async def put_token(self, key: str, token: StoredToken) -> bool:
        self._now()
        kept = self._tokens.get(key)
        if kept is not None and kept.version >= token.version:
            return False
        self._tokens[key] = token
        return True

    async def close(self) -> None:
        self._is_closed = True

    def _now(self) -> float:
        if self._is_closed:
            raise StoreError("the store is closed")
        return self._clock()
