"""The stores of what waits for a person: records outside, `rules` over rows inside."""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import fields
from types import ModuleType
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from placet.contract.stores import TruthStore
from placet.sealing import Sealer
from placet.session import records, rules
from placet.session.records import ClaimResult, PendingApproval, PendingAuthorization
from placet.session.rules import Kept
from placet.session.shelves import DocumentShelf, MemoryShelf, Row, Shelf

__all__ = [
    "APPROVAL_TTL_S",
    "AUTHORIZATION_TTL_S",
    "DocumentPendingApprovalStore",
    "DocumentPendingAuthorizationStore",
    "InMemoryPendingApprovalStore",
    "InMemoryPendingAuthorizationStore",
    "same_operation",
]

R = TypeVar("R", PendingApproval, PendingAuthorization)
T = TypeVar("T")

APPROVAL_TTL_S = 15 * 60.0
AUTHORIZATION_TTL_S = 60 * 60.0

_TUPLES = ("owner_user_keys", "scopes")
_TIMED = ("waiting", "superseded", "expired", "closed")


def same_operation(approval: PendingApproval) -> str:
    """What a newer turn's approval takes the place of: the same person's same tool in the same conversation."""
    keys = sorted(approval.owner_user_keys)
    parts = [approval.tenant_key, approval.session_id, approval.tool_name, *keys]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class _Pending(Generic[R]):
    """What approvals and authorisations share."""

    _ours: type[R]
    _key: str
    _awaiting: str

    def __init__(self, shelf: Shelf, *, types: ModuleType, now: Callable[[], float], ttl_s: float) -> None:
        self._shelf, self._types, self._now, self._ttl_s = shelf, types, now, ttl_s
        self._words: dict[str, rules.State] = {
            self._awaiting: "waiting",
            "executing": "executing",
            "execution_unknown": "unknown",
        }

    async def _got(self, identifier: str) -> R | None:
        kept = _kept(await self._shelf.read(identifier))
        return self._record(kept) if kept is not None and self._is_shown(kept) else None

    async def _popped(self, identifier: str) -> R | None:
        def step(old: Row | None) -> tuple[R | None, Row | None]:
            kept = _kept(old)
            if kept is None or kept.state not in rules.ALIVE or not self._is_shown(kept):
                return None, old
            return self._record(kept), _row(rules.popped(kept, at=self._now()))

        return await self._shelf.change(identifier, step)

    async def _completed(self, identifier: str, outcome: str) -> None:
        def step(old: Row | None) -> tuple[None, Row | None]:
            kept = _kept(old)
            new = rules.completed(kept, outcome, at=self._now(), ttl_s=self._ttl_s)
            return None, old if new is kept else _row(new)

        await self._shelf.change(identifier, step)

    async def _updated(self, identifier: str, mutator: Callable[[R], tuple[T, R]]) -> T:
        def step(old: Row | None) -> tuple[T, Row | None]:
            kept, at = _kept(old), self._now()
            if kept is None or kept.state not in rules.ALIVE or rules.is_over(kept, at):
                raise KeyError(identifier)
            answer, record = mutator(self._record(kept))
            if getattr(record, self._key) != identifier:
                raise ValueError(f"an update does not change the {self._key}")
            new = self._kept_of(record, at)
            reopened = new.state == "waiting" and kept.state != "waiting"
            expires_at = at + self._ttl_s if reopened else kept.expires_at
            return answer, _row(replace(new, put_at=kept.put_at, expires_at=expires_at))

        return await self._shelf.change(identifier, step)

    async def purge_expired(self) -> int:
        """Close what nobody decided about in time and forget tombstones after thirty days; how many rows moved."""
        moved = 0
        while count := await self._tidied():
            moved += count
        return moved

    async def _put(self, new: Kept, identifier: str) -> None:
        await self._tidied()

        def step(old: Row | None) -> tuple[None, Row | None]:
            kept = _kept(old)
            put = rules.put(kept, new)
            return None, old if put is kept else _row(put)

        await self._shelf.change(identifier, step)

    async def _claimed(self, identifier: str, digest: str | None) -> ClaimResult:
        def step(old: Row | None) -> tuple[rules.Verdict, Row | None]:
            kept = _kept(old)
            verdict, new = rules.claimed(kept, at=self._now(), digest=digest)
            return verdict, old if new is kept else _row(new)

        found: ClaimResult = self._types.ClaimResult(await self._shelf.change(identifier, step))
        return found

    async def _tidied(self) -> int:
        at = self._now()

        def step(old: Row | None) -> tuple[bool, Row | None]:
            kept = _kept(old)
            if kept is None or kept.due_at is None or kept.due_at > at:
                return False, old
            return True, _row(rules.expired(kept, at=at)) if kept.state == "waiting" else None

        due = await self._shelf.listed(states=_TIMED, due_by=at)
        return sum([await self._shelf.change(identifier, step) for identifier, _ in due])

    def _is_shown(self, kept: Kept) -> bool:
        return kept.state in rules.ALIVE and not rules.is_over(kept, self._now())

    def _record(self, kept: Kept) -> R:
        given = json.loads(kept.record)
        given |= {name: tuple(given[name]) for name in _TUPLES if name in given}
        words = {state: word for word, state in self._words.items()}
        made: R = getattr(self._types, self._ours.__name__)(
            **given, extra=json.loads(kept.extra), state=words.get(kept.state, self._awaiting)
        )
        return made

    def _kept_of(self, record: R, at: float) -> Kept:
        """A record as it is kept; of ours, or of a class with the same attributes.

        Raises:
            ValueError: its state is none that can be put, or a value is none of JSON.
        """
        if record.state not in self._words:
            raise ValueError(
                f"a record is put as one of {', '.join(self._words)}, and not as {record.state!r}"
            )
        names = [one.name for one in fields(self._ours) if one.name not in ("state", "extra")]
        plain = {name: getattr(record, name) for name in names}
        created_at = int(at) if record.created_at is None else record.created_at
        return Kept(
            record=_json({**plain, "created_at": created_at}),
            extra=_json(record.extra or {}),
            state=self._words[record.state],
            put_at=at,
            expires_at=created_at + self._ttl_s,
        )


