"""Valid arguments for a tool, from its JSON Schema: deterministic, and proven to leave out no corner.

A corner is an optional property that is there or not, a value of an enum, or a bound that is reached. Values whose
schema says less than their codec asks for come from `examples.py`, as far as the tool's own shape allows them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import jsonschema_rs

from placet.contract.binding import Rule, Slot
from placet.contract.tool import AnyTool
from placet.contract.words import PAGING_ARGUMENTS, WRITE_ARGUMENTS
from tests.runtime.wire.examples import CODED, FILE

__all__ = ["argument_sets", "corners", "reached"]

ODD = "汉字 é/?#&=%+ 🙂"
"""Text that every place of a request must quote in its own way."""

_SHAPED = (
    "7400000000000000001", "0", "-1", "abc", "汉字 é&=%+ 🙂", "A", "Q7PlXT!A2:C20", "Q7PlXT", "123456789", "#ffe699", "2026-05-01", "2028-02-29",
    "https://example.com/?a=1&b=汉",
)  # fmt: skip
"""Texts for patterns: of them those that match."""

_ADDED = frozenset({*PAGING_ARGUMENTS, *WRITE_ARGUMENTS})
_BOUNDS = ("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems")

Schema = Mapping[str, Any]


def argument_sets(tool: AnyTool, schema: Schema) -> list[dict[str, Any]]:
    """Argument sets that together reach every corner of the tool's schema.

    Args:
        schema: The tool's wire schema; what the generator adds to it (paging, keys, dry run) is left out.
    """
    source = _Source(schema)
    slots = {slot.argument: slot for slot in tool.binding.slots}
    values = {name: source.values(one, slots[name]) for name, one in _properties(schema)}
    rules = tool.binding.rules
    required = frozenset(schema.get("required", ()))
    every = frozenset(values)
    optional = sorted(every - required)
    chosen = [required, every]
    chosen += [required | {name} for name in optional]
    chosen += [every - {name} for name in optional]
    full = {name: one[0] for name, one in values.items()}
    sets = [{name: full[name] for name in sorted(_repaired(names, rules, every))} for names in chosen]
    for name, several in values.items():
        sets += [{**full, name: value} for value in several[1:]]
    return [one for at, one in enumerate(sets) if one not in sets[:at]]


def corners(tool: AnyTool, schema: Schema) -> set[tuple[Any, ...]]:
    """Everything that the sets have to reach."""
    return set(_corners(_Source(schema), _without_added(schema), ()))


def reached(schema: Schema, arguments: Iterable[Mapping[str, Any]]) -> set[tuple[Any, ...]]:
    """The corners that argument sets reach."""
    source, plain = _Source(schema), _without_added(schema)
    return {corner for one in arguments for corner in _reached(source, plain, one, ())}


def _properties(schema: Schema) -> list[tuple[str, Schema]]:
    return [(name, one) for name, one in schema.get("properties", {}).items() if name not in _ADDED]


def _without_added(schema: Schema) -> Schema:
    return {**schema, "properties": dict(_properties(schema))}


def _repaired(names: frozenset[str], rules: tuple[Rule, ...], every: frozenset[str]) -> frozenset[str]:
    """The nearest set of arguments that the tool's rules allow."""
    for rule in rules:
        there = [name for name in rule.arguments if name in names]
        match rule.kind:
            case "all_or_none" if 0 < len(there) < len(rule.arguments):
                names = names | set(rule.arguments) if len(names) * 2 < len(every) else names - set(there)
            case "exactly_one" | "at_least_one" if not there:
                names = names | {rule.arguments[0]}
            case "exactly_one" | "at_most_one" if len(there) > 1:
                names = names - set(there[1:])
    return names


