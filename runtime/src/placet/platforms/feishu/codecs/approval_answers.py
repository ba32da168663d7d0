"""What approval answers about forms and comments: JSON inside text, reduced to what a reader needs.

Source: the platform's pages on approval instances, definitions and their form controls, and on comments, read 2026-11.
"""

import json
from typing import Any

from placet.platforms.feishu.codecs.numbers import safe_numbers
from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["COMMENT", "FORM_VALUES", "FORM_WIDGETS"]


def _controls(value: Any) -> list[dict[str, Any]]:
    """The controls of a form, which travels as JSON text."""
    found = json.loads(value) if isinstance(value, str) else value
    if not isinstance(found, list):
        raise ValueError("a form is a list of fields")
    return [one for one in found if isinstance(one, dict)]


def _decode_values(value: Any) -> list[dict[str, Any]]:
    return [_answered(control) for control in _controls(value)]


def _answered(control: dict[str, Any]) -> dict[str, Any]:
    """A field with its answer. `options` has the option values of a choice, which filing it again needs."""
    shown: dict[str, Any] = {
        name: control[name] for name in ("id", "name", "type") if isinstance(control.get(name), str)
    }
    if control.get("value") is not None:
        shown["value"] = _answer(control["value"])
    if isinstance(ids := control.get("open_ids"), list) and ids:
        shown["open_ids"] = [one for one in ids if isinstance(one, str)]
    if chosen := _options(control.get("option"), "key"):
        shown["options"] = chosen
    extra = control.get("ext")
    currency = extra.get("currency") if isinstance(extra, dict) else control.get("currency")
    if isinstance(currency, str) and currency:
        shown["currency"] = currency
    return shown


def _answer(value: Any) -> Any:
    """A value; rows and groups hold fields again."""
    if isinstance(value, list):
        return [_answer(one) for one in value]
    if isinstance(value, dict) and "id" in value and "type" in value and "value" in value:
        return _answered(value)
    return safe_numbers(value)


def _decode_widgets(value: Any) -> list[dict[str, Any]]:
    return [_widget(control) for control in _controls(value)]


def _widget(control: dict[str, Any]) -> dict[str, Any]:
    """A field to fill in. The children of a group stand under `value`, those of a table under `children`."""
    shown: dict[str, Any] = {
        name: control[name] for name in ("id", "name", "type") if isinstance(control.get(name), str)
    }
    if isinstance(control.get("required"), bool):
        shown["required"] = control["required"]
    if options := _options(control.get("option"), "value"):
        shown["options"] = options
    children = [
        _widget(one)
        for place in ("children", "value")
        if isinstance(control.get(place), list)
        for one in control[place]
        if isinstance(one, dict) and "id" in one and "type" in one
    ]
    if children:
        shown["children"] = children
    return shown


def _options(option: Any, key: str) -> list[dict[str, str]]:
    """Options as value and label, whether the wire has one or several."""
    several = option if isinstance(option, list) else [option]
    return [
        {"value": one[key], "label": one["text"] if isinstance(one.get("text"), str) else one[key]}
        for one in several
        if isinstance(one, dict) and isinstance(one.get(key), str)
    ]


def _encode_comment(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a comment is text")
    return json.dumps({"text": value}, ensure_ascii=False, separators=(",", ":"))


def _decode_comment(value: Any) -> str:
    """The text of a comment; what is no JSON of a comment is the text itself."""
    if not isinstance(value, str):
        raise ValueError("a comment is text")
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    text = found.get("text") if isinstance(found, dict) else None
    return text if isinstance(text, str) else value


FORM_VALUES = Pair(decode=_decode_values)
"""`approval.form_values`: a filed form's fields with id, name, type and value."""

FORM_WIDGETS = Pair(decode=_decode_widgets)
"""`approval.form_widgets`: a definition's fields with id, name, type, required, options and children."""

COMMENT = Pair(encode=_encode_comment, decode=_decode_comment)
"""`approval.comment`: plain text for the model, JSON text on the wire."""