class _Approvals(_Pending[PendingApproval]):
    """`PendingApprovalStore` over a shelf."""

    _ours, _key, _awaiting = PendingApproval, "approval_id", "awaiting_confirmation"

    def __init__(
        self,
        shelf: Shelf,
        *,
        types: ModuleType,
        now: Callable[[], float],
        ttl_s: float,
        operation: Callable[[PendingApproval], str],
    ) -> None:
        super().__init__(shelf, types=types, now=now, ttl_s=ttl_s)
        self._operation = operation

    async def put(self, approval: PendingApproval) -> None:
        """Keep a proposal; older ones of its operation, from other turns, are superseded.

        Raises:
            ValueError: its state is none that can be put, or a value is none of JSON.
            StoreError: it may not be kept.
        """
        new = self._kept_of(approval, self._now())
        for _, kept in await self._waiting(new.operation):
            # Newer than all that stand, whatever the clocks of their processes said.
            new = replace(new, put_at=max(new.put_at, kept.put_at + 0.001))
        await self._put(new, approval.approval_id)
        await self._supersede(new.operation)

    async def get(self, approval_id: str) -> PendingApproval | None:
        return await self._got(approval_id)

    async def pop(self, approval_id: str) -> PendingApproval | None:
        return await self._popped(approval_id)

    async def complete(self, approval_id: str, *, outcome: str) -> None:
        await self._completed(approval_id, outcome)

    async def update(
        self, approval_id: str, mutator: Callable[[PendingApproval], tuple[T, PendingApproval]]
    ) -> T:
        return await self._updated(approval_id, mutator)

    async def claim(self, approval_id: str, *, expected_payload_sha256: str | None = None) -> ClaimResult:
        kept = _kept(await self._shelf.read(approval_id))
        if kept is not None and kept.state == "waiting":
            # Whoever put a newer one may have died before it could say so here.
            await self._supersede(kept.operation)
        return await self._claimed(approval_id, expected_payload_sha256)

    async def _supersede(self, operation: str) -> None:
        """Leave of the waiting ones of an operation those of the newest turn; whoever looks last sees all of them."""
        waiting = await self._waiting(operation)
        if not waiting:
            return
        at, newest = self._now(), max(waiting, key=lambda one: (one[1].put_at, one[0]))[1]

        def step(old: Row | None) -> tuple[None, Row | None]:
            kept = _kept(old)
            new = rules.superseded(kept, newest, at=at)
            return None, old if new is kept else _row(new)

        for name, kept in waiting:
            if kept.turn != newest.turn:
                await self._shelf.change(name, step)

    async def _waiting(self, operation: str) -> list[tuple[str, Kept]]:
        if not operation:
            return []
        rows = await self._shelf.listed(group=operation, states=("waiting",))
        return [(name, kept) for name, row in rows if (kept := _kept(row)) is not None]

    def _kept_of(self, record: PendingApproval, at: float) -> Kept:
        kept = super()._kept_of(record, at)
        turn = record.created_message_id or ""
        # Without its turn nobody can tell a newer proposal from a sibling.
        return replace(
            kept,
            digest=record.payload_sha256 or "",
            operation=self._operation(record) if turn else "",
            turn=turn,
        )


