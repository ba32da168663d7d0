"""Step 1: arguments that may be looked at. Pure: no network, no store."""

from placet.contract.refusal import Reason
from placet.contract.result import Refused
from placet.encoding import Unencodable
from placet.gate.keys import is_somebodys
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState
from placet.inbound.arguments import Checked, check_arguments
from placet.inbound.faults import Fault, told

__all__ = ["inbound_sanitise"]

NAME_MOST = 100
"""Characters of an unknown name that are looked at and told; no tool's name is as long."""


async def inbound_sanitise(state: CallState, runtime: GateRuntime) -> AnyResult | None:
    """Refuses arguments that are no object, too large, or not what the tool's schema and limits allow."""
    entry = runtime.catalogue.entry(state.name)
    if entry is None:
        return Refused(
            code=Reason.TOOL_UNKNOWN,
            reason=f"there is no tool {state.name[:NAME_MOST]!r}",
            hint=_nearest(state.name, runtime),
        )
    tool = state.tool = runtime.catalogue.bind(entry)
    checked = check_arguments(state.raw, tool.validator)
    state.raw = None
    if not isinstance(checked, Checked):
        return _refused(checked)
    state.arguments, state.options = checked.arguments, checked.options
    if state.options.idempotency_key is not None and not is_somebodys(state.ctx):
        return Refused(
            code=Reason.CONTEXT_MISSING,
            reason="an idempotency_key is somebody's, and neither the acting person nor the conversation is known",
            hint="leave it out, or let the host's door say who is acting or in which conversation",
        )
    if tool.platform is not None:
        try:
            state.draft = tool.encoder.draft(state.arguments)
        except Unencodable as error:
            return _refused([Fault(error.argument, error.problem)])
    return None


def _refused(faults: list[Fault]) -> Refused:
    reasons = [one.reason for one in faults if one.reason is not Reason.ARGUMENTS_INVALID]
    return Refused(
        code=reasons[0] if reasons else Reason.ARGUMENTS_INVALID,
        reason=told(faults),
        hint="correct these and call again",
    )


def _nearest(name: str, runtime: GateRuntime) -> str:
    from difflib import get_close_matches

    enabled = [one for one in runtime.catalogue.entries if runtime.rules.is_on(one)]
    close = get_close_matches(name[:NAME_MOST], enabled, n=1)
    return f"did you mean {close[0]!r}?" if close else "look tools up by search"
