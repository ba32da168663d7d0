"""Comments on files: a text for the model, elements of text, persons and links on the wire.

A person is mentioned as `@ou_...` in the text; an address is text like any other.
Source: the platform's pages on comments, read 2026-11.
"""

import re
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["COMMENT", "COMMENTS"]

_MENTION = re.compile(r"@(ou_[0-9a-zA-Z_]+)")


def _content(text: Any) -> dict[str, Any]:
    if not isinstance(text, str) or not text.strip():
        raise ValueError("a comment is a text")
    elements: list[dict[str, Any]] = []
    for number, piece in enumerate(_MENTION.split(text)):
        if number % 2:
            elements.append({"type": "person", "person": {"user_id": piece}})
        elif piece:
            elements.append({"type": "text_run", "text_run": {"text": piece}})
    return {"elements": elements}


def _text(content: Any) -> str:
    elements = content.get("elements") if isinstance(content, dict) else None
    if not isinstance(elements, list):
        raise ValueError("a comment has elements")
    return "".join(_shown(one) for one in elements if isinstance(one, dict))


def _shown(element: dict[str, Any]) -> str:
    if isinstance(run := element.get("text_run"), dict):
        return str(run.get("text", ""))
    if isinstance(person := element.get("person"), dict):
        return f"@{person.get('user_id', '')}"
    if isinstance(link := element.get("docs_link"), dict):
        return str(link.get("url", ""))
    return ""


def _first(text: Any) -> dict[str, Any]:
    return {"replies": [{"content": _content(text)}]}


def _replies(value: Any) -> list[dict[str, Any]]:
    """What was said, one entry each; the first is the comment itself."""
    replies = value.get("replies") if isinstance(value, dict) else None
    if not isinstance(replies, list):
        raise ValueError("a comment has replies")
    return [
        {
            "reply_id": reply.get("reply_id"),
            "open_id": reply.get("user_id"),
            "time": reply.get("create_time"),
            "text": _text(reply.get("content")),
        }
        for reply in replies
        if isinstance(reply, dict)
    ]


COMMENT = Pair(encode=_content, decode=_text)
"""`drive.comment`: one thing that is said."""

COMMENTS = Pair(encode=_first, decode=_replies)
"""`drive.comments`: the first thing said, and all that was."""
