"""A tool's arguments: where each goes, and that everything the request needs is filled by something."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from placet.contract import Derived, Rule, Slot
from placet.contract.words import FILE_PROPERTIES
from placet_generator.catalogue import Node
from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.models import Parameter
from placet_generator.diagnostics import Code
from placet_generator.ir import ListType, MemberIR, ObjectType, ScalarType, TypeIR
from placet_generator.resolve.filling import Filled
from placet_generator.resolve.naming import fault_of, type_name
from placet_generator.resolve.scope import At, ToolScope
from placet_generator.resolve.slots import Found, find_slot
from placet_generator.resolve.types import check_codec, check_value, is_nullable, slot_of, type_of
from placet_generator.resolve.values import limits_of
from placet_generator.resolve.wiretypes import Target
from placet_generator.resolve.witnessed import (
    check_enum_known,
    check_field_facts,
    check_query_known,
    is_required,
)


@dataclass(slots=True)
class Arguments:
    """What the parameters of a tool come to."""

    params: list[MemberIR] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    derived: list[Derived] = field(default_factory=list)


def resolve_arguments(scope: ToolScope, filled: Filled) -> Arguments:
    """Every parameter of the tool, in the order of the file."""
    result = Arguments()
    declared = dict(_declared(scope))
    for name in scope.entry.parameters.keys() - declared.keys():
        filled.mean(scope, name)
    for name, parameter in declared.items():
        _resolve(scope, name, parameter, filled, result)
    types = {member.name: member.type for member in result.params}
    for name, parameter in declared.items():
        if parameter.default_from is not None:
            _check_origin(scope, name, parameter.default_from, declared, types)
    for slot, text in scope.entry.derive.items():
        _derive_tool(scope, slot, text, types, filled, result)
    return result


def _declared(scope: ToolScope) -> Iterator[tuple[str, Parameter]]:
    for name, written in scope.entry.parameters.items():
        if isinstance(written, Parameter):
            yield name, written
        elif name in scope.domain.parameters:
            yield name, scope.domain.parameters[name]
        else:
            close = nearest(name, scope.domain.parameters, limit=1)
            scope.report.error(
                Code.ARGUMENT_UNKNOWN,
                scope.at.sub("parameters", name),
                f"the domain declares no shared parameter {name!r}",
                f"did you mean {close[0]!r}?" if close else "declare it under the domain's `parameters:`",
            )


def _resolve(scope: ToolScope, name: str, declared: Parameter, filled: Filled, result: Arguments) -> None:
    at = scope.parameter(name)
    if fault := fault_of(name, argument=True):
        scope.report.at_key(
            Code.NAME_ILLEGAL, at, f"{name!r} {fault}", "rename it and say where it goes with `to:`"
        )
        filled.mean(scope, name, _places(declared))
        return
    found = _find(scope, name, declared, at, filled)
    target = _target(found, is_lost=not found and bool(scope.calls) and declared.derive is None)
    typed = type_of(scope, declared, at, target, type_name(scope.key, name))
    if typed is None:
        unknown = ScalarType(name="any")
        result.params.append(MemberIR(name=name, type=unknown, required=bool(declared.required), about={}))
        return
    required = _required(declared, found)
    limits = limits_of(declared, typed.type)
    check_value(scope, declared, typed, limits, at)
    check_codec(scope, typed.codec, len(_places(declared)), at)
    _check_facts(scope, name, declared, typed.type, found, required=required, at=at)
    _derive_parameter(scope, name, declared, typed.type, at, filled, result)
    result.params.append(
        MemberIR(
            name=name,
            type=typed.type,
            required=required,
            about=scope.texts.at((*at.path, "about"), declared.about),
            limits=limits,
            default=declared.default,
            example=declared.example,
            nullable=is_nullable(declared, typed.type),
            obtain=_listed(declared.obtain),
        )
    )
    result.slots.append(slot_of(name, _places(declared), typed, declared))


def _places(declared: Parameter) -> tuple[str, ...]:
    return _listed(declared.to)


def _listed(written: str | list[str] | None) -> tuple[str, ...]:
    if written is None:
        return ()
    return (written,) if isinstance(written, str) else tuple(written)


def _find(scope: ToolScope, name: str, declared: Parameter, at: At, filled: Filled) -> list[Found]:
    if declared.to is None and scope.calls and declared.derive is None:
        scope.report.at_key(
            Code.SLOT_UNKNOWN, at, f"{name!r} goes nowhere", "say which slot it fills with `to:`"
        )
        filled.mean(scope, name)
        return []
    if declared.to is not None and not scope.calls:
        scope.report.error(Code.SLOT_UNKNOWN, at.sub("to"), "a local tool sends nothing", "remove `to:`")
        return []
    found = []
    for place in _places(declared):
        slot = find_slot(scope, place, at.sub("to"))
        filled.add(scope, place, name, at.sub("to"), found=slot)
        if slot is not None:
            found.append(slot)
    return found


def _target(found: list[Found], *, is_lost: bool) -> Target:
    if not found:
        return Target(node=None, is_lost=is_lost)
    first = found[0]
    node = first.node
    for _, is_opened in first.ref.parts:
        node = Node(kind="array", item=node) if is_opened else node  # one value for each item of the list
    return Target(node=node, facts=first.facts, slot=first.ref.local, is_text=first.ref.is_text)


def _required(declared: Parameter, found: list[Found]) -> bool:
    in_path = any(one.ref.place == "path" for one in found) and declared.default_from is None
    return in_path or bool(declared.required)


def _check_facts(
    scope: ToolScope,
    name: str,
    declared: Parameter,
    kind: TypeIR,
    found: list[Found],
    *,
    required: bool,
    at: At,
) -> None:
    for one in found:
        slot = one.ref.local
        check_field_facts(scope, Target(node=one.node, facts=one.facts, slot=slot), at)
        if one.ref.place == "query":
            check_query_known(scope, one.call, one.ref.last, at.sub("to"))
        if declared.enum is not None and len(found) == 1:
            check_enum_known(scope, declared.enum, one.facts, slot, at.sub("enum"))
            _check_enum_catalogue(scope, declared.enum, one, at.sub("enum"))
        default_given = declared.default_from is not None
        if is_required(one.facts) and len(one.ref.parts) == 1 and not required and not default_given:
            _report_optional(scope, name, slot, at)
        _check_who_acts(scope, name, declared, one, at)
    if isinstance(kind, ObjectType | ListType) and found and declared.codec is None:
        _check_members(scope, kind, found[0], at)


def _report_optional(scope: ToolScope, name: str, slot: str, at: At) -> None:
    if not scope.exceptions.excuse("required", slot, "true"):
        scope.report.at_key(
            Code.WITNESS_REQUIRED,
            at,
            f"the platform requires {slot!r}, but {name!r} may be left out",
            "write `required: true`, "
            f'or `exceptions: [{{check: required, at: "{slot}", value: "true", because: ...}}]`',
        )


def _check_members(scope: ToolScope, kind: TypeIR, found: Found, at: At) -> None:
    """Members of an object that the platform requires and the model may leave out, or cannot give at all."""
    inner = kind.item if isinstance(kind, ListType) else kind
    if found.facts is None or not isinstance(inner, ObjectType) or inner.shared:
        return
    members = {member.name: member for member in inner.members}
    for facts in found.facts.fields:
        if not is_required(facts) or facts.sdk_only:
            continue
        member = members.get(facts.name)
        slot = f"{found.ref.local}.{facts.name}"
        if member is not None and not member.required:
            _report_optional(scope, facts.name, slot, at)


def _check_enum_catalogue(
    scope: ToolScope, values: list[bool | int | float | str], found: Found, at: At
) -> None:
    node = found.node.item if found.node.kind == "array" and found.node.item is not None else found.node
    for index, value in enumerate(values):
        if node.enum and value not in node.enum:
            close = nearest(str(value), map(str, node.enum), limit=1)
            scope.report.error(
                Code.ENUM_NOT_SUBSET,
                at.sub(index),
                f"{found.call.method.name!r} knows no value {value!r} of {found.ref.local!r}",
                f"did you mean {close[0]!r}?"
                if close
                else f"its values are {', '.join(map(str, node.enum))}",
            )


def _check_who_acts(scope: ToolScope, name: str, declared: Parameter, found: Found, at: At) -> None:
    """Under an app token such a slot says who acts; a model that sets it acts as anybody."""
    ref, entry = found.ref, scope.entry
    speaks_of_actor = ref.last in scope.inputs.names.acting_slots and ref.place in ("query", "body")
    if (
        not speaks_of_actor
        or len(ref.parts) > 1
        or entry.risk in (None, "read")
        or "tenant" not in entry.identity
    ):
        return
    if declared.because is not None and entry.risk == "high-risk-write":
        return
    scope.report.error(
        Code.SLOT_WHO_ACTS,
        at.sub("to"),
        f"{ref.text!r} says who acts under an app token, and {name!r} would let a model choose",
        f"write `context: {{{ref.text}: {_actor_key(scope, ref.last)}}}`; if it is the person acted upon, "
        "give the parameter a `because:` and the tool `risk: high-risk-write`",
    )


def _actor_key(scope: ToolScope, slot: str) -> str:
    """The context value that such a slot takes: of the kind of id that the request says it sends."""
    known = scope.inputs.names.context_keys
    kinds = {**scope.inputs.curation.surface.model.defaults, **scope.entry.fixed}
    wanted = (f"actor.{kinds.get('query.user_id_type')}", f"actor.{slot}")
    actors = sorted(key for key in known if key.startswith("actor."))
    return next((key for key in (*wanted, *actors) if key in known), "actor.id")


def _derive_parameter(
    scope: ToolScope, name: str, declared: Parameter, kind: TypeIR, at: At, filled: Filled, result: Arguments
) -> None:
    for slot, by in (declared.derive or {}).items():
        place = at.sub("derive", slot)
        filled.add(scope, slot, name, place, found=find_slot(scope, slot, place))
        if not _knows(scope, by, kind):
            _report_derivation(scope, by, place)
        result.derived.append(Derived(to=slot, argument=name, by=by))


def _derive_tool(
    scope: ToolScope, slot: str, text: str, types: dict[str, TypeIR], filled: Filled, result: Arguments
) -> None:
    at = scope.at.sub("derive", slot)
    filled.add(scope, slot, text, at, found=find_slot(scope, slot, at))
    argument, _, by = text.partition(".")
    if argument not in types:
        _report_argument(scope, argument, types, at)
    elif not _knows(scope, by, types[argument]):
        _report_derivation(scope, by, at)
    else:
        result.derived.append(Derived(to=slot, argument=argument, by=by))


def _knows(scope: ToolScope, by: str, kind: TypeIR) -> bool:
    is_file = kind == ScalarType(name="file")
    return (is_file and by in FILE_PROPERTIES) or by in scope.inputs.names.derivations


def _report_derivation(scope: ToolScope, by: str, at: At) -> None:
    named = ", ".join(sorted(scope.inputs.names.derivations)) or "none"
    scope.report.error(
        Code.DERIVATION_UNKNOWN,
        at,
        f"there is no derivation {by!r} for this argument",
        f"a file has {', '.join(sorted(FILE_PROPERTIES))}; the platform derives {named}",
    )


def _report_argument(scope: ToolScope, name: str, types: dict[str, TypeIR], at: At) -> None:
    close = nearest(name, types, limit=1)
    others = f"name one of {', '.join(types)}" if types else "it has no other parameter; declare it"
    hint = f"did you mean {close[0]!r}?" if close else others
    scope.report.error(Code.ARGUMENT_UNKNOWN, at, f"the tool has no parameter {name!r}", hint)


def _check_origin(
    scope: ToolScope, name: str, origin: str, declared: dict[str, Parameter], types: dict[str, TypeIR]
) -> None:
    at = scope.parameter(name).sub("default_from")
    argument, _, by = origin.partition(".")
    if argument not in declared or argument == name:
        _report_argument(scope, argument, {key: kind for key, kind in types.items() if key != name}, at)
    elif (
        by
        and argument in types
        and not (types[argument] == ScalarType(name="file") and by in FILE_PROPERTIES)
    ):
        _report_derivation(scope, by, at)


def resolve_rules(scope: ToolScope, arguments: Arguments) -> tuple[Rule, ...]:
    """Conditions over arguments that exist and may be left out."""
    if scope.entry.rules is None:
        return ()
    types = {member.name: member.type for member in arguments.params}
    rules = []
    for kind in ("exactly_one", "at_least_one", "at_most_one", "all_or_none"):
        named: list[str] | None = getattr(scope.entry.rules, kind)
        for index, name in enumerate(named or ()):
            if name not in types:
                _report_argument(scope, name, types, scope.at.sub("rules", kind, index))
        if named:
            rules.append(Rule(kind=kind, arguments=tuple(named)))
    return tuple(rules)
