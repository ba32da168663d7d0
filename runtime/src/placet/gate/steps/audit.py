"""Step 7: on record, or not at all. A write's outcome closes its ledger row in the same transaction."""

from contextlib import suppress

from placet.audit import AuditUnavailable
from placet.contract.stores import AppendAudit
from placet.gate.records import entry_of
from placet.gate.runtime import GateRuntime
from placet.gate.settling import settlement
from placet.gate.state import AnyResult, CallState
from placet.gate.writes import leave_write, settle_entering

__all__ = ["audit"]

BEHIND = 1024
"""Records that may wait before calls wait for them: a busy loop gives the store no time of its own."""


async def audit(state: CallState, runtime: GateRuntime, result: AnyResult) -> AnyResult:
    """Records how a call ended. Reads and refusals may be written in batches; a write is durable before it is told."""
    await settle_entering(state)
    if state.written is not None:
        return await leave_write(state, runtime, result)
    settle = settlement(state, runtime, result)
    if settle is not None:
        record = AppendAudit(entry=entry_of(state, runtime, _event(result), result))
        await runtime.store.apply(record, settle)
        return result
    recorder = runtime.recorder
    recorder.add(entry_of(state, runtime, _event(result), result))
    state.recorded = True
    if recorder.waiting >= BEHIND and recorder.fault is None:
        with suppress(
            AuditUnavailable
        ):  # the record is kept; the fault stops writes, and reads once there is no room
            await recorder.flush()
    return result


def _event(result: AnyResult) -> str:
    return "refusal" if result.kind == "refused" else "outcome"
