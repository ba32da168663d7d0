"""Approvals in memory: enough for one process, tests and the demo."""

import secrets
from collections.abc import Callable

from placet.contract.approvals import ApprovalView, TooManyPending
from placet.contract.call import CallContext

__all__ = ["MemoryApprovals"]

MOST_IN_A_CONVERSATION = 5
MOST_OF_A_REQUESTER = 20
TTL_S = 15 * 60.0


class MemoryApprovals:
    """Proposals and decisions of one process. A yes lives as long as its proposal would have.

    Args:
        now: Unix seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._open: dict[str, tuple[ApprovalView, float]] = {}
        self._granted: dict[str, tuple[str, float]] = {}

    async def propose(self, view: ApprovalView, ctx: CallContext) -> str:
        self._expire()
        same = [identifier for identifier, (other, _) in self._open.items() if other.digest == view.digest]
        if same:
            return same[0]
        views = [one for one, _ in self._open.values()]
        here = sum((one.app, one.conversation) == (view.app, view.conversation) for one in views)
        theirs = sum((one.app, one.requester) == (view.app, view.requester) for one in views)
        if here >= MOST_IN_A_CONVERSATION:
            raise TooManyPending(MOST_IN_A_CONVERSATION, "conversation")
        if theirs >= MOST_OF_A_REQUESTER:
            raise TooManyPending(MOST_OF_A_REQUESTER, "requester")
        identifier = f"apr_{secrets.token_hex(16)}"
        self._open[identifier] = (view, self._now() + TTL_S)
        return identifier

    async def granted(self, digest: str, ctx: CallContext) -> str | None:
        self._expire()
        found = self._granted.pop(digest, None)
        return found[0] if found is not None else None

    def view(self, identifier: str) -> ApprovalView | None:
        """What an open proposal asks; None when it is decided, expired or unknown."""
        self._expire()
        found = self._open.get(identifier)
        return found[0] if found is not None else None

    def decide(self, identifier: str, *, approve: bool) -> bool:
        """Decide an open proposal once; False when there is none."""
        self._expire()
        found = self._open.pop(identifier, None)
        if found is None:
            return False
        if approve:
            self._granted[found[0].digest] = (identifier, found[1])
        return True

    def _expire(self) -> None:
        now = self._now()
        self._open = {key: one for key, one in self._open.items() if one[1] > now}
        self._granted = {key: one for key, one in self._granted.items() if one[1] > now}
