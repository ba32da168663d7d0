"""Blocks by id, below the page block whose id is the document's own."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.drive import Drive

__all__ = ["Block", "Document", "Docx", "converted", "text_of"]

_PAGE, _TEXT = 1, 2
_NAMES = {
    1: "page", 2: "text", **{level + 2: f"heading{level}" for level in range(1, 10)}, 12: "bullet", 13: "ordered",
    14: "code", 15: "quote", 17: "todo",
}  # fmt: skip
Block = dict[str, Any]


@dataclass(kw_only=True)
class Document:
    """A document. `blocks` are as on the wire, each with its parent and children."""

    document_id: str
    title: str
    blocks: dict[str, Block] = field(default_factory=dict)
    revision: int = 1

    def walk(self, block_id: str = "") -> Iterator[Block]:
        """A block and all below it, parents first."""
        block = self.blocks[block_id or self.document_id]
        yield block
        for child in block["children"]:
            yield from self.walk(child)

    def block(self, block_id: str) -> Block:
        """The block of an id.

        Raises:
            ApiError: there is none.
        """
        found = self.blocks.get(block_id)
        if found is None:
            raise ApiError(1770002, "not found", status=404)
        return found


class Docx:
    """A tenant's documents; one that the drive holds and nobody opened yet is empty."""

    def __init__(self, drive: Drive) -> None:
        self.world, self.drive = drive.world, drive
        self._documents: dict[str, Document] = {}

    def add(self, title: str, *, parent: str = "", owner: str = "", markdown: str = "") -> Document:
        """Add a document to the drive, with a text where one is given."""
        item = self.drive.add("docx", title, parent=parent, owner=owner)
        made = self.get(item.token)
        if markdown:
            first, blocks = converted(markdown)
            self.insert(made, made.document_id, first, blocks)
        return made

    def get(self, document_id: str) -> Document:
        """The document of an id.

        Raises:
            ApiError: the drive holds none.
        """
        item = self.drive.get(document_id, "docx", code=1770002)
        if document_id not in self._documents:
            page = {"block_id": document_id, "parent_id": "", "children": [], "block_type": _PAGE}
            page["page"] = {"elements": [_run(item.name)], "style": {}}
            self._documents[document_id] = Document(
                document_id=document_id, title=item.name, blocks={document_id: page}
            )
        return self._documents[document_id]

    def insert(
        self,
        document: Document,
        parent_id: str,
        first: Sequence[str],
        blocks: Sequence[Block],
        index: int | None = None,
    ) -> list[Block]:
        """Put blocks below a parent; ids of the request become ids of the platform."""
        parent = document.block(parent_id)
        ids = {one["block_id"]: self.world.new_id("blk") for one in blocks}
        if any(child not in ids for one in blocks for child in (*one.get("children", ()), *first)):
            raise ApiError(1770001, "invalid param")
        if any("parent_id" in one for one in blocks):
            raise ApiError(1770001, "invalid param: parent_id is read-only")
        for one in blocks:
            children = [ids[child] for child in one.get("children", ())]
            made = {**one, "block_id": ids[one["block_id"]], "children": children}
            document.blocks[made["block_id"]] = made
            for child in children:
                document.blocks.setdefault(child, {})["parent_id"] = made["block_id"]
        for one in blocks:
            made_id = ids[one["block_id"]]
            holders = [held for held in blocks if one["block_id"] in held.get("children", ())]
            document.blocks[made_id]["parent_id"] = ids[holders[0]["block_id"]] if holders else parent_id
        at = len(parent["children"]) if index is None or index < 0 else index
        parent["children"][at:at] = [ids[one] for one in first]
        document.revision += 1
        return [document.blocks[ids[one]] for one in first]

    def remove(self, document: Document, parent_id: str, start: int, end: int) -> None:
        """Remove a run of children, with all below them."""
        parent = document.block(parent_id)
        if not 0 <= start < end <= len(parent["children"]):
            raise ApiError(1770001, "invalid param")
        for child in parent["children"][start:end]:
            for one in list(document.walk(child)):
                del document.blocks[one["block_id"]]
        del parent["children"][start:end]
        document.revision += 1

    def update(self, document: Document, block_id: str, request: dict[str, Any]) -> Block:
        """Change the text or the style of one block."""
        block = document.block(block_id)
        content = block.get(_NAMES.get(block["block_type"], ""))
        if not isinstance(content, dict):
            raise ApiError(1770001, "invalid param")
        if "update_text_elements" in request:
            content["elements"] = request["update_text_elements"]["elements"]
        if "update_text_style" in request:
            content.setdefault("style", {}).update(request["update_text_style"]["style"])
        return block


def converted(markdown: str) -> tuple[list[str], list[Block]]:
    """Headings, bullets and paragraphs as blocks with ids of their own."""
    blocks = [_block(number, line) for number, line in enumerate(markdown.splitlines()) if line.strip()]
    return [one["block_id"] for one in blocks], blocks


def _block(number: int, line: str) -> Block:
    heading = re.match(r"(#{1,9}) (.*)", line)
    if heading is not None:
        kind, text = len(heading[1]) + 2, heading[2]
    elif line.startswith("- "):
        kind, text = 12, line[2:]
    else:
        kind, text = _TEXT, line
    content = {"elements": [_run(text)], "style": {}}
    return {"block_id": f"tmp{number}", "block_type": kind, _NAMES[kind]: content, "children": []}


def _run(text: str) -> dict[str, Any]:
    return {"text_run": {"content": text, "text_element_style": {}}}


def text_of(block: Block) -> str:
    """The plain text of a block; empty where it has none."""
    content = block.get(_NAMES.get(block["block_type"], ""))
    elements = content.get("elements", []) if isinstance(content, dict) else []
    return "".join(one.get("text_run", {}).get("content", "") for one in elements)
