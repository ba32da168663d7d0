"""Every value of the arguments, before any schema: characters, numbers, depth and size.

What a person cannot see must not reach a person's eyes as consent, nor a platform as data: control, zero-width,
bidi and tag characters are refused wherever they stand, keys included.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from placet.contract.refusal import Reason
from placet.inbound.decoding import DEPTH, LARGEST_SAFE_INTEGER
from placet.inbound.faults import Fault
from placet.sanitise.unicode import find_forbidden

__all__ = ["inspect"]

CHARACTERS = 500_000
VALUES = 20_000


class _Inspection:
    __slots__ = ("characters", "faults", "is_readable", "values")

    def __init__(self) -> None:
        self.is_readable = True
        self.faults: list[Fault] = []
        self.characters = 0
        self.values = 0


def inspect(arguments: Mapping[str, Any]) -> tuple[list[Fault], bool]:
    """Every fault of the values themselves, and whether a schema may look at them too: not what is too large,
    too deep or no JSON."""
    state = _Inspection()
    _visit(arguments, "", state, 1)
    if state.characters > CHARACTERS or state.values > VALUES:
        problem = "the arguments are too large; send less, or a file by handle"
        state.faults.append(Fault("", problem, Reason.ARGUMENTS_TOO_LARGE))
        state.is_readable = False
    return state.faults, state.is_readable


def _visit(value: Any, path: str, state: _Inspection, depth: int) -> None:
    state.values += 1
    kind = type(value)
    if kind is str:
        _text(value, path, state)
    elif kind is bool or value is None:
        return
    elif kind is int:
        if not -LARGEST_SAFE_INTEGER <= value <= LARGEST_SAFE_INTEGER:
            problem = "is a number beyond 2^53, which most readers round; send it as text in quotes"
            state.faults.append(Fault(path, problem))
    elif kind is float:
        if not math.isfinite(value):
            state.faults.append(Fault(path, f"{value} is no JSON number"))
            state.is_readable = False
        elif value.is_integer() and abs(value) > LARGEST_SAFE_INTEGER:
            state.faults.append(
                Fault(path, "the number is beyond 2^53 and was rounded; send it as text in quotes")
            )
    elif depth > DEPTH:
        problem = f"nested more than {DEPTH} levels deep"
        state.faults.append(Fault(path, problem, Reason.ARGUMENTS_TOO_LARGE))
        state.is_readable = False
    elif state.values > VALUES:
        return
    else:
        for key, inner in _members(value, path, state):
            _visit(inner, key, state, depth + 1)


def _members(value: Any, path: str, state: _Inspection) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            place = f"{path}.{key}" if path else str(key)
            if isinstance(key, str):
                _text(key, place, state)
                yield place, inner
            else:
                state.faults.append(Fault(path, f"the key {key!r} is no text"))
                state.is_readable = False
    elif isinstance(value, list | tuple):
        yield from ((f"{path}[{index}]", inner) for index, inner in enumerate(value))
    else:
        state.faults.append(Fault(path, f"a value of type {type(value).__name__} is no JSON"))
        state.is_readable = False


def _text(text: str, path: str, state: _Inspection) -> None:
    state.characters += len(text)
    if state.characters > CHARACTERS:
        return
    if text.isascii() and text.isprintable():
        return
    for index, name in find_forbidden(text)[:3]:
        problem = f"character {index + 1} is {name}, which nobody can see; remove it"
        state.faults.append(Fault(path, problem))
