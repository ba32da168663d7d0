"""Step 6, never off: credentials masked at any depth, and the result cut to its budget after that, never before."""

from typing import Any

import msgspec
from msgspec import UNSET

from placet.budget import fit
from placet.contract.masking import SafetyMode
from placet.contract.platform import Body
from placet.contract.result import Failed, Ok, Page
from placet.gate.leaving import released
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState

__all__ = ["budget_of", "outbound_sanitise"]

TEXT, VIOLATIONS = 1000, 20
"""Characters of one text of a failure, and how many broken rules are told."""


async def outbound_sanitise(state: CallState, runtime: GateRuntime, result: AnyResult) -> AnyResult:
    """Masks what step 5 has not looked at, keeps a byte answer as a handle, and fits the data into the budget."""
    if runtime.safety is SafetyMode.OFF:
        result = released(state, runtime, result, SafetyMode.OFF)
    if not isinstance(result, Ok):
        return _bounded(result)
    if isinstance(result.data, Body):
        return await _as_handle(state, runtime, result)
    return _within_budget(state, runtime, result)


def budget_of(state: CallState, runtime: GateRuntime) -> int | None:
    """Characters of JSON that this call's data may have; None is unbounded."""
    own = state.ctx.result_chars
    return runtime.rules.policy.result_chars if own is UNSET else own


async def _as_handle(state: CallState, runtime: GateRuntime, result: Ok[Any]) -> Ok[Any]:
    """Bytes never pass through a model: it gets a handle that is good in its own conversation."""
    body: Body = result.data
    staged = await runtime.files.put(
        body.data,
        name=body.file_name or "download",
        media_type=body.media_type,
        app=state.ctx.app,
        session=state.ctx.session,
    )
    return msgspec.structs.replace(result, data={state.bound.file_field: staged.handle})


def _bounded(result: AnyResult) -> AnyResult:
    """A platform's words about a failure, cut after masking; they are not data, and a few lines say it."""
    if not isinstance(result, Failed):
        return result
    violations = {_cut(name): _cut(rule) for name, rule in list(result.violations.items())[:VIOLATIONS]}
    return msgspec.structs.replace(result, message=_cut(result.message), violations=violations)


def _cut(text: str) -> str:
    return text if len(text) <= TEXT else f"{text[:TEXT]} [cut]"


def _within_budget(state: CallState, runtime: GateRuntime, result: Ok[Any]) -> Ok[Any]:
    items = state.bound.items_field if state.cursor_at is not None else None
    fitted = fit(result.data, budget_of(state, runtime), items)
    if not fitted.truncated:
        return result
    page = result.page
    if state.cursor_at is not None and fitted.kept is not None:
        page = Page(next=state.cursor_at(fitted.kept))
    return msgspec.structs.replace(result, data=fitted.data, page=page, truncated=True)