class _Authorizations(_Pending[PendingAuthorization]):
    """`PendingAuthorizationStore` over a shelf."""

    _ours, _key, _awaiting = PendingAuthorization, "authorization_id", "awaiting_authorization"

    async def put(self, authorization: PendingAuthorization) -> None:
        """Keep an authorisation.

        Raises:
            ValueError: its state is none that can be put, or a value is none of JSON.
            StoreError: it may not be kept.
        """
        await self._put(self._kept_of(authorization, self._now()), authorization.authorization_id)

    async def get(self, authorization_id: str) -> PendingAuthorization | None:
        return await self._got(authorization_id)

    async def pop(self, authorization_id: str) -> PendingAuthorization | None:
        return await self._popped(authorization_id)

    async def complete(self, authorization_id: str, *, outcome: str) -> None:
        await self._completed(authorization_id, outcome)

    async def update(
        self,
        authorization_id: str,
        mutator: Callable[[PendingAuthorization], tuple[T, PendingAuthorization]],
    ) -> T:
        return await self._updated(authorization_id, mutator)

    async def claim(self, authorization_id: str) -> ClaimResult:
        return await self._claimed(authorization_id, None)

    def _is_shown(self, kept: Kept) -> bool:
        return kept.state in (*rules.ALIVE, "expired")


class InMemoryPendingApprovalStore(_Approvals):
    """Approvals of this process.

    Args:
        types: What holds `PendingApproval` and `ClaimResult` to answer with; a module with the same names, for an
            engine that brings its own.
        operation: What an approval is about; a newer turn's supersedes it. `""` is nothing that could be.
    """

    def __init__(
        self,
        *,
        types: ModuleType = records,
        now: Callable[[], float] = time.time,
        ttl_s: float = APPROVAL_TTL_S,
        operation: Callable[[PendingApproval], str] = same_operation,
    ) -> None:
        super().__init__(MemoryShelf(), types=types, now=now, ttl_s=ttl_s, operation=operation)


class DocumentPendingApprovalStore(_Approvals):
    """Approvals in a truth store, sealed.

    Args:
        tenant: Whose they are; another tenant's store answers that there is none.
        types, operation: As for `InMemoryPendingApprovalStore`.
    """

    def __init__(
        self,
        store: TruthStore,
        sealer: Sealer,
        *,
        tenant: str,
        types: ModuleType = records,
        now: Callable[[], float] = time.time,
        ttl_s: float = APPROVAL_TTL_S,
        operation: Callable[[PendingApproval], str] = same_operation,
    ) -> None:
        shelf = DocumentShelf(store, sealer, kind="pending approval", tenant=tenant)
        super().__init__(shelf, types=types, now=now, ttl_s=ttl_s, operation=operation)


class InMemoryPendingAuthorizationStore(_Authorizations):
    """Authorisations of this process; `types` as for `InMemoryPendingApprovalStore`."""

    def __init__(
        self,
        *,
        types: ModuleType = records,
        now: Callable[[], float] = time.time,
        ttl_s: float = AUTHORIZATION_TTL_S,
    ) -> None:
        super().__init__(MemoryShelf(), types=types, now=now, ttl_s=ttl_s)


class DocumentPendingAuthorizationStore(_Authorizations):
    """Authorisations in a truth store, sealed; `tenant` and `types` as for `DocumentPendingApprovalStore`."""

    def __init__(
        self,
        store: TruthStore,
        sealer: Sealer,
        *,
        tenant: str,
        types: ModuleType = records,
        now: Callable[[], float] = time.time,
        ttl_s: float = AUTHORIZATION_TTL_S,
    ) -> None:
        shelf = DocumentShelf(store, sealer, kind="pending authorization", tenant=tenant)
        super().__init__(shelf, types=types, now=now, ttl_s=ttl_s)


def _kept(row: Row | None) -> Kept | None:
    return None if row is None else msgspec.json.decode(row.body, type=Kept)


def _row(kept: Kept | None) -> Row | None:
    if kept is None:
        return None
    return Row(msgspec.json.encode(kept), kept.operation, kept.state, kept.due_at)


def _json(value: Any) -> str:
    """JSON text that gives back exactly these values."""
    text = json.dumps(value, allow_nan=False)
    if json.loads(text) != _listed(value):
        raise ValueError("a record holds values that JSON does not give back")
    return text


def _listed(value: Any) -> Any:
    """The value with tuples as lists, as JSON gives them back."""
    if isinstance(value, list | tuple):
        return [_listed(one) for one in value]
    return {key: _listed(one) for key, one in value.items()} if isinstance(value, dict) else value
