"""Approvals: what a person is asked, how it stands in a store, and the operations that move it.

A proposal is one row. It waits for a decision until it expires; a yes makes it `executing` and gives one caller a
token with which the call is made and settled, exactly once. Times are Unix seconds.
"""

from typing import Any, Literal, Protocol

from msgspec import Struct

from placet.contract.call import CallContext
from placet.contract.words import Risk

__all__ = [
    "ApprovalRow",
    "ApprovalState",
    "ApprovalView",
    "Approvals",
    "DecideApproval",
    "Decided",
    "ExpireApprovals",
    "Grant",
    "ListApprovals",
    "LookUpApproval",
    "ProposeApproval",
    "Proposed",
    "ProposedCall",
    "ResolveApproval",
    "SettleApproval",
    "Strength",
    "SwapApproval",
    "TakeOverApprovals",
    "TooManyPending",
    "Verdict",
    "Vote",
]

ApprovalState = Literal[
    "awaiting_confirmation",
    "executing",
    "execution_unknown",
    "executed",
    "rejected",
    "cancelled",
    "failed",
    "superseded",
    "expired",
]
"""The first three are alive; the others are tombstones that no operation but a compatible `retry` leaves."""

Strength = Literal["person", "operator", "client"]
"""How a decider was authenticated: as that person, as whoever operates the host, or by a client's word alone."""

Verdict = Literal[
    "claimed",
    "rejected",
    "recorded",
    "missing",
    "superseded",
    "expired",
    "tampered",
    "already_claimed",
    "forbidden",
]
"""What a decision comes to: the first three counted, `recorded` being the first of two yeses."""


class TooManyPending(Exception):
    """The conversation or the requester has as many open proposals as are allowed. `most` is that number."""

    def __init__(self, most: int, whose: str) -> None:
        super().__init__(f"{most} proposals of this {whose} are open; decide one first")
        self.most, self.whose = most, whose


class ApprovalView(Struct, frozen=True, kw_only=True):
    """What a person is asked to say yes to.

    Attributes:
        digest: Of tool, contract digest, decoded arguments, file digests, context values, tenant, app, identity,
            requester and conversation: the yes is bound to exactly this.
        before: Argument to the value it replaces, as a read of the same identity saw it.
    """

    digest: str
    tool: str
    summary: str
    risk: Risk
    identity: str
    app: str
    requester: str
    conversation: str
    arguments: dict[str, Any]
    before: dict[str, Any] = {}


class ProposedCall(Struct, frozen=True, kw_only=True):
    """The call as it enters step 1 again after a yes: the decoded arguments, and who asked where."""

    tool: str
    arguments: dict[str, Any]
    ctx: CallContext


class Grant(Struct, frozen=True, kw_only=True):
    """A claimed yes, with which a gate makes the call once. The store has the last word on it.

    Attributes:
        token: Of the claim; another claim of the same row makes it worthless.
        before: What the person saw as the values to be replaced.
    """

    approval_id: str
    token: str
    call: ProposedCall
    before: dict[str, Any] = {}


class Approvals(Protocol):
    """Approvals as the gate sees them."""

    async def propose(self, view: ApprovalView, call: ProposedCall) -> str:
        """Open a proposal and return its id; an identical open one returns its own.

        Raises:
            TooManyPending: the caps are reached.
            StoreError: it could not be kept.
        """
        ...


class Vote(Struct, frozen=True, kw_only=True):
    """One decider's yes, where more than one is needed."""

    by: str
    strength: Strength
    at: float


