"""What became of a yes, recorded in the transaction that records what became of its call."""

from typing import Literal

from msgspec import Struct

from placet.contract.approvals import SettleApproval
from placet.contract.refusal import Reason
from placet.contract.result import Failed, Ok, Refused, Unknown
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState

__all__ = ["settlement"]


class _Settled(Struct, frozen=True):
    state: Literal["executed", "failed", "cancelled", "execution_unknown"]
    outcome: str = ""


def settlement(state: CallState, runtime: GateRuntime, result: AnyResult) -> SettleApproval | None:
    """What to record about the yes; None for a call without one, or one that another executor is still making."""
    settled = _settled(result)
    if state.grant is None or settled is None:
        return None
    return SettleApproval(
        id=state.grant.approval_id,
        token=state.grant.token,
        state=settled.state,
        at=runtime.now(),
        outcome=settled.outcome,
    )


def _settled(result: AnyResult) -> _Settled | None:
    match result:
        case Ok():
            return _Settled("executed")
        case Unknown():
            return _Settled("execution_unknown")
        case Refused(code=Reason.IN_FLIGHT | Reason.STORE_UNAVAILABLE | Reason.AUDIT_UNAVAILABLE):
            return None
        case Refused() | Failed():
            return _Settled("failed", result.code)
        case _:
            return _Settled("failed", "needs_authorisation")
