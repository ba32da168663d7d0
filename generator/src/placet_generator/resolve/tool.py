"""One tool: from its entry to its place in the resolved surface."""

from collections.abc import Iterable, Iterator
from typing import Any

from placet.contract import Before, Binding, Call, Project, Risk, Slot, Source
from placet_generator.diagnostics import Code
from placet_generator.ir import ListType, ObjectType, ToolIR, TypeIR, UnionType
from placet_generator.resolve.effects import (
    check_update_shows_before,
    resolve_idempotency,
    resolve_identity,
    resolve_risk,
    resolve_scopes,
)
from placet_generator.resolve.filling import Filled, check_required, resolve_constants
from placet_generator.resolve.outputs import resolve_output
from placet_generator.resolve.paging import resolve_paging
from placet_generator.resolve.params import Arguments, resolve_arguments, resolve_rules
from placet_generator.resolve.scope import ToolScope


def resolve_tool(scope: ToolScope, wire_name: str, defaults: dict[str, Any]) -> ToolIR:
    """Decide everything about one tool; what is wrong with it goes to the report."""
    entry, texts, at = scope.entry, scope.texts, scope.at
    filled = Filled()
    risk = resolve_risk(scope)
    identity = resolve_identity(scope)
    scopes = resolve_scopes(scope)
    arguments = resolve_arguments(scope, filled)
    idempotency, native = resolve_idempotency(scope, risk, filled)
    paging = resolve_paging(scope, filled)
    fixed, context = resolve_constants(scope, defaults, filled)
    check_required(scope, filled)
    check_update_shows_before(scope, risk)
    _check_routine(scope)
    _check_preflights(scope)
    output, projections = resolve_output(scope, frozenset(_names(arguments)))
    _check_witnesses(scope)
    scope.exceptions.report_unused(scope.report)
    codecs = _codecs(scope, arguments.slots, projections)
    binding = Binding(
        calls=tuple(_call(scope, index) for index in range(len(scope.calls))),
        routine=entry.routine,
        local=entry.source.local if entry.source is not None else None,
        slots=tuple(arguments.slots),
        fixed=fixed,
        context=context,
        derive=tuple(arguments.derived),
        rules=resolve_rules(scope, arguments),
        paging=paging,
        native_key=native,
        before=_before(scope, arguments),
        preflight=tuple(entry.preflight),
        output=projections,
        codecs=codecs,
        rate_tier=next((call.facts.rate_tier for call in scope.calls if call.facts is not None), None),
    )
    first = scope.calls[0] if scope.calls else None
    return ToolIR(
        name=scope.name,
        domain=scope.domain.domain,
        key=scope.key,
        wire_name=wire_name,
        summary=texts.at((*at.path, "summary"), entry.summary),
        use_when=texts.at((*at.path, "use_when"), entry.use_when),
        avoid_when=texts.at((*at.path, "avoid_when"), entry.avoid_when),
        keywords=tuple(entry.keywords),
        risk=risk or Risk.HIGH_RISK_WRITE,
        identity=identity,
        scopes=scopes,
        sensitive=entry.sensitive,
        source=Source(sdk=first.sdk, http=first.method.http, route=first.method.route) if first else Source(),
        params=tuple(sorted(arguments.params, key=lambda one: (not one.required, one.name))),
        output=output,
        binding=binding,
        idempotency=idempotency,
        errors={code: texts.at((*at.path, "errors", code), text) for code, text in entry.errors.items()},
        aliases=tuple(entry.aliases),
        paged=paging is not None,
        page_size_max=paging.size_max if paging is not None else None,
        defined_at=at.span(key=True),
    )


def _call(scope: ToolScope, index: int) -> Call:
    call = scope.calls[index]
    method = call.method
    return Call(
        sdk=call.sdk,
        http=method.http,
        route=method.route,
        name=call.name,
        body=method.body_kind,
        answer="file" if method.download else "data",
    )


def _names(arguments: Arguments) -> set[str]:
    found: set[str] = set()

    def visit(kind: TypeIR) -> None:
        match kind:
            case ListType():
                visit(kind.item)
            case ObjectType():
                found.add(kind.name)
                for member in kind.members:
                    visit(member.type)
            case UnionType():
                found.add(kind.name)
                for _, variant in kind.variants:
                    visit(variant)
            case _:
                pass

    for member in arguments.params:
        visit(member.type)
    return found


def _codecs(scope: ToolScope, slots: Iterable[Slot], outputs: Iterable[Project]) -> dict[str, int]:
    """Versions of every codec and routine used, so that a new version changes the contract digest."""
    names = scope.inputs.names
    used = {*_slot_codecs(slots), *_output_codecs(outputs)}
    versions = {name: names.codecs[name].version for name in sorted(used) if name in names.codecs}
    routine = names.routines.get(scope.entry.routine or "")
    return versions | ({scope.entry.routine or "": routine.version} if routine is not None else {})


def _slot_codecs(slots: Iterable[Slot]) -> Iterator[str]:
    for slot in slots:
        if slot.codec is not None:
            yield slot.codec
        yield from _slot_codecs(slot.fields)
        for variant in slot.variants.values():
            yield from _slot_codecs(variant)


def _output_codecs(outputs: Iterable[Project]) -> Iterator[str]:
    for one in outputs:
        if one.codec is not None:
            yield one.codec
        yield from _output_codecs(one.fields)


def _check_routine(scope: ToolScope) -> None:
    name = scope.entry.routine
    if name is None:
        return
    known = scope.inputs.names.routines
    at = scope.at.sub("routine")
    if name not in known:
        listed = ", ".join(sorted(known)) or "none"
        scope.report.error(
            Code.ROUTINE_UNKNOWN, at, f"there is no routine {name!r}", f"known routines: {listed}"
        )
        return
    declared = set(scope.entry.calls or ())
    if declared != known[name].calls:
        wanted = ", ".join(sorted(known[name].calls))
        scope.report.error(
            Code.ROUTINE_UNKNOWN,
            scope.at.sub("calls").span(key=True),
            f"routine {name!r} sends {wanted}, but the tool declares {', '.join(sorted(declared))}",
            "declare exactly the requests the routine sends",
        )


def _check_preflights(scope: ToolScope) -> None:
    known = scope.inputs.names.preflights
    for index, name in enumerate(scope.entry.preflight):
        if name not in known:
            scope.report.error(
                Code.PREFLIGHT_UNKNOWN,
                scope.at.sub("preflight", index),
                f"there is no preflight {name!r}",
                f"known preflights: {', '.join(sorted(known)) or 'none'}",
            )


def _check_witnesses(scope: ToolScope) -> None:
    if not len(scope.inputs.witness.methods()):
        return
    for call in scope.calls:
        if call.facts is None and not call.sdk.startswith("supplement:"):
            scope.report.note(
                Code.WITNESS_NONE,
                scope.at,
                f"no witness knows {call.sdk!r}; nothing was compared for {scope.name!r}",
            )


def _before(scope: ToolScope, arguments: Arguments) -> Before | None:
    """The read before a write; that it fits is checked when every tool is known."""
    written = scope.entry.before
    if written is None or written.tool is None:
        return None
    names = {member.name for member in arguments.params}

    def bound(value: Any) -> Any:
        if isinstance(value, list):
            return [bound(one) for one in value]
        return f"${value}" if isinstance(value, str) and value in names else value

    given = {name: bound(value) for name, value in written.with_.items()}
    return Before(tool=written.tool, arguments=given, compare=dict(written.compare))
