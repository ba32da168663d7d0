"""Markdown into a document: the platform makes blocks of it, which are then put in, or put in for all that was there.

New content goes in before old content goes out: whatever fails between the two, nothing is lost.
Source: the platform's pages on converting to blocks and creating nested blocks, read 2026-11: parent ids and merged
cells of a conversion are read-only and refused on the way in; a thousand blocks at a time.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from placet.contract.platform import CallStopped, Failure, RoutineStopped, Send, WireCall

__all__ = ["append_markdown", "replace_content"]

BLOCKS_MOST = 1000
"""Blocks that one request puts in, nested ones counted."""


async def append_markdown(calls: Mapping[str, WireCall], arguments: Mapping[str, Any], send: Send) -> Any:
    """`docx.append_markdown`: convert and insert."""
    converted = _Converted(await send("convert", calls["convert"]))
    return converted.described(await send("insert", converted.inserted(calls["insert"])))


async def replace_content(calls: Mapping[str, WireCall], arguments: Mapping[str, Any], send: Send) -> Any:
    """`docx.replace_content`: convert, insert behind what is there, then remove what was there."""
    converted = _Converted(await send("convert", calls["convert"]))
    old = _children(await send("page", calls["page"]))
    made = converted.described(await send("insert", converted.inserted(calls["insert"])))
    if old:
        try:
            cleared = await send("clear", _with_body(calls["clear"], start_index=0, end_index=len(old)))
        except CallStopped:
            # The insertion is done: an answer that says how far it came helps more than a failure that hides it.
            return {**made, "block": {"children": old}}
        made |= {name: cleared[name] for name in ("document_revision_id",) if name in (cleared or {})}
    return {**made, "block": {"children": []}}


class _Converted:
    """The blocks of a conversion, fit to be put in."""

    def __init__(self, answer: Any) -> None:
        data = answer if isinstance(answer, dict) else {}
        self._first = data.get("first_level_block_ids") or []
        self._blocks = [_writable(block) for block in data.get("blocks") or [] if isinstance(block, dict)]
        self._images = data.get("block_id_to_image_urls") or []
        if not self._first or not self._blocks:
            raise _stopped("nothing_to_insert", "the text gives no blocks")
        if len(self._blocks) > BLOCKS_MOST:
            raise _stopped(
                "too_many_blocks",
                f"the text gives {len(self._blocks)} blocks, and {BLOCKS_MOST} go in at once; send it in parts",
            )

    def inserted(self, wire: WireCall) -> WireCall:
        return _with_body(wire, children_id=self._first, descendants=self._blocks)

    def described(self, answer: Any) -> dict[str, Any]:
        """The insertion's answer, and the pictures that stay empty."""
        made = answer if isinstance(answer, dict) else {}
        return {**made, "block_id_to_image_urls": self._images}


def _writable(block: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in block.items() if name != "parent_id"}
    table = kept.get("table")
    if isinstance(table, dict) and isinstance(table.get("property"), dict):
        size = {name: value for name, value in table["property"].items() if name != "merge_info"}
        kept["table"] = {"property": size}
    return kept


def _children(answer: Any) -> list[Any]:
    block = answer.get("block") if isinstance(answer, dict) else None
    if not isinstance(block, dict):
        raise _stopped("bad_answer", "the document did not say what it holds")
    return list(block.get("children") or [])


def _stopped(code: str, message: str) -> RoutineStopped:
    return RoutineStopped(Failure(code=code, category="invalid_argument", message=message))


def _with_body(wire: WireCall, **members: Any) -> WireCall:
    body = {} if wire.body is UNSET else wire.body
    return msgspec.structs.replace(wire, body={**body, **members})
