"""Differences between two JSON Schemas, for values that go in (arguments) or come out (answers).

What narrows an argument breaks a caller; what narrows an answer does not, so the direction turns the effect
round.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from placet_generator.diff.change import Audience, Change, Effect

__all__ = ["Direction", "Side", "compare_schemas"]

Direction = Literal["in", "out"]

TEXTS = ("title", "description", "examples", "example", "default", "$comment")
"""What a model reads and a validator does not check."""

LOWER = {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"}
UPPER = {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"}
STRUCTURE = {"$ref", "$defs", "$schema", "$id", "type", "enum", "const", "properties", "required", "items"}
VARIANTS = ("oneOf", "anyOf")
MAX_HOPS = 16

Seen = frozenset[tuple[tuple[str, ...], tuple[str, ...]]]
"""References followed on the way here, old and new: a type that contains itself ends there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Which of a tool's schemas is compared.

    Attributes:
        noun: "parameter" or "output".
        texts_only: True where only words are looked at, as in another locale's definitions.
    """

    tool: str
    direction: Direction
    noun: str
    audience: Audience = "both"
    texts_only: bool = False

    def change(
        self, kind: str, narrows: bool | None, message: str, path: str, old: Any = None, new: Any = None
    ) -> Change:
        """A change that narrows the accepted values, widens them, or (None) touches words only."""
        if narrows is None:
            effect = Effect.TEXT
        else:
            effect = Effect.BREAKING if narrows == (self.direction == "in") else Effect.WIDENING
        return Change(
            tool=self.tool,
            kind=f"{self.noun}-{kind}",
            effect=effect,
            audience="model" if effect is Effect.TEXT else self.audience,
            message=message,
            place=f"{self.noun} {path!r}" if path else self.noun,
            old=old,
            new=new,
        )


def compare_schemas(old: Mapping[str, Any], new: Mapping[str, Any], side: Side) -> Iterator[Change]:
    """Every difference between two schemas of one tool, `$ref` below `$defs` followed.

    Args:
        old: The whole schema before; its root is an object.
        new: The whole schema after.
    """
    found = _Walk(old=old, new=new, side=side).node(old, new, "", frozenset())
    return (one for one in found if one.effect is Effect.TEXT) if side.texts_only else found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    old: Mapping[str, Any]
    new: Mapping[str, Any]
    side: Side

    def node(self, old: Any, new: Any, path: str, seen: Seen) -> Iterator[Change]:
        old, old_refs = _plain(old, self.old)
        new, new_refs = _plain(new, self.new)
        if old_refs or new_refs:
            if (old_refs, new_refs) in seen:
                return
            seen = seen | {(old_refs, new_refs)}
        yield from self._texts(old, new, path)
        yield from self._types(old, new, path)
        yield from self._enums(old, new, path)
        yield from self._limits(old, new, path)
        yield from self._members(old, new, path, seen)
        yield from self._variants(old, new, path, seen)
        for key, suffix in (("items", "[]"), ("additionalProperties", "{}")):
            if isinstance(old.get(key), Mapping) and isinstance(new.get(key), Mapping):
                yield from self.node(old[key], new[key], path + suffix, seen)

    def _texts(self, old: Mapping[str, Any], new: Mapping[str, Any], path: str) -> Iterator[Change]:
        for key in TEXTS:
            if not _same(old.get(key), new.get(key)):
                yield self.side.change("text", None, f"{key} changed", path, old.get(key), new.get(key))

    def _types(self, old: Mapping[str, Any], new: Mapping[str, Any], path: str) -> Iterator[Change]:
        was, now = _types_of(old), _types_of(new)
        if was == now:
            return
        if was - now == {"null"}:
            yield self.side.change("null", True, "null is not allowed any more", path, "null", None)
        elif now - was == {"null"} and was:
            yield self.side.change("null", False, "may be null", path, None, "null")
        elif was and (not now or was < now or (was, now) == ({"integer"}, {"number"})):
            yield self.side.change("type", False, "type widened", path, _said(was), _said(now))
        elif now and (not was or now < was or (was, now) == ({"number"}, {"integer"})):
            yield self.side.change("type", True, "type narrowed", path, _said(was), _said(now))
        else:
            broken = self.side.change("type", True, "type changed", path, _said(was), _said(now))
            yield replace(broken, effect=Effect.BREAKING)

    def _enums(self, old: Mapping[str, Any], new: Mapping[str, Any], path: str) -> Iterator[Change]:
        was, now = _values(old), _values(new)
        if _same(was, now):
            return
        if was is None or now is None:
            kind = "is limited to values" if now else "takes any value"
            yield self.side.change("enum", was is None, kind, path, was, now)
            return
        gone, added = _without(was, now), _without(now, was)
        if gone:
            yield self.side.change("enum", True, f"enum narrowed by {_listed(gone)}", path, was, now)
        if added:
            yield self.side.change("enum", False, f"enum widened by {_listed(added)}", path, was, now)
        if not gone and not added:
            yield self.side.change("enum-order", None, "order of enum values changed", path, was, now)

    def _limits(self, old: Mapping[str, Any], new: Mapping[str, Any], path: str) -> Iterator[Change]:
        skipped = STRUCTURE | {*TEXTS, *VARIANTS}
        for key in sorted((old.keys() | new.keys()) - skipped):
            was, now = old.get(key), new.get(key)
            if _same(was, now) or (isinstance(was, Mapping) and isinstance(now, Mapping)):
                continue
            narrows = _narrows(key, was, now)
            word = "narrowed" if narrows else "widened"
            yield self.side.change("limit", narrows, f"{key} {word}", path, was, now)
        if isinstance(old.get("items"), Mapping) != isinstance(new.get("items"), Mapping):
            now_typed = isinstance(new.get("items"), Mapping)
            yield self.side.change(
                "items", now_typed, f"items {'' if now_typed else 'no longer '}described", path
            )

    def _members(
        self, old: Mapping[str, Any], new: Mapping[str, Any], path: str, seen: Seen
    ) -> Iterator[Change]:
        was, now = _mapping(old.get("properties")), _mapping(new.get("properties"))
        needed, needs = _words(old.get("required")), _words(new.get("required"))
        for name in (*was, *(one for one in now if one not in was)):
            place = f"{path}.{name}" if path else name
            if name not in now:
                yield self._removed(place, name in needed, was[name])
            elif name not in was:
                yield self._added(place, name in needs, now[name])
            else:
                if (name in needed) != (name in needs):
                    word = "required" if name in needs else "optional"
                    yield self.side.change(word, name in needs, f"became {word}", place)
                yield from self.node(was[name], now[name], place, seen)
        if [one for one in was if one in now] != [one for one in now if one in was]:
            yield self.side.change("order", None, f"order of {self.side.noun}s changed", path)

    def _removed(self, place: str, required: bool, schema: Any) -> Change:
        gone = self.side.change("removed", True, "is gone", place, _summary(schema, required))
        return replace(gone, effect=Effect.BREAKING)

    def _added(self, place: str, required: bool, schema: Any) -> Change:
        if self.side.direction == "out":
            added = self.side.change("added", False, "added", place, None, _summary(schema, False))
            return replace(added, effect=Effect.WIDENING)
        word = "required" if required else "optional"
        return self.side.change("added", required, f"added, {word}", place, None, _summary(schema, required))

    def _variants(
        self, old: Mapping[str, Any], new: Mapping[str, Any], path: str, seen: Seen
    ) -> Iterator[Change]:
        was, now = _variants_of(old, self.old), _variants_of(new, self.new)
        if not was and not now:
            return
        if not was or not now:
            kind = "became one of several forms" if now else "is one form now"
            broken = self.side.change("variants", True, kind, path, sorted(was), sorted(now))
            yield replace(broken, effect=Effect.BREAKING)
            return
        for name in (*was, *(one for one in now if one not in was)):
            place = f"{path}<{name}>"
            if name not in now:
                yield self.side.change("variant", True, "is gone", place)
            elif name not in was:
                yield self.side.change("variant", False, "added", place)
            else:
                yield from self.node(was[name], now[name], place, seen)
        if [one for one in was if one in now] != [one for one in now if one in was]:
            yield self.side.change("variant-order", None, "order of variants changed", path)


def _plain(schema: Any, root: Mapping[str, Any]) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """A schema with its references followed and a lone null variant turned into a type, and those references.

    Keywords beside a reference or a variant win over those it leads to.
    """
    schema, null = _mapping(schema), False
    references: list[str] = []
    while len(references) < MAX_HOPS:
        reference = schema.get("$ref")
        if isinstance(reference, str):
            references.append(reference)
            rest = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**_target(reference, root), **rest}
        elif inner := _beside_null(schema):
            null = True
            schema = {**inner, **{key: value for key, value in schema.items() if key not in VARIANTS}}
        else:
            break
    if null and (types := _types_of(schema)):
        schema = {**schema, "type": sorted({*types, "null"})}
    return schema, tuple(references)


def _beside_null(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The other one of two variants when one of them is null."""
    for key in VARIANTS:
        branches = schema.get(key)
        if isinstance(branches, list) and len(branches) == 2:
            others = [_mapping(one) for one in branches if _mapping(one).get("type") != "null"]
            if len(others) == 1 and others[0]:
                return others[0]
    return None


