"""Types as Python annotations, and the imports they need."""

from collections.abc import Set as AbstractSet

from placet_generator.emit.literals import pattern_literal, python_literal
from placet_generator.emit.names import class_name, export_order, module_order
from placet_generator.ir import UNLIMITED, Limits, ListType, MemberIR, ScalarType, TypeIR, UnionType

__all__ = ["Annotator", "Imports"]

_BUILTINS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_CONTRACT_TYPES = {"int64": "Int64", "time": "Timestamp", "file": "FileHandle"}
_SECTIONS = (("builtins", "typing"), ("msgspec",))
"""Modules of the first two import sections; every other module stands in the third."""


class Imports:
    """What a module imports; `lines` are sorted as ruff sorts them."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = {}
        self._modules: set[str] = set()

    def module(self, name: str) -> None:
        self._modules.add(name)

    def names(self, module: str, *names: str) -> None:
        self._names.setdefault(module, set()).update(names)

    def lines(self) -> tuple[str, ...]:
        """Import statements, an empty line between sections."""
        known = {module for section in _SECTIONS for module in section}
        others = tuple(sorted(self._names.keys() - known, key=module_order))
        lines: list[str] = []
        for section in (*_SECTIONS, others):
            found = [f"import {name}" for name in section if name in self._modules]
            found += [_from_line(name, self._names[name]) for name in section if self._names.get(name)]
            lines += ["", *found] if lines and found else found
        return tuple(lines)


def _from_line(module: str, names: AbstractSet[str]) -> str:
    return f"from {module} import {', '.join(sorted(names, key=export_order))}"


class Annotator:
    """Writes annotations for one scope of a module.

    A scope may hold names of its own, members of a class or the function beside it, that equal a builtin's; there
    the builtin is written `builtins.list`.
    """

    def __init__(
        self, imports: Imports, taken: AbstractSet[str], classes: AbstractSet[str] | None = None
    ) -> None:
        """
        Args:
            taken: Names that hide builtins in this scope.
            classes: Classes defined so far; an annotation that needs a later one is quoted. None quotes nothing.
        """
        self._imports = imports
        self._taken = taken
        self._classes = classes
        self._looks_ahead = False

    def argument(self, member: MemberIR) -> str:
        """A member of an arguments struct, with its limits."""
        return self._complete(self._type(member.type, member.limits), member)

    def parameter(self, member: MemberIR) -> str:
        """A parameter of a function; the struct it fills checks the limits."""
        return self._complete(self._type(member.type, member.limits, limited=False), member)

    def result(self, kind: TypeIR) -> str:
        """A field of an answer: never required, never limited."""
        self._looks_ahead = False
        return self._optional(self._type(_unlimited(kind), UNLIMITED, limited=False))

    def _complete(self, annotation: str, member: MemberIR) -> str:
        null = " | None" if member.nullable and annotation != "Any" else ""
        return self._ahead(annotation + null) if member.required else self._optional(annotation, null)

    def _optional(self, annotation: str, null: str = "") -> str:
        self._imports.names("msgspec", "UNSET", "UnsetType")
        return f"{self._ahead(f'{annotation} | UnsetType{null}')} = UNSET"

    def _ahead(self, annotation: str) -> str:
        looks_ahead, self._looks_ahead = self._looks_ahead, False
        return python_literal(annotation) if looks_ahead else annotation

    def _builtin(self, name: str) -> str:
        if name not in self._taken:
            return name
        self._imports.module("builtins")
        return f"builtins.{name}"

    def _type(self, kind: TypeIR, limits: Limits, *, limited: bool = True) -> str:
        if isinstance(kind, ScalarType):
            return self._scalar(kind, limits, limited)
        if isinstance(kind, ListType):
            inner = self._type(kind.item, kind.limits, limited=limited)
            annotation = f"{self._builtin('list')}[{inner}]"
            meta = _meta(min_length=limits.min_items, max_length=limits.max_items) if limited else ""
            return self._annotated(annotation, meta)
        name = class_name(kind.name)
        if self._classes is not None and name not in self._classes:
            self._looks_ahead = True
        return name

    def _scalar(self, kind: ScalarType, limits: Limits, limited: bool) -> str:
        if limits.enum and kind.name not in ("number", "boolean"):
            self._imports.names("typing", "Literal")
            return f"Literal[{', '.join(map(python_literal, limits.enum))}]"
        if kind.name in _CONTRACT_TYPES:
            self._imports.names("placet.contract", _CONTRACT_TYPES[kind.name])
            return _CONTRACT_TYPES[kind.name]
        if kind.name == "any":
            self._imports.names("typing", "Any")
            return "Any"
        if kind.name == "object":
            self._imports.names("typing", "Any")
            return f"{self._builtin('dict')}[{self._builtin('str')}, Any]"
        builtin, meta = self._builtin(_BUILTINS[kind.name]), ""
        if not limited:
            return builtin
        if kind.name == "string":
            meta = _meta(min_length=limits.min_len, max_length=limits.max_len)
            if limits.pattern is not None:
                whole = pattern_literal(rf"\A(?:{limits.pattern})\Z")
                meta = f"{meta}, pattern={whole}" if meta else f"pattern={whole}"
        elif kind.name in ("integer", "number"):
            meta = _meta(ge=limits.min, le=limits.max)
        return self._annotated(builtin, meta)

    def _annotated(self, annotation: str, meta: str) -> str:
        if not meta:
            return annotation
        self._imports.names("typing", "Annotated")
        self._imports.names("msgspec", "Meta")
        return f"Annotated[{annotation}, Meta({meta})]"


def _unlimited(kind: TypeIR) -> TypeIR:
    """The type of an answer: no limits, and a union is any object, for what an answer adds must not spoil the rest."""
    if isinstance(kind, ListType):
        return ListType(item=_unlimited(kind.item))
    return ScalarType(name="object") if isinstance(kind, UnionType) else kind


def _meta(**limits: float | int | None) -> str:
    return ", ".join(f"{name}={limit!r}" for name, limit in limits.items() if limit is not None)
