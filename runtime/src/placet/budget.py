"""Results within a budget of characters: whole items first, and never less than valid JSON.

The budget counts characters of compact JSON. Items of the paged list are left out from its end, which its cursor
makes good. What is still too much is shortened in place, which is said where it happens: an item is never dropped
without being counted, only shortened.
"""

import json
from typing import Any

import msgspec
from msgspec import Struct

__all__ = ["Fitted", "chars_of", "fit", "fitting"]

_LEAST_TEXT = 40
_MOST_MEMBERS = 64
_TOO_LARGE = {"[cut]": "too large for the budget; ask for less of it"}


class Fitted(Struct, frozen=True):
    """Data that fits.

    Attributes:
        kept: How many items of the paged list are left; None when there is no such list.
        truncated: True when anything was left out or cut.
    """

    data: Any
    kept: int | None
    truncated: bool


def chars_of(value: Any) -> int:
    """Characters of the value as compact JSON."""
    try:
        encoded = msgspec.json.encode(value)
    except UnicodeEncodeError:  # half a surrogate pair
        return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    return len(encoded) if encoded.isascii() else len(encoded.decode())


def _fits(value: Any, budget: int) -> bool:
    """Whether the value has no more characters; most have not even as many bytes."""
    try:
        encoded = msgspec.json.encode(value)
    except UnicodeEncodeError:
        return chars_of(value) <= budget
    return len(encoded) <= budget or len(encoded.decode()) <= budget


def fit(data: Any, budget: int | None, items: str | None) -> Fitted:
    """The data within the budget.

    Args:
        items: Name of the field with the paged list, whose cut the page cursor can make good.
    """
    listed = data.get(items) if items is not None and isinstance(data, dict) else None
    if not isinstance(listed, list) or items is None:
        listed = None
    kept = len(listed) if listed is not None else None
    if budget is None or _fits(data, budget):
        return Fitted(data, kept, False)
    if listed:
        rest = chars_of({**data, items: []})
        kept = max(1, fitting(listed, budget - rest))
        data = {**data, items: listed[:kept]}
    if chars_of(data) > budget:
        data = _shortened(data, budget, items if listed else None)
    return Fitted(data, kept, True)


def fitting(items: list[Any], budget: int) -> int:
    """How many items from the start fit, commas counted."""
    used = 0
    for index, one in enumerate(items):
        used += chars_of(one) + (1 if index else 0)
        if used > budget:
            return index
    return len(items)


def _shortened(data: Any, budget: int, items: str | None) -> Any:
    """The data with its longest texts, then its longest lists and mappings, cut until it fits."""
    shorter = _top(data, _LEAST_TEXT, None)
    if chars_of(shorter) <= budget:
        return _longest(data, budget, shorter)
    members = _MOST_MEMBERS
    while members > 1:
        members //= 2
        shorter = _top(data, _LEAST_TEXT, members)
        if chars_of(shorter) <= budget:
            return shorter
    # The item that cannot be shown still counts as given: the list goes on behind it.
    return {items: [_TOO_LARGE]} if items is not None else _TOO_LARGE


def _longest(data: Any, budget: int, fits: Any) -> Any:
    """As much of each text as there is room for, to an eighth; `fits` is what surely does."""
    least, most = _LEAST_TEXT, budget
    while most - least > max(_LEAST_TEXT, least // 8):
        middle = (least + most) // 2
        shorter = _top(data, middle, None)
        if chars_of(shorter) <= budget:
            fits, least = shorter, middle
        else:
            most = middle
    return fits


def _top(data: Any, most: int, members: int | None) -> Any:
    """The outermost mapping keeps its members: they are the tool's declared fields."""
    if not isinstance(data, dict):
        return _cut(data, most, members)
    return {key: _cut(one, most, members) for key, one in data.items()}


def _cut(value: Any, most: int, members: int | None) -> Any:
    """The value with texts of at most `most` characters and, at every level, that many members."""
    if isinstance(value, str):
        return value if len(value) <= most else f"{value[:most]} [cut: {len(value) - most} more characters]"
    if isinstance(value, list):
        kept = [_cut(one, most, members) for one in value[:members]]
        left = len(value) - len(kept)
        if left:
            # In the form of its neighbours, so that a typed list stays one.
            kept.append({"[cut]": f"{left} more"} if isinstance(kept[0], dict) else f"[cut: {left} more]")
        return kept
    if isinstance(value, dict):
        pairs = list(value.items())[:members]
        result = {key: _cut(one, most, members) for key, one in pairs}
        if len(pairs) < len(value):
            result["[cut]"] = f"{len(value) - len(pairs)} more"
        return result
    return value
