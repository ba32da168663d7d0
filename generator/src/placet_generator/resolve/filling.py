"""Who fills which slot: each at most once, and everything the request needs by something."""

from collections.abc import Iterable
from typing import Any

from placet_generator.catalogue import Method
from placet_generator.catalogue.nearest import nearest
from placet_generator.diagnostics import Code
from placet_generator.ir import UNLIMITED, ScalarType
from placet_generator.resolve.scope import At, ResolvedCall, ToolScope
from placet_generator.resolve.slots import Found, body_place, find_slot, nearest_slot, parse_slot, slots_of
from placet_generator.resolve.values import fits
from placet_generator.resolve.wiretypes import Target, derived_type
from placet_generator.resolve.witnessed import (
    check_enum_known,
    check_field_facts,
    check_query_known,
    is_required,
)


class Filled:
    """The slots of a tool's requests that something fills."""

    def __init__(self) -> None:
        self._by: dict[str, tuple[str, At]] = {}
        self._meant: set[str] = set()

    def add(self, scope: ToolScope, slot: str, by: str, at: At, *, found: Found | None) -> None:
        """Note that `by` fills `slot`.

        A misspelt slot counts as the one it probably was, so that one slip is one finding.
        """
        if found is None:
            slot = nearest_slot(scope, slot) or slot
            scope.exceptions.spare(slot)
        elif slot in self._by:
            other, place = self._by[slot]
            scope.report.error(
                Code.SLOT_FILLED_TWICE,
                at,
                f"{slot!r} is filled by {by!r} and by {other!r}",
                "keep one of them",
                related=(place.span(),),
            )
        self._by.setdefault(slot, (by, at))

    def note(self, slot: str) -> None:
        """Note that a default of the surface fills `slot`."""
        self._meant.add(slot)

    def has(self, slot: str, call: str) -> bool:
        """True when the slot, its parent or a part of it is filled, for this request or for all."""
        return any(
            filled == one or filled.startswith((one + ".", one + "[")) or one.startswith(filled + ".")
            for one in (slot, f"{call}.{slot}")
            for filled in (*self._by, *self._meant)
        )

    def mean(self, scope: ToolScope, name: str, slots: Iterable[str] = ()) -> None:
        """Note that a parameter with a fault, told elsewhere, was to fill `slots`, or the slot named most like it."""
        self._meant.update(slots)
        if not slots:
            by_name = {
                parse_slot(one).last: one for call in scope.calls for one in slots_of(call.method, depth=1)
            }
            self._meant.update(by_name[one] for one in nearest(name, by_name, limit=1))


def resolve_constants(
    scope: ToolScope, defaults: dict[str, Any], filled: Filled
) -> tuple[dict[str, Any], dict[str, str]]:
    """`fixed:` and `context:`, then the surface's defaults for slots that nobody names."""
    fixed: dict[str, Any] = {}
    for slot, value in scope.entry.fixed.items():
        at = scope.at.sub("fixed", slot)
        found = find_slot(scope, slot, at)
        filled.add(scope, slot, "fixed", at, found=found)
        if found is not None:
            _check_constant(scope, value, found, at)
        fixed[slot] = value
    context: dict[str, str] = {}
    for slot, key in scope.entry.context.items():
        at = scope.at.sub("context", slot)
        filled.add(scope, slot, key, at, found=find_slot(scope, slot, at))
        if key not in scope.inputs.names.context_keys:
            known = sorted(scope.inputs.names.context_keys)
            close = nearest(key, known, limit=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known keys: {', '.join(known) or 'none'}"
            scope.report.error(Code.CONTEXT_UNKNOWN, at, f"there is no context value {key!r}", hint)
        context[slot] = key
    for slot, value in defaults.items():
        taking = [call for call in scope.calls if slot in slots_of(call.method, depth=1)]
        for call in taking:
            if not filled.has(slot, call.name) and _may_be(call, slot, value):
                place = slot if len(taking) == len(scope.calls) else f"{call.name}.{slot}"
                fixed[place] = value
                filled.note(place)
    return fixed, context


def _may_be(call: ResolvedCall, slot: str, value: Any) -> bool:
    facts = call.facts.field(slot) if call.facts is not None else None
    return facts is None or not facts.enum or value in facts.enum


def _check_constant(scope: ToolScope, value: Any, found: Found, at: At) -> None:
    kind = derived_type(found.node)
    if kind is not None and not found.ref.is_text and (problem := fits(value, kind, UNLIMITED)):
        is_int64 = kind == ScalarType(name="int64") and isinstance(value, int)
        if not is_int64:
            scope.report.error(Code.VALUE_MISFIT, at, f"the constant {value!r} {problem}", "correct it")
    elif found.ref.is_text and isinstance(value, dict | list):
        scope.report.error(Code.VALUE_MISFIT, at, f"{found.ref.text!r} takes one value", "write it as text")
    if isinstance(value, str | int | float):
        check_enum_known(scope, [value], found.facts, found.ref.local, at)
        if found.node.enum and value not in found.node.enum:
            values = ", ".join(map(str, found.node.enum))
            scope.report.error(
                Code.ENUM_NOT_SUBSET,
                at,
                f"{found.ref.local!r} has no value {value!r}",
                f"its values are {values}",
            )
    check_field_facts(scope, Target(node=found.node, facts=found.facts, slot=found.ref.local), at)
    if found.ref.place == "query":
        check_query_known(scope, found.call, found.ref.last, at)


def check_required(scope: ToolScope, filled: Filled) -> None:
    """Every slot that must be sent is filled by something; a routine fills its own."""
    routine = scope.inputs.names.routines.get(scope.entry.routine or "")
    if scope.is_routine and routine is None:
        return  # what an unknown routine fills is not known either
    for call in scope.calls:
        for slot, excusable in _required(call, filled):
            if filled.has(slot, call.name):
                continue
            if routine is not None and f"{call.name}.{slot}" in routine.fills:
                continue
            if excusable and scope.exceptions.excuse("required", slot, "true"):
                continue
            where = f" of request {call.name!r}" if scope.is_routine else ""
            scope.report.at_key(
                Code.SLOT_UNFILLED,
                scope.at,
                f"nothing fills {slot!r}{where}, which {call.method.name!r} must send",
                f"add a required parameter with `to: {slot}`, or fill it by `fixed:`, `derive:` or `context:`",
            )


def _required(call: ResolvedCall, filled: Filled) -> list[tuple[str, bool]]:
    """Slots that must be sent, with True where only the witness says so."""
    method, facts = call.method, call.facts
    listed: dict[str, bool] = {
        f"path.{slot.name}": False for slot in method.path if _in_route(method, slot.name)
    }
    for place, slots in (("query", method.query), ("header", method.header)):
        listed.update({f"{place}.{slot.name}": False for slot in slots if slot.required})
    place = body_place(method)
    if method.body is not None and (method.body_required is not False or filled.has(place, call.name)):
        listed.update({f"{place}.{name}": False for name in sorted(method.body.required)})
    if facts is not None:
        for one in (*facts.query, *facts.body):
            slot = f"query.{one.name}" if one in facts.query else f"{place}.{one.name}"
            if is_required(one) and not one.sdk_only:
                listed.setdefault(slot, True)
    return list(listed.items())


def _in_route(method: Method, name: str) -> bool:
    return f":{name}" in method.route.split("/") or f":{name}" in method.route
