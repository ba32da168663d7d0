"""Stores: what must be durable together is one tuple of operations, applied together or not at all.

Operations are data, so that every store implements the same few and one contract suite can run against all.
Times are Unix seconds. Keys and digests are hex sha256.
"""

from typing import Any, Literal, Protocol

from msgspec import Struct
from msgspec.structs import force_setattr

from placet.contract.approvals import (
    DecideApproval,
    ExpireApprovals,
    ListApprovals,
    LookUpApproval,
    ProposeApproval,
    ResolveApproval,
    SettleApproval,
    SwapApproval,
    TakeOverApprovals,
)
from placet.contract.documents import ListDocuments, LookUpDocument, SwapDocument
from placet.contract.errors import PlacetError

__all__ = [
    "AppendAudit",
    "ApprovalOperation",
    "AuditEntry",
    "BeginWrite",
    "Begun",
    "DocumentOperation",
    "EntryRefused",
    "FinishWrite",
    "LedgerOperation",
    "LedgerRow",
    "LookUpWrite",
    "Operation",
    "ResolveWrite",
    "SharedState",
    "StoreError",
    "StoredToken",
    "TruthStore",
]


class StoreError(PlacetError):
    """A store could not do what it was asked; nothing of the tuple was applied. Carries no values."""


class EntryRefused(StoreError):
    """The store works and cannot take what it was given, now or later; nothing of the tuple was applied."""


TEXT_MOST = 500
"""Characters of one text of an audit entry."""


class AuditEntry(Struct, frozen=True, kw_only=True):
    """One record of what was asked, decided or done. Holds digests and codes, never arguments or answers.

    Names that doors and models give are part of it, so every text is made storable when the entry is built: a lone
    surrogate becomes its escape, and what is longer than `TEXT_MOST` is cut.

    Attributes:
        event: "intent", "outcome", "refusal", "decision", "anchor", "closed", or "unstorable" where a record stood that
            no store takes.
        steps: For each step: its name, verdict and microseconds.
    """

    at: float
    event: str
    call_id: str
    tenant: str
    tool: str
    actor: str
    identity: str = ""
    outcome: str = ""
    reason: str = ""
    digest: str = ""
    ledger_key: str = ""
    approval_id: str = ""
    parent_id: str = ""
    log_id: str = ""
    steps: tuple[tuple[str, str, int], ...] = ()
    details: dict[str, Any] = {}

    def __post_init__(self) -> None:
        for name in _TEXTS:
            text = getattr(self, name)
            if len(text) > TEXT_MOST or not text.isascii():
                force_setattr(self, name, _storable(text))
        if self.details:
            force_setattr(self, "details", _storable(self.details))


_TEXTS = (
    "event", "call_id", "tenant", "tool", "actor", "identity", "outcome", "reason", "digest", "ledger_key",
    "approval_id", "parent_id", "log_id",
)  # fmt: skip


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return value[:TEXT_MOST].encode("utf-8", "backslashreplace").decode()[:TEXT_MOST]
    if isinstance(value, dict):
        return {_storable(name): _storable(one) for name, one in value.items()}
    return [_storable(one) for one in value] if isinstance(value, list | tuple) else value


class AppendAudit(Struct, frozen=True, kw_only=True, tag="audit"):
    """Append to this writer's chain. Its result is the record's (chain, sequence number).

    Attributes:
        outcome_of: The operation of this tuple, counted from 0, whose verdict is the record's outcome.
    """

    entry: AuditEntry
    outcome_of: int | None = None


class BeginWrite(Struct, frozen=True, kw_only=True, tag="begin"):
    """Enter a write into the ledger before it is sent.

    Attributes:
        key: Who does what with which caller's key.
        digest: Of the request; the same key with another digest is a conflict.
        token: Fresh for each attempt; only its holder may finish what it began.
        native_key: The platform's idempotency key, when the tool has one.
        lease_s: Seconds after which this attempt, if still unfinished, is held to be abandoned; well above the
            call's total deadline.
        resend_s: Seconds after the first sending within which an abandoned write may be sent again under its
            native key; 0 never.
    """

    key: str
    digest: str
    tool: str
    tenant: str
    token: str
    native_key: str = ""
    lease_s: float = 300.0
    resend_s: float = 0.0
    at: float


