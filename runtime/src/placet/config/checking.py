"""Whether decoded TOML has the shape of the structs it is meant for: all faults, not the first one.

msgspec stops at one fault; this walks its own description of the types, so that there is one truth about the shape.
"""

import math
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from msgspec import inspect

__all__ = ["shape_faults"]

Found = Iterator[tuple[str, str]]

_SECRET_MOVE = "write env:NAME, file:PATH or keyring:SERVICE/NAME; a secret itself never stands in this file"


def shape_faults(value: Any, shape: type, place: str = "") -> Found:
    """(place, message) for every part of `value` that `shape` does not take. No value of a text is repeated."""
    yield from _faults(value, inspect.type_info(shape), place)


def _faults(value: Any, shape: inspect.Type, place: str) -> Found:
    if isinstance(shape, inspect.Metadata):
        if (shape.extra or {}).get("secret"):
            yield from _secret(value, place)
        else:
            yield from _faults(value, shape.type, place)
        return
    match shape:
        case inspect.StructType():
            yield from _struct(value, shape, place)
        case inspect.VarTupleType():
            yield from _items(value, shape, place)
        case inspect.DictType():
            yield from _members(value, shape, place)
        case inspect.UnionType():
            yield from _union(value, shape, place)
        case inspect.EnumType():
            yield from _word(value, [str(one.value) for one in shape.cls], place)
        case inspect.LiteralType():
            yield from _word(value, [str(one) for one in shape.values], place)
        case _:
            fault = _scalar(value, shape)
            if fault:
                yield place, fault


def _struct(value: Any, shape: inspect.StructType, place: str) -> Found:
    if not isinstance(value, dict):
        yield place, f"must be a table, not {_kind(value)}"
        return
    known = {field.encode_name: field for field in shape.fields}
    for key in value:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            move = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(known)}"
            yield _below(place, key), f"is not known here; {move}"
    for name, field in known.items():
        if name in value:
            yield from _faults(value[name], field.type, _below(place, name))
        elif field.required:
            yield _below(place, name), "is missing" + _hint(name)


def _items(value: Any, shape: inspect.VarTupleType, place: str) -> Found:
    if not isinstance(value, list):
        yield place, f"must be a list, not {_kind(value)}"
        return
    if shape.min_length is not None and len(value) < shape.min_length:
        yield place, "is empty" + _hint(place)
    for index, item in enumerate(value):
        yield from _faults(item, shape.item_type, f"{place}[{index}]")


def _members(value: Any, shape: inspect.DictType, place: str) -> Found:
    if not isinstance(value, dict):
        yield place, f"must be a table, not {_kind(value)}"
        return
    for key, member in value.items():
        yield from _faults(member, shape.value_type, _below(place, key))


def _union(value: Any, shape: inspect.UnionType, place: str) -> Found:
    members = [one for one in shape.types if not isinstance(one, inspect.NoneType)]
    per_member = [list(_faults(value, one, place)) for one in members]
    if all(per_member):
        # Of several ways to be wrong, the first is the usual form.
        yield from per_member[0]


def _secret(value: Any, place: str) -> Found:
    if not isinstance(value, str):
        yield place, f"must name a secret, not be {_kind(value)}; {_SECRET_MOVE}"
    elif not value.startswith(("env:", "file:", "keyring:")):
        yield place, f"is not a reference to a secret; {_SECRET_MOVE}"


def _word(value: Any, words: list[str], place: str) -> Found:
    if not isinstance(value, str):
        yield place, f"must be one of {', '.join(words)}, not {_kind(value)}"
    elif value not in words:
        near = get_close_matches(value, words, n=1)
        move = f"did you mean {near[0]!r}?" if near else f"use {', '.join(words)}"
        yield place, f"{value!r} is not known; {move}"


def _scalar(value: Any, shape: inspect.Type) -> str | None:
    match shape:
        case inspect.StrType():
            if not isinstance(value, str):
                return f"must be text, not {_kind(value)}"
            return "is empty" if shape.min_length and not value.strip() else None
        case inspect.BoolType():
            return None if isinstance(value, bool) else f"must be true or false, not {_kind(value)}"
        case inspect.IntType():
            if isinstance(value, bool) or not isinstance(value, int):
                return f"must be a whole number, not {_kind(value)}"
            return _bounds(value, shape)
        case inspect.FloatType():
            if isinstance(value, bool) or not isinstance(value, int | float):
                return f"must be a number, not {_kind(value)}"
            return _bounds(value, shape) if math.isfinite(value) else "must be a finite number"
    raise TypeError(f"a configuration has no {type(shape).__name__}")


def _bounds(value: float, shape: inspect.IntType | inspect.FloatType) -> str | None:
    if shape.ge is not None and value < shape.ge:
        return f"is {value}; use {shape.ge} or more"
    if shape.gt is not None and value <= shape.gt:
        return f"is {value}; use more than {shape.gt}"
    return None


def _hint(place: str) -> str:
    match place:
        case "keys":
            return "; without a key nothing starts, and `placet setup` writes one"
        case "tenants":
            return "; name at least one app as [[tenants]]"
        case "stores":
            return '; write [stores] with url = "sqlite:///placet.db"'
    return ""


def _below(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case dict():
            return "a table"
    return "a date or time"
