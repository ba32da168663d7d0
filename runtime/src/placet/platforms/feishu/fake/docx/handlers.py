"""The routes of documents over the state."""

from collections.abc import Sequence
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.docx.state import Block, Document, Docx, converted, text_of
from placet.platforms.feishu.fake.paging import page_of
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_DOCUMENTS = "/open-apis/docx/v1/documents"
_DOCUMENT = f"{_DOCUMENTS}/:document_id"
_BLOCK = f"{_DOCUMENT}/blocks/:block_id"
_AT_ONCE, _NESTED_AT_ONCE, _UPDATES = 50, 1000, 200
_MARKS = {12: "- ", **{level + 2: "#" * level + " " for level in range(1, 10)}}


def handlers(docx: Docx) -> dict[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    documents, blocks = _Documents(docx), _Blocks(docx)
    return {
        ("POST", _DOCUMENTS): documents.create,
        ("GET", _DOCUMENT): documents.get,
        ("GET", f"{_DOCUMENT}/raw_content"): documents.text,
        ("GET", "/open-apis/docs/v1/content"): documents.markdown,
        ("POST", f"{_DOCUMENTS}/blocks/convert"): documents.convert,
        ("GET", f"{_DOCUMENT}/blocks"): blocks.list,
        ("GET", _BLOCK): blocks.get,
        ("PATCH", _BLOCK): blocks.update,
        ("PATCH", f"{_DOCUMENT}/blocks/batch_update"): blocks.update_all,
        ("GET", f"{_BLOCK}/children"): blocks.children,
        ("POST", f"{_BLOCK}/children"): blocks.add,
        ("DELETE", f"{_BLOCK}/children/batch_delete"): blocks.remove,
        ("POST", f"{_BLOCK}/descendant"): blocks.add_nested,
    }


class _Documents:
    def __init__(self, docx: Docx) -> None:
        self._docx = docx

    def create(self, question: Question) -> Any:
        body = question.body
        made = self._docx.add(
            body.get("title") or "", parent=body.get("folder_token") or "", owner=question.user
        )
        return {"document": _shown(made)}

    def get(self, question: Question) -> Any:
        return {"document": _shown(self._docx.get(question.path["document_id"]))}

    def text(self, question: Question) -> Any:
        document = self._docx.get(question.path["document_id"])
        return {"content": "\n".join(text_of(one) for one in document.walk())}

    def markdown(self, question: Question) -> Any:
        document = self._docx.get(question.query("doc_token") or "")
        lines = [_MARKS.get(one["block_type"], "") + text_of(one) for one in document.walk()]
        return {"content": "\n".join(lines[1:])}

    def convert(self, question: Question) -> Any:
        first, blocks = converted(question.body["content"])
        read_only = [{**one, "parent_id": ""} for one in blocks]
        return {"first_level_block_ids": first, "blocks": read_only, "block_id_to_image_urls": []}


def _shown(document: Document) -> dict[str, Any]:
    return {
        "document_id": document.document_id,
        "revision_id": document.revision,
        "title": document.title,
    }


class _Blocks:
    def __init__(self, docx: Docx) -> None:
        self._docx = docx

    def _document(self, question: Question) -> Document:
        return self._docx.get(question.path["document_id"])

    def list(self, question: Question) -> Any:
        return page_of(question.request, list(self._document(question).walk()), most=500, usual=500)

    def get(self, question: Question) -> Any:
        return {"block": self._document(question).block(question.path["block_id"])}

    def children(self, question: Question) -> Any:
        document = self._document(question)
        parent = document.block(question.path["block_id"])
        items = [document.block(child) for child in parent["children"]]
        return page_of(question.request, items, most=500, usual=500)

    def add(self, question: Question) -> Any:
        children = question.body["children"]
        if len(children) > _AT_ONCE:
            raise ApiError(99992402, "field validation failed", violations={"children": "the max len is 50"})
        numbered = [{"block_id": f"tmp{at}", **one} for at, one in enumerate(children)]
        return self._inserted(question, [one["block_id"] for one in numbered], numbered)

    def add_nested(self, question: Question) -> Any:
        blocks = question.body["descendants"]
        if len(blocks) > _NESTED_AT_ONCE:
            raise ApiError(99992402, "field validation failed", violations={"descendants": "too many"})
        return self._inserted(question, question.body["children_id"], blocks)

    def _inserted(self, question: Question, first: Sequence[str], blocks: Sequence[Block]) -> Any:
        document, index = self._document(question), question.body.get("index")

        def act() -> Any:
            made = self._docx.insert(document, question.path["block_id"], first, blocks, index)
            return {"children": made, "document_revision_id": document.revision}

        return self._docx.world.once(question, question.query("client_token"), act)

    def update(self, question: Question) -> Any:
        document = self._document(question)
        block = self._docx.update(document, question.path["block_id"], question.body)
        document.revision += 1
        return {"block": block, "document_revision_id": document.revision}

    def update_all(self, question: Question) -> Any:
        document, requests = self._document(question), question.body["requests"]
        ids = [one["block_id"] for one in requests]
        if len(ids) > _UPDATES or len(set(ids)) < len(ids):
            raise ApiError(1770010, "too many or repeated blocks")
        for block_id in ids:
            document.block(block_id)
        blocks = [self._docx.update(document, one["block_id"], one) for one in requests]
        document.revision += 1
        return {"blocks": blocks, "document_revision_id": document.revision}

    def remove(self, question: Question) -> Any:
        document, body = self._document(question), question.body

        def act() -> Any:
            self._docx.remove(document, question.path["block_id"], body["start_index"], body["end_index"])
            return {"document_revision_id": document.revision}

        return self._docx.world.once(question, question.query("client_token"), act)
