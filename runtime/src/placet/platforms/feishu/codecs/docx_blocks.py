"""Blocks of a document: kind and text for the model, one of many members on the wire.

A model's block is `{"type", "text"}`, with `done` for todo and `language` for code; `text` is plain, or a list of
pieces `{"text", "bold", "italic", "strikethrough", "underline", "code", "link"}`.
Source: the platform's page on the structure of document blocks, read 2026-11.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["BLOCK", "BLOCKS", "LINES", "TEXT", "written_block"]

_TEXTS: Mapping[str, int] = {
    "text": 2,
    **{f"heading{level}": level + 2 for level in range(1, 10)},
    "bullet": 12,
    "ordered": 13,
    "code": 14,
    "quote": 15,
    "todo": 17,
}
_DIVIDER = 22
_NAMES: Mapping[int, str] = {
    **{number: name for name, number in _TEXTS.items()},
    1: "page", 18: "bitable", 19: "callout", 20: "chat_card", 21: "diagram", 22: "divider", 23: "file", 24: "grid",
    25: "grid_column", 26: "iframe", 27: "image", 28: "isv", 29: "mindnote", 30: "sheet", 31: "table",
    32: "table_cell", 33: "view", 34: "quote_container", 35: "task",
}  # fmt: skip
_LANGUAGES: Mapping[str, int] = {
    "plaintext": 1, "bash": 7, "csharp": 8, "cpp": 9, "c": 10, "css": 12, "dart": 15, "dockerfile": 18, "erlang": 19,
    "go": 22, "groovy": 23, "html": 24, "http": 26, "haskell": 27, "json": 28, "java": 29, "javascript": 30,
    "julia": 31, "kotlin": 32, "latex": 33, "lua": 36, "matlab": 37, "makefile": 38, "markdown": 39, "nginx": 40,
    "php": 43, "perl": 44, "protobuf": 48, "python": 49, "r": 50, "ruby": 52, "rust": 53, "scss": 55, "sql": 56,
    "scala": 57, "shell": 60, "swift": 61, "thrift": 62, "typescript": 63, "xml": 66, "yaml": 67,
}  # fmt: skip
_LANGUAGE_NAMES = {number: name for name, number in _LANGUAGES.items()}
_STYLES = {
    "bold": "bold",
    "italic": "italic",
    "strikethrough": "strikethrough",
    "underline": "underline",
    "code": "inline_code",
}
_PIECE = frozenset({"text", "link", *_STYLES})


def _encode(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise ValueError("blocks are a list")
    return [written_block(block) for block in value]


def written_block(block: Any) -> dict[str, Any]:
    kind = block.get("type") if isinstance(block, dict) else None
    if kind == "divider":
        _only(block, "type")
        return {"block_type": _DIVIDER, "divider": {}}
    number = _TEXTS.get(kind) if isinstance(kind, str) else None
    if number is None:
        raise ValueError(f"there is no block type {kind!r}; use {', '.join(_TEXTS)} or divider")
    style: dict[str, Any] = {}
    if kind == "todo":
        _only(block, "type", "text", "done")
        style["done"] = bool(block.get("done", False))
    elif kind == "code":
        _only(block, "type", "text", "language")
        style["language"] = _language(block.get("language", "plaintext"))
    else:
        _only(block, "type", "text")
    content = {"elements": [_element(one) for one in _pieces(block.get("text", ""))], "style": style}
    return {"block_type": number, str(kind): content}


def _only(block: dict[str, Any], *names: str) -> None:
    if extra := sorted(block.keys() - set(names)):
        raise ValueError(f"a block of type {block['type']} takes no {', '.join(extra)}")


def _language(name: Any) -> int:
    number = _LANGUAGES.get(name) if isinstance(name, str) else None
    if number is None:
        raise ValueError(f"there is no language {name!r}; use {', '.join(_LANGUAGES)}")
    return number


def _pieces(text: Any) -> list[dict[str, Any]]:
    pieces = [{"text": text}] if isinstance(text, str) else text
    if not isinstance(pieces, list):
        raise ValueError("the text of a block is text or a list of pieces")
    for piece in pieces:
        if not isinstance(piece, dict) or not isinstance(piece.get("text"), str) or piece.keys() - _PIECE:
            raise ValueError(
                f"a piece of text has text and, if wanted, {', '.join(sorted(_PIECE - {'text'}))}"
            )
    return pieces


def _element(piece: dict[str, Any]) -> dict[str, Any]:
    style: dict[str, Any] = {wire: True for name, wire in _STYLES.items() if piece.get(name) is True}
    if "link" in piece:
        style["link"] = {"url": quote(_address(piece["link"]), safe="")}
    return {"text_run": {"content": piece["text"], "text_element_style": style}}


def _address(link: Any) -> str:
    if not isinstance(link, str) or not link.startswith(("https://", "http://", "mailto:")):
        raise ValueError("a link is an address that starts with https://, http:// or mailto:")
    return link


def _decode(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise ValueError("blocks are a list")
    return [_read(block) for block in value if isinstance(block, dict)]


def _read(block: dict[str, Any]) -> dict[str, Any]:
    """A block by its name; one without text has its ids alone."""
    number = block.get("block_type")
    kind = _NAMES.get(number) if type(number) is int else None
    shown: dict[str, Any] = {"type": kind or f"other_{number}"}
    if isinstance(block.get("block_id"), str):
        shown["block_id"] = block["block_id"]
    if block.get("parent_id"):
        shown["parent_id"] = block["parent_id"]
    content = block.get(kind) if kind is not None else None
    if not isinstance(content, dict) or not isinstance(content.get("elements"), list):
        return shown
    shown["text"] = _text([_piece(one) for one in content["elements"] if isinstance(one, dict)])
    style = content.get("style")
    if isinstance(style, dict):
        if kind == "todo":
            shown["done"] = style.get("done") is True
        if kind == "code" and style.get("language") in _LANGUAGE_NAMES:
            shown["language"] = _LANGUAGE_NAMES[style["language"]]
    return shown


def _text(pieces: list[dict[str, Any]]) -> str | list[dict[str, Any]]:
    """Plain when no piece has a style."""
    if all(piece.keys() == {"text"} for piece in pieces):
        return "".join(piece["text"] for piece in pieces)
    return pieces


def _piece(element: dict[str, Any]) -> dict[str, Any]:
    if isinstance(run := element.get("text_run"), dict):
        return _styled(str(run.get("content", "")), run.get("text_element_style"))
    if isinstance(person := element.get("mention_user"), dict):
        return {"text": f"@{person.get('user_id', '')}"}
    if isinstance(document := element.get("mention_doc"), dict):
        return _styled(str(document.get("title", "")), {"link": {"url": document.get("url")}})
    if isinstance(formula := element.get("equation"), dict):
        return {"text": str(formula.get("content", "")).rstrip("\n")}
    return {"text": ""}


def _styled(text: str, style: Any) -> dict[str, Any]:
    piece: dict[str, Any] = {"text": text}
    if isinstance(style, dict):
        piece |= {name: True for name, wire in _STYLES.items() if style.get(wire) is True}
        link = style.get("link")
        if isinstance(link, dict) and isinstance(link.get("url"), str):
            piece["link"] = unquote(link["url"])
    return piece


def _lines(value: Any) -> list[str]:
    """Each block as a line of Markdown behind its id."""
    if not isinstance(value, list):
        raise ValueError("blocks are a list")
    return [_line(block) for block in value if isinstance(block, dict)]


_MARKS = {"bullet": "- ", "ordered": "1. ", "quote": "> "}


def _line(block: dict[str, Any]) -> str:
    shown = _read(block)
    kind, text = shown["type"], shown.get("text")
    if text is None:
        text, mark = ("---" if kind == "divider" else f"({kind})"), ""
    elif kind.startswith("heading"):
        mark = "#" * int(kind.removeprefix("heading")) + " "
    elif kind == "todo":
        mark = "- [x] " if shown.get("done") else "- [ ] "
    elif kind == "code":
        mark = f"```{shown.get('language', '')}\n"
    else:
        mark = _MARKS.get(kind, "")
    if not isinstance(text, str):
        text = "".join(_marked(piece) for piece in text)
    return f"[{shown.get('block_id', '')}] {mark}{text}"


def _marked(piece: dict[str, Any]) -> str:
    text = str(piece["text"])
    for style, mark in (("code", "`"), ("bold", "**"), ("italic", "*"), ("strikethrough", "~~")):
        if piece.get(style):
            text = f"{mark}{text}{mark}"
    return f"[{text}]({piece['link']})" if "link" in piece else text


def _encode_text(value: Any) -> list[dict[str, Any]]:
    return [_element(one) for one in _pieces(value)]


def _decode_one(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("a block is an object")
    return _read(value)


BLOCK = Pair(decode=_decode_one)
"""`docx.block`."""

BLOCKS = Pair(encode=_encode, decode=_decode)
"""`docx.blocks`."""

LINES = Pair(decode=_lines)
"""`docx.lines`."""

TEXT = Pair(encode=_encode_text)
"""`docx.text`: the text of one block, plain or in pieces."""
