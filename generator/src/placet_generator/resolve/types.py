"""Types of arguments: what the model may give, member by member, each checked against its slot."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from placet.contract import Slot
from placet_generator.catalogue import Node
from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.models import Limited, Member, Parameter, Shape
from placet_generator.diagnostics import Code
from placet_generator.ir import Limits, ListType, MemberIR, ObjectType, ScalarType, TypeIR, UnionType
from placet_generator.resolve.naming import fault_of, pascal, singular
from placet_generator.resolve.scope import At, ToolScope
from placet_generator.resolve.shapes import ShapeAt, find_shape
from placet_generator.resolve.slots import descend
from placet_generator.resolve.values import check_limits, fits, item_limits_of, limits_of
from placet_generator.resolve.wiretypes import (
    Target,
    check_wire,
    derived_type,
    parse_type,
    sent_form,
    type_text,
    wire_form,
)
from placet_generator.resolve.witnessed import check_field_facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A declaration's type, and how its value is written.

    Attributes:
        is_guessed: True where only the slot could tell the type, and the slot does not exist.
    """

    type: TypeIR
    slot_type: str
    wire: str | None = None
    codec: str | None = None
    fields: tuple[Slot, ...] = ()
    tag: str | None = None
    variants: Mapping[str, tuple[Slot, ...]] | None = None
    is_guessed: bool = False


def type_of(
    scope: ToolScope, declared: Parameter | Member, at: At, target: Target, name: str
) -> Typed | None:
    """The type of a declaration; None when it cannot be told, which is reported.

    Args:
        name: Pascal-case name for a type that the declaration itself describes.
    """
    ways = [key for key in ("type", "shape", "fields", "items") if getattr(declared, key) is not None]
    if len(ways) > 1 and ways != ["type", "items"]:
        scope.report.error(
            Code.CONSTRAINT_MISFIT,
            at.sub(ways[1]),
            f"{ways[0]!r} and {ways[1]!r} exclude each other",
            "keep one",
        )
        return None
    if declared.shape is not None:
        return _from_shape(scope, declared, at, target)
    if declared.codec is not None:
        target = Target(node=None)
    if declared.fields is not None:
        node = _opened(scope, at.sub("fields"), target, listed=False)
        members, slots = members_of(scope, declared.fields, at.sub("fields"), node, target, name)
        kind: TypeIR = ObjectType(name=name, members=members)
        return Typed(type=kind, slot_type="object", wire=declared.wire, codec=declared.codec, fields=slots)
    if declared.items is not None:
        node = _opened(scope, at.sub("items"), target, listed=True)
        members, slots = members_of(scope, declared.items, at.sub("items"), node, target, singular(name))
        kind = ListType(item=ObjectType(name=singular(name), members=members))
        return Typed(
            type=kind, slot_type="list[object]", wire=declared.wire, codec=declared.codec, fields=slots
        )
    return _from_text(scope, declared, at, target)


def _from_text(scope: ToolScope, declared: Parameter | Member, at: At, target: Target) -> Typed | None:
    node = target.node
    if declared.type is not None:
        kind = parse_type(declared.type)
        place = at.sub("type")
    else:
        found = ScalarType(name="any") if target.is_lost else derived_type(node)
        if found is None:
            wanted = str(node) if node is not None else "nothing that is known"
            scope.report.at_key(
                Code.TYPE_CONFLICT,
                at,
                f"{at.path[-1]!r} has no type, and the slot's is {wanted}",
                "add `type:`, `shape:`, `fields:` or `items:`",
            )
            return None
        kind, place = found, At(at.document, at.path)
    wire = wire_form(declared, kind, target)
    if node is not None:
        check_wire(scope, kind, wire, target, place)
    return Typed(
        type=_limited(kind, declared),
        slot_type=type_text(kind),
        wire=sent_form(wire, kind, target),
        codec=declared.codec,
        is_guessed=declared.type is None and target.is_lost,
    )


def _limited(kind: TypeIR, declared: Limited) -> TypeIR:
    """Limits of single values belong to the items of a list."""
    if not isinstance(kind, ListType) or isinstance(kind.item, ListType):
        return kind
    return ListType(item=kind.item, limits=item_limits_of(declared))


def _opened(scope: ToolScope, at: At, target: Target, *, listed: bool) -> Node | None:
    """The object whose members are described; reports a slot that is none."""
    node = target.node
    if node is None or node.kind == "any":
        return None
    inner = node.item if listed and node.kind == "array" else node
    if (listed and node.kind != "array") or inner is None or inner.kind not in ("object", "map", "any"):
        wanted = "a list of objects" if listed else "an object"
        scope.report.at_key(
            Code.TYPE_CONFLICT, at, f"{target.slot!r} is {node}, not {wanted}", "describe it as what it is"
        )
        return None
    return None if inner.kind == "any" else inner


