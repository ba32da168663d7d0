"""The desk: what waits, a person's decision, and the call that a yes sets off, made exactly once.

A yes is durable before anything is sent: whoever claimed it makes the call, and if that process dies a sweep takes
the claim over. Nothing here decides; doors hand in who decided, as they authenticated them.
"""

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from placet.approvals.proposals import Proposals
from placet.approvals.rules import ApproverRules, Decider
from placet.contract.approvals import (
    ApprovalRow,
    ApprovalState,
    ApprovalView,
    DecideApproval,
    Decided,
    ExpireApprovals,
    Grant,
    ListApprovals,
    LookUpApproval,
    ResolveApproval,
    SettleApproval,
    TakeOverApprovals,
)
from placet.contract.result import Result
from placet.contract.stores import AppendAudit, AuditEntry, TruthStore
from placet.sealing import SealBroken

__all__ = ["Approval", "Desk", "Swept"]

WINDOW_S = 3600.0
"""How far back "the same action ran" looks."""


class Performs(Protocol):
    """A gate, as far as the desk needs one."""

    async def perform(self, grant: Grant) -> Result[Any]: ...


class Approval(Struct, frozen=True, kw_only=True):
    """A proposal as a person sees it.

    Attributes:
        view: None when its seal cannot be opened.
        ran_at: When the same action last ran within the hour; None when it did not.
        ran_unknown: True when it is not known whether that one took effect.
    """

    row: ApprovalRow
    view: ApprovalView | None
    ran_at: float | None = None
    ran_unknown: bool = False


class Swept(Struct, frozen=True, kw_only=True):
    """What a sweep did: proposals that expired, and calls of dead executors with what came of them."""

    expired: tuple[str, ...] = ()
    performed: tuple[tuple[str, str], ...] = ()


class Desk:
    """Decisions over one truth store. Every method raises `StoreError` where the store cannot answer.

    Args:
        gate: Makes approved calls.
        lease_s: Seconds that a claimed call may take before a sweep takes it over; at least three times the
            gate's deadline.
    """

    def __init__(
        self,
        store: TruthStore,
        proposals: Proposals,
        gate: Performs,
        *,
        rules: ApproverRules | None = None,
        now: Callable[[], float],
        fresh_id: Callable[[], str],
        lease_s: float = 120.0,
    ) -> None:
        self._store, self._proposals, self._gate = store, proposals, gate
        self._now, self._fresh_id = now, fresh_id
        self._rules = rules if rules is not None else ApproverRules()
        self._lease_s = lease_s

    async def show(self, identifier: str, *, app: str) -> Approval | None:
        """One proposal of this tenant, whatever its state; None when there is none."""
        (row,) = await self._store.apply(LookUpApproval(id=identifier))
        return await self._approval(row) if row is not None and row.tenant == app else None

    async def waiting(self, *, app: str, most: int = 50, before: float | None = None) -> tuple[Approval, ...]:
        """Proposals that wait for a decision, the newest first."""
        return await self.listed(app=app, states=("awaiting_confirmation",), most=most, before=before)

    async def listed(
        self,
        *,
        app: str,
        states: tuple[ApprovalState, ...] | None = None,
        most: int = 50,
        before: float | None = None,
    ) -> tuple[Approval, ...]:
        """Proposals in these states, the newest first; what has outlived its time is closed first."""
        await self._store.apply(ExpireApprovals(at=self._now()))
        (rows,) = await self._store.apply(ListApprovals(tenant=app, states=states, most=most, before=before))
        return tuple([await self._approval(row) for row in rows])

    async def decide(
        self,
        identifier: str,
        *,
        app: str,
        decider: Decider,
        digest: str,
        approve: bool,
        reason: str = "",
    ) -> Decided:
        """Record a decision; on record whatever it comes to. With the verdict "claimed" the caller performs it.

        Args:
            digest: Of what the decider was shown.
        """
        (row,) = await self._store.apply(LookUpApproval(id=identifier))
        is_here = row is not None and row.tenant == app
        asked = DecideApproval(
            id=identifier,
            tenant=app,
            digest=digest,
            approve=approve,
            by=decider.name,
            strength=decider.strength,
            may=is_here and self._rules.may(row, decider),
            needed=self._rules.needed(row) if is_here else 1,
            at=self._now(),
            token=self._fresh_id(),
            lease_s=self._lease_s,
            reason=reason[:500],
        )
        entry = AuditEntry(
            at=asked.at,
            event="decision",
            call_id=identifier,
            tenant=app,
            tool=row.tool if is_here else "",
            actor=decider.name,
            approval_id=identifier,
            digest=row.digest if is_here else "",
            reason="approve" if approve else "reject",
            details={"strength": decider.strength},
        )
        decided, _ = await self._store.apply(asked, AppendAudit(entry=entry, outcome_of=0))
        answer: Decided = decided
        return answer

    async def perform(self, row: ApprovalRow) -> Result[Any] | None:
        """Make the call of a claimed row. None when its seal cannot be opened: the row is settled as failed."""
        try:
            proposal = self._proposals.opened(row)
        except SealBroken:
            await self._store.apply(
                SettleApproval(
                    id=row.id, token=row.token, state="failed", at=self._now(), outcome="seal_broken"
                )
            )
            return None
        grant = Grant(approval_id=row.id, token=row.token, call=proposal.call, before=proposal.view.before)
        return await self._gate.perform(grant)

    async def resolve(self, identifier: str, *, app: str, by: Decider, applied: bool) -> bool:
        """Say what became of a call whose outcome is unknown; False when it is known, or not this tenant's."""
        at = self._now()
        entry = AuditEntry(
            at=at,
            event="decision",
            call_id=identifier,
            tenant=app,
            tool="",
            actor=by.name,
            approval_id=identifier,
            reason="resolve",
            details={"strength": by.strength, "applied": applied},
        )
        asked = ResolveApproval(
            id=identifier, tenant=app, state="executed" if applied else "failed", by=by.name, at=at
        )
        resolved, _ = await self._store.apply(asked, AppendAudit(entry=entry, outcome_of=0))
        return bool(resolved)

    async def sweep(self, *, most: int = 100) -> Swept:
        """Close what nobody decided, and make the calls whose executors died.

        A call whose request may have left is not sent again unless the platform knows its key: the ledger decides.
        """
        (gone,) = await self._store.apply(ExpireApprovals(at=self._now(), most=most))
        asked = TakeOverApprovals(token=self._fresh_id(), at=self._now(), lease_s=self._lease_s, most=most)
        (taken,) = await self._store.apply(asked)
        performed = []
        for row in taken:
            result = await self.perform(row)
            performed.append((row.id, result.kind if result is not None else "failed"))
        return Swept(expired=tuple(row.id for row in gone), performed=tuple(performed))

    async def _approval(self, row: ApprovalRow) -> Approval:
        try:
            view = self._proposals.opened(row).view
        except SealBroken:
            view = None
        asked = ListApprovals(
            tenant=row.tenant,
            states=("executed", "execution_unknown", "executing"),
            digest=row.digest,
            most=5,
        )
        (same,) = await self._store.apply(asked)
        others = [one for one in same if one.id != row.id and (one.decided_at or 0) > self._now() - WINDOW_S]
        if not others:
            return Approval(row=row, view=view)
        last = max(others, key=lambda one: one.decided_at or 0.0)
        return Approval(
            row=row, view=view, ran_at=last.decided_at, ran_unknown=last.state == "execution_unknown"
        )
