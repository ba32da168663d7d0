"""What a tool does and who may: risk by effect, identity, scopes, and what a repeat of a write means."""

from typing import Literal

from placet.contract import Identity, NativeKey, Risk, Scopes
from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.models import NativeIdempotency
from placet_generator.diagnostics import Code
from placet_generator.resolve.filling import Filled
from placet_generator.resolve.scope import ToolScope, excuse_hint
from placet_generator.resolve.slots import find_slot
from placet_generator.resolve.witnessed import check_tokens

Idempotency = Literal["-", "ledger", "native", "native-forever"]


def resolve_risk(scope: ToolScope) -> Risk | None:
    """The stated risk, with what the verb and the witness say against it reported."""
    entry, report = scope.entry, scope.report
    if entry.risk is None:
        report.at_key(
            Code.RISK_MISSING,
            scope.at,
            f"risk is missing for {scope.name!r}",
            "add `risk: read`, `risk: write` or `risk: high-risk-write`, decided by effect",
        )
        return None
    risk, at = Risk(entry.risk), scope.at.sub("risk")
    deletes = any(call.method.http == "DELETE" for call in scope.calls)
    floors = [
        Risk(call.facts.risk)
        for call in scope.calls
        if call.facts is not None and call.facts.risk is not None
    ]
    floor = max(floors, key=lambda one: one.rank, default=Risk.READ)
    if entry.because is None and risk.rank < floor.rank:
        report.error(
            Code.RISK_BELOW_WITNESS,
            at,
            f"risk {risk.value!r} is below the witness' {floor.value!r}",
            f"write `risk: {floor.value}`, or say in `because:` why the effect is smaller",
        )
    elif deletes and (risk is Risk.READ or (entry.because is None and risk is not Risk.HIGH_RISK_WRITE)):
        report.error(
            Code.RISK_DELETE,
            at,
            f"{scope.name!r} sends DELETE with risk {risk.value!r}",
            "write `risk: high-risk-write`, or say in `because:` why nothing of value is lost",
        )
    elif risk is Risk.READ and (entry.idempotency is not None or entry.before is not None):
        key = "idempotency" if entry.idempotency is not None else "before"
        report.error(
            Code.IDEMPOTENCY_INVALID,
            at,
            f"risk is 'read', but {scope.name!r} has `{key}:`, which only a write has",
            f"raise the risk, or remove `{key}:`",
            related=(scope.at.sub(key).span(key=True),),
        )
    return risk


def resolve_identity(scope: ToolScope) -> tuple[Identity, ...]:
    """Whose token the tool may carry, the preferred one first."""
    entry = scope.entry
    for index, identity in enumerate(entry.identity):
        at = scope.at.sub("identity", index)
        for call in scope.calls:
            tokens = call.method.tokens
            shown = "+".join(sorted(tokens)) or "none"
            if identity not in tokens and not scope.exceptions.excuse("tokens", "tokens", shown):
                scope.report.error(
                    Code.IDENTITY_NOT_SUBSET,
                    at,
                    f"{call.method.name!r} takes no {identity} token: it takes {shown}",
                    "keep only identities it takes",
                )
    needs_token = any(call.method.tokens for call in scope.calls)
    if needs_token and not entry.identity:
        scope.report.at_key(
            Code.KEY_MISSING,
            scope.at,
            f"{scope.name!r} has no identity",
            "add `identity: [tenant]` or the like",
        )
    if entry.identity and not scope.calls:
        scope.report.error(
            Code.IDENTITY_NOT_SUBSET,
            scope.at.sub("identity"),
            "a local tool carries no token",
            "remove `identity:`",
        )
    for call in scope.calls:
        check_tokens(scope, call, scope.at.sub("identity"))
    return tuple(Identity(one) for one in dict.fromkeys(entry.identity))


def resolve_scopes(scope: ToolScope) -> Scopes:
    """Scopes the platform knows, at least one of which opens each endpoint."""
    written = scope.entry.scopes
    any_of = tuple(written.any_of) if written is not None else ()
    all_of = tuple(written.all_of) if written is not None else ()
    known = scope.inputs.witness.scopes()
    accepted = [
        set(call.facts.scopes) | set(call.facts.scopes_all_of)
        for call in scope.calls
        if call.facts is not None
    ]
    opening = set().union(*accepted)
    for key, listed in (("any_of", any_of), ("all_of", all_of)):
        for index, one in enumerate(listed):
            at = scope.at.sub("scopes", key, index)
            if known and one not in known:
                close = nearest(one, opening, limit=1) or nearest(one, known, limit=1)
                hint = f"did you mean {close[0]!r}?" if close else "use a scope the platform has"
                scope.report.error(Code.SCOPE_UNKNOWN, at, f"the platform knows no scope {one!r}", hint)
            elif opening and one not in opening and not scope.exceptions.excuse("scopes", "scopes", one):
                scope.report.error(
                    Code.SCOPE_MISSING,
                    at,
                    f"scope {one!r} does not open the endpoint",
                    f"use one of {', '.join(sorted(opening))}, {excuse_hint('scopes', 'scopes', one)}",
                )
    if opening and not (any_of or all_of):
        scope.report.at_key(
            Code.SCOPE_MISSING,
            scope.at,
            f"{scope.name!r} names no scope",
            f"add `scopes: {{any_of: [...]}}` with one of {', '.join(sorted(opening))}",
        )
    return Scopes(any_of=any_of, all_of=all_of)


def resolve_idempotency(
    scope: ToolScope, risk: Risk | None, filled: Filled
) -> tuple[Idempotency, NativeKey | None]:
    """What a repeat of a write does; nothing for a read."""
    written = scope.entry.idempotency
    if risk is None or not risk.is_write:
        return "-", None
    if written is None:
        at = scope.at.sub("risk")
        native = next((call.facts.native for call in scope.calls if call.facts and call.facts.native), None)
        hint = f"{{native: {native.slot}, form: uuid4}}" if native is not None else "ledger"
        scope.report.error(
            Code.IDEMPOTENCY_MISSING,
            at,
            f"{scope.name!r} writes and does not say what a repeat does",
            f"add `idempotency: {hint}`",
        )
        return "-", None
    if not isinstance(written, NativeIdempotency):
        return "ledger", None
    at = scope.at.sub("idempotency", "native")
    if not scope.calls:
        scope.report.error(
            Code.IDEMPOTENCY_INVALID, at, "a local tool has no native key", "write `idempotency: ledger`"
        )
        return "-", None
    found = find_slot(scope, written.native, at)
    filled.add(scope, written.native, "idempotency", at, found=found)
    if found is not None and found.node.kind not in ("string", "any"):
        scope.report.error(
            Code.IDEMPOTENCY_INVALID,
            at,
            f"{written.native!r} is {found.node}, not text",
            "use a slot that takes text",
        )
    key = NativeKey(slot=written.native, form=written.form, scope=written.scope, max_len=written.max_len)
    return ("native-forever" if written.scope == "forever" else "native"), key


def check_update_shows_before(scope: ToolScope, risk: Risk | None) -> None:
    """An update replaces something; an approver must see what."""
    updates = any(call.method.http in ("PUT", "PATCH") for call in scope.calls)
    if risk is not None and risk.is_write and updates and scope.entry.before is None:
        scope.report.at_key(
            Code.BEFORE_MISSING,
            scope.at,
            f"{scope.name!r} updates something and does not say how to see what it replaces",
            "add `before: {tool: ..., compare: ...}`, or `before: {because: ...}`",
        )
