"""What tools say of each other: names in texts, origins of ids, reads before writes, shared routes, presets."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from placet.contract import Risk
from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.loader import Located
from placet_generator.curation.models import BeforeRead, DomainFile, SurfaceFile
from placet_generator.diagnostics import Code, Span
from placet_generator.ir import ListType, MemberIR, ScalarType, ToolIR, TypeIR
from placet_generator.resolve.places import output_places, type_in_output
from placet_generator.resolve.scope import At, Inputs, Report, ToolScope

_NAMED = re.compile(r"(?<![\w./@:-])([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)(?![\w/])")
_IDENTIFIES = re.compile(r"(^|_)(ids?|tokens?|codes?|keys?|guids?)$")


@dataclass(frozen=True, slots=True)
class Known:
    """Every tool that was resolved, and every name that exists even where a tool could not be.

    Attributes:
        unread: Domains whose file could not be read, so that nobody knows their tools.
    """

    tools: Mapping[str, ToolIR]
    names: frozenset[str]
    domains: frozenset[str]
    topics: frozenset[str]
    unread: frozenset[str] = frozenset()

    def has(self, name: str) -> bool:
        """True for a tool's name, and for any name of a domain whose file could not be read."""
        return name in self.names or name.partition(".")[0] in self.unread


def check_tool_references(scope: ToolScope, tool: ToolIR, known: Known) -> None:
    """Origins and the read before a write."""
    for member in tool.params:
        at = scope.parameter(member.name)
        _check_origins(scope, tool, member, at, known)
    if scope.entry.before is not None and scope.entry.before.tool is not None:
        _check_before(scope, scope.entry.before, tool, known)


def _check_origins(scope: ToolScope, tool: ToolIR, member: MemberIR, at: At, known: Known) -> None:
    place = at.sub("obtain")
    for index, origin in enumerate(member.obtain):
        fault = _origin_fault(origin, known)
        if fault is not None:
            code, message, hint = fault
            scope.report.error(code, place.sub(index) if len(member.obtain) > 1 else place, message, hint)
    if _needs_origin(scope, tool, member):
        scope.report.at_key(
            Code.OBTAIN_MISSING,
            at,
            f"nothing says where {member.name!r} comes from",
            "add `obtain:` with a tool's place, `guidance:topic` or `person`",
        )


def _needs_origin(scope: ToolScope, tool: ToolIR, member: MemberIR) -> bool:
    """A required id that neither another argument nor a short list of values supplies."""
    identifies = _IDENTIFIES.search(member.name) is not None and _is_text(member.type)
    written = scope.entry.parameters[member.name]
    declared = scope.domain.parameters[member.name] if isinstance(written, str) else written
    supplied = bool(member.obtain or member.limits.enum) or declared.default_from is not None
    return member.required and identifies and not supplied and tool.binding.local is None


def _is_text(kind: TypeIR) -> bool:
    leaf = kind.item if isinstance(kind, ListType) else kind
    return isinstance(leaf, ScalarType) and leaf.name in ("string", "int64")


def _origin_fault(origin: str, known: Known) -> tuple[Code, str, str] | None:
    if origin == "person":
        return None
    if origin.startswith("guidance:"):
        topic = origin.removeprefix("guidance:")
        if topic in known.topics:
            return None
        close = nearest(topic, known.topics, limit=1)
        hint = f"did you mean {close[0]!r}?" if close else "add the page, or name another origin"
        return Code.GUIDANCE_DANGLING, f"there is no guidance {topic!r}", hint
    name, mark, place = origin.partition("#")
    if not known.has(name):
        close = nearest(name, known.names, limit=1)
        hint = (
            f"did you mean {close[0]!r}?"
            if close
            else "write `person`, `guidance:topic` or `domain.tool#place`"
        )
        return Code.OBTAIN_DANGLING, f"there is no tool {name!r}", hint
    tool = known.tools.get(name)
    if tool is None or (mark and type_in_output(tool.output, place) is not None):
        return None
    if not place:
        listed = ", ".join(output_places(tool.output)) or "none"
        return (
            Code.OBTAIN_DANGLING,
            f"{origin!r} names no place",
            f"write one after `#`; {name!r} lets out: {listed}",
        )
    close = nearest(place, output_places(tool.output), limit=1)
    hint = f"did you mean `{name}#{close[0]}`?" if close else "name a place of its output after `#`"
    return Code.OBTAIN_DANGLING, f"{name!r} lets out no {place!r}", hint


