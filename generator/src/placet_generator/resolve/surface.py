"""The whole surface: every tool of every domain, and what holds between them."""

from collections.abc import Iterable, Iterator, Sequence

from placet.contract.words import WIRE_NAME_MAX
from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.loader import Curation, Located, Page
from placet_generator.curation.models import DomainFile
from placet_generator.diagnostics import Code, Diagnostic
from placet_generator.ir import DomainIR, ListType, ObjectType, SurfaceIR, ToolIR, TopicIR, TypeIR, UnionType
from placet_generator.pin import signatures
from placet_generator.resolve.calls import resolve_calls
from placet_generator.resolve.locales import text_tables
from placet_generator.resolve.naming import RESERVED_DOMAINS, RESERVED_PACKAGES, fault_of, is_locale
from placet_generator.resolve.references import (
    Known,
    check_chains,
    check_domain_texts,
    check_page_texts,
    check_presets,
    check_routes,
    check_tool_references,
)
from placet_generator.resolve.scope import At, Exceptions, Inputs, Report, TextTable, ToolScope
from placet_generator.resolve.tool import resolve_tool


def resolve(inputs: Inputs) -> tuple[SurfaceIR, tuple[Diagnostic, ...]]:
    """Resolve a surface. The result is fit for emission only when no finding is an error."""
    report = Report()
    curation = inputs.curation
    tables = text_tables(curation, report)
    _check_names(curation, report)
    scopes: dict[str, ToolScope] = {}
    tools: dict[str, ToolIR] = {}
    defaults = dict(curation.surface.model.defaults)
    for domain in curation.domains:
        for scope in _scopes(domain, inputs, tables, report):
            if scope.name not in scopes:
                scopes[scope.name] = scope
                tools[scope.name] = resolve_tool(scope, wire_name(scope.name), defaults)
    known = _known(curation, tools)
    for name, tool in tools.items():
        check_tool_references(scopes[name], tool, known)
    check_routes(list(scopes.values()), report)
    check_chains(scopes, known, report)
    for domain in curation.domains:
        check_domain_texts(domain, tables[domain.model.domain].english, known, report)
    for page in curation.pages:
        check_page_texts(page.path, page.text, known, report)
    check_presets(curation.surface, inputs, known, report)
    if curation.is_complete():
        _check_used(curation, report)
    return _surface(inputs, tools, scopes, tables), tuple(report.found)


def wire_name(name: str) -> str:
    """`bitable.update_record` as a model sees it: `bitable_update_record`."""
    return name.replace(".", "_")


def _scopes(
    domain: Located[DomainFile], inputs: Inputs, tables: dict[str, TextTable], report: Report
) -> Iterator[ToolScope]:
    for key, entry in domain.model.tools.items():
        at = At(domain.document, ("tools", key))
        calls = resolve_calls(entry, at, inputs, report)
        if calls is None:
            continue
        yield ToolScope(
            inputs=inputs,
            report=report,
            domain=domain.model,
            key=key,
            entry=entry,
            at=at,
            calls=calls,
            exceptions=Exceptions(entry, at),
            tables=tables,
        )


def _check_names(curation: Curation, report: Report) -> None:
    """Legal, short, and each wire name once; aliases belong to nobody living."""
    seen: dict[str, tuple[str, At]] = {}
    aliases: dict[str, tuple[str, At]] = {}
    _check_surface_names(curation, report)
    for domain in curation.domains:
        if fault := fault_of(domain.model.domain):
            report.error(
                Code.NAME_ILLEGAL,
                domain.span(("domain",)),
                f"domain {domain.model.domain!r} {fault}",
                "rename it",
            )
        if domain.model.domain in RESERVED_DOMAINS:
            report.error(
                Code.NAME_ILLEGAL,
                domain.span(("domain",)),
                f"domain {domain.model.domain!r} is reserved: every package has a module of that name",
                "rename it",
            )
        for kind, named in (("shape", domain.model.shapes), ("parameter", domain.model.parameters)):
            for name in named:
                if fault := fault_of(name, argument=kind == "parameter"):
                    place = At(domain.document, (f"{kind}s", name))
                    report.at_key(Code.NAME_ILLEGAL, place, f"{kind} {name!r} {fault}", "rename it")
        for key, entry in domain.model.tools.items():
            name, at = f"{domain.model.domain}.{key}", At(domain.document, ("tools", key))
            _check_tool_name(name, key, at, seen, report)
            for index, alias in enumerate(entry.aliases):
                _check_alias(alias, name, at.sub("aliases", index), aliases, report)
    for alias, (name, at) in aliases.items():
        owner = seen.get(wire_name(alias))
        if owner is not None:
            report.error(
                Code.ALIAS_COLLISION,
                at,
                f"alias {alias!r} of {name!r} is the name of a living tool",
                "remove the alias",
            )


