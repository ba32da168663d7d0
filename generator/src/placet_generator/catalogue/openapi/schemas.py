"""Schemas as trees of `Node`, one reader for each direction of an exchange.

A reader has a budget and a depth: whatever a document says, a tree is finite and small. Where a schema
contains itself the tree is cut and says so.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from placet_generator.catalogue.model import Kind, Node
from placet_generator.catalogue.openapi.references import follow
from placet_generator.catalogue.openapi.text import one_line

NODES_MAX = 20_000
DEPTH_MAX = 64
ABOUT_MAX = 400

Direction = Literal["request", "response"]

_KINDS = frozenset(get_args(Kind)) - {"any", "map"}
_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
_WHOLE = frozenset({"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"})
_GROUP = frozenset({"required", "not", "title", "description"})
_TEXTS = frozenset({"pattern", "format", "contentMediaType", "contentEncoding"})


class TooLarge(Exception):
    """A tree has more nodes, or is deeper, than anybody could want."""


@dataclass(slots=True)
class _Draft:
    """A node while the schemas it is put together from are read."""

    kinds: tuple[str, ...] | None = None
    fields: dict[str, Node] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)
    required: set[str] = field(default_factory=set)
    item: Node | None = None
    extra: Node | None = None
    is_closed: bool = False
    is_object: bool = False
    nullable: bool = False
    enum: tuple[Any, ...] | None = None
    constraints: dict[str, Any] = field(default_factory=dict)
    about: str = ""
    note: str = ""
    model: str | None = None
    read_only: bool = False
    write_only: bool = False
    recursive: bool = False


class SchemaReader:
    """Reads the schemas of one method in one direction; `files` makes binary text a file (multipart)."""

    def __init__(
        self,
        root: Any,
        direction: Direction,
        *,
        files: bool = False,
        depth_max: int = DEPTH_MAX,
        cuts: bool = False,
    ) -> None:
        """`cuts` makes what lies deeper than `depth_max` an `any` instead of an error."""
        self._root, self._direction, self._files = root, direction, files
        self._depth_max, self._cuts = depth_max, cuts
        self._left = NODES_MAX
        self._open: list[str] = []
        self._depth = 0

    def node(self, schema: Any) -> Node:
        """The tree of a schema.

        Raises:
            TooLarge: it has more than 20,000 parts or is too deep.
        """
        return self._finish(self._draft(schema))

    def _draft(self, schema: Any) -> _Draft:
        draft = _Draft()
        self._depth += 1
        if self._depth > self._depth_max:
            if not self._cuts:
                raise TooLarge(f"deeper than {self._depth_max} levels")
            draft.note = "deeper than what is shown"
        else:
            self._absorb(draft, schema)
        self._depth -= 1
        return draft

    def _spend(self, amount: int) -> None:
        self._left -= amount
        if self._left < 0:
            raise TooLarge(f"more than {NODES_MAX} parts")

    def _absorb(self, draft: _Draft, schema: Any) -> None:
        """Add what a schema says to a draft, as `allOf` means it."""
        self._spend(1)
        if not isinstance(schema, dict):
            return
        target = schema.get("$ref")
        if isinstance(target, str):
            self._absorb_reference(draft, target)
        parts = schema.get("allOf")
        if isinstance(parts, list):
            self._nested(draft, parts)
        self._absorb_own(draft, schema)
        for key in ("oneOf", "anyOf"):
            branches = schema.get(key)
            if isinstance(branches, list) and branches:
                self._absorb_branches(draft, branches)
        text = schema.get("description") or schema.get("title")
        if isinstance(text, str) and text.strip():
            draft.about = one_line(text, ABOUT_MAX)
        draft.read_only = draft.read_only or schema.get("readOnly") is True
        draft.write_only = draft.write_only or schema.get("writeOnly") is True

    def _nested(self, draft: _Draft, parts: Sequence[Any]) -> None:
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise TooLarge(f"deeper than {DEPTH_MAX} levels")
        for part in parts:
            self._absorb(draft, part)
        self._depth -= 1

    def _absorb_reference(self, draft: _Draft, target: str) -> None:
        value, passed, fault = follow(self._root, target)
        self._spend(len(passed))
        if fault is not None:
            draft.note = "a reference that leads to nothing here"
            return
        pointer = passed[-1]
        draft.model = draft.model or _model(pointer)
        if pointer in self._open:
            draft.recursive = True
            draft.is_object = draft.is_object or (isinstance(value, dict) and "properties" in value)
            return
        self._open.append(pointer)
        self._nested(draft, [value])
        self._open.pop()

    def _absorb_own(self, draft: _Draft, schema: Mapping[str, Any]) -> None:
        kinds, has_null = _types(schema)
        if has_null or schema.get("nullable") is True:
            draft.nullable = True
        if kinds:
            draft.kinds = kinds if draft.kinds is None else _common(draft.kinds, kinds)
        elif has_null and "type" in schema and draft.kinds is None:
            draft.kinds = ("null",)
        self._absorb_enum(draft, schema)
        self._absorb_members(draft, schema)
        if "items" in schema or "prefixItems" in schema:
            items = schema.get("items")
            is_mixed = "prefixItems" in schema or not isinstance(items, dict)
            draft.item = Node(kind="any") if is_mixed else self.node(items)
        for key, value in _constraints(schema).items():
            draft.constraints[key] = _stricter(key, draft.constraints.get(key), value)

    def _absorb_enum(self, draft: _Draft, schema: Mapping[str, Any]) -> None:
        values = schema.get("enum")
        if "const" in schema:
            values = [schema["const"]]
        if not isinstance(values, list) or not values:
            return
        self._spend(len(values) // 16)
        if any(one is None for one in values):
            draft.nullable = True
        kept = [one for one in values if one is not None]
        if draft.enum is not None:
            known = {_same(one) for one in draft.enum}
            kept = [one for one in kept if _same(one) in known]
        draft.enum = tuple(kept)

    def _absorb_members(self, draft: _Draft, schema: Mapping[str, Any]) -> None:
        required = schema.get("required")
        if isinstance(required, list):
            self._spend(len(required) // 16)
            draft.required.update(one for one in required if isinstance(one, str))
        properties = schema.get("properties")
        if isinstance(properties, dict):
            draft.is_object = True
            for name, member in properties.items():
                self._absorb_member(draft, name, member)
        extra = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
        patterns = schema.get("patternProperties")
        if isinstance(patterns, dict) and patterns:
            extra = next(iter(patterns.values())) if len(patterns) == 1 else True
        if extra is False:
            draft.is_closed = True
        elif isinstance(extra, dict) or extra is True:
            draft.extra = self.node(extra)

    def _absorb_member(self, draft: _Draft, name: str, schema: Any) -> None:
        if schema is False:
            draft.dropped.add(name)
            return
        member = self._draft(schema)
        hidden = member.read_only if self._direction == "request" else member.write_only
        if hidden:
            draft.dropped.add(name)
            draft.fields.pop(name, None)
        elif name not in draft.dropped:
            node = self._finish(member)
            known = draft.fields.get(name)
            draft.fields[name] = node if known is None else _meet(known, node)

    def _absorb_branches(self, draft: _Draft, branches: Sequence[Any]) -> None:
        """`oneOf` and `anyOf`, null aside: one branch is itself, several are `any` unless all are one scalar."""
        real = [one for one in branches if not self._is_null(one)]
        if len(real) < len(branches):
            draft.nullable = True
        if len(real) == 1:
            self._nested(draft, real)
            return
        if draft.fields and all(isinstance(one, dict) and set(one) <= _GROUP for one in real):
            draft.note = "one of several groups of fields is required"
            return
        nodes = [self.node(one) for one in real]
        draft.nullable = draft.nullable or any(one.nullable for one in nodes)
        kinds = {one.kind for one in nodes}
        if len(kinds) == 1 and kinds <= {"string", "integer", "number", "boolean"}:
            draft.kinds = (nodes[0].kind,)
            if all(one.enum for one in nodes):
                merged = {_same(value): value for one in nodes for value in one.enum}
                draft.enum = tuple(merged.values())
            return
        if kinds == {"integer", "number"}:
            draft.kinds = ("number",)
            return
        names = ", ".join(dict.fromkeys(str(one) for one in nodes[:8]))
        draft.note = f"one of: {names}" if nodes else ""
        if not draft.fields:
            draft.kinds = ()

    def _is_null(self, schema: Any) -> bool:
        if not isinstance(schema, dict):
            return False
        if schema.get("type") == "null" or schema.get("type") == ["null"] or schema.get("enum") == [None]:
            return True
        return "const" in schema and schema["const"] is None

    def _finish(self, draft: _Draft) -> Node:
        kind = self._kind(draft)
        about = " ".join(one for one in (draft.about, f"({draft.note})" if draft.note else "") if one)
        fields = draft.fields if kind == "object" else {}
        item = {"array": draft.item or Node(kind="any"), "map": draft.extra or Node(kind="any")}.get(kind)
        enum = draft.enum or ()
        return Node(
            kind=kind,
            model=draft.model if kind == "object" or draft.recursive else None,
            fields=dict(fields),
            item=item,
            required=frozenset(draft.required & fields.keys()),
            recursive=draft.recursive,
            nullable=draft.nullable,
            enum=enum,
            constraints=dict(draft.constraints),
            about=about[: ABOUT_MAX + 100],
        )

    def _kind(self, draft: _Draft) -> Kind:
        kinds = draft.kinds
        if kinds is None:
            kinds = _implied(draft)
        if set(kinds) == {"integer", "number"}:
            return "number"
        if len(kinds) != 1:
            return "any"
        kind = kinds[0]
        if kind == "object":
            is_map = not draft.fields and not draft.recursive and not draft.is_closed and not draft.dropped
            return "map" if is_map else "object"
        if kind in ("string", "file"):
            is_file = self._files and (kind == "file" or _is_binary(draft.constraints))
            return "file" if is_file else "string"
        return kind  # type: ignore[return-value]  # one of _KINDS, by _types and _implied


def _implied(draft: _Draft) -> tuple[str, ...]:
    """The kind of a schema without `type`."""
    if draft.is_object or draft.extra is not None or (draft.recursive and draft.required):
        return ("object",)
    if draft.item is not None:
        return ("array",)
    if draft.enum:
        names = {_kind_of(one) for one in draft.enum}
        return tuple(names) if len(names) == 1 and names <= {"string", "integer", "number", "boolean"} else ()
    if draft.constraints.get("format") == "binary" or "contentMediaType" in draft.constraints:
        return ("string",)
    return ()


def _kind_of(value: Any) -> str:
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case _:
            return "any"


def _types(schema: Mapping[str, Any]) -> tuple[tuple[str, ...], bool]:
    """Known kinds named by `type`, and whether null is one of them."""
    stated = schema.get("type")
    names = stated if isinstance(stated, list) else [stated]
    kinds = dict.fromkeys(one for one in names if isinstance(one, str) and one in _KINDS and one != "null")
    return tuple(kinds), "null" in names


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Kinds both allow; an integer is a number. Kinds that exclude each other leave what was said first."""
    if "number" in one and "integer" in other:
        one = tuple("integer" if kind == "number" else kind for kind in one)
    elif "integer" in one and "number" in other:
        other = tuple("integer" if kind == "number" else kind for kind in other)
    return tuple(kind for kind in one if kind in other) or one


