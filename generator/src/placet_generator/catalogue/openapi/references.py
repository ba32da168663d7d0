"""`$ref` within one document. Nothing outside it is ever opened: no file, no address."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import unquote

from placet_generator.catalogue.openapi.positions import Path

_LITERAL = frozenset({"example", "examples", "default", "enum", "const", "mapping"})
_NAMED = frozenset(
    {
        "properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "schemas",
        "responses", "parameters", "requestBodies", "headers", "securitySchemes", "pathItems", "paths",
        "content",
    }
)  # fmt: skip
"""Members whose keys are names somebody chose: `default` below them is a name, not a keyword."""

_HOPS_MAX = 16
_INDEX = re.compile(r"[0-9]{1,8}")
Fault = Literal["outside", "nothing", "circle"]


@dataclass(frozen=True, slots=True)
class BadReference:
    """A reference that leads outside the document, to nothing, or in a circle of references only."""

    path: Path
    target: str
    fault: Fault


def follow(root: Any, reference: str) -> tuple[Any, tuple[str, ...], Fault | None]:
    """The value a reference leads to, through references to references.

    Returns:
        The value (None with a fault), every reference passed on the way, and what is wrong.
    """
    passed: list[str] = []
    seen: set[str] = set()
    while True:
        if reference in seen or len(passed) >= _HOPS_MAX:
            return None, tuple(passed), "circle"
        if not reference.startswith("#"):
            return None, tuple(passed), "outside"
        seen.add(reference)
        passed.append(reference)
        value, there = _pointer(root, reference)
        if not there:
            return None, tuple(passed), "nothing"
        onward = value.get("$ref") if isinstance(value, dict) else None
        if not isinstance(onward, str) or len(value) > 1:
            return value, tuple(passed), None
        reference = onward


def bad_references(root: Any) -> Iterator[BadReference]:
    """Every reference that cannot be followed, in document order. The tree is at most 100 levels deep."""
    verdicts: dict[str, Fault | None] = {}
    for path, target in _references(root, [], named=False):
        if target not in verdicts:
            verdicts[target] = follow(root, target)[2]
        fault = verdicts[target]
        if fault is not None:
            yield BadReference(path, target, fault)


def _references(value: Any, path: list[str | int], *, named: bool) -> Iterator[tuple[Path, str]]:
    if isinstance(value, dict):
        for key, member in value.items():
            if key in ("$ref", "$dynamicRef") and isinstance(member, str):
                yield (*path, key), member
            elif isinstance(member, dict | list) and (named or not (key in _LITERAL or key.startswith("x-"))):
                path.append(key)
                yield from _references(member, path, named=not named and key in _NAMED)
                path.pop()
    elif isinstance(value, list):
        for index, member in enumerate(value):
            if isinstance(member, dict | list):
                path.append(index)
                yield from _references(member, path, named=False)
                path.pop()


def _pointer(root: Any, reference: str) -> tuple[Any, bool]:
    """The value at a JSON pointer, and whether it is there."""
    pointer = unquote(reference[1:])
    if pointer and not pointer.startswith("/"):
        return None, False
    value = root
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list) and _INDEX.fullmatch(key) and int(key) < len(value):
            value = value[int(key)]
        else:
            return None, False
    return value, True
