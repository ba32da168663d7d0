"""What the templates of Python files lay out: every line decided here, nothing left to choose."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from placet.contract import CONTRACT, ToolEntry
from placet_generator.emit.annotations import Annotator, Imports
from placet_generator.emit.definitions import (
    DefinitionView,
    common_names,
    shape_definitions,
    tool_definitions,
)
from placet_generator.emit.docstrings import function_docstring, title_docstring
from placet_generator.emit.literals import comment_text, constructor, python_literal, wrapped_literal
from placet_generator.emit.names import class_name, constant_name, export_order, pascal
from placet_generator.emit.prose import one_line
from placet_generator.emit.schemas import Shapes, arguments_of
from placet_generator.emit.wire import WireTool, source_of
from placet_generator.ir import DomainIR, MemberIR, SurfaceIR, ToolIR

__all__ = [
    "DomainViews",
    "ExportsView",
    "IndexView",
    "PackageView",
    "ShapesView",
    "ShardView",
    "ToolView",
    "domain_views",
    "index_view",
    "package_view",
    "shard_view",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapesView:
    """A domain's `_shapes` module."""

    header: str
    docstring: str
    imports: tuple[str, ...]
    definitions: tuple[DefinitionView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolView:
    """A tool's module.

    Attributes:
        constant: The `Tool`'s name and annotation; `settings` its arguments.
        signature: The function's parameters after `ctx`.
        call: The arguments struct, built.
    """

    header: str
    docstring: str
    imports: tuple[str, ...]
    definitions: tuple[DefinitionView, ...]
    constant: str
    kind: str
    settings: tuple[str, ...]
    function: str
    signature: str
    result: str
    about: str
    call: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportsView:
    """A domain's `__init__`: import lines, and `__all__` as literals."""

    header: str
    docstring: str
    imports: tuple[str, ...]
    exports: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainViews:
    """All modules of one domain; `tools` by key, `shapes` None when there are none."""

    exports: ExportsView
    shapes: ShapesView | None
    tools: Mapping[str, ToolView]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardView:
    """A domain's part of the index."""

    header: str
    docstring: str
    imports: tuple[str, ...]
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexView:
    """The index: its shards in order."""

    header: str
    imports: tuple[str, ...]
    shards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageView:
    """The package's `__init__`; `settings` are the arguments of its `Surface`."""

    header: str
    docstring: str
    imports: tuple[str, ...]
    contract: int
    settings: tuple[str, ...]


def domain_views(
    surface: SurfaceIR, domain: DomainIR, shapes: Shapes, wire: Mapping[str, WireTool]
) -> DomainViews:
    """Every module of a domain but its part of the index."""
    header = _header(domain.path)
    common = common_names(domain, shapes)
    exports = Imports()
    names: list[str] = []

    def export(module: str, *defined: str) -> None:
        exports.names(f"{surface.package}.{domain.name}.{module}", *defined)
        names.extend(defined)

    shapes_view = _shapes_view(surface, domain, shapes, common, header)
    if shapes_view is not None:
        export("_shapes", *(one.name for one in shapes_view.definitions))
    tools: dict[str, ToolView] = {}
    for tool in sorted(domain.tools, key=lambda one: one.name):
        view = _tool_view(surface, tool, shapes, common, wire[tool.name].digest, header)
        tools[tool.key] = view
        export(f"_{tool.key}", view.constant, view.function, *(one.name for one in view.definitions))
    return DomainViews(
        exports=ExportsView(
            header=header,
            docstring=title_docstring(_sentence(domain.title["en"])),
            imports=exports.lines(),
            exports=tuple(python_literal(name) for name in sorted(names, key=export_order)),
        ),
        shapes=shapes_view,
        tools=tools,
    )


def _shapes_view(
    surface: SurfaceIR, domain: DomainIR, shapes: Shapes, common: AbstractSet[str], header: str
) -> ShapesView | None:
    imports = Imports()
    definitions, shared = shape_definitions(domain, shapes, common, imports)
    if not definitions:
        return None
    _import_shapes(imports, surface.package, shared)
    return ShapesView(
        header=header,
        docstring=title_docstring(f"Shapes that the tools of `{domain.name}` share."),
        imports=imports.lines(),
        definitions=definitions,
    )


def _tool_view(
    surface: SurfaceIR, tool: ToolIR, shapes: Shapes, common: AbstractSet[str], digest: str, header: str
) -> ToolView:
    imports = Imports()
    definitions, shared = tool_definitions(tool, shapes, common, imports)
    _import_shapes(imports, surface.package, shared)
    stem, constant = pascal(tool.key), constant_name(tool.key)
    arguments = arguments_of(tool)
    used = {"CallContext", "Caller", "Result", "Tool"}
    settings = _tool_settings(tool, digest, stem, used)
    imports.names("placet.contract", *used)
    return ToolView(
        header=header,
        docstring=title_docstring(_sentence(_first_sentence(tool.summary["en"]))),
        imports=imports.lines(),
        definitions=definitions,
        constant=constant,
        kind=f"Tool[{stem}Args, {stem}Result]",
        settings=settings,
        function=tool.key,
        signature=_signature(tool, arguments, imports),
        result=f"Result[{stem}Result]",
        about=function_docstring(tool, arguments),
        call=f"{stem}Args({', '.join(f'{one.name}={one.name}' for one in arguments)})",
    )


def _tool_settings(tool: ToolIR, digest: str, stem: str, used: set[str]) -> tuple[str, ...]:
    settings = [
        f"name={python_literal(tool.name)}",
        f"wire_name={python_literal(tool.wire_name)}",
        f"risk={constructor(tool.risk, used)}",
        f"identity={constructor(tool.identity, used)}",
        f"scopes={constructor(tool.scopes, used)}",
        f"binding={constructor(tool.binding, used)}",
        f"digest={python_literal(digest)}",
        f"args={stem}Args",
        f"result={stem}Result",
    ]
    return (*settings, "sensitive=True") if tool.sensitive else tuple(settings)


def _signature(tool: ToolIR, arguments: Iterable[MemberIR], imports: Imports) -> str:
    annotator = Annotator(imports, frozenset({tool.key}))
    parameters = [f"{one.name}: {annotator.parameter(one)}" for one in arguments]
    return ", ".join(["gate: Caller", "ctx: CallContext", *(["*"] if parameters else []), *parameters])


def _import_shapes(imports: Imports, package: str, shared: Iterable[tuple[str, str]]) -> None:
    for domain, name in shared:
        imports.names(f"{package}.{domain}._shapes", class_name(name))


def shard_view(surface: SurfaceIR, domain: DomainIR, wire: Mapping[str, WireTool]) -> ShardView:
    """A domain's part of the index: pure data, which names no module of the domain but in text."""
    used = {"ToolEntry"}
    tools = sorted(domain.tools, key=lambda one: one.name)
    entries = tuple(constructor(_entry(surface, tool, wire[tool.name].digest), used) for tool in tools)
    imports = Imports()
    imports.names("placet.contract", *used)
    return ShardView(
        header=_header(domain.path),
        docstring=title_docstring(f"Index of `{domain.name}`: its tools as data."),
        imports=imports.lines(),
        entries=entries,
    )


def _entry(surface: SurfaceIR, tool: ToolIR, digest: str) -> ToolEntry:
    return ToolEntry(
        name=tool.name,
        wire_name=tool.wire_name,
        domain=tool.domain,
        risk=tool.risk,
        identity=tool.identity,
        scopes=tool.scopes,
        source=source_of(tool),
        summary=tool.summary["en"],
        target=f"{surface.package}.{tool.domain}._{tool.key}:{constant_name(tool.key)}",
        digest=digest,
        summaries={locale: tool.summary[locale] for locale in surface.locales[1:] if locale in tool.summary},
        keywords=tool.keywords,
        aliases=tool.aliases,
        sensitive=tool.sensitive,
    )


def index_view(surface: SurfaceIR) -> IndexView:
    """The index over all domains."""
    shards = sorted(domain.name for domain in surface.domains)
    imports = Imports()
    imports.names("placet.contract", "ToolEntry")
    imports.names(f"{surface.package}.index", *shards)
    return IndexView(
        header=_header(f"curation/{surface.name}"),
        imports=imports.lines(),
        shards=tuple(f"*{one}.TOOLS" for one in shards),
    )


def package_view(surface: SurfaceIR) -> PackageView:
    """The package itself."""
    imports = Imports()
    imports.names("placet.contract", "Surface")
    imports.names(f"{surface.package}.index", "TOOLS")
    about = (
        f"{_sentence(surface.title)} Typed tools, a module each; `surface` lists them without loading one."
    )
    presets = {name: tuple(surface.presets[name]) for name in sorted(surface.presets)}
    return PackageView(
        header=_header(f"curation/{surface.name}"),
        docstring=title_docstring(about),
        imports=imports.lines(),
        contract=CONTRACT,
        settings=(
            f"name={python_literal(surface.name)}",
            f"package={python_literal(surface.package)}",
            f"platform={python_literal(surface.platform)}",
            f"title={wrapped_literal(surface.title)}",
            "tools=TOOLS",
            f"presets={python_literal(presets)}",
            f"locales={python_literal(surface.locales)}",
            "contract=CONTRACT",
        ),
    )


def _header(path: str) -> str:
    return f"# Generated by `make generate` from {comment_text(path)}. Do not edit."


def _first_sentence(text: str) -> str:
    return one_line(text).partition(". ")[0]


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
