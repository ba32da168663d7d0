"""The rich text of objectives, key results and progress as plain lines; a mention and a link stay readable.

Version 2 (objectives, key results) and version 1 (progress records) say the same with other names.
Source: the platform's pages on progress records and the models of okr v2 in its SDK, read 2026-11.
"""

from typing import Any

from msgspec import Struct

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["OKR_TEXT", "PROGRESS_TEXT"]


class _Words(Struct, frozen=True, kw_only=True):
    """How a version names the parts."""

    block_type: str
    element_type: str
    run: str
    docs_link: str
    person: str
    person_id: str


_V2 = _Words(
    block_type="block_element_type",
    element_type="paragraph_element_type",
    run="text_run",
    docs_link="docs_link",
    person="mention",
    person_id="user_id",
)
_V1 = _Words(
    block_type="type",
    element_type="type",
    run="textRun",
    docs_link="docsLink",
    person="person",
    person_id="openId",
)


def _pair(words: _Words) -> Pair:
    def encode(value: Any) -> dict[str, Any]:
        if not isinstance(value, str) or not value.strip():
            raise ValueError("the text is not empty")
        return {"blocks": [_paragraph(line, words) for line in value.splitlines()]}

    def decode(value: Any) -> str:
        blocks = value.get("blocks") if isinstance(value, dict) else None
        return "\n".join(_line(one, words) for one in blocks or () if isinstance(one, dict)).strip("\n")

    return Pair(encode=encode, decode=decode)


def _paragraph(line: str, words: _Words) -> dict[str, Any]:
    elements = [{words.element_type: "textRun", words.run: {"text": line}}] if line else []
    return {words.block_type: "paragraph", "paragraph": {"elements": elements}}


def _line(block: dict[str, Any], words: _Words) -> str:
    paragraph = block.get("paragraph")
    elements = paragraph.get("elements") if isinstance(paragraph, dict) else None
    if elements is None:
        return "[image]" if block.get("gallery") else ""
    return "".join(_element(one, words) for one in elements if isinstance(one, dict))


def _element(element: dict[str, Any], words: _Words) -> str:
    run, link, person = (element.get(name) for name in (words.run, words.docs_link, words.person))
    if isinstance(run, dict):
        return str(run.get("text") or "")
    if isinstance(link, dict):
        return f"[{link.get('title') or link.get('url') or ''}]({link.get('url') or ''})"
    if isinstance(person, dict):
        return f"@{person.get(words.person_id) or ''}"
    return ""


OKR_TEXT = _pair(_V2)
"""`okr.text`: lines for the model, paragraphs of version 2 on the wire."""

PROGRESS_TEXT = _pair(_V1)
"""`okr.progress_text`: lines for the model, paragraphs of version 1 on the wire."""
