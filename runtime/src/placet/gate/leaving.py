"""How each kind of result goes through the outbound rules: data, messages, and what a proposal echoes."""

from itertools import islice
from typing import Any

import msgspec

from placet.contract.masking import SafetyMode
from placet.contract.platform import Body
from placet.contract.result import Failed, Ok, Page, Pending, Refused, Unknown
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState
from placet.gate.words import UNREADABLE
from placet.sanitise.outbound import release
from placet.sanitise.safety import unmarked

__all__ = ["released"]

WITHHELD = "the reason was withheld"
_LEFT: dict[str, Any] = {}
"""Stands where an item was, so that items and cursor still count alike."""

SOME, MANY = 8000, 100
"""Characters of one text of a failure, and how many of its rules, that are worth reading at all."""


def released(state: CallState, runtime: GateRuntime, result: AnyResult, mode: SafetyMode) -> AnyResult:
    """The result with what must not leave masked and, by mode, suspicious texts marked or withheld."""
    if isinstance(result, Ok):
        return result if isinstance(result.data, Body) else _ok(state, runtime, result, mode)
    match result:
        case Failed():
            return _failed(state, runtime, result, mode)
        case Refused():
            kept = _release(state, runtime, {"reason": result.reason, "hint": result.hint}, mode)
            if kept is None:
                return msgspec.structs.replace(result, reason=WITHHELD, hint="")
            return msgspec.structs.replace(result, reason=kept["reason"], hint=kept["hint"])
        case Pending():
            # A person must see what they decide about: masked, never withheld.
            kept = _release(state, runtime, result.view, SafetyMode.WARN)
            return msgspec.structs.replace(result, view=kept if kept is not None else {})
        case Unknown():
            kept = _release(state, runtime, {"reason": result.reason}, mode)
            return msgspec.structs.replace(result, reason=kept["reason"] if kept is not None else WITHHELD)


def _failed(state: CallState, runtime: GateRuntime, result: Failed, mode: SafetyMode) -> Failed:
    """Sentences masked and marked; a word in which anything is found goes, because half of one is none."""
    violations = {_some(name): _some(rule) for name, rule in islice(result.violations.items(), MANY)}
    kept = _release(state, runtime, {"message": _some(result.message), "violations": violations}, mode)
    if kept is None:
        kept = {"message": "", "violations": {}}
    result = msgspec.structs.replace(result, message=kept["message"], violations=kept["violations"])
    words = [result.code, result.category, result.log_id, result.grant_url, *result.missing_scopes]
    if _release(state, runtime, {"words": words}, mode) == {"words": words}:
        return result
    good = [one if _release(state, runtime, [one], mode) == [one] else None for one in words]
    return msgspec.structs.replace(
        result,
        code=good[0] or UNREADABLE,
        category=good[1] or "other",
        log_id=good[2],
        grant_url=good[3],
        missing_scopes=tuple([one for one in good[4:] if one is not None]),
    )


def _ok(state: CallState, runtime: GateRuntime, result: Ok[Any], mode: SafetyMode) -> Ok[Any]:
    if result.drift or result.withheld is not None:
        result = _told(state, runtime, result, mode)
    # What the ledger kept was marked when it left the first time.
    data = unmarked(result.data) if result.replayed and mode is not SafetyMode.OFF else result.data
    kept = release(data, masking=_masking(state, runtime), safety_mode=mode, allow=_names(state))
    if kept.blocked:
        return _without(state, runtime, result, mode, kept.too_large)
    if kept.data is result.data:
        return result
    return msgspec.structs.replace(result, data=kept.data)


def _told(state: CallState, runtime: GateRuntime, result: Ok[Any], mode: SafetyMode) -> Ok[Any]:
    """The sentences beside the data."""
    texts = {"drift": [[one] for one in result.drift], "withheld": result.withheld}
    kept = _release(state, runtime, texts, mode)
    if kept is None:
        kept = {"drift": [[WITHHELD]] if result.drift else [], "withheld": result.withheld and WITHHELD}
    drift = tuple(one[0] for one in kept["drift"])
    return msgspec.structs.replace(result, drift=drift, withheld=kept["withheld"])


def _without(
    state: CallState, runtime: GateRuntime, result: Ok[Any], mode: SafetyMode, too_large: bool
) -> Ok[Any]:
    """The list with what must not leave taken out of its items; else no data, and the cursor of what was withheld."""
    why = (
        "more text than is looked at"
        if too_large
        else "texts that try to instruct; the host blocks such answers"
    )
    name = state.bound.items_field if state.cursor_at is not None else None
    items = result.data.get(name) if name is not None and isinstance(result.data, dict) else None
    if name is not None and isinstance(items, list) and len(items) > 1:
        alone = [_release(state, runtime, [one], mode) for one in items]
        data = {**result.data, name: [_LEFT if one is None else one[0] for one in alone]}
        # Together once more: a text may be stored in pieces, one an item.
        kept = None if too_large else _release(state, runtime, data, mode)
        if too_large and _release(state, runtime, {**result.data, name: []}, mode) is not None:
            kept = data
        if kept is not None:
            count = sum(one is None for one in alone)
            withheld = f"{count} of the items held {why}"
            return msgspec.structs.replace(result, data=kept, withheld=withheld)
    page = result.page if state.cursor_at is None else Page(next=state.cursor_at(0))
    return msgspec.structs.replace(result, data={}, page=page, withheld=f"the answer held {why}")


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
