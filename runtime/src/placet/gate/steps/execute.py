"""Between steps 4 and 5: the request itself. What comes before can only refuse; after it, a write may have happened."""

from typing import Any

from placet.contract.platform import Body, Failure
from placet.contract.refusal import Reason
from placet.contract.result import Ok, Refused, Unknown
from placet.encoding import Filling, Unencodable
from placet.gate.dry_run import rehearsal
from placet.gate.opening import open_files
from placet.gate.pages import read_pages
from placet.gate.runtime import GateRuntime
from placet.gate.sending import Unanswered, failed, unanswered
from placet.gate.state import AnyResult, CallState
from placet.gate.writes import enter_write
from placet.projection import decode_data

__all__ = ["execute"]


async def execute(state: CallState, runtime: GateRuntime) -> AnyResult:
    """Send what the binding says, once for a write, page by page for a list; a dry run stops having sent nothing."""
    tool = state.bound
    if tool.platform is None:
        return await _local(state, runtime)
    if tool.encoder.file_arguments and (refused := await open_files(state, runtime)) is not None:
        return refused
    if state.options.dry_run:
        return rehearsal(state)
    if not tool.is_write:
        return await read_pages(state, runtime)
    held = await enter_write(state, runtime)
    return held if held is not None else await _write(state, runtime)


async def _local(state: CallState, runtime: GateRuntime) -> AnyResult:
    behaviour = runtime.locals.get(state.bound.binding.local or "")
    if behaviour is None:
        return Refused(
            code=Reason.TOOL_NOT_ENABLED,
            reason=f"this runtime has no behaviour for {state.name!r}",
            hint="use another tool",
        )
    return Ok(data=await behaviour(state.bound.surface, state.arguments, runtime.rules.is_on))


async def _write(state: CallState, runtime: GateRuntime) -> AnyResult:
    """The one write of a call. Its ledger row is closed in step 7, whatever comes back."""
    tool = state.bound
    slots: dict[str, Any] = dict(state.context_values)
    native = tool.binding.native_key
    if native is not None and state.written is not None:
        slots[native.slot] = state.written.native_key
    assert state.draft is not None
    try:
        calls = tool.encoder.complete(state.draft, state.arguments, Filling(slots=slots, files=state.files))
    except Unencodable as error:
        return Refused(code=Reason.ARGUMENTS_INVALID, reason=str(error), hint="correct it and call again")
    answer: Any
    if tool.binding.routine is not None:
        answer = await runtime.sender.run_routine(state, calls, state.left_s(runtime.deadline_s))
    else:
        answer = await runtime.sender.send(state, calls["main"], state.left_s(runtime.deadline_s))
    if isinstance(answer, Unanswered):
        return Unknown(id=state.id, reason=answer.sentence) if answer.sent else unanswered(answer)
    if isinstance(answer, Failure):
        if answer.effect == "unknown":
            return Unknown(
                id=state.id, reason=f"the platform answered {answer.code} and does not say what it did"
            )
        if answer.effect == "none":
            return failed(answer)
        return Ok(data={}, drift=(f"the platform answered {answer.code}, but did it",))
    if not isinstance(answer, Body):
        return _projected(state, answer)
    return _read(state, answer)


def _read(state: CallState, body: Body) -> Ok[Any]:
    """A write's answer. However odd it is, the write happened."""
    try:
        data = decode_data(body.data) if body.data else None
    except ValueError:
        return Ok(data={}, drift=("the answer was no JSON",))
    return _projected(state, data)


def _projected(state: CallState, data: Any) -> Ok[Any]:
    projected = state.bound.projector.project(data)
    return Ok(data=projected.data, drift=projected.drift)
