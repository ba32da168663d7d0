"""Proposals as the gate opens them: sealed, capped, and told to the host's channel."""

import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

import msgspec
from msgspec import Struct

from placet.contract.approvals import (
    ApprovalRow,
    ApprovalView,
    ProposeApproval,
    ProposedCall,
    TooManyPending,
)
from placet.contract.stores import TruthStore
from placet.sealing import Sealer

__all__ = ["ApprovalChannel", "Gathered", "ProposalLimits", "Proposals", "SealedProposal"]


class ProposalLimits(Struct, frozen=True, kw_only=True):
    """Bounds of what waits for people.

    Attributes:
        ttl_s: Seconds until a proposal nobody decided expires, and after a yes until the call must have begun.
        here, theirs: Most open proposals of one conversation, and of one requester.
    """

    ttl_s: float = 15 * 60.0
    here: int = 5
    theirs: int = 20


class SealedProposal(Struct, frozen=True, kw_only=True):
    """What is encrypted at rest: arguments and replaced values may hold anything."""

    view: ApprovalView
    call: ProposedCall


class ApprovalChannel(Protocol):
    """The host's way of telling people that something waits for them."""

    def notify(self, approval_id: str, view: ApprovalView) -> None:
        """Returns at once. When it fails the proposal stays open and visible at the desk."""
        ...


class Gathered:
    """Proposals that are to be stored together with something else, and by somebody else.

    Attributes:
        asked: What to store, in the order it was proposed.
    """

    def __init__(self) -> None:
        self.asked: list[ProposeApproval] = []
        self.views: dict[str, ApprovalView] = {}


_GATHERING: ContextVar[Gathered | None] = ContextVar("placet_gathering", default=None)


class Proposals:
    """`Approvals` of the contract over a truth store.

    Args:
        now: Unix seconds.
        fresh_id: 128 random bits as text.
    """

    def __init__(
        self,
        store: TruthStore,
        sealer: Sealer,
        *,
        now: Callable[[], float],
        fresh_id: Callable[[], str],
        limits: ProposalLimits | None = None,
        channel: ApprovalChannel | None = None,
    ) -> None:
        self._store, self._sealer, self._now, self._fresh_id = store, sealer, now, fresh_id
        self.limits = limits if limits is not None else ProposalLimits()
        self._channel = channel

    async def propose(self, view: ApprovalView, call: ProposedCall) -> str:
        identifier, at = f"apr_{self._fresh_id()}", self._now()
        run = call.ctx.run or ""
        row = ApprovalRow(
            id=identifier,
            tenant=view.app,
            conversation=view.conversation,
            requester=view.requester,
            tool=view.tool,
            risk=view.risk,
            digest=view.digest,
            sealed=self._sealer.seal(
                msgspec.json.encode(SealedProposal(view=view, call=call)), place=identifier
            ),
            proposed_at=at,
            expires_at=at + self.limits.ttl_s,
            run=run,
            op_key=_op_key(view) if run else "",
        )
        asked = ProposeApproval(row=row, most_here=self.limits.here, most_theirs=self.limits.theirs)
        gathered = _GATHERING.get()
        if gathered is not None:
            gathered.asked.append(asked)
            gathered.views[identifier] = view
            return identifier
        (proposed,) = await self._store.apply(asked)
        if proposed.verdict == "too_many_here":
            raise TooManyPending(self.limits.here, "conversation")
        if proposed.verdict == "too_many_theirs":
            raise TooManyPending(self.limits.theirs, "requester")
        if proposed.verdict == "opened":
            self.tell(identifier, view)
        kept: str = proposed.id
        return kept

    @contextmanager
    def gathering(self) -> Iterator[Gathered]:
        """Within it, what this task proposes is only noted; whoever gathers stores it, and then tells."""
        gathered = Gathered()
        token = _GATHERING.set(gathered)
        try:
            yield gathered
        finally:
            _GATHERING.reset(token)

    def opened(self, row: ApprovalRow) -> SealedProposal:
        """View and call of a row.

        Raises:
            SealBroken: no configured key opens it.
        """
        return msgspec.json.decode(self._sealer.open(row.sealed, place=row.id), type=SealedProposal)

    def tell(self, identifier: str, view: ApprovalView) -> None:
        """Let the host's channel know that something waits."""
        if self._channel is None:
            return
        try:
            self._channel.notify(identifier, view)
        except Exception as error:
            logging.getLogger("placet.approvals").warning(
                "the channel failed for %s: %s", identifier, type(error).__name__
            )


def _op_key(view: ApprovalView) -> str:
    """What a newer turn's proposal takes the place of: the same person's same tool in the same conversation."""
    parts = (view.app, view.conversation, view.requester, view.tool)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
