"""Audit records of a call: digests and codes, never arguments or answers."""

from typing import Any

from placet.contract.digest import sha256_of
from placet.contract.result import Failed, Ok, Pending, Refused, Unknown
from placet.contract.stores import AuditEntry
from placet.gate.keys import principal_of
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState

__all__ = ["entry_of"]


def entry_of(
    state: CallState, runtime: GateRuntime, event: str, result: AnyResult | None = None
) -> AuditEntry:
    """The record of a call at this point of the chain."""
    tool = state.tool
    return AuditEntry(
        at=runtime.now(),
        event=event,
        call_id=state.id,
        tenant=state.ctx.app,
        tool=tool.entry.name if tool is not None else state.name[:100],
        actor=principal_of(state),
        identity=state.identity.value if state.identity is not None else "",
        outcome=result.kind if result is not None else "",
        reason=_reason(result),
        digest=sha256_of(state.arguments) if tool is not None and tool.is_write and state.arguments else "",
        ledger_key=state.written.key if state.written is not None else "",
        approval_id=state.approval_id,
        parent_id=state.parent,
        log_id=state.log_id,
        steps=tuple(state.trace),
        details=_details(result),
    )


def _details(result: AnyResult | None) -> dict[str, Any]:
    """What was odd about an answer: places of the declared output, never values."""
    if not isinstance(result, Ok) or not (result.drift or result.withheld or result.truncated):
        return {}
    told = {"drift": list(result.drift), "withheld": result.withheld, "truncated": result.truncated}
    return {name: value for name, value in told.items() if value}


def _reason(result: AnyResult | None) -> str:
    match result:
        case Ok():
            return "dry_run" if result.dry_run else "replayed" if result.replayed else ""
        case Refused() | Failed():
            return result.code
        case Pending():
            return result.needs
        case Unknown():
            return "unanswered"
        case _:
            return ""
