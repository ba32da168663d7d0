"""JSON text into plain values, refusing what two readers would read differently.

Duplicate keys, numbers that most readers round, NaN, and nesting beyond `DEPTH` are faults, not guesses.
"""

import json
from collections.abc import Mapping
from typing import Any

from placet.contract.refusal import Reason
from placet.inbound.faults import Fault

__all__ = ["DEPTH", "LARGEST_SAFE_INTEGER", "decode_arguments"]

DEPTH = 32
LARGEST_SAFE_INTEGER = 2**53 - 1
TEXT_BYTES = 1_000_000
"""Largest arguments as JSON text; files travel by handle, so more is a mistake or an attack."""


class _Duplicate(ValueError):
    pass


def decode_arguments(raw: Any) -> Mapping[str, Any] | Fault:
    """The arguments as a mapping, or the one fault that made them unreadable.

    A mapping is taken as it is: its door has decoded it, and the later checks see its values.
    """
    if type(raw) is dict or isinstance(raw, Mapping):
        return raw
    if not isinstance(raw, str | bytes):
        problem = f"the arguments are of type {type(raw).__name__}; send an object"
        return Fault("", problem, Reason.ARGUMENTS_NOT_AN_OBJECT)
    if len(raw) > TEXT_BYTES:
        problem = f"the arguments have more than {TEXT_BYTES} bytes; send files by handle"
        return Fault("", problem, Reason.ARGUMENTS_TOO_LARGE)
    try:
        text = raw if isinstance(raw, str) else raw.decode("utf-8")
    except UnicodeDecodeError:
        return Fault("", "the arguments are not UTF-8")
    if _is_too_deep(text):
        problem = f"the arguments are nested more than {DEPTH} levels deep"
        return Fault("", problem, Reason.ARGUMENTS_TOO_LARGE)
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except _Duplicate as error:
        return Fault("", f"the key {error.args[0]!r} stands twice in one object; send it once")
    except (ValueError, RecursionError) as error:
        return Fault("", f"the arguments are not valid JSON: {error}")
    if not isinstance(value, dict):
        problem = "the arguments are not an object; send {} with the parameters by name"
        return Fault("", problem, Reason.ARGUMENTS_NOT_AN_OBJECT)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Duplicate(key)
            seen.add(key)
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _is_too_deep(text: str) -> bool:
    """An upper bound without parsing: brackets inside strings count too, which only very odd texts notice."""
    if text.count("[") + text.count("{") <= DEPTH:
        return False
    depth, inside, escaped = 0, False, False
    for one in text:
        if inside:
            inside = escaped or one != '"'
            escaped = not escaped and one == "\\"
        elif one == '"':
            inside = True
        elif one in "[{":
            depth += 1
            if depth > DEPTH:
                return True
        elif one in "]}":
            depth -= 1
    return False
