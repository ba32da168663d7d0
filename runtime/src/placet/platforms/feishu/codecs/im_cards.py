"""Cards: a short notice for the model, or a whole card; JSON text on the wire.

Source: the platform's pages on card JSON 2.0 (header, markdown, button), read 2026-11.
"""

import json
import re
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["AT", "CARD", "card_of"]

AT = re.compile(r"</?at\b", re.IGNORECASE)
"""The tag by which a text notifies people."""

_NOTICE = frozenset({"title", "color", "markdown", "buttons"})


def card_of(value: Any) -> dict[str, Any]:
    """The card of an object with exactly one of `notice` and `card`.

    Raises:
        ValueError: it has neither or both, or what it has is no card; a card that notifies people is refused.
    """
    if not isinstance(value, dict) or value.keys() not in ({"notice"}, {"card"}):
        raise ValueError("a card is given as exactly one of notice and card")
    card = _notice(value["notice"]) if "notice" in value else value["card"]
    if not isinstance(card, dict):
        raise ValueError("a card is an object")
    if _holds_tag(card):
        raise ValueError("a card holds no <at> tag; mention people in a text")
    return card


def _notice(notice: Any) -> dict[str, Any]:
    if not isinstance(notice, dict) or notice.keys() - _NOTICE:
        raise ValueError(f"a notice has {', '.join(sorted(_NOTICE))}")
    elements = [
        {"tag": "markdown", "content": _text(notice.get("markdown"), "markdown"), "element_id": "text"}
    ]
    buttons = notice.get("buttons", [])
    if not isinstance(buttons, list):
        raise ValueError("buttons are a list")
    card: dict[str, Any] = {
        "schema": "2.0",
        "body": {"elements": elements + [_button(one) for one in buttons]},
    }
    if "title" in notice:
        title = {"tag": "plain_text", "content": _text(notice["title"], "title")}
        card["header"] = {"title": title, "template": notice.get("color", "blue")}
    return card


def _button(button: Any) -> dict[str, Any]:
    if not isinstance(button, dict) or button.keys() != {"text", "url"}:
        raise ValueError("a button has text and url")
    url = _text(button["url"], "url")
    if not url.startswith(("https://", "http://")):
        raise ValueError("the url of a button starts with https:// or http://")
    return {
        "tag": "button",
        "text": {"tag": "plain_text", "content": _text(button["text"], "text")},
        "behaviors": [{"type": "open_url", "default_url": url}],
    }


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{name} is text that is not empty")
    return value


def _holds_tag(node: Any) -> bool:
    if isinstance(node, dict):
        return node.get("tag") == "at" or any(_holds_tag(one) for one in node.values())
    if isinstance(node, list):
        return any(_holds_tag(one) for one in node)
    return isinstance(node, str) and AT.search(node) is not None


CARD = Pair(encode=lambda value: json.dumps(card_of(value), ensure_ascii=False, separators=(",", ":")))
"""`im.card`."""
