"""JSON Schemas (2020-12) of arguments and answers.

The root is always a plain object, shared shapes stand in `$defs`, null is a type of its own, and nothing says
`nullable` or `default`. What a schema accepts is what the generated struct accepts.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from placet.contract.words import PAGING_ARGUMENTS, WRITE_ARGUMENTS
from placet_generator.emit.texts import WireTexts
from placet_generator.ir import (
    UNLIMITED,
    Limits,
    ListType,
    MemberIR,
    ObjectType,
    ScalarName,
    ScalarType,
    SurfaceIR,
    Texts,
    ToolIR,
    TypeIR,
    UnionType,
)

__all__ = ["SchemaWriter", "Shapes", "arguments_of"]

Schema = dict[str, Any]
SharedType = ObjectType | UnionType

INT64_PATTERN = "^-?[0-9]{1,20}$"
_JSON_TYPES = {"int64": "string", "time": "string", "file": "string"}


class Shapes:
    """The declared shapes of a surface. Where one is used, its name counts: a use may leave its members out."""

    def __init__(self, surface: SurfaceIR) -> None:
        self._by_place = {
            (domain.name, shape.name): shape for domain in surface.domains for shape in domain.shapes
        }

    def definition(self, used: SharedType) -> SharedType:
        return self._by_place.get((used.owner, used.name), used)


def _member(name: str, kind: ScalarName, limits: Limits | None = None) -> MemberIR:
    return MemberIR(
        name=name, type=ScalarType(name=kind), required=False, about={}, limits=limits or UNLIMITED
    )


_GENERATED = {
    "idempotency_key": _member("idempotency_key", "string", Limits(min_len=1, max_len=128)),
    "dry_run": _member("dry_run", "boolean"),
    "page_token": _member("page_token", "string"),
    "fetch_all": _member("fetch_all", "boolean"),
    "max_items": _member("max_items", "integer", Limits(min=1)),
}


@lru_cache
def _generated(is_write: bool, paged: bool, page_size_max: int | None) -> tuple[MemberIR, ...]:
    names = (*(WRITE_ARGUMENTS if is_write else ()), *(PAGING_ARGUMENTS if paged else ()))
    page_size = _member("page_size", "integer", Limits(min=1, max=page_size_max))
    return tuple(page_size if name == "page_size" else _GENERATED[name] for name in names)


def arguments_of(tool: ToolIR) -> tuple[MemberIR, ...]:
    """All arguments of a tool: curated ones in their order, then those that the generator adds, which have no text."""
    return (*tool.params, *_generated(tool.risk.is_write, tool.paged, tool.page_size_max))


class SchemaWriter:
    """Writes the schemas of one tool in one language.

    Attributes:
        texts: Every description written so far, in order.
        defs: The shared shapes met so far, by the key they are referred to.
    """

    def __init__(
        self, shapes: Shapes, wire_texts: WireTexts | None, *, home: str, refs: str = "#/$defs/"
    ) -> None:
        """
        Args:
            wire_texts: None writes schemas without any description.
            home: The tool's domain; shapes of another domain are keyed with its name.
            refs: Where `defs` will stand in the document.
        """
        self._shapes = shapes
        self._wire_texts = wire_texts
        self._home = home
        self._refs = refs
        self.texts: list[str] = []
        self.defs: dict[str, Schema] = {}

    def arguments(self, tool: ToolIR) -> Schema:
        """The schema of a tool's arguments, shared shapes in `defs`."""
        return self._object(arguments_of(tool))

    def output(self, tool: ToolIR) -> Schema:
        """The schema of a tool's data; every field may be absent."""
        properties: Schema = {}
        for field in tool.output:
            schema = self._output_type(field.type)
            properties[field.name] = self._described(schema, self._plain(field.about))
        return {"type": "object", "properties": properties, "additionalProperties": False}

    def closed(self, root: Schema) -> Schema:
        """`root` with the shared shapes it refers to."""
        return {**root, "$defs": {key: self.defs[key] for key in sorted(self.defs)}} if self.defs else root

    def _object(self, members: Iterable[MemberIR], tag: tuple[str, str] | None = None) -> Schema:
        properties: Schema = {}
        required: list[str] = []
        if tag is not None:
            properties[tag[0]] = {"const": tag[1]}
            required.append(tag[0])
        for member in members:
            properties[member.name] = self._argument(member)
            if member.required:
                required.append(member.name)
        schema: Schema = {"type": "object", "properties": properties}
        if required:
            schema["required"] = required
        schema["additionalProperties"] = False
        return schema

    def _argument(self, member: MemberIR) -> Schema:
        schema = self._type(member.type, member.limits)
        if member.nullable:
            schema = _or_null(schema)
        return self._described(schema, self._wire_texts.about(member) if self._wire_texts else "")

    def _plain(self, texts: Texts) -> str:
        return self._wire_texts.plain(texts) if self._wire_texts else ""

    def _described(self, schema: Schema, text: str) -> Schema:
        if not text:
            return schema
        self.texts.append(text)
        return {**schema, "description": text}

    def _type(self, kind: TypeIR, limits: Limits) -> Schema:
        if isinstance(kind, ScalarType):
            return _scalar(kind, limits)
        if isinstance(kind, ListType):
            schema: Schema = {"type": "array", "items": self._type(kind.item, kind.limits)}
            return _limited(schema, (("minItems", limits.min_items), ("maxItems", limits.max_items)))
        return self._shared(kind) if kind.shared else self._members(kind)

    def _members(self, kind: SharedType) -> Schema:
        if isinstance(kind, ObjectType):
            return self._object(kind.members)
        return {"oneOf": [self._object(variant.members, (kind.tag, tag)) for tag, variant in kind.variants]}

    def _shared(self, kind: SharedType) -> Schema:
        key = kind.name if kind.owner in ("", self._home) else f"{kind.owner}_{kind.name}"
        if key not in self.defs:
            self.defs[key] = {}  # a shape that contains itself meets its own key here
            self.defs[key] = self._members(self._shapes.definition(kind))
        return {"$ref": f"{self._refs}{key}"}

    def _output_type(self, kind: TypeIR) -> Schema:
        if isinstance(kind, ScalarType):
            return _scalar(kind, UNLIMITED)
        if isinstance(kind, ListType):
            return {"type": "array", "items": self._output_type(kind.item)}
        if isinstance(kind, UnionType):
            return {"type": "object"}
        properties = {
            member.name: self._described(self._output_type(member.type), self._plain(member.about))
            for member in kind.members
        }
        return {"type": "object", "properties": properties, "additionalProperties": False}


