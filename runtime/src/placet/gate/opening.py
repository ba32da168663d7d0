"""The files that a call names by handle, opened once: their content is part of what is approved and what is sent."""

from placet.contract.refusal import Reason
from placet.contract.result import Refused
from placet.gate.runtime import GateRuntime
from placet.gate.state import CallState

__all__ = ["open_files"]


async def open_files(state: CallState, runtime: GateRuntime) -> Refused | None:
    """Opens every file of the arguments into the state; refuses one that is not here, or is too large."""
    tool = state.bound
    handles = {name: state.arguments[name] for name in tool.encoder.file_arguments & state.arguments.keys()}
    if len(state.files) == len(set(handles.values())):
        return None
    state.files = await runtime.files.open_all(
        list(handles.values()), app=state.ctx.app, session=state.ctx.session
    )
    limits = {slot.argument: slot.max_bytes for slot in tool.binding.slots}
    for name, handle in handles.items():
        content = state.files.get(handle)
        if content is None:
            return Refused(
                code=Reason.FILE_UNKNOWN,
                reason=f"{name}: there is no file {handle[:100]!r} in this conversation",
                hint="use a handle that a person or a download gave in this conversation",
            )
        most = limits.get(name)
        if most is not None and content.size > most:
            return Refused(
                code=Reason.ARGUMENTS_INVALID,
                reason=f"{name}: the file has {content.size} bytes, more than {most}",
                hint="use a smaller file",
            )
    return None