def _check_surface_names(curation: Curation, report: Report) -> None:
    """Names that become modules, folders and parts of paths; the domain that `meta:` names."""
    surface = curation.surface
    meta = surface.model.meta
    if meta is not None and not curation.knows_domain(meta):
        message = f"there is no domain {meta!r}"
        report.error(
            Code.FILE_MISPLACED,
            surface.span(("meta",)),
            message,
            f"add domains/{meta}.yaml, or remove `meta:`",
        )
    for key, name in (("surface", surface.model.surface), ("package", surface.model.package)):
        if fault := fault_of(name):
            report.error(Code.NAME_ILLEGAL, surface.span((key,)), f"{key} {name!r} {fault}", "rename it")
    if surface.model.package in RESERVED_PACKAGES:
        message = f"package {surface.model.package!r} would lie over a module of that name"
        report.error(
            Code.NAME_ILLEGAL, surface.span(("package",)), message, "name it after the surface, as x_tools"
        )
    for index, locale in enumerate(surface.model.locales):
        at = surface.span(("locales", index))
        if locale == "en" or locale in surface.model.locales[:index]:
            report.error(Code.NAME_DUPLICATE, at, f"locale {locale!r} is there already", "remove it")
        elif not is_locale(locale):
            hint = "write the tag of a language, as `zh` or `pt-BR`"
            report.error(Code.NAME_ILLEGAL, at, f"{locale!r} is no locale", hint)


def _check_tool_name(name: str, key: str, at: At, seen: dict[str, tuple[str, At]], report: Report) -> None:
    if fault := fault_of(key):
        report.at_key(Code.NAME_ILLEGAL, at, f"tool {key!r} {fault}", "rename it")
    wire = wire_name(name)
    if len(wire) > WIRE_NAME_MAX:
        report.at_key(
            Code.NAME_TOO_LONG,
            at,
            f"the wire name {wire!r} has {len(wire)} characters, more than {WIRE_NAME_MAX}",
            f"shorten it by {len(wire) - WIRE_NAME_MAX}, as {wire[:WIRE_NAME_MAX].rsplit('_', 1)[0]!r}",
        )
    if wire in seen:
        other, place = seen[wire]
        report.error(
            Code.NAME_DUPLICATE,
            at.span(key=True),
            f"{name!r} and {other!r} have one wire name, {wire!r}",
            "rename one of them",
            related=(place.span(key=True),),
        )
    seen.setdefault(wire, (name, at))


def _check_alias(alias: str, name: str, at: At, aliases: dict[str, tuple[str, At]], report: Report) -> None:
    domain, dot, key = alias.partition(".")
    if not dot or fault_of(domain) or fault_of(key):
        report.error(
            Code.NAME_ILLEGAL, at, f"alias {alias!r} is no canonical name", "write it as `domain.tool`"
        )
    if alias in aliases:
        other, place = aliases[alias]
        report.error(
            Code.ALIAS_COLLISION,
            at,
            f"alias {alias!r} stands at {name!r} and at {other!r}",
            "keep it at one of them",
            related=(place.span(),),
        )
    aliases.setdefault(alias, (name, at))


def _known(curation: Curation, tools: dict[str, ToolIR]) -> Known:
    domains = frozenset(domain.model.domain for domain in curation.domains)
    topics = {f"{page.domain}/{page.topic}" if page.topic else page.domain for page in curation.pages}
    return Known(
        tools=tools,
        names=frozenset(
            f"{domain.model.domain}.{key}"
            for domain in curation.domains
            for key in (*domain.model.tools, *domain.left_out_of("tools"))
        ),
        domains=domains,
        unread=frozenset(
            place.removeprefix("domains/").removesuffix(".yaml")
            for place in curation.unreadable
            if place.startswith("domains/")
        ),
        topics=frozenset(topics),
    )


