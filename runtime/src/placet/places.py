"""Reads a place of a result: `record.fields`, `items[0].fields`."""

import re
from typing import Any

__all__ = ["value_at"]

_PART = re.compile(r"([^.\[\]]+)((?:\[\d+\])*)")


def value_at(data: Any, place: str) -> Any:
    """The value at a place, or None when there is none; "" and `$` are the data itself."""
    if place in ("", "$"):
        return data
    for part in place.split("."):
        match = _PART.fullmatch(part)
        if match is None or not isinstance(data, dict):
            return None
        data = data.get(match[1])
        for index in re.findall(r"\d+", match[2]):
            data = data[int(index)] if isinstance(data, list) and int(index) < len(data) else None
    return data
