"""Step 5: texts that try to instruct the model instead of informing it."""

from placet.contract.masking import SafetyMode
from placet.gate.leaving import released
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState

__all__ = ["content_safety"]


async def content_safety(state: CallState, runtime: GateRuntime, result: AnyResult) -> AnyResult:
    """Marks suspicious texts; where the host blocks them, withholds the data. Masking happens in the same walk."""
    if runtime.safety is SafetyMode.OFF:
        return result
    return released(state, runtime, result, runtime.safety)
