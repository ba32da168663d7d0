"""Limits and values: whether a constraint fits a type, and a value fits both."""

import re
from collections.abc import Callable
from typing import Any

from placet_generator.curation.models import Limited
from placet_generator.diagnostics import Code
from placet_generator.ir import Limits, ListType, ObjectType, ScalarType, TypeIR, UnionType
from placet_generator.resolve.patterns import matches, pattern_fault
from placet_generator.resolve.scope import At, Report

_TEXTS = frozenset({"string"})
_NUMBERS = frozenset({"integer", "number"})
_ENUMS = frozenset({"string", "integer", "int64"})
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})")
_INT64 = re.compile(r"-?\d{1,19}")
_FITS_SCALAR: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "time": lambda value: isinstance(value, str) and _TIME.fullmatch(value) is not None,
    "int64": lambda value: isinstance(value, str) and _INT64.fullmatch(value) is not None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "file": lambda value: isinstance(value, str),
    "any": lambda value: True,
}


def limits_of(declared: Limited, kind: TypeIR) -> Limits:
    """The declared limits of the value itself; of a list only those on its length."""
    if isinstance(kind, ListType):
        return Limits(min_items=declared.min_items, max_items=declared.max_items)
    return item_limits_of(declared)


def item_limits_of(declared: Limited) -> Limits:
    """The declared limits of one value: of the items, where the declaration is a list."""
    return Limits(
        min=declared.min,
        max=declared.max,
        min_len=declared.min_len,
        max_len=declared.max_len,
        max_bytes=declared.max_bytes,
        pattern=declared.pattern,
        enum=tuple(declared.enum or ()),
    )


def check_limits(report: Report, declared: Limited, kind: TypeIR, at: At) -> None:
    """Each constraint must mean something for the type, and none may contradict another."""
    leaf = kind.item if isinstance(kind, ListType) else kind
    name = leaf.name if isinstance(leaf, ScalarType) else "object"
    is_list = isinstance(kind, ListType)
    allowed = {
        "min": name in _NUMBERS,
        "max": name in _NUMBERS,
        "min_len": name in _TEXTS,
        "max_len": name in _TEXTS,
        "pattern": name in _TEXTS,
        "min_items": is_list,
        "max_items": is_list,
        "max_bytes": name == "file",
        "enum": name in _ENUMS,
    }
    for key, fine in allowed.items():
        if getattr(declared, key) is not None and not fine:
            report.error(
                Code.CONSTRAINT_MISFIT, at.sub(key), f"{key!r} means nothing for {_shown(kind)}", "remove it"
            )
    for low, high in (("min", "max"), ("min_len", "max_len"), ("min_items", "max_items")):
        least, most = getattr(declared, low), getattr(declared, high)
        if least is not None and most is not None and least > most:
            report.error(
                Code.CONSTRAINT_MISFIT, at.sub(high), f"{high} {most} is below {low} {least}", "swap them"
            )
    if declared.pattern is not None:
        _check_pattern(report, declared.pattern, at.sub("pattern"))
    _check_enum(report, declared.enum, leaf, at)


def _check_pattern(report: Report, pattern: str, at: At) -> None:
    if fault := pattern_fault(pattern):
        report.error(Code.CONSTRAINT_MISFIT, at, fault, "write it more plainly, in the syntax both share")


def _check_enum(report: Report, values: list[Any] | None, leaf: TypeIR, at: At) -> None:
    if values is None or not isinstance(leaf, ScalarType):
        return
    for index, value in enumerate(values):
        if not _FITS_SCALAR[leaf.name](value):
            report.error(
                Code.VALUE_MISFIT,
                at.sub("enum", index),
                f"{value!r} is no {leaf.name}",
                "correct the value or the type",
            )
        if value in values[:index]:
            report.error(Code.VALUE_MISFIT, at.sub("enum", index), f"{value!r} stands twice", "remove one")


def fits(value: Any, kind: TypeIR, limits: Limits) -> str | None:
    """Why a value does not fit a type and its limits; None when it does."""
    match kind:
        case ListType():
            if not isinstance(value, list):
                return f"is no {_shown(kind)}"
            if limits.max_items is not None and len(value) > limits.max_items:
                return f"has more than {limits.max_items} items"
            if limits.min_items is not None and len(value) < limits.min_items:
                return f"has fewer than {limits.min_items} items"
            return next((problem for one in value if (problem := fits(one, kind.item, kind.limits))), None)
        case ObjectType():
            return _fits_object(value, kind)
        case UnionType():
            return _fits_union(value, kind)
        case _:
            return _fits_scalar(value, kind, limits)


def _fits_scalar(value: Any, kind: ScalarType, limits: Limits) -> str | None:
    if not _FITS_SCALAR[kind.name](value):
        return f"is no {kind.name}"
    if limits.enum and value not in limits.enum:
        return f"is none of {', '.join(map(str, limits.enum))}"
    if isinstance(value, str) and kind.name == "string":
        return _fits_text(value, limits)
    if isinstance(value, int | float) and kind.name in _NUMBERS:
        if limits.min is not None and value < limits.min:
            return f"is below {limits.min}"
        if limits.max is not None and value > limits.max:
            return f"is above {limits.max}"
    return None


def _fits_text(value: str, limits: Limits) -> str | None:
    if limits.min_len is not None and len(value) < limits.min_len:
        return f"is shorter than {limits.min_len} characters"
    if limits.max_len is not None and len(value) > limits.max_len:
        return f"is longer than {limits.max_len} characters"
    if limits.pattern is not None and not matches(limits.pattern, value):
        return "does not match the pattern"
    return None


def _fits_object(value: Any, kind: ObjectType) -> str | None:
    if not isinstance(value, dict):
        return "is no object"
    members = {member.name: member for member in kind.members}
    for name, inner in value.items():
        if name not in members:
            return f"has the unknown member {name!r}"
        if inner is None and members[name].nullable:
            continue
        if problem := fits(inner, members[name].type, members[name].limits):
            return f"has a member {name!r} that {problem}"
    missing = [member.name for member in kind.members if member.required and member.name not in value]
    return f"lacks {missing[0]!r}" if missing else None


def _fits_union(value: Any, kind: UnionType) -> str | None:
    if not isinstance(value, dict):
        return "is no object"
    variant = dict(kind.variants).get(value.get(kind.tag, ""))
    if variant is None:
        return f"has no {kind.tag!r} of {', '.join(name for name, _ in kind.variants)}"
    return _fits_object({name: inner for name, inner in value.items() if name != kind.tag}, variant)


def _shown(kind: TypeIR) -> str:
    match kind:
        case ScalarType():
            return kind.name
        case ListType():
            return f"list[{_shown(kind.item)}]"
        case _:
            return "an object"