def _scalar(kind: ScalarType, limits: Limits) -> Schema:
    if kind.name == "any":
        return {}
    schema: Schema = {"type": _JSON_TYPES.get(kind.name, kind.name)}
    if limits.enum:
        schema["enum"] = list(limits.enum)
    elif kind.name == "int64":
        schema["pattern"] = INT64_PATTERN
    elif kind.name == "time":
        schema["format"] = "date-time"
    elif kind.name == "string":
        _limited(schema, (("minLength", limits.min_len), ("maxLength", limits.max_len)))
        if limits.pattern is not None:
            schema["pattern"] = f"^(?:{limits.pattern})$"
    elif kind.name in ("integer", "number"):
        _limited(schema, (("minimum", limits.min), ("maximum", limits.max)))
    return schema


def _limited(schema: Schema, limits: Iterable[tuple[str, float | int | None]]) -> Schema:
    schema.update((keyword, limit) for keyword, limit in limits if limit is not None)
    return schema


def _or_null(schema: Schema) -> Schema:
    if not schema:
        return schema  # any value, null among them
    if not isinstance(schema.get("type"), str):
        return {"anyOf": [schema, {"type": "null"}]}
    nullable: Mapping[str, Any] = {**schema, "type": [schema["type"], "null"]}
    return {**nullable, "enum": [*schema["enum"], None]} if "enum" in schema else dict(nullable)