class ApprovalRow(Struct, frozen=True, kw_only=True):
    """A proposal in a store.

    Attributes:
        tenant: The app; a decision names it, and another tenant's is not even found.
        digest: What the yes is bound to.
        run: The agent's run; siblings of one run never supersede each other.
        op_key: What the proposal is about: a newer one of another run with the same key supersedes it. Empty: none.
        sealed: View and call, encrypted.
        token, lease_until, attempt: Of the claim that executes it.
        outcome: A word about how it was settled, such as "stale"; empty while it is alive.
        version: Rises with every change.
    """

    id: str
    tenant: str
    conversation: str
    requester: str
    tool: str
    risk: Risk
    digest: str
    sealed: bytes
    proposed_at: float
    expires_at: float
    state: ApprovalState = "awaiting_confirmation"
    run: str = ""
    op_key: str = ""
    votes: tuple[Vote, ...] = ()
    decided_by: str = ""
    strength: Strength | Literal[""] = ""
    reason: str = ""
    decided_at: float | None = None
    token: str = ""
    lease_until: float = 0.0
    attempt: int = 0
    settled_at: float | None = None
    outcome: str = ""
    superseded_by: str = ""
    version: int = 1


class ProposeApproval(Struct, frozen=True, kw_only=True, tag="propose"):
    """Open a proposal, unless an identical one is open or the caps are reached. Answered with `Proposed`.

    Attributes:
        most_here: Open proposals that one conversation may have; `most_theirs` those of one requester.
    """

    row: ApprovalRow
    most_here: int
    most_theirs: int


class Proposed(Struct, frozen=True, kw_only=True):
    """The answer to `ProposeApproval`.

    Attributes:
        id: Of the row that now stands for this proposal; empty when a cap was reached.
        superseded: Ids that it took the place of.
    """

    verdict: Literal["opened", "same", "too_many_here", "too_many_theirs"]
    id: str = ""
    superseded: tuple[str, ...] = ()


class DecideApproval(Struct, frozen=True, kw_only=True, tag="decide"):
    """A person's yes or no. Answered with `Decided`.

    Attributes:
        digest: Of what the decider was shown; another one than the row's is tampering.
        may: Whether the rules let this decider decide; computed from the row's unchanging parts.
        needed: How many different deciders must say yes.
        token: Fresh; the claim's, should this decision be the one that claims.
    """

    id: str
    tenant: str
    digest: str
    approve: bool
    by: str
    strength: Strength
    may: bool
    at: float
    token: str
    lease_s: float
    needed: int = 1
    reason: str = ""


class Decided(Struct, frozen=True, kw_only=True):
    """The answer to `DecideApproval`; `row` as it now stands, None for one that this tenant has not."""

    verdict: Verdict
    row: ApprovalRow | None = None


class SettleApproval(Struct, frozen=True, kw_only=True, tag="settle"):
    """What became of a claimed call. Its result is False when the token is not the claim's."""

    id: str
    token: str
    state: Literal["executed", "failed", "cancelled", "execution_unknown"]
    at: float
    outcome: str = ""


class TakeOverApprovals(Struct, frozen=True, kw_only=True, tag="take_over"):
    """Claim at most `most` rows whose executor's lease is over. Answered with the rows, each with the new token."""

    token: str
    at: float
    lease_s: float
    most: int = 100


class ExpireApprovals(Struct, frozen=True, kw_only=True, tag="expire"):
    """Close at most `most` proposals nobody decided in time. Answered with the rows."""

    at: float
    most: int = 100


class ResolveApproval(Struct, frozen=True, kw_only=True, tag="resolve_approval"):
    """A person says what became of a call whose outcome is unknown. False when it is not."""

    id: str
    tenant: str
    state: Literal["executed", "failed"]
    by: str
    at: float


class SwapApproval(Struct, frozen=True, kw_only=True, tag="swap"):
    """Replace a row that still has this version; 0 inserts a new one, and no row removes it. False when it moved."""

    id: str
    version: int
    row: ApprovalRow | None


class LookUpApproval(Struct, frozen=True, kw_only=True, tag="look_up_approval"):
    """The row of an id, or None."""

    id: str


class ListApprovals(Struct, frozen=True, kw_only=True, tag="list_approvals"):
    """Rows of a tenant, the newest first.

    Attributes:
        states: None is every state.
        digest: Only rows bound to this; "" is all.
        before: Only rows proposed earlier; None is all.
    """

    tenant: str
    states: tuple[ApprovalState, ...] | None = None
    digest: str = ""
    before: float | None = None
    most: int = 50