def _check_used(curation: Curation, report: Report) -> None:
    """Shapes and shared parameters that no tool uses: checked by nobody, so nobody may rely on them.

    A misspelt name, told where it stands, uses what it probably means.
    """
    declared = {
        f"{domain.model.domain}.{name}" for domain in curation.domains for name in domain.model.shapes
    }
    shapes: set[str] = set()
    for domain in curation.domains:
        for name in _shape_names(domain.document.value):
            full = name if "." in name else f"{domain.model.domain}.{name}"
            shapes.update([full] if full in declared else nearest(full, declared, limit=1))
    for domain in curation.domains:
        shared = {
            name
            for entry in domain.model.tools.values()
            for name, written in entry.parameters.items()
            if written == "shared"
        }
        misspelt = shared - domain.model.parameters.keys()
        shared.update(close for name in misspelt for close in nearest(name, domain.model.parameters, limit=1))
        for name in domain.model.parameters.keys() - shared:
            place = At(domain.document, ("parameters", name))
            report.at_key(
                Code.DECLARATION_UNUSED, place, f"no tool shares the parameter {name!r}", "remove it"
            )
        for name in domain.model.shapes:
            if f"{domain.model.domain}.{name}" not in shapes:
                place = At(domain.document, ("shapes", name))
                report.at_key(Code.DECLARATION_UNUSED, place, f"nothing uses the shape {name!r}", "remove it")


def _shape_names(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        named = value.get("shape")
        if isinstance(named, str):
            yield named
        for inner in value.values():
            yield from _shape_names(inner)


def _surface(
    inputs: Inputs, tools: dict[str, ToolIR], scopes: dict[str, ToolScope], tables: dict[str, TextTable]
) -> SurfaceIR:
    curation = inputs.curation
    surface = curation.surface.model
    methods = {call.sdk: call.method for scope in scopes.values() for call in scope.calls}
    shared = _shared_shapes(tools.values())
    return SurfaceIR(
        name=surface.surface,
        package=surface.package,
        title=surface.title,
        platform=surface.platform,
        locales=("en", *surface.locales),
        domains=tuple(
            _domain(domain, tools, shared, curation.pages, tables)
            for domain in sorted(curation.domains, key=lambda one: one.model.domain)
        ),
        presets={name: tuple(names) for name, names in sorted(surface.presets.items())},
        sdk=inputs.catalogue.version,
        sdk_files=dict(sorted(inputs.catalogue.read_files().items())),
        signatures=signatures(methods, tools.values()),
    )


def _domain(
    domain: Located[DomainFile],
    tools: dict[str, ToolIR],
    shared: dict[tuple[str, str], ObjectType | UnionType],
    pages: Sequence[Page],
    tables: dict[str, TextTable],
) -> DomainIR:
    name = domain.model.domain
    return DomainIR(
        name=name,
        title=tables[name].at(("title",), domain.model.title),
        tools=tuple(tool for _, tool in sorted(tools.items()) if tool.domain == name),
        shapes=tuple(shape for (owner, _), shape in sorted(shared.items()) if owner == name),
        guidance=tuple(_topics(name, pages)),
        path=domain.document.path,
    )


def _topics(domain: str, pages: Sequence[Page]) -> Iterator[TopicIR]:
    topics = sorted({page.topic for page in pages if page.domain == domain})
    for topic in topics:
        texts = {page.locale: page.text for page in pages if (page.domain, page.topic) == (domain, topic)}
        titles = {locale: _heading(text, topic or domain) for locale, text in texts.items()}
        yield TopicIR(domain=domain, topic=topic, title=titles, text=texts)


def _heading(text: str, default: str) -> str:
    """The page's first heading."""
    lines = (line.removeprefix("#").strip("# ").strip() for line in text.splitlines() if line.startswith("#"))
    return next(lines, default)


def _shared_shapes(tools: Iterable[ToolIR]) -> dict[tuple[str, str], ObjectType | UnionType]:
    found: dict[tuple[str, str], ObjectType | UnionType] = {}

    def visit(kind: TypeIR) -> None:
        match kind:
            case ListType():
                visit(kind.item)
            case ObjectType():
                if kind.shared:
                    found[kind.owner, kind.name] = kind
                for member in kind.members:
                    visit(member.type)
            case UnionType():
                if kind.shared:
                    found[kind.owner, kind.name] = kind
                for _, variant in kind.variants:
                    for member in variant.members:
                        visit(member.type)
            case _:
                pass

    for tool in tools:
        for param in tool.params:
            visit(param.type)
    return found
