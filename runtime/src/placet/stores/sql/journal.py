"""A lane's audit chain: opened with its first record, moved inside the lane's transactions, closed at the end.

What is not yet committed can be taken back to a mark. When nobody knows whether a commit happened the chain is left
as it is and another is begun, so that no two records can claim one place.
"""

import secrets
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, astuple

from placet.contract.stores import AuditEntry
from placet.stores.chain import Chain, ChainKeys, Head, Mark, Record, anchor_entry, closed_entry
from placet.stores.sql.session import Session
from placet.stores.sql.statements import RECORDS_AT_ONCE, TruthStatements

__all__ = ["Anchoring", "Journal"]


class Anchoring(Struct, frozen=True, kw_only=True):
    """How often a writer records the heads of the chains it can see: after so many records or seconds."""

    records: int = 1000
    seconds: float = 60.0


class _Event(Struct):
    event: str = ""


_event_of = msgspec.json.Decoder(_Event).decode


class Journal:
    """The chain of one lane.

    Args:
        seen: Heads this process has anchored, shared by its lanes: chain to sequence number.
    """

    def __init__(
        self,
        sql: TruthStatements,
        keys: ChainKeys,
        *,
        anchoring: Anchoring,
        seen: dict[str, int],
        clock: Callable[[], float],
    ) -> None:
        self._sql = sql
        self._keys = keys
        self._anchoring = anchoring
        self._seen = seen
        self._clock = clock
        self._chain: Chain | None = None
        self._last: Record | None = None
        self._pending: dict[str, int] = {}
        self._anchored_seq = 0
        self._anchored_at = clock()

    def append(self, session: Session, entry: AuditEntry) -> tuple[str, int]:
        """Store the next record; returns its chain and sequence number."""
        return self._store(session, self._opened(session), entry)

    def append_all(self, session: Session, entries: Sequence[AuditEntry]) -> list[tuple[str, int]]:
        """Store the next records, in this order."""
        chain, places = self._opened(session), []
        whole = len(entries) - len(entries) % RECORDS_AT_ONCE
        for start in range(0, whole, RECORDS_AT_ONCE):
            records = [chain.append(entry) for entry in entries[start : start + RECORDS_AT_ONCE]]
            values = [value for record in records for value in astuple(record)]
            session.run(self._sql.append_many, dict(zip(self._sql.append_many.names, values, strict=True)))
            self._last = records[-1]
            places += [(record.chain, record.seq) for record in records]
        return places + [self._store(session, chain, entry) for entry in entries[whole:]]

    def anchor_if_due(self, session: Session, *, is_idle: bool = False) -> bool:
        """Record other chains' heads when it is time; True when something was written."""
        chain = self._chain
        if chain is None or not self._is_due(chain):
            return False
        self._anchored_seq, self._anchored_at = chain.seq, self._clock()
        return self._anchor(session, chain, only_for_news=is_idle)

    def close(self, session: Session) -> bool:
        """Write the last record; False when the chain has none."""
        chain, self._chain = self._chain, None
        if chain is None:
            return False
        self._store(session, chain, closed_entry(at=self._clock()))
        return True

    def wait_s(self) -> float | None:
        """Seconds until an idle lane should anchor; None when it has nothing to anchor in."""
        if self._chain is None:
            return None
        return max(0.05, self._anchored_at + self._anchoring.seconds - self._clock())

    def postpone(self) -> None:
        """Anchor a whole interval from now, not at once."""
        self._anchored_at = self._clock()

    def mark(self) -> tuple[Chain, Mark] | None:
        return None if self._chain is None else (self._chain, self._chain.mark())

    def reset(self, mark: tuple[Chain, Mark] | None) -> None:
        """Back to where it stood: what was appended since was rolled back."""
        if mark is None:
            self._chain = None
        else:
            self._chain = mark[0]
            mark[0].reset(mark[1])
        self._pending.clear()

    def committed(self) -> None:
        self._seen.update(self._pending)
        self._pending.clear()
        self._last = None

    def abandon(self) -> None:
        """Begin another chain next time."""
        self._chain = self._last = None
        self._pending.clear()

    def has_landed(self, session: Session) -> bool | None:
        """Whether the last record of a transaction whose commit went unanswered is stored; None without one.

        Tries to take its place: that waits until the old transaction has ended, so the answer stays true. The caller
        rolls back.
        """
        if self._last is None:
            return None
        return session.run(self._sql.append_or_find, asdict(self._last)) == 0

    def _is_due(self, chain: Chain) -> bool:
        return (
            chain.seq - self._anchored_seq >= self._anchoring.records
            or self._clock() - self._anchored_at >= self._anchoring.seconds
        )

    def _opened(self, session: Session) -> Chain:
        chain = self._chain
        if chain is None:
            chain = self._chain = Chain(secrets.token_hex(16), self._keys.signing)
            values = {"chain": chain.chain, "opened_at": self._clock(), "is_settled": 0}
            session.run(self._sql.open_chain, values)
            self._anchor(session, chain)
        return chain

    def _anchor(self, session: Session, chain: Chain, *, only_for_news: bool = False) -> bool:
        rows = session.rows(self._sql.heads, {"own": chain.chain})
        heads = [head for head in map(_head, rows) if head is not None]
        changed = [head for head in heads if self._known(head.chain) != head.seq]
        if not changed or (only_for_news and all(self._is_echo(head) for head in changed)):
            return False
        entry = anchor_entry({head.chain: (head.seq, head.mac) for head in changed}, at=self._clock())
        self._store(session, chain, entry)
        for head in changed:
            self._pending[head.chain] = head.seq
            if head.event == "closed":
                session.run(self._sql.settle_chain, {"at_chain": head.chain})
        return True

    def _is_echo(self, head: Head) -> bool:
        """Whether all that is new about a chain is one anchor: two idle writers would answer each other for ever."""
        return head.event == "anchor" and head.seq == self._known(head.chain) + 1

    def _known(self, chain: str) -> int:
        return self._pending.get(chain) or self._seen.get(chain, 0)

    def _store(self, session: Session, chain: Chain, entry: AuditEntry) -> tuple[str, int]:
        record = chain.append(entry)
        session.run(self._sql.append, asdict(record))
        self._last = record
        return record.chain, record.seq


def _head(row: tuple[Any, ...]) -> Head | None:
    """A chain's last record; None for a row that is none, which is for whoever verifies to tell."""
    chain, seq, mac, body = row
    if not (isinstance(chain, str) and type(seq) is int and isinstance(mac, bytes)):
        return None
    try:
        event = _event_of(body).event
    except (msgspec.MsgspecError, TypeError, UnicodeError, RecursionError):
        event = ""
    return Head(chain, seq, mac.hex(), event)
