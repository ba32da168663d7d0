"""Structs of a generated module: which ones, in which order, and how each is written.

A struct stands after those it needs. A type that more than one tool of a domain uses stands in the domain's
`_shapes` module, and so does every declared shape.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from placet_generator.emit.annotations import Annotator, Imports
from placet_generator.emit.docstrings import struct_docstring
from placet_generator.emit.literals import python_literal
from placet_generator.emit.names import class_name, pascal
from placet_generator.emit.schemas import Shapes, arguments_of
from placet_generator.ir import (
    DomainIR,
    FieldIR,
    Limits,
    ListType,
    MemberIR,
    ObjectType,
    ScalarType,
    ToolIR,
    TypeIR,
    UnionType,
)

__all__ = ["DefinitionView", "Definitions", "common_names", "shape_definitions", "tool_definitions"]

NamedType = ObjectType | UnionType

_ARGUMENTS = "Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True"
_RESULT = "Struct, frozen=True, kw_only=True"


@dataclass(frozen=True, slots=True)
class DefinitionView:
    """A class, or an alias when `body` is empty. `body` has the docstring first, then one field a line."""

    name: str
    head: str
    body: tuple[str, ...] = ()


@dataclass(slots=True)
class Definitions:
    """The types a module defines, innermost first, and the ones it takes from a `_shapes` module.

    Attributes:
        own: Types to define.
        shared: Domain and name of every type to import.
    """

    shapes: Shapes
    domain: str
    common: AbstractSet[str]
    defines_shared: bool = False
    own: list[NamedType] = field(default_factory=list)
    shared: set[tuple[str, str]] = field(default_factory=set)
    _entered: set[str] = field(default_factory=set)

    def enter(self, kind: TypeIR) -> None:
        """Collects `kind` and everything below it; what another module defines is not entered."""
        if isinstance(kind, ListType):
            self.enter(kind.item)
        if isinstance(kind, ScalarType | ListType):
            return
        home = self._home(kind)
        if home is not None and not (self.defines_shared and home == self.domain):
            self.shared.add((home, kind.name))
        elif kind.name not in self._entered:
            self._entered.add(kind.name)
            definition = self.shapes.definition(kind) if kind.shared else kind
            for member in _all_members(definition):
                self.enter(member.type)
            self.own.append(definition)

    def _home(self, kind: NamedType) -> str | None:
        """The domain in whose `_shapes` module a type stands; None for a tool's own."""
        if kind.shared:
            return kind.owner or self.domain
        return self.domain if kind.name in self.common else None


def _all_members(kind: NamedType) -> Iterator[MemberIR]:
    if isinstance(kind, ObjectType):
        yield from kind.members
    else:
        for _, variant in kind.variants:
            yield from variant.members


def common_names(domain: DomainIR, shapes: Shapes) -> frozenset[str]:
    """Names of undeclared types that more than one tool of the domain uses."""
    used: Counter[str] = Counter()
    for tool in domain.tools:
        found = Definitions(shapes, domain.name, frozenset())
        for kind in (*(one.type for one in tool.params), *(one.type for one in tool.output)):
            found.enter(kind)
        used.update({one.name for one in found.own})
    return frozenset(name for name, tools in used.items() if tools > 1)


def shape_definitions(
    domain: DomainIR, shapes: Shapes, common: AbstractSet[str], imports: Imports
) -> tuple[tuple[DefinitionView, ...], AbstractSet[tuple[str, str]]]:
    """What a domain's `_shapes` module defines, and what it takes from other domains."""
    found = Definitions(shapes, domain.name, common, defines_shared=True)
    for shape in sorted(domain.shapes, key=lambda one: one.name):
        found.enter(shape)
    tools = sorted(domain.tools, key=lambda one: one.name)
    answers = Definitions(shapes, domain.name, common, defines_shared=True)
    for tool in tools:
        for member in tool.params:
            _enter_common(found, member.type, common)
        for output in tool.output:
            _enter_common(answers, output.type, common)
    writer = _Writer(imports, frozenset(), f"Shared by the tools of `{domain.name}`.")
    writer.know(found.shared | answers.shared)
    for kind in found.own:
        writer.argument_type(kind)
    taken = {kind.name for kind in found.own}
    for kind in answers.own:
        if kind.name not in taken:
            writer.answer_type(kind)
    return tuple(writer.views), found.shared | answers.shared


