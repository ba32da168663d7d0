"""What a call would send, with its real values, and nothing sent."""

import re
from typing import Any
from urllib.parse import quote

from msgspec import UNSET

from placet.contract.platform import FileContent, FilePart, WireCall
from placet.contract.refusal import Reason
from placet.contract.result import Ok, Refused
from placet.encoding import Filling, Unencodable
from placet.gate.state import CallState
from placet.inlining import with_files

__all__ = ["rehearsal"]

_PLACEHOLDER = re.compile(r":([A-Za-z_][A-Za-z0-9_]*)")


def rehearsal(state: CallState) -> Ok[Any] | Refused:
    """Verb, path, query and body of every request the tool has all slots for."""
    assert state.draft is not None
    filling = Filling(slots=dict(state.context_values), files=state.files)
    try:
        calls = state.bound.encoder.complete(state.draft, state.arguments, filling)
    except Unencodable as error:
        return Refused(code=Reason.ARGUMENTS_INVALID, reason=str(error), hint="correct it and call again")
    return Ok(data={"requests": [_shown(call) for call in calls.values()]}, dry_run=True)


def _shown(wire: WireCall) -> dict[str, Any]:
    shown: dict[str, Any] = {"method": wire.call.http, "path": _path(wire)}
    if wire.query:
        shown["query"] = [list(pair) for pair in wire.query]
    if wire.body is not UNSET:
        shown["body"] = with_files(wire.body, _named)
    if wire.form:
        shown["form"] = [[name, _part(value)] for name, value in wire.form]
    return shown


def _path(wire: WireCall) -> str:
    """The route with its values as they travel; what only a routine can fill stays a placeholder."""
    return _PLACEHOLDER.sub(
        lambda match: quote(wire.path[match[1]], safe="") if match[1] in wire.path else match[0],
        wire.call.route,
    )


def _part(value: str | FilePart) -> Any:
    if isinstance(value, str):
        return value
    return _named(value.content)


def _named(content: FileContent) -> dict[str, Any]:
    return {"file": content.name, "bytes": content.size, "sha256": content.sha256}
