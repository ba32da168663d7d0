"""Who a write belongs to: the ledger key holds everybody whose repeat it may answer, and nobody else.

A person's key holds in all conversations of that person. Where no person is known, the conversation stands for one,
and without a conversation the agent's run: another conversation of the same app may be somebody else's. Where
nothing of this is known there is nobody whom a repeat could belong to, and a caller's key is refused in step 1.
"""

from placet.contract.call import CallContext
from placet.contract.words import Identity
from placet.gate.runtime import GateRuntime
from placet.gate.state import CallState
from placet.ledger import Origin, ledger_key

__all__ = ["is_somebodys", "principal_of", "write_key"]


def principal_of(state: CallState) -> str:
    """The acting person as the door authenticated them; empty for nobody."""
    return state.ctx.actor.user or ""


def is_somebodys(ctx: CallContext) -> bool:
    """Whether a key that the caller gives can be told from another caller's."""
    return _owner(ctx) is not None


def _owner(ctx: CallContext) -> str | tuple[str, str] | None:
    if ctx.actor.user:
        return ctx.actor.user
    if ctx.session:
        return "conversation", ctx.session
    return ("run", ctx.run) if ctx.run else None


def write_key(state: CallState, runtime: GateRuntime) -> str:
    """The ledger key of the call: by the caller's key, the run and call, the approval, or this call alone."""
    return ledger_key(
        namespace=runtime.namespace,
        tenant=state.ctx.app,
        app=state.ctx.app,
        identity=state.identity or Identity.TENANT,
        principal=_owner(state.ctx),
        tool=state.bound.entry.name,
        origin=Origin.of(
            fresh=state.id,
            caller_key=state.options.idempotency_key,
            run=state.ctx.run,
            call=state.ctx.call,
            approval=state.approval_id or None,
        ),
    )
