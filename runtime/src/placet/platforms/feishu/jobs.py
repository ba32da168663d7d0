"""Exports and imports: a job is started, looked at until it is done, and its result fetched.

A job that outlives the call is no failure: whoever asked gets its ticket, and another tool looks again.
Source: the platform's pages on export and import tasks, read 2026-11: 0 is done, 1 and 2 are waiting and running,
every other status is a failure; a finished export can be fetched for ten minutes.
"""

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from placet.contract.errors import RequestRefused
from placet.contract.platform import (
    CallStopped,
    Failure,
    FileContent,
    FilePart,
    RoutineStopped,
    Send,
    WireCall,
)

__all__ = ["export", "fetch_export", "import_file"]

_DONE, _UNDER_WAY = 0, (1, 2)
_PAUSES_S = (0.5, 1.0, 1.5, 2.0)
"""Between looks; the last one repeats until the call's time is used up."""


async def export(calls: Mapping[str, WireCall], arguments: Mapping[str, Any], send: Send) -> Any:
    """`drive.export`: a document as a file."""
    started = await send("create", calls["create"])
    ticket = _text(started, "ticket", "export")
    return await _fetched(calls, send, ticket, _with_path(calls["check"], ticket=ticket))


async def fetch_export(calls: Mapping[str, WireCall], arguments: Mapping[str, Any], send: Send) -> Any:
    """`drive.fetch_export`: the file of an export that was started before."""
    return await _fetched(calls, send, calls["check"].path["ticket"], calls["check"])


async def import_file(calls: Mapping[str, WireCall], arguments: Mapping[str, Any], send: Send) -> Any:
    """`drive.import`: a file becomes an online document; the answer is the job's, done or not."""
    extension = _extension(_file_of(calls["upload"]))
    kind = _body(calls["create"])["type"]
    extra = json.dumps({"obj_type": kind, "file_extension": extension})
    upload = msgspec.structs.replace(calls["upload"], form=(*calls["upload"].form, ("extra", extra)))
    file_token = _text(await send("upload", upload), "file_token", "upload")
    create = _with_body(calls["create"], file_token=file_token, file_extension=extension)
    ticket = _text(await send("create", create), "ticket", "import")
    try:
        job = await _settled(send, _with_path(calls["check"], ticket=ticket))
    except CallStopped:
        # The import goes on whether or not anybody could look.
        job = None
    return {"result": {**(job or {"job_status": 1}), "ticket": ticket}}


async def _fetched(calls: Mapping[str, WireCall], send: Send, ticket: str, check: WireCall) -> Any:
    job = await _settled(send, check)
    if job is None:
        raise RoutineStopped(
            Failure(
                code="still_running",
                category="conflict",
                message=f"the export still runs; its job_id is {ticket!r}",
                retryable=True,
            )
        )
    return await send("fetch", _with_path(calls["fetch"], file_token=_text(job, "file_token", "export")))


async def _settled(send: Send, check: WireCall) -> dict[str, Any] | None:
    """The finished job; None when it still runs at the end of the call's time.

    Raises:
        RoutineStopped: the job failed.
    """
    looks = 0
    while True:
        answer = await send("check", check)
        found = answer.get("result") if isinstance(answer, dict) else None
        job: dict[str, Any] = found if isinstance(found, dict) else {}
        status = job.get("job_status")
        if status == _DONE:
            return job
        if status not in _UNDER_WAY:
            raise RoutineStopped(
                Failure(
                    code=f"job_{status}",
                    category="other",
                    message=str(job.get("job_error_msg") or "the job ended without a result"),
                )
            )
        if not await send.wait(_PAUSES_S[min(looks, len(_PAUSES_S) - 1)]):
            return None
        looks += 1


def _text(answer: Any, name: str, what: str) -> str:
    found = answer.get(name) if isinstance(answer, dict) else None
    if isinstance(found, str) and found:
        return found
    raise RoutineStopped(
        Failure(code="bad_answer", category="server", message=f"the {what} was accepted without {name}")
    )


def _file_of(wire: WireCall) -> FileContent:
    for _, value in wire.form:
        if isinstance(value, FilePart):
            return value.content
    raise RequestRefused("the import has no file")


def _extension(file: FileContent) -> str:
    _, dot, extension = file.name.rpartition(".")
    if not dot or not extension.isalnum():
        raise RequestRefused("the file's name has no extension to tell what it is")
    return extension.lower()


def _with_path(wire: WireCall, **values: str) -> WireCall:
    return msgspec.structs.replace(wire, path={**wire.path, **values})


def _with_body(wire: WireCall, **members: Any) -> WireCall:
    return msgspec.structs.replace(wire, body={**_body(wire), **members})


def _body(wire: WireCall) -> dict[str, Any]:
    return {} if wire.body is UNSET else wire.body
