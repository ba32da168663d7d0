"""Audit chains: each writer links its records by an HMAC whose key never lies in the store.

A record's MAC covers the MAC before it, the chain, the sequence number, the key's id and the exact bytes of the
entry. A store computes it inside its transaction, so that a tuple that is rolled back leaves no gap. Two records are
the chain's own: `anchor` names the heads of other chains, and `closed` is the last one after a clean end.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from placet.contract.digest import canonical_json
from placet.contract.stores import AuditEntry

__all__ = [
    "GENESIS",
    "Chain",
    "ChainKey",
    "ChainKeys",
    "Head",
    "Mark",
    "Misfit",
    "Record",
    "Trail",
    "anchor_entry",
    "closed_entry",
    "record_mac",
]

GENESIS = bytes(32)
"""The MAC before the first record."""

MIN_SECRET_BYTES = 32

_PURPOSE = b"placet audit chain, version 1"


class ChainKey(Struct, frozen=True):
    """A derived key and its public name."""

    id: str
    key: bytes

    def __repr__(self) -> str:
        return f"ChainKey({self.id!r})"


class ChainKeys:
    """The configuration's keys, as chains use them: the first signs, all verify.

    Args:
        secrets: At least one, each of 32 bytes or more. What signs is derived from them, and so is the id under
            which records name their key; the id does not give the key away.

    Raises:
        ValueError: there is none, or one is too short.
    """

    def __init__(self, secrets: Sequence[bytes]) -> None:
        if not secrets:
            raise ValueError("the audit chain needs a key")
        if any(len(secret) < MIN_SECRET_BYTES for secret in secrets):
            raise ValueError(f"a key of the audit chain has at least {MIN_SECRET_BYTES} bytes")
        keys = [_derived(secret) for secret in secrets]
        self.signing = keys[0]
        self._by_id = {key.id: key for key in keys}

    def get(self, key_id: str) -> ChainKey | None:
        return self._by_id.get(key_id)


class Record(Struct, frozen=True):
    """One entry in its chain. `seq` starts at 1 and has no gaps; `body` is the canonical JSON of the entry."""

    chain: str
    seq: int
    key_id: str
    body: bytes
    mac: bytes


class Misfit(Struct, frozen=True):
    """A row that is no record: a column holds another type than the store writes, or no text that can be read.

    Attributes:
        seq: 0 when it is none.
        columns: Which ones.
        mac: None when it is no MAC.
    """

    chain: str
    seq: int
    columns: tuple[str, ...]
    mac: bytes | None


class Head(Struct, frozen=True):
    """The last record of a chain: `mac` is hex, `event` the entry's."""

    chain: str
    seq: int
    mac: str
    event: str = ""


class Mark(Struct, frozen=True):
    """Where a chain stood, to return to when a transaction is rolled back."""

    seq: int
    mac: bytes


class Chain:
    """The writing end of one chain. Not shared: one transaction at a time moves it forward.

    Args:
        chain: Random, 32 hex characters.
    """

    def __init__(self, chain: str, key: ChainKey) -> None:
        self.chain = chain
        self._key = key
        self._hmac = hmac.new(key.key, digestmod="sha256")
        self._seq = 0
        self._mac = GENESIS

    def append(self, entry: AuditEntry) -> Record:
        """The next record. The caller stores it, or goes back to its mark."""
        body = canonical_json(entry)
        seq = self._seq + 1
        # The key is mixed in once; `record_mac` does the same anew for each record.
        keyed = self._hmac.copy()
        keyed.update(_message(self._key, self._mac, self.chain, seq, body))
        self._seq, self._mac = seq, (mac := keyed.digest())
        return Record(self.chain, seq, self._key.id, body, mac)

    @property
    def seq(self) -> int:
        """Sequence number of the last record; 0 before the first."""
        return self._seq

    def mark(self) -> Mark:
        return Mark(self._seq, self._mac)

    def reset(self, mark: Mark) -> None:
        self._seq, self._mac = mark.seq, mark.mac


class Trail(Protocol):
    """The reading end of a store's chains. Blocking; raises `StoreError`."""

    def chains(self) -> tuple[str, ...]:
        """Every chain that has, or should have, records; sorted."""
        ...

    def records(self, chain: str, *, first: int = 1, last: int | None = None) -> Iterator[Record | Misfit]:
        """Records of one chain by sequence number, both ends included; a row without a number comes last."""
        ...

    def head(self, chain: str) -> Record | None:
        """The last record of one chain."""
        ...

    def latest(self, count: int) -> tuple[Record | Misfit, ...]:
        """The last records of all chains, oldest first."""
        ...

    def close(self) -> None: ...


def record_mac(key: ChainKey, *, previous: bytes, chain: str, seq: int, body: bytes) -> bytes:
    """HMAC-SHA256 of a record; `previous` is the MAC of the record before it, `GENESIS` for the first."""
    return hmac.digest(key.key, _message(key, previous, chain, seq, body), "sha256")


def _message(key: ChainKey, previous: bytes, chain: str, seq: int, body: bytes) -> bytes:
    """What a MAC covers. Chain and key id are hex and seq decimal, so that no two records give the same."""
    return previous + f"{chain}:{seq}:{key.id}:".encode() + body


def anchor_entry(heads: Mapping[str, tuple[int, str]], *, at: float) -> AuditEntry:
    """The record that keeps other chains' heads: chain to sequence number and MAC in hex."""
    listed = [[chain, seq, mac] for chain, (seq, mac) in sorted(heads.items())]
    return _own("anchor", at, {"heads": listed})


def closed_entry(*, at: float) -> AuditEntry:
    """The last record of a chain that ended well."""
    return _own("closed", at, {})


def _own(event: str, at: float, details: dict[str, object]) -> AuditEntry:
    return AuditEntry(at=at, event=event, call_id="", tenant="", tool="", actor="", details=details)


def _derived(secret: bytes) -> ChainKey:
    key = hmac.digest(secret, _PURPOSE, "sha256")
    return ChainKey(hashlib.sha256(_PURPOSE + key).hexdigest()[:16], key)