class _Source:
    """Values for schemas; follows references into the definitions."""

    def __init__(self, root: Schema) -> None:
        self._definitions: Schema = root.get("$defs", {})

    def plain(self, schema: Schema) -> Schema:
        reference = schema.get("$ref")
        if reference is None:
            return schema
        definition: Schema = self._definitions[reference.rpartition("/")[2]]
        return {**definition, **{key: value for key, value in schema.items() if key != "$ref"}}

    def values(self, schema: Schema, slot: Slot) -> list[Any]:
        """Values that reach every corner of a schema; the first one has everything."""
        if slot.codec in CODED:
            examples = CODED[slot.codec]
            cleared = [examples.cleared] if slot.null_clears and examples.cleared is not None else []
            allowed = jsonschema_rs.validator_for({**schema, "$defs": self._definitions})
            return [one for one in (*examples.values, *cleared) if allowed.is_valid(one)]
        if slot.type == "file":
            return [FILE]
        schema = self.plain(schema)
        if "enum" in schema:
            return list(schema["enum"])
        match schema.get("type"):
            case None:
                return [ODD, 7, 2.5, True, None, {"text": "=SUM(A1:A9)"}, ["a"]]
            case "string":
                return _texts(schema)
            case "boolean":
                return [True, False]
            case "integer" | "number":
                return _numbers(schema)
            case "array":
                return self._lists(schema, slot)
            case "object":
                return self._objects(schema, slot)
            case other:
                raise AssertionError(f"no values for schemas of type {other!r}")

    def _lists(self, schema: Schema, slot: Slot) -> list[Any]:
        items = self._items(schema["items"], slot)
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        lists = [[one] * max(1, least) for one in items]
        lists += [[items[0]] * least] if least != 1 else []
        lists += [[items[0]] * most] if most is not None else []
        return lists

    def _items(self, schema: Schema, slot: Slot) -> list[Any]:
        if slot.fields:
            return self._objects(self.plain(schema), slot)
        return self.values(schema, Slot(argument=slot.argument))

    def _objects(self, schema: Schema, slot: Slot) -> list[Any]:
        if not schema.get("properties"):
            return [{"名称": 1, "b c": "ü"}, {}]
        members = {member.argument: member for member in slot.fields}
        values = {name: self.values(one, members[name]) for name, one in schema["properties"].items()}
        full = {name: one[0] for name, one in values.items()}
        required = schema.get("required", ())
        objects = [full, {name: full[name] for name in required}]
        objects += [
            {key: value for key, value in full.items() if key != name}
            for name in values
            if name not in required
        ]
        for name, several in values.items():
            objects += [{**full, name: value} for value in several[1:]]
        return objects


def _texts(schema: Schema) -> list[str]:
    if schema.get("format") == "date-time":
        return ["2026-05-01T09:30:00+08:00", "2026-12-31T23:59:59Z"]
    pattern = schema.get("pattern")
    least, most = schema.get("minLength"), schema.get("maxLength")
    texts = ["abc", ODD] if pattern is None else list(_SHAPED)
    texts += ["语" * least] if least else []
    texts += ["语" * most] if most else []
    texts = [one for one in texts if (least or 0) <= len(one) <= (most or len(one))]
    return texts if pattern is None else _matching(pattern, texts)


def _matching(pattern: str, texts: list[str]) -> list[str]:
    """The texts that a pattern allows."""
    found = [one for one in texts if re.fullmatch(pattern, one)]
    assert found, f"no text for the pattern {pattern!r}; add one to _SHAPED"
    return found


def _numbers(schema: Schema) -> list[Any]:
    whole = schema["type"] == "integer"
    bounds = [schema[key] for key in ("minimum", "maximum") if key in schema]
    return bounds or ([3, 0, -1] if whole else [2.5, 0, 10, -0.25])


def _corners(source: _Source, schema: Schema, place: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    schema = source.plain(schema)
    yield from (("value", place, value) for value in schema.get("enum", ()))
    yield from (("bound", place, key) for key in _BOUNDS if key in schema)
    if "items" in schema:
        yield from _corners(source, schema["items"], (*place, "[]"))
    required = frozenset(schema.get("required", ()))
    for name, one in schema.get("properties", {}).items():
        yield ("there", (*place, name))
        if name not in required:
            yield ("absent", (*place, name))
        yield from _corners(source, one, (*place, name))


def _reached(
    source: _Source, schema: Schema, value: Any, place: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    schema = source.plain(schema)
    if "enum" in schema:
        yield ("value", place, value)
    yield from (
        ("bound", place, key) for key in _BOUNDS if key in schema and _measure(key, value) == schema[key]
    )
    if isinstance(value, list):
        for item in value[:50]:
            yield from _reached(source, schema.get("items", {}), item, (*place, "[]"))
    elif isinstance(value, dict):
        for name, one in schema.get("properties", {}).items():
            yield ("there" if name in value else "absent", (*place, name))
            if name in value:
                yield from _reached(source, one, value[name], (*place, name))


def _measure(key: str, value: Any) -> Any:
    return len(value) if key.endswith(("Length", "Items")) else value
