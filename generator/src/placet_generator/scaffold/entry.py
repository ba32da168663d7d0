"""A tool entry as plain data, from what the catalogue says about a method.

What a slot cannot express is left out and named; where it must be sent, there is no entry.
"""

import builtins
import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from placet.contract.words import RESERVED_ARGUMENTS
from placet_generator.catalogue.model import Method, Node
from placet_generator.catalogue.openapi.names import slug, unique
from placet_generator.catalogue.openapi.text import is_clean
from placet_generator.resolve.naming import pascal, singular

PARAMETERS_MAX = 40
MEMBERS_MAX = 60
"""Optional members of all of a tool's objects together; what must be given is always there."""

OUTPUT_MAX = 40
ENUM_MAX = 40
LISTS_MAX = 3
"""Lists in lists that curation's `type:` can say."""

_SLOT_PART = re.compile(r"[^\s.\[\]]+(\[\])?")
_MEMBER_PART = re.compile(r"[^\s.\[\]]+")
_IDENTIFIES = re.compile(r"(^|_)(ids?|tokens?|codes?|keys?|guids?|uuids?)$")
_SHADOWING = frozenset(
    {"list", "dict", "str", "int", "float", "bool", "bytes", "object", "set", "tuple", "type"}
)
_SCALARS = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "file": "file",
}


class Inexpressible(Exception):
    """A slot that must be sent cannot be a parameter; the text says which and why."""


