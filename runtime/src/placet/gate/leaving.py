"""How each kind of result goes through the outbound rules: data, messages, and what a proposal echoes."""

from itertools import islice
from typing import Any

import msgspec

from placet.contract.masking import SafetyMode
from placet.contract.platform import Body
from placet.contract.result import Failed, Ok, Pending, Refused
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState
from placet.sanitise.outbound import release

__all__ = ["released"]

SOME, MANY = 8000, 100
"""Characters of one text of a failure, and how many of its rules, that are worth reading at all."""


def released(state: CallState, runtime: GateRuntime, result: AnyResult, mode: SafetyMode) -> AnyResult:
    """The result with what must not leave masked and, by mode, suspicious texts marked or withheld."""
    if isinstance(result, Ok):
        return result if isinstance(result.data, Body) else _ok(state, runtime, result, mode)
    match result:
        case Failed():
            violations = {_some(name): _some(rule) for name, rule in islice(result.violations.items(), MANY)}
            texts = {"message": _some(result.message), "violations": violations}
            kept = _release(state, runtime, texts, mode)
            if kept is None:
                return msgspec.structs.replace(result, message="", violations={})
            return msgspec.structs.replace(result, message=kept["message"], violations=kept["violations"])
        case Refused():
            kept = _release(state, runtime, {"reason": result.reason, "hint": result.hint}, mode)
            if kept is None:
                return msgspec.structs.replace(result, reason="the reason was withheld", hint="")
            return msgspec.structs.replace(result, reason=kept["reason"], hint=kept["hint"])
        case Pending():
            # A person must see what they decide about: masked, never withheld.
            kept = _release(state, runtime, result.view, SafetyMode.WARN)
            return msgspec.structs.replace(result, view=kept if kept is not None else {})
        case _:
            return result


def _ok(state: CallState, runtime: GateRuntime, result: Ok[Any], mode: SafetyMode) -> Ok[Any]:
    kept = release(result.data, masking=_masking(state, runtime), safety_mode=mode, allow=_names(state))
    if kept.blocked:
        return msgspec.structs.replace(
            result,
            data={},
            withheld="the answer held texts that try to instruct; the host blocks such answers",
        )
    if kept.data is result.data:
        return result
    return msgspec.structs.replace(result, data=kept.data)


def _release(state: CallState, runtime: GateRuntime, value: Any, mode: SafetyMode) -> Any:
    kept = release(value, masking=_masking(state, runtime), safety_mode=mode, allow=_names(state))
    return None if kept.blocked else kept.data


def _some(text: str) -> str:
    """The beginning of a text up to a blank, so that no secret is cut in two; step 6 cuts what is left."""
    return text if len(text) <= SOME else text[:SOME].rpartition(" ")[0]


def _masking(state: CallState, runtime: GateRuntime) -> Any:
    platform = state.tool.surface.platform if state.tool is not None else ""
    return runtime.maskings.get(platform) or runtime.maskings[""]


def _names(state: CallState) -> frozenset[str]:
    """Names of ids that the tool declares: the next call needs them, whatever they sound like."""
    return state.tool.names if state.tool is not None else frozenset()
