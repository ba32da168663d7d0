"""Messages: one object with one kind of content for the model, `msg_type` and JSON text on the wire.

A model's text is text: a mention notifies people, so it is asked for by name in `mentions` and never made by writing
the platform's tag into a text.
Source: the platform's pages on message content for sending and receiving, read 2026-11.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from placet.platforms.feishu.codecs.im_cards import AT, card_of
from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["MESSAGE", "TEXT"]

_PERSON = re.compile(r"(?:ou_[A-Za-z0-9_]{1,100}|all)\Z")
_BLOCKS = frozenset({"p", "div", "note", "column", "column_set", "action", "form"})


def _encode(value: Any) -> tuple[str, str]:
    """The type and the content.

    The model gives exactly one of `text`, `markdown` (with `title`), `image_key`, `file_key`, `audio_key`,
    `video_key` (with `cover_key`), `sticker_key`, `chat_id`, `open_id`, `notice`, `card` and `card_id`; `mentions`
    goes with text and markdown.
    """
    if not isinstance(value, dict):
        raise ValueError("a message is an object with one kind of content, such as text")
    kinds = [name for name in _KINDS if name in value]
    if len(kinds) != 1:
        raise ValueError(f"a message has exactly one of {', '.join(_KINDS)}")
    kind = kinds[0]
    allowed = {kind, *_BESIDE.get(kind, ())}
    if extra := sorted(value.keys() - allowed):
        raise ValueError(f"a message of {kind} takes no {', '.join(extra)}")
    msg_type, build = _KINDS[kind]
    content = build(value)
    return msg_type, json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _encode_text(value: Any) -> tuple[str, str]:
    """As `_encode`, of the kinds that can be edited after sending."""
    if not isinstance(value, dict) or ("text" in value) == ("markdown" in value):
        raise ValueError("give exactly one of text and markdown")
    return _encode(value)


def _text(value: dict[str, Any]) -> dict[str, Any]:
    tags = "".join(f'<at user_id="{one}"></at> ' for one in _mentions(value))
    return {"text": tags + _plain(value["text"])}


def _post(value: dict[str, Any]) -> dict[str, Any]:
    rows: list[list[dict[str, Any]]] = [[{"tag": "md", "text": _plain(value["markdown"])}]]
    people = _mentions(value)
    if people:
        rows.insert(0, [{"tag": "at", "user_id": one} for one in people])
    title = value.get("title", "")
    if not isinstance(title, str):
        raise ValueError("a title is text")
    return {"zh_cn": {"title": title, "content": rows}}


def _plain(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("the text of a message is not empty")
    if AT.search(value):
        raise ValueError("a text holds no <at> tag; name whom to mention in mentions")
    return value


def _mentions(value: dict[str, Any]) -> list[str]:
    found = value.get("mentions", [])
    if not isinstance(found, list):
        raise ValueError("mentions is a list of open_ids")
    for one in found:
        if not isinstance(one, str) or not _PERSON.match(one):
            raise ValueError(f"{one!r} is nobody to mention; give an open_id (ou_...) or all")
    return found


def _key(name: str, wire: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def build(value: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(value[name], str) or not value[name]:
            raise ValueError(f"{name} is text")
        return {wire: value[name]}

    return build


def _video(value: dict[str, Any]) -> dict[str, Any]:
    content = _key("video_key", "file_key")(value)
    return content | (_key("cover_key", "image_key")(value) if "cover_key" in value else {})


def _stored_card(value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "card", "data": _key("card_id", "card_id")(value)}


_KINDS: Mapping[str, tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "text": ("text", _text),
    "markdown": ("post", _post),
    "image_key": ("image", _key("image_key", "image_key")),
    "file_key": ("file", _key("file_key", "file_key")),
    "audio_key": ("audio", _key("audio_key", "file_key")),
    "sticker_key": ("sticker", _key("sticker_key", "file_key")),
    "chat_id": ("share_chat", _key("chat_id", "chat_id")),
    "open_id": ("share_user", _key("open_id", "user_id")),
    "video_key": ("media", _video),
    "notice": ("interactive", card_of),
    "card": ("interactive", card_of),
    "card_id": ("interactive", _stored_card),
}
_BESIDE = {"text": ("mentions",), "markdown": ("title", "mentions"), "video_key": ("cover_key",)}


def _decode(value: Any) -> str:
    """What a person would read: of a message's content, or of a message with its mentions."""
    mentions: Any = None
    content = value
    if isinstance(value, dict):
        body = value.get("body")
        content = body.get("content") if isinstance(body, dict) else value.get("content")
        mentions = value.get("mentions")
    if not isinstance(content, str):
        raise ValueError("a message has a content")
    return _named(_readable(content), mentions)