def _check_before(scope: ToolScope, before: BeforeRead, tool: ToolIR, known: Known) -> None:
    at = scope.at.sub("before")
    name = before.tool or ""
    if not known.has(name):
        close = nearest(name, known.names, limit=1)
        hint = f"did you mean {close[0]!r}?" if close else "name a read"
        scope.report.error(Code.BEFORE_INVALID, at.sub("tool"), f"there is no tool {name!r}", hint)
        return
    read = known.tools.get(name)
    if read is None:
        return
    if read.risk.is_write and read.idempotency != "-":  # a write without it has its own finding
        scope.report.error(
            Code.BEFORE_INVALID, at.sub("tool"), f"{name!r} is a {read.risk.value}", "name a read"
        )
    _check_before_arguments(scope, before, tool, read, at)
    ours = {member.name for member in tool.params}
    for argument, place in before.compare.items():
        where = at.sub("compare", argument)
        if argument not in ours:
            _report_name(scope, where, f"the tool has no parameter {argument!r}", argument, ours)
        if type_in_output(read.output, place) is None:
            places = list(output_places(read.output))
            _report_name(scope, where, f"{name!r} lets out no {place!r}", place, places)


def _check_before_arguments(scope: ToolScope, before: BeforeRead, tool: ToolIR, read: ToolIR, at: At) -> None:
    theirs = {member.name: member for member in read.params}
    passed = {member.name for member in tool.params} & set(theirs)
    for argument in before.with_:
        if argument not in theirs:
            message = f"{read.name!r} has no parameter {argument!r}"
            _report_name(scope, at.sub("with", argument), message, argument, list(theirs))
    lacking = [one.name for one in read.params if one.required and one.name not in passed | set(before.with_)]
    if lacking:
        scope.report.error(
            Code.BEFORE_INVALID,
            at.sub("tool"),
            f"{read.name!r} needs {', '.join(map(repr, lacking))}, which nothing passes",
            "add it under `with:`",
        )


def _report_name(scope: ToolScope, at: At, message: str, name: str, choices: Any) -> None:
    close = nearest(name, choices, limit=1)
    hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(sorted(choices)) or 'none'}"
    scope.report.error(Code.BEFORE_INVALID, at, message, hint)


def check_routes(scopes: Sequence[ToolScope], report: Report) -> None:
    """One route, one risk; a second tool of a route says why."""
    by_route: dict[tuple[str, str], list[ToolScope]] = {}
    for scope in scopes:
        if len(scope.calls) == 1:
            method = scope.calls[0].method
            by_route.setdefault((method.http, re.sub(r":[^/]+", ":", method.route)), []).append(scope)
    for sharing in by_route.values():
        if len(sharing) > 1:
            _check_sharing(sharing, report)


def _check_sharing(sharing: Sequence[ToolScope], report: Report) -> None:
    first, *rest = sorted(sharing, key=lambda one: one.name)
    risks = {one.entry.risk for one in sharing if one.entry.risk is not None}
    if len(risks) > 1:
        highest = max((Risk(one) for one in risks), key=lambda one: one.rank)
        for one in sharing:
            if one.entry.risk not in (None, highest.value):
                others = ", ".join(repr(other.name) for other in sharing if other is not one)
                report.error(
                    Code.RISK_SPLIT,
                    one.at.sub("risk"),
                    f"{one.name!r} and {others} share a route, but not their risk",
                    f"write `risk: {highest.value}`",
                )
    elif sum(one.entry.because is not None for one in sharing) < len(sharing) - 1:
        for one in rest:
            if one.entry.because is None:
                report.at_key(
                    Code.ROUTE_SHARED,
                    one.at,
                    f"{one.name!r} and {first.name!r} use one route",
                    "merge them, or say in `because:` why there are two",
                )


