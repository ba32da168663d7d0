"""Model-facing types against types on the wire: what can become what."""

from dataclasses import dataclass

from placet_generator.catalogue import Node
from placet_generator.curation.models import Member, Parameter
from placet_generator.diagnostics import Code
from placet_generator.ir import ListType, ScalarType, TypeIR
from placet_generator.resolve.scope import At, ToolScope, excuse_hint
from placet_generator.witness.model import FieldFacts

_BY_KIND = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "map": "object",
    "file": "file",
    "any": "any",
    "null": "any",
}
_ACCEPTS: dict[str, frozenset[str]] = {
    "string": frozenset({"string"}),
    "time": frozenset({"string"}),
    "int64": frozenset({"string", "integer"}),
    "integer": frozenset({"integer", "number"}),
    "number": frozenset({"number"}),
    "boolean": frozenset({"boolean"}),
    "object": frozenset({"object", "map"}),
    "file": frozenset({"file"}),
}
_WITNESS_KINDS = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a value goes: its type in the catalogue (None when a codec stands between), and what the witness says.

    Attributes:
        is_lost: True where the place does not exist, which is told elsewhere.
    """

    node: Node | None
    facts: FieldFacts | None = None
    slot: str = ""
    is_text: bool = False
    is_lost: bool = False


def parse_type(text: str) -> TypeIR:
    """`list[list[string]]` as a type; the text's form was checked when the file was read."""
    if text.startswith("list["):
        return ListType(item=parse_type(text[5:-1]))
    return ScalarType(name=text)  # type: ignore[arg-type]  # one of the names, by the model's pattern


def derived_type(node: Node | None) -> TypeIR | None:
    """The type that follows from the wire's; None for objects, which somebody must describe."""
    if node is None:
        return None
    if node.kind == "array":
        item = derived_type(node.item)
        return None if item is None else ListType(item=item)
    if node.kind == "integer" and node.constraints.get("format") == "int64":
        return ScalarType(name="int64")
    name = _BY_KIND.get(node.kind)
    return None if name is None else ScalarType(name=name)  # type: ignore[arg-type]  # values of the table above


def type_text(kind: TypeIR) -> str:
    match kind:
        case ScalarType():
            return kind.name
        case ListType():
            return f"list[{type_text(kind.item)}]"
        case _:
            return "object"


def wire_form(declared: Parameter | Member, kind: TypeIR, target: Target) -> str | None:
    """`number` besides the declared forms: an int64 that the platform, or else the SDK, wants as a JSON number."""
    if declared.wire is not None or declared.codec is not None:
        return declared.wire
    leaf, inner = kind, target.node
    while isinstance(leaf, ListType) and inner is not None and inner.kind == "array":
        leaf, inner = leaf.item, inner.item
    explorer = target.facts.type_explorer if target.facts is not None else None
    is_number = inner is not None and inner.kind == "integer" and (explorer is None or "int" in explorer)
    return "number" if is_number and leaf == ScalarType(name="int64") else None


def sent_form(wire: str | None, kind: TypeIR, target: Target) -> str | None:
    """The wire form, `repeat` where nothing else is said of a list in a query: so the platform and the SDK have it."""
    is_plain = wire in (None, "number") and target.node is not None and target.node.kind == "array"
    return "repeat" if is_plain and isinstance(kind, ListType) and target.slot.startswith("query.") else wire


def check_wire(scope: ToolScope, kind: TypeIR, wire: str | None, target: Target, at: At) -> None:
    """Can this type become the slot's?"""
    node = target.node
    assert node is not None
    if node.kind == "any" or (isinstance(kind, ScalarType) and kind.name == "any"):
        return
    problem: str | None = None
    match wire:
        case "json_text":
            problem = None if node.kind == "string" else "json_text is text"
        case "csv":
            problem = (
                None if node.kind == "string" and isinstance(kind, ListType) else "csv turns a list into text"
            )
        case "repeat":
            problem = None if isinstance(kind, ListType) else "repeat sends a list"
        case "seconds_text":
            is_time = kind == ScalarType(name="time")
            problem = (
                None
                if is_time and node.kind in ("string", "integer")
                else "seconds_text turns a time into text"
            )
        case "millis":
            is_time = kind == ScalarType(name="time")
            problem = (
                None
                if is_time and node.kind in ("string", "integer")
                else "millis turns a time into a number"
            )
        case "base64":
            is_file = kind == ScalarType(name="file")
            problem = None if is_file and node.kind == "string" else "base64 turns a file into text"
        case _:
            problem = None if accepts(kind, node, is_text=target.is_text) else ""
    if problem is not None:
        reason = f" ({problem})" if problem else ""
        scope.report.error(
            Code.TYPE_CONFLICT,
            at,
            f"{type_text(kind)} cannot become {node}, the type of {target.slot!r}{reason}",
            "change `type:`, or say how it is written with `wire:` or `codec:`",
        )
    elif wire is None or wire == "number":
        _check_witness(scope, kind, wire, target, at)


def accepts(kind: TypeIR, node: Node, *, is_text: bool = False) -> bool:
    """True when a value of the type can be sent as the node's type."""
    if node.kind == "any":
        return True
    match kind:
        case ListType():
            return node.kind == "array" and (
                node.item is None or accepts(kind.item, node.item, is_text=is_text)
            )
        case ScalarType(name="any"):
            return True
        case ScalarType():
            scalars = {"string", "integer", "number", "boolean"}
            if (
                is_text
                and node.kind in scalars
                and kind.name in ("string", "integer", "int64", "number", "boolean")
            ):
                return (
                    node.kind == "string"
                    or node.kind in _ACCEPTS[kind.name]
                    or kind.name in ("string", "int64")
                )
            return node.kind in _ACCEPTS[kind.name]
        case _:
            return node.kind in ("object", "map")


def _check_witness(scope: ToolScope, kind: TypeIR, wire: str | None, target: Target, at: At) -> None:
    """In a JSON body the platform sees the type; elsewhere everything is text."""
    facts = target.facts
    if facts is None or facts.type_explorer is None or target.is_text:
        return
    sent = {"int64": "integer" if wire == "number" else "string", "time": "string"}
    name = kind.name if isinstance(kind, ScalarType) else type_text(kind)
    ours = sent.get(name, name)
    theirs = _WITNESS_KINDS.get(facts.type_explorer, facts.type_explorer)
    if ours != theirs and not scope.exceptions.excuse("type", target.slot, facts.type_explorer):
        scope.report.error(
            Code.WITNESS_TYPE,
            at,
            f"{target.slot!r} would be sent as {ours}, but the platform's type is {facts.type_explorer}",
            f"write `type: {'int64' if theirs == 'string' and ours == 'integer' else theirs}`, "
            + excuse_hint("type", target.slot, facts.type_explorer),
        )