def _enter_common(found: Definitions, kind: TypeIR, common: AbstractSet[str]) -> None:
    if isinstance(kind, ListType):
        _enter_common(found, kind.item, common)
    elif isinstance(kind, ObjectType | UnionType) and not kind.shared:
        if kind.name in common:
            found.enter(kind)
        else:
            for member in _all_members(kind):
                _enter_common(found, member.type, common)


def tool_definitions(
    tool: ToolIR, shapes: Shapes, common: AbstractSet[str], imports: Imports
) -> tuple[tuple[DefinitionView, ...], AbstractSet[tuple[str, str]]]:
    """The structs of one tool, its arguments and result last, and what it takes from `_shapes` modules."""
    arguments = Definitions(shapes, tool.domain, common)
    for member in tool.params:
        arguments.enter(member.type)
    answer = Definitions(shapes, tool.domain, common)
    for output in tool.output:
        answer.enter(output.type)
    shared = arguments.shared | answer.shared
    stem = pascal(tool.key)
    writer = _Writer(imports, frozenset({tool.key}), f"Part of the arguments of `{tool.name}`.")
    writer.know(shared)
    for kind in arguments.own:
        writer.argument_type(kind)
    writer.about = f"Part of the data of `{tool.name}`."
    for kind in answer.own:
        writer.answer_type(kind)
    writer.about = f"Arguments of `{tool.name}`."
    writer.arguments(f"{stem}Args", arguments_of(tool))
    writer.about = f"Data of `{tool.name}`."
    writer.answer(f"{stem}Result", tool.output)
    return tuple(writer.views), shared


class _Writer:
    """Writes definitions one after the other; each may use those before it."""

    def __init__(self, imports: Imports, taken: AbstractSet[str], about: str) -> None:
        self.views: list[DefinitionView] = []
        self.about = about
        self._imports = imports
        self._taken = taken
        self._classes: set[str] = set()

    def know(self, imported: Iterable[tuple[str, str]]) -> None:
        self._classes.update(class_name(name) for _, name in imported)

    def argument_type(self, kind: NamedType) -> None:
        if isinstance(kind, ObjectType):
            self.arguments(class_name(kind.name), kind.members, described=True)
            return
        for tag, variant in kind.variants:
            self._variant(kind, tag, variant)
        names = " | ".join(class_name(variant.name) for _, variant in kind.variants)
        self._add(DefinitionView(class_name(kind.name), f"{class_name(kind.name)} = {names}"))

    def answer_type(self, kind: NamedType) -> None:
        if isinstance(kind, ObjectType):
            self.answer(class_name(kind.name), kind.members)

    def arguments(
        self, name: str, members: Iterable[MemberIR], *, config: str = "", described: bool = False
    ) -> None:
        members = tuple(members)
        annotator = self._annotator(members)
        fields = (f"{one.name}: {annotator.argument(one)}" for one in members)
        self._struct(name, _ARGUMENTS + config, fields, members if described else ())

    def answer(self, name: str, members: Iterable[MemberIR | FieldIR]) -> None:
        members = tuple(members)
        annotator = self._annotator(members)
        fields = (f"{one.name}: {annotator.result(one.type)}" for one in members)
        self._struct(name, _RESULT, fields, members)

    def _variant(self, union: UnionType, tag: str, variant: ObjectType) -> None:
        name, members = class_name(variant.name), variant.members
        if len(union.variants) > 1:
            config = f", tag_field={python_literal(union.tag)}, tag={python_literal(tag)}"
            self.arguments(name, members, config=config, described=True)
            return
        # Alone, a tagged struct may leave its tag out, which the schema does not allow.
        only = MemberIR(
            name=union.tag,
            type=ScalarType(name="string"),
            required=True,
            about={},
            limits=Limits(enum=(tag,)),
        )
        self.arguments(name, (only, *members), described=True)

    def _annotator(self, members: Iterable[MemberIR | FieldIR]) -> Annotator:
        self._imports.names("msgspec", "Struct")
        return Annotator(self._imports, self._taken | {one.name for one in members}, self._classes)

    def _struct(
        self, name: str, bases: str, fields: Iterable[str], described: Iterable[MemberIR | FieldIR]
    ) -> None:
        docstring = struct_docstring(self.about, ((one.name, one.about.get("en", "")) for one in described))
        self._add(DefinitionView(name, f"class {name}({bases}):", (docstring, *fields)))

    def _add(self, view: DefinitionView) -> None:
        self.views.append(view)
        self._classes.add(view.name)
