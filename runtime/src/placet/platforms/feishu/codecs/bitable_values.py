"""Values of one record's cells, as guidance `bitable/field_values` promises them.

The wire has other forms for reading than for writing: text comes in segments, people with addresses of their pictures,
links as an object. A model reads plain values and can write back what it read, except computed fields.
Source: the platform's page on record values, and example answers of record search, read 2026-11.
"""

from typing import Any

from placet.platforms.feishu.codecs.numbers import safe_numbers
from placet.platforms.feishu.codecs.pair import DEPTH_MOST, Pair
from placet.platforms.feishu.codecs.times import millis_of

__all__ = ["FIELD_VALUES"]

_LISTS = frozenset({4, 11, 17, 18, 21, 23, 1003, 1004})
"""Types whose values are lists for a model too."""


def _encode(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("fields is an object from field name to value")
    return {name: _written(name, cell) for name, cell in value.items()}


def _written(name: str, cell: Any) -> Any:
    if isinstance(cell, dict) and "date" in cell:
        if len(cell) > 1:
            raise ValueError(f'{name!r}: a date is {{"date": ...}} and nothing beside it')
        try:
            return millis_of(cell["date"])
        except ValueError as error:
            raise ValueError(f"{name!r}: {error}") from error
    if isinstance(cell, list):
        return [_reference(one) for one in cell]
    return cell


def _reference(one: Any) -> Any:
    """A person, chat or attachment as it is written: by its id alone, whatever was read with it."""
    if isinstance(one, dict):
        if "id" in one and one.keys() <= {"id", "name"}:
            return {"id": one["id"]}
        if "file_token" in one and one.keys() <= {"file_token", "name"}:
            return {"file_token": one["file_token"]}
    return one


def _decode(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("fields is an object")
    left = DEPTH_MOST - 1
    return {
        name: cell if type(cell) in _PLAIN else _read(cell, left)
        for name, cell in value.items()
        if cell is not None
    }


_PLAIN = frozenset({str, float, bool})
"""Types of cells that a model reads as they are."""


def _read(cell: Any, left: int) -> Any:
    """A cell as a model reads it; it may have so many levels."""
    kind = type(cell)
    if kind is list and cell:
        return _read_list(cell, left - 1)
    if kind is dict:
        return _read_object(cell, left - 1)
    return safe_numbers(cell, left)


def _read_object(cell: dict[str, Any], left: int) -> Any:
    if left < 0:
        raise ValueError("the value is nested too deeply")
    if "link_record_ids" in cell:
        return _texts(cell["link_record_ids"])
    if isinstance(cell.get("full_address"), str):
        return cell["full_address"]
    if "value" in cell and type(cell.get("type")) is int:
        return _read_computed(cell["type"], cell["value"], left)
    if isinstance(cell.get("link"), str):
        return {"text": safe_numbers(cell.get("text", cell["link"]), left), "link": cell["link"]}
    if isinstance(cell.get("id"), str):
        return _named(cell, "id")
    return safe_numbers(cell, left + 1)


def _read_computed(kind: int, value: Any, left: int) -> Any:
    """A formula's or lookup's value: a list of values of its type, of which one is meant where one is usual."""
    found = _read(value, left)
    if isinstance(found, list) and len(found) == 1 and kind not in _LISTS:
        return found[0]
    return found


def _read_list(cell: list[Any], left: int) -> Any:
    if left < 0:
        raise ValueError("the value is nested too deeply")
    count, first = len(cell), cell[0]
    if count == 1 and type(first) is dict and _is_text(first):
        return first["text"]
    if [one for one in cell if type(one) is not dict]:
        return [_read(one, left) for one in cell]
    # The first says mostly what the others are.
    if "record_ids" in first and sum("record_ids" in one for one in cell) == count:
        return [found for one in cell for found in _texts(one["record_ids"])]
    if "text" in first:
        texts = [one["text"] for one in cell if type(one.get("text")) is str and "id" not in one]
        if len(texts) == count:
            return "".join(texts)
    if "file_token" in first:
        files = [_named(one, "file_token") for one in cell if type(one.get("file_token")) is str]
        if len(files) == count:
            return files
    return [_read_object(one, left - 1) for one in cell]


def _is_text(one: dict[str, Any]) -> bool:
    """True for a piece of text that cannot be meant otherwise; most texts are one piece."""
    return type(one.get("text")) is str and "id" not in one and "record_ids" not in one


def _named(one: dict[str, Any], key: str) -> dict[str, Any]:
    name = one.get("name")
    return {key: one[key], "name": name} if isinstance(name, str) and name else {key: one[key]}


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


FIELD_VALUES = Pair(encode=_encode, decode=_decode, counts_depth=True)
"""`bitable.field_values`: one record's `fields`."""
