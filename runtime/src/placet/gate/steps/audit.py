"""Step 7: on record, or not at all. A write's outcome closes its ledger row in the same transaction."""

from placet.gate.records import entry_of
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState
from placet.gate.writes import leave_write

__all__ = ["audit"]


async def audit(state: CallState, runtime: GateRuntime, result: AnyResult) -> AnyResult:
    """Records how a call ended. Reads and refusals may be written in batches; a write is durable before it is told."""
    if state.written is not None:
        return await leave_write(state, runtime, result)
    runtime.recorder.add(entry_of(state, runtime, _event(result), result))
    return result


def _event(result: AnyResult) -> str:
    return "refusal" if result.kind == "refused" else "outcome"