def _from_shape(scope: ToolScope, declared: Parameter | Member, at: At, target: Target) -> Typed | None:
    found = find_shape(scope, declared.shape or "", at.sub("shape"))
    if found is None:
        return None
    shape = found.shape
    codec = declared.codec or shape.codec
    inner = Target(node=None) if codec or declared.wire == "json_text" else target
    typed = shape_type(scope, found, inner)
    if typed is None:
        return None
    return Typed(
        type=typed.type,
        slot_type=typed.slot_type,
        wire=declared.wire,
        codec=codec,
        fields=typed.fields,
        tag=typed.tag,
        variants=typed.variants,
    )


def shape_type(scope: ToolScope, found: ShapeAt, target: Target) -> Typed | None:
    """A declared shape as a type; `target` has no node when a codec or JSON text stands between."""
    shape, name, at = found.shape, pascal(found.name), found.at
    forms = [key for key in ("fields", "items", "variants") if getattr(shape, key) is not None]
    if len(forms) != 1:
        scope.report.at_key(
            Code.CONSTRAINT_MISFIT,
            at,
            f"shape {found.name!r} has {len(forms)} forms",
            "give it fields, items or variants",
        )
        return None
    inner = found.rescope(scope)
    if shape.variants is not None:
        return _union(inner, shape, found, target, name)
    listed = shape.items is not None
    key = "items" if listed else "fields"
    node = _opened(inner, at.sub(key), target, listed=listed)
    members, slots = members_of(inner, getattr(shape, key), at.sub(key), node, target, name)
    kind: TypeIR = ObjectType(name=name, members=members, shared=True, owner=found.domain.domain)
    if listed:
        kind = ListType(item=kind)
    return Typed(type=kind, slot_type="list[object]" if listed else "object", codec=shape.codec, fields=slots)


def _union(scope: ToolScope, shape: Shape, found: ShapeAt, target: Target, name: str) -> Typed | None:
    at = found.at.sub("variants")
    tag = shape.tag
    if tag is None:
        scope.report.at_key(
            Code.UNION_UNTAGGED,
            at,
            f"the variants of {found.name!r} have no tag",
            "add `tag:` with a member's name",
        )
        return None
    node = _opened(scope, at, target, listed=False)
    variants: list[tuple[str, ObjectType]] = []
    slots: dict[str, tuple[Slot, ...]] = {}
    for key, members in (shape.variants or {}).items():
        if tag in members:
            scope.report.at_key(
                Code.UNION_UNTAGGED,
                at.sub(key, tag),
                f"{tag!r} is the tag and a member of {key!r}",
                "rename the member",
            )
        inner_name = name + pascal(key)
        resolved, written = members_of(scope, members, at.sub(key), node, target, inner_name)
        variants.append(
            (key, ObjectType(name=inner_name, members=resolved, shared=True, owner=found.domain.domain))
        )
        slots[key] = written
    kind = UnionType(name=name, tag=tag, variants=tuple(variants), shared=True, owner=found.domain.domain)
    return Typed(type=kind, slot_type="object", codec=shape.codec, tag=tag, variants=slots)


def members_of(
    scope: ToolScope, members: Mapping[str, Member], at: At, node: Node | None, target: Target, name: str
) -> tuple[tuple[MemberIR, ...], tuple[Slot, ...]]:
    """The members of an object, each checked against the object's type in the catalogue where that is known."""
    resolved = [_member(scope, key, one, at.sub(key), node, target, name) for key, one in members.items()]
    kept = [one for one in resolved if one is not None]
    ordered = tuple(sorted((member for member, _ in kept), key=lambda one: (not one.required, one.name)))
    return ordered, tuple(slot for _, slot in kept)


def check_value(scope: ToolScope, declared: Parameter | Member, typed: Typed, limits: Limits, at: At) -> None:
    """Limits against the type, example and default against both."""
    if typed.is_guessed:
        return
    check_limits(scope.report, declared, typed.type, at)
    values: list[tuple[str, Any]] = [("default", declared.default), ("example", declared.example)]
    for key, value in values:
        if value is not None and (problem := fits(value, typed.type, limits)):
            scope.report.error(
                Code.VALUE_MISFIT, at.sub(key), f"the {key} {value!r} {problem}", "correct one of the two"
            )