class Wording(Protocol):
    """How a parameter is described."""

    def __call__(self, name: str, node: Node) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the caller knows beyond the catalogue.

    Attributes:
        wording: The text of a parameter.
        skips: True for a slot (or `body.a.b`, a member of one) that is no parameter.
        requires: True for a slot that must be sent although the catalogue does not say so.
        refine: Further keys of a slot's parameter, and corrections of those written.
        type_names: Pascal-case names that the domain already uses; grows.
        argument_types: Those of them that this tool's arguments use; grows.
    """

    wording: Wording
    skips: Callable[[str], bool] = lambda slot: False
    requires: Callable[[str], bool] = lambda slot: False
    refine: Callable[[str, Node], Mapping[str, Any]] = lambda slot, node: {}
    type_names: set[str] = field(default_factory=set)
    argument_types: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Parameters:
    """Parameters by name, the slots they fill, and the slots that were left out."""

    by_name: dict[str, dict[str, Any]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Slot:
    text: str
    name: str
    node: Node
    required: bool


def argument_name(name: str, taken: Mapping[str, object], place: str) -> str:
    """A legal argument name for a wire name; `place` tells equal names apart."""
    base = slug(name)[:40].strip("_") or place
    if base[0].isdigit():
        base = f"n{base}"
    if base in RESERVED_ARGUMENTS or keyword.iskeyword(base) or base in _SHADOWING - {"type"}:
        base = f"{base}_value"
    if base in taken and f"{place}_{base}" not in taken:
        base = f"{place}_{base}"
    return unique(base, dict(taken))


def tool_name(wanted: str, domain: str, taken: set[str], *, longest: int) -> str:
    """A legal tool name not in `taken`, at most `longest` characters, that shadows nothing in Python."""
    base = slug(wanted) or "call"
    if base[0].isdigit():
        base = f"call_{base}"
    if keyword.iskeyword(base) or hasattr(builtins, base):
        base = f"{base}_{domain}"
    base = base[:longest].strip("_")
    if keyword.iskeyword(base) or hasattr(builtins, base):
        base = f"{base[: longest - 5]}_call"
    name, number = base, 1
    while name in taken or pascal(name) in {pascal(one) for one in taken}:
        number += 1
        name = f"{base[: longest - len(str(number)) - 1].strip('_')}_{number}"
    return name


def parameters_of(method: Method, tool: str, choices: Choices) -> Parameters:
    """The parameters of a tool.

    Raises:
        Inexpressible: something that must be sent has no form that curation can say.
    """
    found = Parameters()
    optional = 0
    members, known = [MEMBERS_MAX], set(choices.type_names)
    for slot in sorted(_slots(method, choices), key=lambda one: not one.required):
        place = slot.text.partition(".")[0]
        if choices.skips(slot.text):
            continue
        name = argument_name(slot.name, found.by_name, place)
        is_said = is_clean(slot.name) and _SLOT_PART.fullmatch(slot.name) is not None
        typed = None
        if is_said and (slot.required or optional < PARAMETERS_MAX):
            typed = _typed(slot.node, slot.text, pascal(tool) + pascal(name), choices, members)
        if typed is None:
            if slot.required:
                raise Inexpressible(f"{slot.text} must be sent and has no form that a parameter can say")
            found.left_out.append(slot.text)
            continue
        optional += not slot.required
        found.by_name[name] = _parameter(slot, name, typed, choices)
    choices.argument_types.update(choices.type_names - known)
    return found


def _slots(method: Method, choices: Choices) -> Iterator[_Slot]:
    """Every top-level slot; a body that is no object has none."""
    for place, listed in (("path", method.path), ("query", method.query), ("header", method.header)):
        for one in listed:
            text = f"{place}.{one.name}"
            required = place == "path" or bool(one.required) or choices.requires(text)
            yield _Slot(text, one.name, one.node, required)
    if method.body is None:
        return
    place = "body" if method.body_kind == "json" else "form"
    if method.body.kind != "object":
        if method.body_required is not False:
            raise Inexpressible(f"its body is {method.body}, not an object with named members")
        return
    for name, node in method.body.fields.items():
        text = f"{place}.{name}"
        required = (name in method.body.required and method.body_required is not False) or choices.requires(
            text
        )
        yield _Slot(text, name, node, required)


def _parameter(slot: _Slot, name: str, typed: dict[str, Any], choices: Choices) -> dict[str, Any]:
    written: dict[str, Any] = {"to": slot.text, **typed}
    if slot.required and not slot.text.startswith("path."):
        written["required"] = True
    written.update(_limits(slot.node, typed))
    _refine(written, choices.refine(slot.text, slot.node))
    written["about"] = choices.wording(name, slot.node)
    if slot.required and (slot.text.startswith("path.") or _IDENTIFIES.search(name)):
        written["obtain"] = "person"
    return written


def _refine(written: dict[str, Any], refined: Mapping[str, Any]) -> None:
    """Take over what is known better; what was said for another type, or beside an enum, goes."""
    if refined.get("type", written.get("type")) != written.get("type"):
        for key in ("enum", "default", "min", "max"):
            written.pop(key, None)
    written.update(refined)
    if "enum" in refined:
        written.pop("default", None)


def _typed(node: Node, slot: str, type_name: str, choices: Choices, left: list[int]) -> dict[str, Any] | None:
    """`type:`, `fields:` or `items:` with `wire:`, for a slot; None when no form fits."""
    place, media = slot.partition(".")[0], node.constraints.get("contentMediaType")
    if node.kind == "string" and media == "application/json":
        return {"type": "object", "wire": "json_text"}
    if node.kind == "string" and media == "text/csv":
        return {"type": f"list[{_scalar_type(node.item) or 'string'}]", "wire": "csv"}
    simple = _scalar_type(node)
    if simple is not None:
        return {"type": simple}
    if node.kind == "array":
        return _listed(node, slot, type_name, choices, left)
    if place in ("path", "query", "header"):
        return {"type": "string"} if node.kind == "any" else None
    if node.kind == "object" and _opens(node, type_name, choices):
        return {"fields": _members(node, slot, choices, left)}
    if node.kind in ("object", "map"):
        return {"type": "object"}
    return {"type": "any"} if place == "body" else None


def _listed(
    node: Node, slot: str, type_name: str, choices: Choices, left: list[int]
) -> dict[str, Any] | None:
    place, item = slot.partition(".")[0], node.item or Node(kind="any")
    if place == "body" and item.kind == "object" and _opens(item, singular(type_name), choices):
        return {"items": _members(item, f"{slot}[]", choices, left)}
    kind = _free_type(node)
    if place == "body":
        return {"type": kind}
    if _scalar_type(item) is None and item.kind != "any":
        return None
    kind = "list[string]" if item.kind == "any" else kind
    return {"type": kind, "wire": "repeat"} if place == "query" else {"type": kind}


def _opens(node: Node, type_name: str, choices: Choices) -> bool:
    """True for an object whose members are worth naming; its type name is then taken."""
    known = any(_MEMBER_PART.fullmatch(name) and is_clean(name) for name in node.fields)
    all_said = all(_MEMBER_PART.fullmatch(name) and is_clean(name) for name in node.required)
    if not known or not all_said or type_name in choices.type_names:
        return False
    choices.type_names.add(type_name)
    return True


def _members(node: Node, slot: str, choices: Choices, left: list[int]) -> dict[str, Any]:
    """Members of an object, one level; what is nested deeper is free-form."""
    found: dict[str, Any] = {}
    needed = {name for name in node.fields if name in node.required or choices.requires(f"{slot}.{name}")}
    for name, inner in sorted(node.fields.items(), key=lambda one: one[0] not in needed):
        required = name in needed
        if choices.skips(f"{slot}.{name}"):
            continue
        if not _MEMBER_PART.fullmatch(name) or not is_clean(name) or (not required and left[0] <= 0):
            continue
        left[0] -= not required
        key = argument_name(name, found, "member")
        written: dict[str, Any] = {} if key == name else {"to": name}
        written["type"] = _free_type(inner)
        if required:
            written["required"] = True
        written.update(_limits(inner, written))
        _refine(written, choices.refine(f"{slot}.{name}", inner))
        written["about"] = choices.wording(key, inner)
        found[key] = written
    return found


def _scalar_type(node: Node | None) -> str | None:
    if node is None:
        return None
    if node.kind == "integer" and node.constraints.get("format") == "int64":
        return "int64"
    return _SCALARS.get(node.kind)


def _free_type(node: Node, lists: int = 0) -> str:
    """A type that lets everything of a node through; `lists` are already around it."""
    simple = _scalar_type(node)
    if simple is not None:
        return simple
    if node.kind == "array" and lists < LISTS_MAX:
        return f"list[{_free_type(node.item, lists + 1) if node.item is not None else 'any'}]"
    return "object" if node.kind in ("object", "map") else "any"


def _limits(node: Node, typed: Mapping[str, Any]) -> dict[str, Any]:
    """The catalogue's constraints, as far as they mean something for the type and agree with each other."""
    kind, said = typed.get("type", ""), node.constraints
    found: dict[str, Any] = {}
    if kind in ("integer", "number"):
        found = {"min": said.get("minimum"), "max": said.get("maximum")}
    elif kind == "string":
        found = {"min_len": said.get("minLength"), "max_len": said.get("maxLength")}
    elif kind.startswith("list[") or "items" in typed:
        found = {"min_items": said.get("minItems"), "max_items": said.get("maxItems")}
    found = {key: value for key, value in found.items() if value is not None and abs(value) < 2**63}
    if len(found) == 2 and len(set(found.values())) == 2 and list(found.values()) != sorted(found.values()):
        found = {}
    enum = _enum(node, kind)
    if enum:
        return {"enum": enum}
    default = said.get("default")
    if default is not None and _is_default(default, kind, found):
        found["default"] = default
    return found


