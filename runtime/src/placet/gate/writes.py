"""A write enters the ledger and the audit in one transaction before it is sent, and leaves them in one after."""

import asyncio
from typing import Any

import msgspec
from msgspec import Struct

from placet.audit import AuditUnavailable
from placet.contract.refusal import Reason
from placet.contract.result import Failed, Ok, Refused, Unknown
from placet.contract.stores import AppendAudit, BeginWrite, Begun, FinishWrite, StoreError
from placet.gate.keys import write_key
from placet.gate.records import entry_of
from placet.gate.runtime import GateRuntime
from placet.gate.settling import settlement
from placet.gate.state import AnyResult, CallState, Written
from placet.ledger import native_key, request_digest, resend_s

__all__ = ["enter_write", "leave_write", "settle_entering", "unrecordable", "unrecorded"]

LEASES = 4
"""A write still unfinished after so many total deadlines is held to be abandoned."""

RESULT_BYTES = 100_000
"""Largest stored result; a larger one is replayed without its data."""


class _Kept(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the ledger keeps of a success: what left, as it left."""

    data: Any
    drift: tuple[str, ...] = ()
    truncated: bool = False
    withheld: str | None = None


async def enter_write(state: CallState, runtime: GateRuntime) -> AnyResult | None:
    """The intent and the ledger row, durable before anything leaves; or why nothing leaves."""
    key = write_key(state, runtime)
    native = state.bound.binding.native_key
    state.written = Written(
        key=key, token=runtime.fresh_id(), native_key=native_key(key, native) if native is not None else ""
    )
    begin = BeginWrite(
        key=key,
        digest=_request_digest(state),
        tool=state.bound.entry.name,
        tenant=state.ctx.app,
        token=state.written.token,
        native_key=state.written.native_key,
        at=runtime.now(),
        lease_s=LEASES * runtime.deadline_s,
        resend_s=resend_s(native),
    )
    try:
        runtime.recorder.require_working()
        intent = AppendAudit(entry=entry_of(state, runtime, "intent"))
        state.written.entering = runtime.finishing.start(runtime.store.apply(intent, begin))
        _, begun = await asyncio.shield(state.written.entering)
    except (StoreError, AuditUnavailable) as error:
        if state.written.entering is not None:
            runtime.finishing.start(_take_back(begin, runtime))
        state.written = None
        is_audit = isinstance(error, AuditUnavailable)
        return unrecordable(Reason.AUDIT_UNAVAILABLE if is_audit else Reason.STORE_UNAVAILABLE, error)
    if begun.verdict != "started":
        state.written = None
        return _held(state, begun)
    if state.replay_only:
        # The stored success that stood in for a person's yes is gone; nobody agreed to a second sending.
        return Refused(
            code=Reason.EARLIER_OUTCOME_UNKNOWN,
            reason="the stored result of this call is no longer there, and nobody was asked to repeat it",
            hint="call again; a person will be asked",
        )
    state.written.native_key = begun.row.native_key
    return None


def unrecordable(reason: Reason, error: Exception) -> Refused:
    """Nothing leaves that cannot be recorded."""
    return Refused(
        code=reason,
        reason=f"nothing was sent, because it could not be recorded: {error}",
        hint="try again later; the operator looks at the store",
    )


def _request_digest(state: CallState) -> str:
    """A file counts by what is in it: staged anew it has another handle."""
    arguments = dict(state.arguments)
    for name in state.bound.encoder.file_arguments & arguments.keys():
        content = state.files[arguments[name]]
        arguments[name] = [content.sha256, content.size]
    return request_digest(state.bound.entry.name, state.bound.tool.digest, arguments, state.context_values)


def _held(state: CallState, begun: Begun) -> AnyResult:
    key = state.options.idempotency_key or ""
    match begun.verdict:
        case "replayed":
            return _replayed(begun.row.result)
        case "conflict":
            return Refused(
                code=Reason.KEY_CONFLICT,
                reason=f"the idempotency_key {key!r} was used for another request of this tool",
                hint="use a new key for a new request, or send the first request unchanged",
            )
        case "in_flight":
            return Refused(
                code=Reason.IN_FLIGHT,
                reason="the same call is being made right now",
                hint="wait for its result; do not send it again",
            )
        case _:
            return Unknown(
                id=begun.row.key,
                reason="this call was sent earlier and no answer came; it is not sent again. "
                "Check what it would have changed",
            )


def _replayed(stored: bytes | None) -> Ok[Any]:
    if stored is None:
        return Ok(data={}, replayed=True, withheld="the stored result was too large to keep")
    kept = msgspec.json.decode(stored, type=_Kept)
    return Ok(
        data=kept.data, drift=kept.drift, truncated=kept.truncated, withheld=kept.withheld, replayed=True
    )


async def settle_entering(state: CallState) -> None:
    """Wait until it is known whether a write that was under way into the ledger has come there."""
    written = state.written
    if written is None or written.entering is None:
        return
    try:
        _, begun = await asyncio.shield(written.entering)
    except Exception:
        state.written = None
    else:
        if begun.verdict != "started":
            state.written = None


async def _take_back(begin: BeginWrite, runtime: GateRuntime) -> None:
    """A store may have kept what it reported as lost: nothing was sent, so the row is closed if it is there."""
    finish = FinishWrite(key=begin.key, token=begin.token, status="not_applied", at=runtime.now())
    for pause_s in (0.0, 0.5, 2.0):
        await asyncio.sleep(pause_s)
        try:
            await runtime.store.apply(finish)
        except StoreError:
            continue
        return


async def leave_write(state: CallState, runtime: GateRuntime, result: AnyResult) -> AnyResult:
    """Close the ledger row and record the outcome. What cannot be recorded is unknown."""
    assert state.written is not None
    status, stored = _outcome(result)
    finish = FinishWrite(
        key=state.written.key,
        token=state.written.token,
        status=status,
        at=runtime.now(),
        result=stored,
        error_class=result.code if isinstance(result, Failed) else "",
    )
    settle = settlement(state, runtime, result)
    record = AppendAudit(entry=entry_of(state, runtime, "outcome", result))
    try:
        await runtime.store.apply(finish, record, *([settle] if settle is not None else []))
    except StoreError as error:
        return unrecorded(state, str(error)) if state.sent else result
    return result


def unrecorded(state: CallState, why: str) -> Unknown:
    """A write left, and whatever came of it is on no record."""
    return Unknown(id=state.id, reason=f"the write was sent, but its outcome could not be recorded: {why}")


def _outcome(result: AnyResult) -> tuple[Any, bytes | None]:
    if isinstance(result, Ok):
        kept = _Kept(
            data=result.data, drift=result.drift, truncated=result.truncated, withheld=result.withheld
        )
        stored = msgspec.json.encode(kept)
        return "succeeded", stored if len(stored) <= RESULT_BYTES else None
    if isinstance(result, Unknown):
        return "unknown", None
    return "not_applied", None
