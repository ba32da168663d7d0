"""How a proposal moves, as pure rules over one row, so that every store decides alike.

| state | event, if all holds | next | answer |
|---|---|---|---|
| none | propose | awaiting | opened; older ones of the same `op_key` and another run are superseded |
| awaiting | its time is over | expired | expired, now and for every later decision |
| awaiting | yes: its tenant, the digest, a decider who may | executing, token and lease | claimed |
| awaiting | yes, and another is needed | awaiting, vote kept | recorded |
| awaiting | no, on the same conditions | rejected | rejected |
| executing | settle with the claim's token | executed, failed, cancelled or unknown | True |
| executing | the lease is over | executing, new token | taken over |
| unknown | a person says what became of it | executed or failed | True |

Everything else changes nothing and says why.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from placet.contract.approvals import (
    ApprovalRow,
    DecideApproval,
    Decided,
    ProposeApproval,
    Proposed,
    ResolveApproval,
    SettleApproval,
    TakeOverApprovals,
    Vote,
)

__all__ = ["decided", "expired", "proposed", "resolved_approval", "settled", "taken_over"]


def proposed(asked: ProposeApproval, open_rows: Sequence[ApprovalRow]) -> tuple[Proposed, list[ApprovalRow]]:
    """What a proposal is answered, and the rows to store.

    Args:
        open_rows: The tenant's waiting rows of this conversation, this requester or this `op_key`.
    """
    new = asked.row
    gone = [expired(row) for row in open_rows if row.expires_at <= new.proposed_at]
    alive = [row for row in open_rows if row.expires_at > new.proposed_at]
    for row in alive:
        if row.digest == new.digest and row.run == new.run:
            return Proposed(verdict="same", id=row.id), gone
    replaced = [row for row in alive if new.op_key and row.op_key == new.op_key and row.run != new.run]
    kept = [row for row in alive if row not in replaced]
    if sum(row.conversation == new.conversation for row in kept) >= asked.most_here:
        return Proposed(verdict="too_many_here"), gone
    if sum(row.requester == new.requester for row in kept) >= asked.most_theirs:
        return Proposed(verdict="too_many_theirs"), gone
    superseded = [_ended(row, "superseded", new.proposed_at, superseded_by=new.id) for row in replaced]
    opened = Proposed(verdict="opened", id=new.id, superseded=tuple(row.id for row in superseded))
    return opened, [*gone, *superseded, new]


def decided(row: ApprovalRow | None, asked: DecideApproval) -> tuple[Decided, ApprovalRow | None]:
    """What a decision is answered, and the row to store when it moved."""
    if row is None or row.tenant != asked.tenant:
        return Decided(verdict="missing"), None
    if row.state == "superseded":
        return Decided(verdict="superseded", row=row), None
    if row.state == "expired":
        return Decided(verdict="expired", row=row), None
    if row.state == "awaiting_confirmation" and row.expires_at <= asked.at:
        gone = expired(row)
        return Decided(verdict="expired", row=gone), gone
    if row.digest != asked.digest:
        return Decided(verdict="tampered", row=row), None
    if row.state != "awaiting_confirmation":
        return Decided(verdict="already_claimed", row=row), None
    if not asked.may:
        return Decided(verdict="forbidden", row=row), None
    return _counted(row, asked)


def settled(row: ApprovalRow | None, asked: SettleApproval) -> ApprovalRow | None:
    """The row after its call; None when the token is not the claim's."""
    if row is None or row.state != "executing" or row.token != asked.token:
        return None
    return replace(
        row, state=asked.state, settled_at=asked.at, outcome=asked.outcome, version=row.version + 1
    )


def taken_over(row: ApprovalRow, asked: TakeOverApprovals) -> ApprovalRow | None:
    """The row under a new claim; None while its executor may still be at work."""
    if row.state != "executing" or row.lease_until > asked.at:
        return None
    return replace(
        row,
        token=asked.token,
        lease_until=asked.at + asked.lease_s,
        attempt=row.attempt + 1,
        version=row.version + 1,
    )


def resolved_approval(row: ApprovalRow | None, asked: ResolveApproval) -> ApprovalRow | None:
    """The row after a person said what became of it; None when that is known."""
    if row is None or row.tenant != asked.tenant or row.state != "execution_unknown":
        return None
    return _ended(row, asked.state, asked.at, outcome=f"resolved by {asked.by}")


def expired(row: ApprovalRow) -> ApprovalRow:
    """The row once nobody decided in time."""
    return _ended(row, "expired", row.expires_at)


def _counted(row: ApprovalRow, asked: DecideApproval) -> tuple[Decided, ApprovalRow | None]:
    said = {
        "decided_by": asked.by,
        "strength": asked.strength,
        "reason": asked.reason,
        "decided_at": asked.at,
        "version": row.version + 1,
    }
    if not asked.approve:
        no = replace(row, state="rejected", settled_at=asked.at, **said)
        return Decided(verdict="rejected", row=no), no
    if any(vote.by == asked.by for vote in row.votes):
        return Decided(verdict="recorded", row=row), None
    votes = (*row.votes, Vote(by=asked.by, strength=asked.strength, at=asked.at))
    if len(votes) < asked.needed:
        half = replace(row, votes=votes, version=row.version + 1)
        return Decided(verdict="recorded", row=half), half
    claim = replace(
        row,
        state="executing",
        votes=votes,
        token=asked.token,
        lease_until=asked.at + asked.lease_s,
        attempt=1,
        **said,
    )
    return Decided(verdict="claimed", row=claim), claim


def _ended(
    row: ApprovalRow, state: str, at: float, *, superseded_by: str = "", outcome: str = ""
) -> ApprovalRow:
    return replace(
        row,
        state=state,
        settled_at=at,
        superseded_by=superseded_by,
        outcome=outcome,
        version=row.version + 1,
    )