def _enum(node: Node, kind: str) -> list[Any]:
    """The values to choose from; none when there are too many, or some that cannot be listed."""
    of_list = kind.startswith("list[") and node.item is not None
    values = node.item.enum if of_list and node.item is not None else node.enum
    leaf = kind[5:-1] if of_list else kind
    wanted = {"string": str, "integer": int}.get(leaf)
    if wanted is None or not 0 < len(values) <= ENUM_MAX:
        return []
    if any(type(one) is not wanted or (isinstance(one, str) and not is_clean(one)) for one in values):
        return []
    return list(dict.fromkeys(values))


def _is_default(value: Any, kind: str, limits: Mapping[str, Any]) -> bool:
    if kind == "string":
        fits = isinstance(value, str) and len(value) <= 60 and is_clean(value)
        return fits and limits.get("min_len", 0) <= len(value) <= limits.get("max_len", 60)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer" and type(value) is not int:
        return False
    is_number = (
        kind in ("integer", "number") and isinstance(value, int | float) and not isinstance(value, bool)
    )
    return is_number and limits.get("min", value) <= value <= limits.get("max", value)


def output_of(
    method: Method, tool: str, choices: Choices, *, without: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """The first levels of an answer as a projection; empty when the catalogue types none."""
    if method.download:
        return {"file": "$bytes"}
    root = method.response
    if root is None or (root.kind == "object" and not root.fields):
        return {}
    if root.kind == "object":
        kept = {name: node for name, node in root.fields.items() if name not in without}
        return _projection(kept, pascal(tool), choices, opens=True)
    if root.kind == "array":
        return {"items": _list_field("", root, pascal(tool) + "Items", choices, opens=True)}
    kind = _free_type(root)
    return {"result": {"from": "$", "type": kind}}


def _projection(
    fields: Mapping[str, Node], type_name: str, choices: Choices, *, opens: bool
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, node in fields.items():
        if len(found) >= OUTPUT_MAX or not _MEMBER_PART.fullmatch(name) or not is_clean(name) or name == "$":
            continue
        key = argument_name(name, found, "field")
        found[key] = _field(name, node, type_name + pascal(key), choices, opens=opens)
    return found


def _field(name: str, node: Node, type_name: str, choices: Choices, *, opens: bool) -> str | dict[str, Any]:
    if node.kind == "array":
        return _list_field(name, node, type_name, choices, opens=opens)
    if node.kind == "object":
        if opens and _opens(node, _answer_name(type_name, choices), choices):
            return {"from": name, "fields": _projection(node.fields, type_name, choices, opens=False)}
        return {"from": name, "type": "object"}
    return name if _scalar_type(node) not in (None, "file") else {"from": name, "type": _free_type(node)}


def _answer_name(type_name: str, choices: Choices) -> str:
    """The name the resolver gives an answer's type where the arguments have one of that name."""
    return f"{type_name}Result" if type_name in choices.argument_types else type_name


def _list_field(
    name: str, node: Node, type_name: str, choices: Choices, *, opens: bool
) -> dict[str, Any] | str:
    item = node.item or Node(kind="any")
    own = _answer_name(singular(type_name), choices)
    if item.kind == "object" and opens and _opens(item, own, choices):
        fields = _projection(item.fields, own, choices, opens=False)
        return {"from": f"{name}[]", "fields": fields}
    return {"from": name or "$", "type": _free_type(node)}