def check_chains(scopes: Mapping[str, ToolScope], known: Known, report: Report) -> None:
    """No id may be had only from tools that need ids nobody can supply."""
    reachable: set[str] = set()
    pending = dict(known.tools)
    while True:
        reached = {name for name, tool in pending.items() if not _stuck(tool, reachable, known)}
        if not reached:
            break
        reachable |= reached
        for name in reached:
            del pending[name]
    links = {name: _stuck(tool, reachable, known)[0] for name, tool in sorted(pending.items())}
    told: set[str] = set()
    for name in links:
        circle = _circle(name, links)
        if told.isdisjoint(circle):
            told.update(circle)
            first, *others = sorted(circle)
            at = {one: scopes[one].parameter(links[one].name).sub("obtain") for one in circle}
            report.error(
                Code.CHAIN_OPEN,
                at[first],
                f"{links[first].name!r} comes only from {', '.join(links[first].obtain)}, "
                "and nobody can supply what that needs",
                "add the missing first link, or `person`",
                related=[at[one].span() for one in others],
            )


def _circle(name: str, links: Mapping[str, MemberIR]) -> list[str]:
    """The tools that need each other's ids, reached from a tool by the first origin of what it lacks."""
    path = [name]
    while True:
        origin = links[path[-1]].obtain[0].partition("#")[0]
        if origin in path:
            return path[path.index(origin) :]
        path.append(origin)


def _stuck(tool: ToolIR, reachable: set[str], known: Known) -> list[MemberIR]:
    return [
        member
        for member in tool.params
        if member.required
        and member.obtain
        and not any(_open(one, reachable, known) for one in member.obtain)
    ]


def _open(origin: str, reachable: set[str], known: Known) -> bool:
    name = origin.partition("#")[0]
    return name in reachable or name not in known.tools


def check_domain_texts(
    domain: Located[DomainFile], texts: Mapping[tuple[str, ...], str], known: Known, report: Report
) -> None:
    """Every tool that a text names exists."""
    for place, text in texts.items():
        for name in _dangling(text, known):
            _report_dangling(report, At(domain.document, place).span(), name, known)


def check_page_texts(path: str, text: str, known: Known, report: Report) -> None:
    """The same for a page of guidance, at the line and column of the name."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in _NAMED.finditer(line):
            name = match.group()
            if match[1] in known.domains and not known.has(name):
                _report_dangling(report, Span(path, number, match.start() + 1), name, known)


def _dangling(text: str, known: Known) -> Iterator[str]:
    for match in _NAMED.finditer(text):
        if match[1] in known.domains and not known.has(match.group()):
            yield match.group()


def _report_dangling(report: Report, span: Span, name: str, known: Known) -> None:
    close = nearest(name, known.names, limit=1)
    hint = f"did you mean {close[0]!r}?" if close else "name a tool that exists"
    report.error(Code.TOOL_DANGLING, span, f"the text names {name!r}, which is no tool", hint)


def check_presets(surface: Located[SurfaceFile], inputs: Inputs, known: Known, report: Report) -> None:
    for preset, names in surface.model.presets.items():
        for index, name in enumerate(names):
            if not known.has(name):
                close = nearest(name, known.names, limit=1)
                report.error(
                    Code.TOOL_DANGLING,
                    surface.span(("presets", preset, index)),
                    f"preset {preset!r} names {name!r}, which is no tool",
                    f"did you mean {close[0]!r}?" if close else "name a tool that exists",
                )
