"""An approved call on its second way through the chain: its yes is checked against the store.

Nothing is taken from whoever hands the grant in: the row must be executing under this very claim, the digest of the
call as it now decodes must be the one that was approved, and the yes must not have grown old.
"""

from placet.contract.approvals import LookUpApproval
from placet.contract.refusal import Reason
from placet.contract.result import Refused
from placet.contract.stores import StoreError
from placet.gate.runtime import GateRuntime
from placet.gate.state import CallState
from placet.gate.writes import unrecordable

__all__ = ["confirm"]


async def confirm(state: CallState, runtime: GateRuntime, digest: str) -> Refused | None:
    """Refuses a call whose yes is not there, is another's, is for something else, or is too old."""
    grant = state.grant
    assert grant is not None
    try:
        (row,) = await runtime.store.apply(LookUpApproval(id=grant.approval_id))
    except StoreError as error:
        return unrecordable(Reason.STORE_UNAVAILABLE, error)
    if row is None or row.state != "executing" or row.token != grant.token or row.tenant != state.ctx.app:
        return _invalid("there is no yes that this call may use", "propose it and let a person decide")
    if row.digest != digest:
        return _invalid(
            "the call is no longer the one that was approved: its tool, arguments, files or actor changed",
            "propose it anew and let a person decide",
        )
    # A yes lives as long as its proposal would have.
    if runtime.now() > (row.decided_at or 0.0) + (row.expires_at - row.proposed_at):
        return _invalid("the yes is too old to act on", "propose it anew and let a person decide")
    return None


def _invalid(reason: str, hint: str) -> Refused:
    return Refused(code=Reason.APPROVAL_INVALID, reason=reason, hint=hint)
