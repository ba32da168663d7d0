"""Whether the chains are whole: every record as it was written, none missing, none moved, no tail cut off.

A cut tail leaves a chain that looks whole. It shows where another chain, or a file kept outside, has anchored a head
that is no longer there. What came after the last anchor of a chain that was never closed cannot be missed; the
report says up to where each chain is anchored.
"""

import hmac
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from placet.stores.chain import GENESIS, ChainKey, ChainKeys, Head, Misfit, Record, Trail, record_mac

__all__ = ["ChainReport", "Fault", "Verification", "verify"]

Kind = Literal[
    "altered", "moved", "missing", "cut", "replaced", "unknown_key", "after_close", "unreadable", "misfit"
]

SORTED_OUT_MAX = 64
"""Altered records of one chain that are compared with each other to see whether they were only moved."""


class Fault(Struct, frozen=True):
    """What is wrong and where. `last` is the last sequence number concerned.

    Attributes:
        kind: "altered" (bytes differ from what was signed), "moved" (signed for another place), "missing" (a gap),
            "cut" (the end is gone), "replaced" (another record than the one that was anchored), "unknown_key" (no
            configured key has this id), "after_close" (a record behind the chain's last one), "unreadable" (an
            anchor without heads), "misfit" (a column holds what no store writes; 0 for a row without a number).
    """

    chain: str
    seq: int
    kind: Kind
    last: int
    detail: str


class ChainReport(Struct, frozen=True, kw_only=True):
    """One chain.

    Attributes:
        records: How many are there.
        is_closed: Ended by its own last record.
        anchored_to: The last sequence number that another chain or an outside anchor vouches for; 0 for none.
        key_ids: Keys that signed it.
    """

    chain: str
    records: int
    last_seq: int
    is_closed: bool
    anchored_to: int
    key_ids: tuple[str, ...]


class Verification(Struct, frozen=True):
    """The outcome over all chains; faults in order of chain and sequence number."""

    chains: tuple[ChainReport, ...]
    faults: tuple[Fault, ...]

    @property
    def is_whole(self) -> bool:
        return not self.faults


class _Event(Struct):
    event: str = ""


class _Heads(Struct):
    heads: tuple[tuple[str, int, str], ...] = ()


class _Anchor(Struct):
    details: _Heads


_event_of = msgspec.json.Decoder(_Event).decode
_anchor_of = msgspec.json.Decoder(_Anchor).decode


class _Walk:
    """One pass over one chain."""

    def __init__(self, chain: str, keys: ChainKeys) -> None:
        self.chain = chain
        self.faults: list[Fault] = []
        self.anchors: list[tuple[Head, str]] = []
        self.records = 0
        self.last_seq = 0
        self.is_closed = False
        self.key_ids: set[str] = set()
        self._keys = keys
        self._previous: bytes | None = GENESIS
        self._altered: list[tuple[Record, ChainKey, bytes]] = []

    def read(self, records: Iterable[Record | Misfit]) -> None:
        for record in records:
            if isinstance(record, Misfit):
                self._misfit(record)
            else:
                self._one(record)
        self._sort_out()

    def _misfit(self, row: Misfit) -> None:
        """A row that is no record has its place all the same, if it says which."""
        detail = f"{' and '.join(row.columns)}: not of the type that a store writes"
        self.records += 1
        if "seq" not in row.columns:
            self._placed(row.seq)
            self._previous = row.mac
        self._fault(row.seq, "misfit", detail)

    def _placed(self, seq: int) -> None:
        """The next place of the chain, or a gap before it."""
        if seq != self.last_seq + 1:
            self._fault(
                self.last_seq + 1,
                "missing",
                f"records {self.last_seq + 1} to {seq - 1} are missing",
                last=seq - 1,
            )
            self._previous = None
        if self.is_closed:
            self._fault(seq, "after_close", "a record stands behind the one that closed the chain")
        self.last_seq = seq

    def _one(self, record: Record) -> None:
        self._placed(record.seq)
        self.records += 1
        key = self._keys.get(record.key_id)
        previous, self._previous = self._previous, record.mac
        if key is None:
            self._fault(record.seq, "unknown_key", f"no configured key has the id {record.key_id!r}")
            return
        self.key_ids.add(record.key_id)
        if previous is None:
            # Its predecessor is gone, so its own MAC proves nothing; the fault before it says so.
            return
        if not _fits(record, key, previous=previous, seq=record.seq):
            self._altered.append((record, key, previous))
            return
        self._note(record)

    def _note(self, record: Record) -> None:
        """What a record whose MAC holds says about chains."""
        event = _event_of(record.body).event
        self.is_closed = event == "closed"
        if event != "anchor":
            return
        try:
            heads = _anchor_of(record.body).details.heads
        except msgspec.MsgspecError:
            self._fault(record.seq, "unreadable", "the record is signed and names no heads")
            return
        for chain, seq, mac in heads:
            self.anchors.append((Head(chain, seq, mac), f"record {record.seq} of chain {self.chain}"))

    def _sort_out(self) -> None:
        """Tell records that were only moved from those that were changed."""
        candidates = self._altered[:SORTED_OUT_MAX]
        restored: dict[int, bytes] = {}
        origin: dict[int, int] = {}
        for record, _, previous in candidates:
            before = restored.get(record.seq - 1, previous)
            for other, key, _ in candidates:
                if _fits(other, key, previous=before, seq=record.seq):
                    restored[record.seq] = other.mac
                    origin[other.seq] = record.seq
        for record, _, _ in self._altered:
            place = origin.get(record.seq)
            if place == record.seq:
                # Whole in itself: only the record before it stood elsewhere.
                continue
            if place is None:
                self._fault(
                    record.seq,
                    "altered",
                    "the record is not what was signed, or stands behind one that is not",
                )
            else:
                self._fault(record.seq, "moved", f"the record was signed for place {place}")

    def _fault(self, seq: int, kind: Kind, detail: str, *, last: int | None = None) -> None:
        self.faults.append(Fault(self.chain, seq, kind, seq if last is None else last, detail))