def _readable(content: str) -> str:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return content
    return _shown(found) if isinstance(found, dict) else content


def _shown(content: dict[str, Any]) -> str:
    if isinstance(content.get("text"), str) and "tag" not in content:
        return str(content["text"])
    for key, kind in _SHOWN_KEYS.items():
        if isinstance(content.get(key), str):
            name = content.get("file_name")
            return f"[{kind} {name if isinstance(name, str) and name else content[key]}]"
    return "\n".join(line for line in _lines(_localised(content)) if line)


_SHOWN_KEYS = {"image_key": "image", "file_key": "file", "chat_id": "chat", "user_id": "person"}


def _localised(content: dict[str, Any]) -> Any:
    """A post may come under its language."""
    inner = [one for one in content.values() if isinstance(one, dict) and "content" in one]
    return inner[0] if len(inner) == 1 and "content" not in content else content


def _lines(node: Any) -> list[str]:
    """The texts of a post or a card, a paragraph a line."""
    if isinstance(node, list):
        if all(isinstance(one, dict) and str(one.get("tag")) not in _BLOCKS for one in node):
            return ["".join(_inline(one) for one in node)]
        return [line for one in node for line in _lines(one)]
    if not isinstance(node, dict):
        return []
    lines = _lines_of_title(node)
    for name in ("header", "body", "elements", "columns", "content", "fields", "actions", "text"):
        inner = node.get(name)
        if isinstance(inner, str):
            lines.append(inner)
        elif inner is not None:
            lines += _lines(inner)
    return lines


def _lines_of_title(node: dict[str, Any]) -> list[str]:
    title = node.get("title")
    if isinstance(title, dict):
        title = title.get("content")
    return [title] if isinstance(title, str) and title else []


def _inline(one: dict[str, Any]) -> str:
    match one.get("tag"):
        case "at":
            return f"@{one.get('user_name') or one.get('user_id') or ''}"
        case "a":
            return f"{one.get('text', '')} ({one.get('href', '')})"
        case "img":
            return f"[image {one.get('image_key', '')}]"
        case "hr":
            return ""
        case _:
            return "\n".join(_lines(one)) if not isinstance(one.get("text"), str) else str(one["text"])


def _named(text: str, mentions: Any) -> str:
    """Placeholders of mentions (`@_user_1`) with the names that came beside."""
    people = [one for one in mentions if isinstance(one, dict)] if isinstance(mentions, list) else []
    names = {
        one["key"]: one["name"] for one in people if _is_text(one.get("key")) and _is_text(one.get("name"))
    }
    if not names:
        return text
    pattern = "|".join(re.escape(key) for key in sorted(names, key=len, reverse=True))
    return re.sub(pattern, lambda match: f"@{names[match[0]]}", text)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


MESSAGE = Pair(encode=_encode, decode=_decode)
"""`im.message`: writes `msg_type` and `content`; reads a content, or a whole message, as text."""

TEXT = Pair(encode=_encode_text)
"""`im.text`: as `im.message`, of text and markdown alone."""
