"""Every value of the arguments, before any schema: characters, numbers, depth and size.

What a person cannot see must not reach a person's eyes as consent, nor a platform as data: control, zero-width,
bidi and tag characters are refused wherever they stand, keys included.
"""

import math
from collections.abc import Mapping
from typing import Any

from placet.contract.refusal import Reason
from placet.inbound.decoding import DEPTH, LARGEST_SAFE_INTEGER
from placet.inbound.faults import Fault
from placet.sanitise.unicode import find_forbidden

__all__ = ["inspect", "whole_numbers"]

CHARACTERS = 500_000
VALUES = 20_000


class _Inspection:
    __slots__ = ("characters", "faults", "is_readable", "values")

    def __init__(self) -> None:
        self.is_readable = True
        self.faults: list[Fault] = []
        self.characters = 0
        self.values = 0


_Place = tuple[Any, str | int] | None
"""Where a value stands: the place of what holds it, and its key or index; written out for a fault alone."""


def inspect(arguments: Mapping[str, Any]) -> tuple[list[Fault], bool]:
    """Every fault of the values themselves, and whether a schema may look at them too: not what is too large,
    too deep or no JSON."""
    state = _Inspection()
    _visit(arguments, None, state, 1)
    if state.characters > CHARACTERS or state.values > VALUES:
        problem = "the arguments are too large; send less, or a file by handle"
        state.faults.append(Fault("", problem, Reason.ARGUMENTS_TOO_LARGE))
        state.is_readable = False
    return state.faults, state.is_readable


def _visit(value: Any, place: _Place, state: _Inspection, depth: int) -> None:
    state.values += 1
    kind = type(value)
    if kind is str:
        _text(value, place, state)
    elif kind is bool or value is None:
        return
    elif kind is int:
        if not -LARGEST_SAFE_INTEGER <= value <= LARGEST_SAFE_INTEGER:
            problem = "is a number beyond 2^53, which most readers round; send it as text in quotes"
            state.faults.append(Fault(_path(place), problem))
    elif kind is float:
        if not math.isfinite(value):
            state.faults.append(Fault(_path(place), f"{value} is no JSON number"))
            state.is_readable = False
        elif value.is_integer() and abs(value) > LARGEST_SAFE_INTEGER:
            problem = "the number is beyond 2^53 and was rounded; send it as text in quotes"
            state.faults.append(Fault(_path(place), problem))
    elif depth > DEPTH:
        problem = f"nested more than {DEPTH} levels deep"
        state.faults.append(Fault(_path(place), problem, Reason.ARGUMENTS_TOO_LARGE))
        state.is_readable = False
    elif state.values > VALUES:
        return
    elif kind is list or isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            _visit(inner, (place, index), state, depth + 1)
    elif kind is dict or isinstance(value, Mapping):
        _members(value, place, state, depth)
    else:
        state.faults.append(Fault(_path(place), f"a value of type {kind.__name__} is no JSON"))
        state.is_readable = False


def _members(value: Mapping[Any, Any], place: _Place, state: _Inspection, depth: int) -> None:
    for key, inner in value.items():
        if isinstance(key, str):
            member = (place, key)
            _text(key, member, state)
            _visit(inner, member, state, depth + 1)
        else:
            state.faults.append(Fault(_path(place), f"the key {key!r} is no text"))
            state.is_readable = False


def _text(text: str, place: _Place, state: _Inspection) -> None:
    state.characters += len(text)
    if state.characters > CHARACTERS:
        return
    if text.isascii() and text.isprintable():
        return
    for index, name in find_forbidden(text)[:3]:
        problem = f"character {index + 1} is {name}, which nobody can see; remove it"
        state.faults.append(Fault(_path(place), problem))


def _path(place: _Place) -> str:
    """The place as text: `filter.conditions[1].value`."""
    parts: list[str] = []
    while place is not None:
        place, part = place
        parts.append(f"[{part}]" if isinstance(part, int) else f".{part}")
    return "".join(reversed(parts)).removeprefix(".")


def whole_numbers(value: Any) -> Any:
    """The value with 2.0 as 2, which is the same number to JSON and to JSON Schema; itself where there is none."""
    if type(value) is float:
        return int(value) if value.is_integer() else value
    if isinstance(value, Mapping):
        mapping = {key: whole_numbers(inner) for key, inner in value.items()}
        return mapping if any(mapping[key] is not value[key] for key in mapping) else value
    if isinstance(value, list | tuple):
        items = [whole_numbers(inner) for inner in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value
