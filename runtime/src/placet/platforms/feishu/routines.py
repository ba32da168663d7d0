"""Procedures of several requests. Each sends only the requests its tool declares, one after the other.

Source: the platform's pages on uploading a file whole and in parts, read 2026-11: 20 MB whole, parts of the size that
the first answer names, in order and never two at once, Adler-32 as decimal text.
"""

import hashlib
import time
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from placet.contract.errors import RequestRefused
from placet.contract.platform import (
    Failure,
    FileContent,
    FilePart,
    Routine,
    RoutineStopped,
    Send,
    WireCall,
)
from placet.platforms.feishu.documents import append_markdown, replace_content
from placet.platforms.feishu.jobs import export, fetch_export, import_file

__all__ = ["ROUTINES", "WHOLE_BYTES", "completion"]

WHOLE_BYTES = 20 * 1024 * 1024
"""Largest file that one request takes."""

_PARTS_MOST = 10_000

_PAGES_MOST = 20
"""Pages of an announcement that are counted: ten thousand blocks."""


async def upload(calls: Mapping[str, WireCall], arguments: Mapping[str, Any], send: Send) -> Any:
    """`drive.upload`: a file in one request, or prepared, sent in parts and finished."""
    content = _file_of(calls["small"])
    if content.size <= WHOLE_BYTES:
        return await send("small", calls["small"])
    prepared = await send("prepare", _with_body(calls["prepare"], size=content.size))
    upload_id, part_bytes = _plan(prepared, content.size)
    whole = await content.read()
    if len(whole) != content.size:
        raise RequestRefused("the file no longer has the length that was staged")
    count = -(-content.size // part_bytes)
    for number in range(count):
        piece = whole[number * part_bytes : (number + 1) * part_bytes]
        await send("part", _part(calls["part"], upload_id, number, piece, content))
    return await send("finish", _with_body(calls["finish"], upload_id=upload_id, block_num=count))


def _file_of(wire: WireCall) -> FileContent:
    for _, value in wire.form:
        if isinstance(value, FilePart):
            return value.content
    raise RequestRefused("the upload has no file")


def _plan(prepared: Any, size: int) -> tuple[str, int]:
    """The upload's id and the bytes of a part.

    Raises:
        RoutineStopped: the answer names none that can be followed.
    """
    answer = prepared if isinstance(prepared, dict) else {}
    upload_id, part_bytes, count = (answer.get(name) for name in ("upload_id", "block_size", "block_num"))
    if isinstance(upload_id, str) and upload_id and type(part_bytes) is int and part_bytes > 0:
        parts = -(-size // part_bytes)
        if parts <= _PARTS_MOST and count in (None, parts):
            return upload_id, part_bytes
    raise RoutineStopped(
        Failure(
            code="bad_upload_plan",
            category="server",
            message="the platform did not say how to send the file in parts",
            retryable=True,
        )
    )


def _part(wire: WireCall, upload_id: str, number: int, piece: bytes, whole: FileContent) -> WireCall:
    async def read() -> bytes:
        return piece

    content = FileContent(
        name=whole.name,
        media_type=whole.media_type,
        size=len(piece),
        sha256=hashlib.sha256(piece).hexdigest(),
        read=read,
    )
    form = (
        ("upload_id", upload_id),
        ("seq", str(number)),
        ("size", str(len(piece))),
        ("checksum", str(zlib.adler32(piece))),
        ("file", FilePart(name=whole.name, content=content)),
    )
    return msgspec.structs.replace(wire, form=form)


def _with_body(wire: WireCall, **members: Any) -> WireCall:
    body = {} if wire.body is UNSET else wire.body
    return msgspec.structs.replace(wire, body={**body, **members})


async def replace_announcement(
    calls: Mapping[str, WireCall], arguments: Mapping[str, Any], send: Send
) -> Any:
    """`chat.replace_announcement`: the new blocks go in on top, then the old ones below them go.

    In this order a failure leaves the old announcement whole, or both, but never an empty one.
    """
    old = await _count_blocks(calls["look"], send)
    written = await send("write", _with_body(calls["write"], index=0))
    if old:
        made = written.get("children") if isinstance(written, dict) else None
        new = len(made) if isinstance(made, list) else len(arguments["blocks"])
        await send("clear", _with_body(calls["clear"], start_index=new, end_index=new + old))
    return written


async def _count_blocks(look: WireCall, send: Send) -> int:
    """How many blocks an announcement has at its top level.

    Raises:
        RoutineStopped: the answers do not end, or are none that can be counted.
    """
    count, token = 0, ""
    for _ in range(_PAGES_MOST):
        query = (*look.query, ("page_token", token)) if token else look.query
        page = await send("look", msgspec.structs.replace(look, query=query))
        items = page.get("items", []) if isinstance(page, dict) else None
        if not isinstance(items, list):
            break
        count += len(items)
        following = page.get("page_token") if page.get("has_more") else None
        if not isinstance(following, str) or not following:
            return count
        token = following
    raise RoutineStopped(
        Failure(
            code="bad_announcement",
            category="server",
            message="the platform did not say what the announcement holds; nothing was changed",
            retryable=True,
        )
    )


def completion(now: Callable[[], float]) -> Routine:
    """`task.complete`: a task done at the moment it is sent. `now` gives Unix seconds; 0 is not done, `task.reopen`."""

    async def complete(calls: Mapping[str, WireCall], arguments: Mapping[str, Any], send: Send) -> Any:
        return await send(
            "patch", _with_body(calls["patch"], task={"completed_at": str(round(now() * 1000))})
        )

    return complete


ROUTINES: Mapping[str, Routine] = {
    "chat.replace_announcement": replace_announcement,
    "docx.append_markdown": append_markdown,
    "docx.replace_content": replace_content,
    "drive.export": export,
    "drive.fetch_export": fetch_export,
    "drive.import": import_file,
    "drive.upload": upload,
    "task.complete": completion(time.time),
    "task.reopen": completion(lambda: 0),
}
"""Every routine by the name that curation uses."""