def _meet(one: Node, other: Node) -> Node:
    """A field that two parts of an `allOf` describe."""
    if one.kind == "any" or (one.kind == "map" and other.kind == "object"):
        one, other = other, one
    constraints = dict(one.constraints)
    for key, value in other.constraints.items():
        constraints[key] = _stricter(key, constraints.get(key), value)
    fields = dict(one.fields)
    for name, node in other.fields.items():
        fields[name] = _meet(fields[name], node) if name in fields else node
    known = {_same(value) for value in other.enum}
    enum = tuple(value for value in one.enum if not known or _same(value) in known)
    return replace(
        one,
        fields=fields if one.kind == "object" else one.fields,
        required=one.required | (other.required & fields.keys()),
        nullable=one.nullable and (other.nullable or other.kind == "any"),
        enum=enum or other.enum,
        constraints=constraints,
        about=other.about or one.about,
    )


def _constraints(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema keywords of a schema, in the form 3.1 gives them."""
    found: dict[str, Any] = {}
    for key in (*sorted(_LOWER | _UPPER), "multipleOf"):
        value = schema.get(key)
        if isinstance(value, int | float) and _is_sound(value) and (key not in _WHOLE or 0 <= value < 2**53):
            found[key] = int(value) if key in _WHOLE else value
    for plain, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if schema.get(exclusive) is True and plain in found:
            found[exclusive] = found.pop(plain)
    for key in sorted(_TEXTS):
        value = schema.get(key)
        if isinstance(value, str) and value:
            found[key] = value
    if schema.get("uniqueItems") is True:
        found["uniqueItems"] = True
    default = schema.get("default")
    if default is not None and not (isinstance(default, float) and not math.isfinite(default)):
        found["default"] = default
    return found


def _stricter(key: str, old: Any, new: Any) -> Any:
    if old is None:
        return new
    if key in _LOWER:
        return max(old, new)
    if key in _UPPER:
        return min(old, new)
    return new


def _is_sound(value: int | float) -> bool:
    """True for an integer of at most 64 bits, or a finite float."""
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, bool) and -(2**63) <= value < 2**64


def _is_binary(constraints: Mapping[str, Any]) -> bool:
    if constraints.get("format") == "binary":
        return True
    media = str(constraints.get("contentMediaType", ""))
    is_text = "contentEncoding" in constraints or media.startswith(("text/", "application/json"))
    return bool(media) and not is_text


def _same(value: Any) -> str:
    """Equal for values that are one JSON value; `1` and `true` are two."""
    return json.dumps(value, sort_keys=True, default=str)


def _model(pointer: str) -> str:
    return one_line(pointer.rsplit("/", 1)[-1].replace("~1", "/").replace("~0", "~"), 100)
