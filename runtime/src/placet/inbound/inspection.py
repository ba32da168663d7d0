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

__all__ = ["inspect", "whole_numbers"]

CHARACTERS = 500_000
VALUES = 20_000

_CONTAINERS = (dict, list, tuple, Mapping)


_Place = tuple[Any, str | int] | None
"""Where a value stands: the place of what holds it, and its key or index; written out for a fault alone."""


def inspect(arguments: Mapping[str, Any]) -> tuple[list[Fault], bool]:
    """Every fault of the values themselves, and whether a schema may look at them too: not what is too large,
    too deep or no JSON."""
    faults: list[Fault] = []
    unreadable: list[Fault] = []
    characters, count = 0, 1
    # Grows while it is read, and never beyond `VALUES`. Plain text, which is most of what is sent, never waits.
    waiting: list[tuple[Any, _Place, int]] = [(arguments, None, 1)]
    for value, place, depth in waiting:
        kind = type(value)
        if kind is str:
            characters += len(value)
            if not (value.isascii() and value.isprintable()) and characters <= CHARACTERS:
                faults += _text_faults(value, place)
        elif kind is bool or value is None:
            continue
        elif kind is int:
            if not -LARGEST_SAFE_INTEGER <= value <= LARGEST_SAFE_INTEGER:
                problem = "is a number beyond 2^53, which most readers round; send it as text in quotes"
                faults.append(Fault(_path(place), problem))
        elif kind is float:
            if not math.isfinite(value):
                unreadable.append(Fault(_path(place), f"{value} is no JSON number"))
            elif value.is_integer() and abs(value) > LARGEST_SAFE_INTEGER:
                problem = "the number is beyond 2^53 and was rounded; send it as text in quotes"
                faults.append(Fault(_path(place), problem))
        elif not isinstance(value, _CONTAINERS):
            unreadable.append(Fault(_path(place), f"a value of type {kind.__name__} is no JSON"))
        elif depth > DEPTH:
            problem = f"nested more than {DEPTH} levels deep"
            unreadable.append(Fault(_path(place), problem, Reason.ARGUMENTS_TOO_LARGE))
        elif (count := count + len(value)) > VALUES or characters > CHARACTERS:
            unreadable.append(_TOO_LARGE)
            break
        elif kind is list or kind is tuple or isinstance(value, list | tuple):
            for index, inner in enumerate(value):
                if type(inner) is str and inner.isascii() and inner.isprintable():
                    characters += len(inner)
                else:
                    waiting.append((inner, (place, index), depth + 1))
        else:
            for key, inner in value.items():
                if not isinstance(key, str):
                    unreadable.append(Fault(_path(place), f"the key {key!r} is no text"))
                    continue
                characters += len(key)
                if not (key.isascii() and key.isprintable()) and characters <= CHARACTERS:
                    faults += _text_faults(key, (place, key))
                if type(inner) is str and inner.isascii() and inner.isprintable():
                    characters += len(inner)
                else:
                    waiting.append((inner, (place, key), depth + 1))
    if characters > CHARACTERS:
        unreadable.append(_TOO_LARGE)
    return faults + unreadable, not unreadable


_TOO_LARGE = Fault(
    "", "the arguments are too large; send less, or a file by handle", Reason.ARGUMENTS_TOO_LARGE
)


def _text_faults(text: str, place: _Place) -> Iterator[Fault]:
    for index, name in find_forbidden(text, 3):
        problem = f"character {index + 1} is {name}, which nobody can see; remove it"
        yield Fault(_path(place), problem)


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
