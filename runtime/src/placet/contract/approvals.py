"""What the gate asks of an approval engine: is there a yes for exactly this call, and if not, propose it."""

from typing import Any, Protocol

from msgspec import Struct

from placet.contract.call import CallContext
from placet.contract.words import Risk

__all__ = ["ApprovalView", "Approvals", "TooManyPending"]


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


class Approvals(Protocol):
    """Approvals as the gate sees them. Memory for now; the engine's stores implement the same."""

    async def granted(self, digest: str, ctx: CallContext) -> str | None:
        """Claim the yes bound to this digest: its approval id, at most once for all callers, or None."""
        ...

    async def propose(self, view: ApprovalView, ctx: CallContext) -> str:
        """Open a proposal and return its id; an identical open one returns its own.

        Raises:
            TooManyPending: the caps are reached.
        """
        ...