def _member(
    scope: ToolScope, key: str, declared: Member, at: At, parent: Node | None, target: Target, owner: str
) -> tuple[MemberIR, Slot] | None:
    if fault := fault_of(key):
        scope.report.at_key(
            Code.NAME_ILLEGAL, at, f"{key!r} {fault}", "rename it and say where it goes with `to:`"
        )
        return None
    places = _places(declared, key)
    inner = _member_target(scope, places[0], at, parent, target)
    typed = type_of(scope, declared, at, inner, owner + pascal(key))
    if typed is None:
        return None
    limits = limits_of(declared, typed.type)
    check_value(scope, declared, typed, limits, at)
    check_codec(scope, typed.codec, len(places), at)
    member = MemberIR(
        name=key,
        type=typed.type,
        required=declared.required,
        about=scope.texts.at((*at.path, "about"), declared.about),
        limits=limits,
        default=declared.default,
        example=declared.example,
        nullable=is_nullable(declared, typed.type),
    )
    return member, slot_of(key, places, typed, declared)


def _places(declared: Member, key: str) -> tuple[str, ...]:
    if declared.to is None:
        return (key,)
    return (declared.to,) if isinstance(declared.to, str) else tuple(declared.to)


def _member_target(scope: ToolScope, place: str, at: At, parent: Node | None, target: Target) -> Target:
    """Where a member goes; below a codec or free-form parent nothing is known.

    Nor is it below a place that does not exist, which is told once.
    """
    parts = tuple((part.removesuffix("[]"), part.endswith("[]")) for part in place.split("."))
    if parent is None:
        return Target(node=None, is_lost=target.is_lost)
    node = descend(parent, parts)
    slot = f"{target.slot}.{place}"
    if node is None:
        close = nearest(parts[0][0], parent.fields, limit=1)
        hint = f"did you mean {close[0]!r}?" if close else f"its members are {', '.join(parent.fields)}"
        where = at.sub("to") if at.document.has((*at.path, "to")) else None
        message = f"{target.slot!r} has no member {place!r}"
        if where is None:
            scope.report.at_key(Code.SLOT_UNKNOWN, at, message, hint)
        else:
            scope.report.error(Code.SLOT_UNKNOWN, where, message, hint)
        return Target(node=None, is_lost=True)
    facts = None
    if target.facts is not None and len(parts) == 1:
        facts = next((one for one in target.facts.fields if one.name == parts[0][0]), None)
    inner = Target(node=node, facts=facts, slot=slot, is_text=target.is_text)
    check_field_facts(scope, inner, at)
    return inner


def is_nullable(declared: Parameter | Member, kind: TypeIR) -> bool:
    """True when null is a value of its own. In a free-form object it is its members that null clears."""
    return declared.null_means is not None and kind != ScalarType(name="object")


def slot_of(argument: str, places: tuple[str, ...], typed: Typed, declared: Parameter | Member) -> Slot:
    """How the value reaches the wire. With a codec, nothing below it is described: the codec sees the whole value."""
    opaque = typed.codec is not None
    return Slot(
        argument=argument,
        to=places,
        type=typed.slot_type,
        default_from=getattr(declared, "default_from", None),
        wire=typed.wire,  # type: ignore[arg-type]  # one of the forms, by the model
        codec=typed.codec,
        null_clears=declared.null_means is not None,
        max_bytes=declared.max_bytes,
        fields=() if opaque else typed.fields,
        tag=None if opaque else typed.tag,
        variants={} if opaque else dict(typed.variants or {}),
    )


def check_codec(scope: ToolScope, codec: str | None, targets: int, at: At) -> None:
    """A codec for arguments, filling as many slots as it writes."""
    if codec is None:
        return
    known = scope.inputs.names.codecs
    found = known.get(codec)
    place = at.sub("codec") if at.document.has((*at.path, "codec")) else at.sub("shape")
    if found is None:
        close = nearest(codec, known, limit=1)
        hint = (
            f"did you mean {close[0]!r}?" if close else f"known codecs: {', '.join(sorted(known)) or 'none'}"
        )
        scope.report.error(Code.CODEC_UNKNOWN, place, f"there is no codec {codec!r}", hint)
    elif not found.arguments:
        scope.report.error(
            Code.CODEC_UNKNOWN, place, f"codec {codec!r} reads answers only", "use one for arguments"
        )
    elif found.targets != targets:
        scope.report.error(
            Code.CODEC_UNKNOWN,
            place,
            f"codec {codec!r} writes {found.targets} slots, not {targets}",
            "name them in `to:`",
        )
