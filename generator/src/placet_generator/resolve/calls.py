"""The source triple: SDK path, verb and route must name one and the same method."""

from collections.abc import Iterator
from pathlib import PurePath, PurePosixPath

from placet_generator.catalogue import Catalogue, CatalogueError, Method
from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.models import ToolEntry, Triple
from placet_generator.diagnostics import Code, Span
from placet_generator.resolve.scope import At, Inputs, Report, ResolvedCall


def resolve_calls(
    entry: ToolEntry, at: At, inputs: Inputs, report: Report
) -> tuple[ResolvedCall, ...] | None:
    """The requests of a tool; None when one of them names nothing, so that the rest cannot be checked."""
    calls: list[ResolvedCall] = []
    complete = True
    for name, triple, place in _triples(entry, at):
        if triple.local is not None:
            _check_local(triple.local, place, inputs, report)
            continue
        call = _resolve(name, triple, place, inputs, report)
        if call is None:
            complete = False
        else:
            calls.append(call)
    return tuple(calls) if complete else None


def _triples(entry: ToolEntry, at: At) -> Iterator[tuple[str, Triple, At]]:
    if entry.source is not None:
        yield "main", entry.source, at.sub("source")
    for name, triple in (entry.calls or {}).items():
        yield name, triple, at.sub("calls", name)


def _check_local(local: str, at: At, inputs: Inputs, report: Report) -> None:
    known = inputs.names.local_tools
    if local not in known:
        report.error(
            Code.LOCAL_UNKNOWN,
            at.sub("local"),
            f"there is no local behaviour {local!r}",
            f"use one of {', '.join(sorted(known)) or 'none: this platform has no local tools'}",
        )


def _resolve(name: str, triple: Triple, at: At, inputs: Inputs, report: Report) -> ResolvedCall | None:
    if triple.supplement is not None:
        catalogue = inputs.supplements.get(triple.supplement)
        if catalogue is None and triple.supplement in inputs.curation.surface.model.supplements:
            return None  # the document has a fault of its own
        if catalogue is None:
            known = ", ".join(sorted(inputs.supplements)) or "none"
            report.error(
                Code.SUPPLEMENT_UNKNOWN,
                at.sub("supplement"),
                f"there is no supplement {triple.supplement!r}",
                f"known supplements: {known}",
            )
            return None
        path, key, sdk = (
            triple.operation or "",
            "operation",
            f"supplement:{triple.supplement}.{triple.operation}",
        )
    else:
        catalogue, path, key, sdk = inputs.catalogue, triple.sdk or "", "sdk", triple.sdk or ""
    try:
        method = catalogue.method(path)
    except CatalogueError as error:
        is_ours = error.path.startswith(str(_folder(inputs)))
        hint = (
            "simplify the operation, or leave the tool out"
            if is_ours
            else "check the SDK's installed version"
        )
        place = Span(error.path, error.line, 1) if error.line else Span(error.path)
        report.error(Code.SOURCE_UNREADABLE, at.sub(key), error.message, hint, related=(place,))
        return None
    if method is None:
        _report_unknown(path, key, triple, catalogue, at, report)
        return None
    if _is_split(method, triple, key, catalogue, at, report):
        return None
    try:
        facts = inputs.witness.facts(path) if key == "sdk" else None
    except CatalogueError as error:
        file = _folder(inputs) / "witness" / PurePath(error.path).name
        report.error(Code.SOURCE_UNREADABLE, Span(str(file), error.line, 1), error.message, "mend the line")
        return None
    return ResolvedCall(name=name, sdk=sdk, triple=triple, method=method, facts=facts, at=at)


def _report_unknown(
    path: str, key: str, triple: Triple, catalogue: Catalogue, at: At, report: Report
) -> None:
    by_route = catalogue.by_route(triple.http or "", triple.route or "")
    close = [by_route] if by_route else nearest(path, list(catalogue.names()), limit=1)
    code = Code.METHOD_UNKNOWN if key == "sdk" else Code.SUPPLEMENT_UNKNOWN
    what = "method" if key == "sdk" else "operation"
    hint = f"did you mean {close[0]!r}?" if close else "look it up with `placet catalog search`"
    report.error(code, at.sub(key), f"there is no {what} {path!r}", hint)


def _folder(inputs: Inputs) -> PurePosixPath:
    """The surface's folder, as messages show it."""
    return PurePosixPath(inputs.curation.surface.document.path).parent


def _is_split(method: Method, triple: Triple, key: str, catalogue: Catalogue, at: At, report: Report) -> bool:
    """Check verb and route. True when they name another method, so that nobody can say which is meant."""
    verb_differs, route_differs = triple.http != method.http, triple.route != method.route
    if not (verb_differs or route_differs):
        return False
    other = catalogue.by_route(triple.http or "", triple.route or "")
    wrong = at.sub("route" if route_differs else "http")
    if other is not None and other != method.name:
        _report_split(method, other, triple, wrong.span(), at.sub(key).span(), report)
        return True
    if route_differs:
        report.error(
            Code.ROUTE_DIFFERS,
            wrong,
            f"{method.name!r} has the route {method.route!r}, not {triple.route!r}",
            f"write `route: {method.route}`",
        )
    if verb_differs:
        report.error(
            Code.VERB_DIFFERS,
            at.sub("http"),
            f"{method.name!r} sends {method.http}, not {triple.http}",
            f"write `http: {method.http}`",
        )
    return False


def _report_split(
    method: Method, other: str, triple: Triple, wrong: Span, named: Span, report: Report
) -> None:
    report.error(
        Code.SOURCE_SPLIT,
        wrong,
        f"{triple.http} {triple.route} is {other!r}, but the source names {method.name!r}",
        f"write `http: {method.http}` and `route: {method.route}`, or name {other!r}",
        related=(named,),
    )