class LedgerRow(Struct, frozen=True, kw_only=True):
    """A write's place in the ledger. `result` is the stored outcome as JSON, bounded.

    Attributes:
        first_at: When the attempts began of which none is known to have failed; the platform counts its memory of
            a native key from there.
        lease_until: When an attempt that is still `started` counts as abandoned.
    """

    key: str
    digest: str
    tool: str
    tenant: str
    status: Literal["started", "succeeded", "not_applied", "unknown"]
    token: str
    attempt: int = 1
    native_key: str = ""
    first_at: float = 0.0
    started_at: float = 0.0
    lease_until: float = 0.0
    finished_at: float | None = None
    result: bytes | None = None
    error_class: str = ""


class Begun(Struct, frozen=True, kw_only=True):
    """The answer to `BeginWrite`.

    Attributes:
        verdict: "started" (this caller sends), "replayed" (`row.result` is the outcome), "in_flight", "unknown"
            (sent earlier, outcome not known) or "conflict" (another request under this key).
        row: The row as it now stands; `row.native_key` is the one to send.
    """

    verdict: Literal["started", "replayed", "in_flight", "unknown", "conflict"]
    row: LedgerRow


class FinishWrite(Struct, frozen=True, kw_only=True, tag="finish"):
    """Record a write's outcome. Its result is False when the token is not the one that began it."""

    key: str
    token: str
    status: Literal["succeeded", "not_applied", "unknown"]
    at: float
    result: bytes | None = None
    error_class: str = ""


class LookUpWrite(Struct, frozen=True, kw_only=True, tag="look_up"):
    """The row of a key, or None."""

    key: str


class ResolveWrite(Struct, frozen=True, kw_only=True, tag="resolve"):
    """A person or a verifier says what became of an unknown or abandoned write. False when there was none."""

    key: str
    status: Literal["succeeded", "not_applied"]
    by: str
    at: float


ApprovalOperation = (
    ProposeApproval
    | DecideApproval
    | SettleApproval
    | TakeOverApprovals
    | ExpireApprovals
    | ResolveApproval
    | SwapApproval
    | LookUpApproval
    | ListApprovals
)
DocumentOperation = SwapDocument | LookUpDocument | ListDocuments
LedgerOperation = BeginWrite | FinishWrite | LookUpWrite | ResolveWrite
Operation = AppendAudit | LedgerOperation | ApprovalOperation | DocumentOperation


class TruthStore(Protocol):
    """Ledger, approvals, documents and audit. What `apply` answered is durable; what raised did not happen."""

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        """Apply all in this order in one transaction, or none.

        Raises:
            EntryRefused: the store works, and will never take this.
            StoreError: the store is down, full or refuses; nothing was applied.
        """
        ...

    async def close(self) -> None: ...


class StoredToken(Struct, frozen=True, kw_only=True):
    """A credential at rest. `sealed` is encrypted with the configuration's keys."""

    sealed: bytes
    expires_at: float
    version: int


class SharedState(Protocol):
    """What several processes share and may forget: leases, rate counters, tokens."""

    async def acquire(self, name: str, *, owner: str, ttl_s: float) -> int | None:
        """A lease with a fencing token that only rises, or None while another owner holds it."""
        ...

    async def release(self, name: str, *, owner: str) -> None: ...

    async def take(self, bucket: str, *, count: int, per_s: float) -> float:
        """Seconds to wait before one more call fits into the bucket; 0.0 means it was taken."""
        ...

    async def get_token(self, key: str) -> StoredToken | None: ...

    async def put_token(self, key: str, token: StoredToken) -> bool:
        """Keep a newer token; False when the stored version is not older."""
        ...

    async def close(self) -> None: ...