def _target(reference: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = _mapping(found).get(part.replace("~1", "/").replace("~0", "~"))
    return _mapping(found)


def _variants_of(schema: Mapping[str, Any], root: Mapping[str, Any]) -> dict[str, Any]:
    """Variants by their tag's value (the member with a constant), by number where there is none."""
    for key in VARIANTS:
        if isinstance(branches := schema.get(key), list):
            return {_tag(_plain(one, root)[0]) or str(number): one for number, one in enumerate(branches)}
    return {}


def _tag(variant: Mapping[str, Any]) -> str:
    for member in _mapping(variant.get("properties")).values():
        values = _values(_mapping(member))
        if values is not None and len(values) == 1:
            return str(values[0])
    return str(variant.get("title", ""))


def _types_of(schema: Mapping[str, Any]) -> set[str]:
    stated = schema.get("type")
    return {stated} if isinstance(stated, str) else _words(stated)


def _values(schema: Mapping[str, Any]) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    return values if isinstance(values, list) else None


def _narrows(key: str, was: Any, now: Any) -> bool:
    """True when the limit leaves fewer values than before; a limit of unknown kind counts as narrower."""
    if now is None:
        return False
    if was is None:
        return not (key == "additionalProperties" and now is not False)
    if key == "additionalProperties":
        return was is not False
    try:
        if key in LOWER:
            return bool(now > was)
        if key in UPPER:
            return bool(now < was)
    except TypeError:
        return True
    return True


def _same(was: Any, now: Any) -> bool:
    """Equal as JSON, where 1 and true are two values and the order of members counts."""
    return was is now or json.dumps(was) == json.dumps(now)


def _without(values: list[Any], others: list[Any]) -> list[Any]:
    return [one for one in values if not any(_same(one, other) for other in others)]


def _summary(schema: Any, required: bool) -> str:
    words = _said(_types_of(_mapping(schema))) or "any"
    return f"{words}, required" if required else words


def _said(types: set[str]) -> str:
    return " or ".join(sorted(types))


def _listed(values: list[Any]) -> str:
    return ", ".join(repr(one) for one in values)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _words(value: Any) -> set[str]:
    return {str(one) for one in value} if isinstance(value, list) else set()