def verify(trail: Trail, keys: ChainKeys, *, outside: Sequence[Head] = ()) -> Verification:
    """Read every record of every chain and compare it with what was signed and anchored. Blocking.

    Args:
        keys: All keys that ever signed.
        outside: Heads from files that `placet audit anchor` wrote.

    Raises:
        StoreError: the store cannot be read.
    """
    walks: dict[str, _Walk] = {}
    for chain in trail.chains():
        walk = walks[chain] = _Walk(chain, keys)
        walk.read(trail.records(chain))
        if walk.last_seq == 0:
            walk.faults.append(Fault(chain, 1, "cut", 1, "the chain was begun and has no record"))
    anchors = [anchor for walk in walks.values() for anchor in walk.anchors]
    anchors += [(head, "an anchor kept outside") for head in outside]
    anchored_to: dict[str, int] = {}
    faults = [fault for walk in walks.values() for fault in walk.faults]
    for head, source in _farthest_first(anchors):
        found = walks.get(head.chain)
        if found is None or found.last_seq < head.seq:
            # The farthest anchor says it all; those before it would repeat it.
            if anchored_to.get(head.chain, 0) < head.seq:
                faults.append(_cut(head, found, source))
        elif not _stands(trail, head):
            faults.append(
                Fault(
                    head.chain, head.seq, "replaced", head.seq, f"{source} holds another record of this place"
                )
            )
        anchored_to[head.chain] = max(anchored_to.get(head.chain, 0), head.seq)
    reports = tuple(
        ChainReport(
            chain=chain,
            records=walk.records,
            last_seq=walk.last_seq,
            is_closed=walk.is_closed,
            anchored_to=anchored_to.get(chain, 0),
            key_ids=tuple(sorted(walk.key_ids)),
        )
        for chain, walk in walks.items()
    )
    return Verification(
        reports, tuple(sorted(faults, key=lambda fault: (fault.chain, fault.seq, fault.kind)))
    )


def _cut(head: Head, walk: _Walk | None, source: str) -> Fault:
    there = walk.last_seq if walk is not None else 0
    return Fault(
        head.chain,
        there + 1,
        "cut",
        head.seq,
        f"the chain ends at record {there}, and {source} has seen record {head.seq}",
    )


def _farthest_first(anchors: Iterable[tuple[Head, str]]) -> list[tuple[Head, str]]:
    """One anchor for each place, a chain's last place first."""
    unique = {(head.chain, head.seq, head.mac): (head, source) for head, source in anchors}
    return sorted(unique.values(), key=lambda anchor: (anchor[0].chain, -anchor[0].seq))


def _stands(trail: Trail, head: Head) -> bool:
    """Whether the anchored record is at its place. A gap there was reported already."""
    found = next(iter(trail.records(head.chain, first=head.seq, last=head.seq)), None)
    return found is None or (found.mac is not None and found.mac.hex() == head.mac)


def _fits(record: Record, key: ChainKey, *, previous: bytes, seq: int) -> bool:
    signed = record_mac(key, previous=previous, chain=record.chain, seq=seq, body=record.body)
    return hmac.compare_digest(signed, record.mac)
