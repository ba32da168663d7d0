"""The second source: what the witness says against what a tool would send.

SDK against the platform's own data is an error until a named exception is written; a fact that the sources do not
agree on among themselves is not held against a tool.
"""

from typing import Any

from placet_generator.catalogue.nearest import nearest
from placet_generator.diagnostics import Code
from placet_generator.resolve.scope import At, ResolvedCall, ToolScope, excuse_hint
from placet_generator.resolve.wiretypes import Target
from placet_generator.witness.model import FieldFacts


def check_field_facts(scope: ToolScope, target: Target, at: At) -> None:
    """Read-only body fields, dropped path slots, broken wire names."""
    facts, slot = target.facts, target.slot
    if facts is None:
        return
    place = at.sub("to") if at.document.has((*at.path, "to")) else at
    if facts.sdk_only and not scope.exceptions.excuse("read_only", slot, "sdk_only"):
        scope.report.error(
            Code.WITNESS_READ_ONLY,
            place,
            f"{slot!r} is writable in the SDK only: the platform describes it for no request",
            f"remove it, {excuse_hint('read_only', slot, 'sdk_only')}",
        )
    if facts.not_in_route and not scope.exceptions.excuse("placeholder", slot, "not_in_route"):
        scope.report.error(
            Code.WITNESS_PLACEHOLDER,
            place,
            f"{slot!r} is no placeholder of the route",
            "remove it",
        )
    if facts.wire is not None and not scope.exceptions.excuse("wire_name", slot, facts.wire):
        scope.report.error(
            Code.WITNESS_WIRE_NAME,
            place,
            f"the SDK sends {slot!r} under that name, the platform expects {facts.wire!r}",
            excuse_hint("wire_name", slot, facts.wire).removeprefix("or "),
        )


def check_query_known(scope: ToolScope, call: ResolvedCall, name: str, at: At) -> None:
    """A query parameter that no source but the SDK knows."""
    if call.facts is None or any(one.name == name for one in call.facts.query):
        return
    slot = f"query.{name}"
    if not scope.exceptions.excuse("query", slot, "unknown"):
        hint = "remove it, "
        scope.report.error(
            Code.WITNESS_QUERY,
            at,
            f"the platform knows no {slot!r}",
            hint + excuse_hint("query", slot, "unknown"),
        )


def check_enum_known(scope: ToolScope, values: Any, facts: FieldFacts | None, slot: str, at: At) -> None:
    """Values that no source lists. Where sources list different values, any of them will do."""
    if facts is None or not facts.enum:
        return
    known = {str(one) for one in facts.enum}
    known.update(str(one) for listed in facts.enum_conflict.values() for one in listed)
    for value in values:
        if str(value) not in known and not scope.exceptions.excuse("enum", slot, str(value)):
            close = nearest(str(value), known, limit=1)
            hint = f"did you mean {close[0]!r}? " if close else "remove it, "
            scope.report.error(
                Code.WITNESS_ENUM,
                at,
                f"the platform knows no value {value!r} of {slot!r}",
                hint + excuse_hint("enum", slot, str(value)),
            )


def is_required(facts: FieldFacts | None) -> bool:
    """True when every source that speaks requires the field."""
    return facts is not None and facts.required is True and not facts.required_conflict


def check_tokens(scope: ToolScope, call: ResolvedCall, at: At) -> None:
    """Token kinds that another fresh source sees differently, as far as the tool relies on them."""
    if call.facts is None:
        return
    for flag in call.facts.source_flags:
        kind, _, rest = flag.partition(":")
        source, _, listed = rest.partition("=")
        if kind != "tokens_differ" or source in STALE_SOURCES:
            continue
        missing = [one for one in scope.entry.identity if one not in listed.split("+")]
        if missing and not scope.exceptions.excuse("tokens", "tokens", listed):
            scope.report.error(
                Code.WITNESS_TOKENS,
                at,
                f"the tool allows {', '.join(missing)}, but the {source} lists {listed} only",
                f"keep what both take, {excuse_hint('tokens', 'tokens', listed)}",
            )


STALE_SOURCES = frozenset({"zod"})
"""Sources so old that a lone disagreement says more about them than about the SDK (witness/README.md)."""
