"""Who a write belongs to: the ledger key holds everybody whose repeat it may answer, and nobody else."""

from placet.contract.words import Identity
from placet.gate.runtime import GateRuntime
from placet.gate.state import CallState
from placet.ledger import Origin, ledger_key

__all__ = ["principal_of", "write_key"]


def principal_of(state: CallState) -> str:
    """The acting person as the door authenticated them; empty for nobody."""
    return state.ctx.actor.user or ""


def write_key(state: CallState, runtime: GateRuntime) -> str:
    """The ledger key of the call: by the caller's key, the run and call, the approval, or this call alone."""
    return ledger_key(
        namespace=runtime.namespace,
        tenant=state.ctx.app,
        app=state.ctx.app,
        identity=state.identity or Identity.TENANT,
        principal=state.ctx.actor.user,
        tool=state.bound.entry.name,
        origin=Origin.of(
            fresh=state.id,
            caller_key=state.options.idempotency_key,
            run=state.ctx.run,
            call=state.ctx.call,
            approval=state.approval_id or None,
        ),
    )
