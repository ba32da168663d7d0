"""How what waits for a person moves, as pure rules over one record, so that every store decides alike.

| state | event | next | answer |
|---|---|---|---|
| none | put | as the record says | |
| waiting | put | waiting, the record replaced | |
| executing, unknown | put | the same, only `extra` replaced | |
| waiting | a newer one of the same operation, from another turn | superseded | |
| waiting | claim, its time over | expired | expired, now and for every later claim |
| waiting, executing, unknown | claim, another digest | the same | tampered |
| waiting | claim | executing | claimed |
| executing, unknown | claim | the same | already claimed |
| superseded, expired | claim | the same | superseded, expired |
| closed, none | claim | the same | missing |
| waiting, executing, unknown | complete: retry | waiting, its time anew | |
| waiting, executing, unknown | complete: unknown, frozen | unknown | |
| waiting, executing, unknown | complete: anything else | closed (or superseded, expired) | |
| waiting | pop | none | the record |
| executing, unknown | pop | closed | the record |

Superseded, expired and closed are tombstones: nothing but time moves them.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

__all__ = [
    "ALIVE",
    "KEPT_S",
    "Kept",
    "State",
    "Verdict",
    "claimed",
    "completed",
    "expired",
    "is_over",
    "popped",
    "put",
    "superseded",
]

ALIVE = ("waiting", "executing", "unknown")

KEPT_S = 30 * 24 * 3600.0
"""Seconds that a tombstone stays, so that a late click learns what happened."""

State = Literal["waiting", "executing", "unknown", "superseded", "expired", "closed"]
Verdict = Literal["claimed", "already_claimed", "superseded", "tampered", "expired", "missing"]


class Kept(Struct, frozen=True, kw_only=True):
    """A record in a store.

    Attributes:
        record: Its fields as JSON, without the state.
        extra: The engine's own field of it, as JSON.
        digest: What a claim must bring; empty for none.
        operation: What it is about: a newer one of another `turn` takes its place. Empty: nothing does.
        put_at, settled_at: By the store's clock.
        outcome: The word with which it was closed.
    """

    record: str
    extra: str
    state: State
    put_at: float
    expires_at: float
    digest: str = ""
    operation: str = ""
    turn: str = ""
    settled_at: float | None = None
    outcome: str = ""

    @property
    def due_at(self) -> float | None:
        """When time moves it: never while it executes or is unknown."""
        if self.state == "waiting":
            return self.expires_at
        return None if self.settled_at is None else self.settled_at + KEPT_S


def put(old: Kept | None, new: Kept) -> Kept:
    """What to keep when `new` is handed in."""
    if old is None:
        return new
    if old.state == "waiting":
        return replace(new, state="waiting", put_at=old.put_at, expires_at=old.expires_at)
    return replace(old, extra=new.extra) if old.state in ALIVE and old.extra != new.extra else old


def claimed(old: Kept | None, *, at: float, digest: str | None) -> tuple[Verdict, Kept | None]:
    """What a claim is answered, and what to keep."""
    if old is None or old.state == "closed":
        return "missing", old
    if old.state in ("superseded", "expired"):
        return old.state, old
    if is_over(old, at):
        return "expired", expired(old, at=at)
    if (digest or "") != old.digest:
        return "tampered", old
    if old.state != "waiting":
        return "already_claimed", old
    return "claimed", replace(old, state="executing")


def completed(old: Kept | None, outcome: str, *, at: float, ttl_s: float) -> Kept | None:
    """What to keep after its caller said how it went."""
    if old is None or old.state not in ALIVE:
        return old
    if outcome == "retry":
        return old if old.state == "waiting" else replace(old, state="waiting", expires_at=at + ttl_s)
    if outcome in ("unknown", "frozen"):
        return replace(old, state="unknown")
    state: State = outcome if outcome in ("superseded", "expired") else "closed"  # type: ignore[assignment] # by value
    return _ended(old, state, at, outcome)


def popped(old: Kept, *, at: float) -> Kept | None:
    """What to keep of a record that its caller took: what was begun leaves a trace."""
    return None if old.state == "waiting" else _ended(old, "closed", at, "popped")


def superseded(old: Kept | None, newer: Kept, *, at: float) -> Kept | None:
    """What to keep of a record beside a newer one of its operation."""
    if old is None or old.state != "waiting" or old.turn == newer.turn:
        return old
    return _ended(old, "superseded", at, "")


def expired(old: Kept, *, at: float) -> Kept:
    """What to keep of a record that nobody decided about in time."""
    return _ended(old, "expired", at, "")


def is_over(kept: Kept, at: float) -> bool:
    """Whether it waits no longer because nobody decided in time."""
    return kept.state == "waiting" and kept.expires_at <= at


def _ended(old: Kept, state: State, at: float, outcome: str) -> Kept:
    return replace(old, state=state, settled_at=at, outcome=outcome)
