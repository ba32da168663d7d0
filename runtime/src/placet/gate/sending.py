"""Requests on their way: limiter, credential, deadline, retry; and what comes back, made one of three things.

A write that may have left is never sent again without the platform's own idempotency key.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

import anyio
from msgspec import Struct

from placet.contract.errors import CredentialUnavailable, PlacetError
from placet.contract.platform import (
    Answer,
    Body,
    CallStopped,
    Failure,
    HttpRequest,
    NeedsAuthorisation,
    RoutineStopped,
    Tenant,
    WireCall,
)
from placet.contract.result import Failed
from placet.contract.words import Identity
from placet.encoding import PLACES
from placet.gate.state import CallState
from placet.gate.words import plain_failure
from placet.inlining import inlined
from placet.projection import decode_data
from placet.transport.faults import TransportError, TransportReason
from placet.transport.limiter import Limiter
from placet.transport.retry import attempts
from placet.transport.services import Sends

__all__ = ["Sender", "Unanswered", "failed", "unanswered"]


LAST_LOOK_S = 4.0
"""Time that a routine keeps for the requests after a wait."""


class Unanswered(Struct, frozen=True, kw_only=True):
    """No usable answer came. `sent` is True when the request may have left."""

    sent: bool
    sentence: str
    category: str = "network"
    retryable: bool = True
    retry_after_s: float | None = None


def failed(failure: Failure) -> Failed:
    """A platform's failure as a result."""
    return Failed(
        code=failure.code,
        category=failure.category,
        message=failure.message,
        retryable=failure.retryable,
        retry_after_s=failure.retry_after_s,
        log_id=failure.log_id,
        missing_scopes=failure.missing_scopes,
        grant_url=failure.grant_url,
        violations=failure.violations,
    )


def unanswered(answer: Unanswered) -> Failed:
    """What a call comes to that brought no answer and changed nothing."""
    return Failed(
        code="no_answer" if answer.sent else "not_sent",
        category=answer.category,
        message=answer.sentence,
        retryable=answer.retryable,
        retry_after_s=answer.retry_after_s,
    )


class Sender:
    """Sends the requests of calls.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(
        self, transport: Sends, limiter: Limiter, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._transport, self._limiter, self._clock = transport, limiter, clock

    async def exchange(self, request: HttpRequest, tenant: Tenant, deadline_s: float) -> Answer:
        """One bare exchange that belongs to no call, for checks of an installation.

        Raises:
            TransportError: no complete answer came.
        """
        return await self._transport.send(request, tenant, deadline_s=deadline_s)

    async def send(self, state: CallState, wire: WireCall, deadline_s: float) -> Body | Failure | Unanswered:
        """One request with its retries, within the deadline in seconds."""
        repeatable = not state.bound.is_write or _carries_native_key(state, wire)
        try:
            return await attempts(
                lambda left_s: self._attempt(state, wire, left_s),
                repeatable=repeatable,
                deadline_s=deadline_s,
            )
        except TransportError as error:
            limited = error.reason is TransportReason.RATE_LIMIT
            return Unanswered(
                sent=error.sent,
                sentence=str(error),
                category="rate_limited" if limited else "network",
                retryable=limited or error.reason.may_pass,
                retry_after_s=error.retry_after_s,
            )

    async def run_routine(self, state: CallState, calls: Mapping[str, WireCall], deadline_s: float) -> Any:
        """A routine's outcome: its data, or the failure that stopped it."""
        tool = state.bound
        assert tool.platform is not None
        send = _RoutineSend(self, state, calls, ends=self._clock() + deadline_s, clock=self._clock)
        try:
            return await tool.platform.routine(tool.binding.routine or "")(calls, state.arguments, send)
        except CallStopped as stopped:
            return stopped.answer
        except RoutineStopped as stopped:
            return plain_failure(stopped.failure)

    async def _attempt(self, state: CallState, wire: WireCall, left_s: float) -> Body | Failure:
        """One attempt; a credential that is not valid any more is refreshed once and the request sent again."""
        ends = self._clock() + left_s
        answer = await self._once(state, wire, ends)
        stale = isinstance(answer, Failure) and answer.credential_invalid and answer.effect == "none"
        if stale and not state.refreshed and await self._refresh(state):
            return await self._once(state, wire, ends)
        return answer

    async def _once(self, state: CallState, wire: WireCall, ends: float) -> Body | Failure:
        tool, tenant = state.bound, state.tenant
        assert tool.platform is not None and tenant is not None
        key = tool.platform.limit(tool.tool, wire.call, tenant)
        if key is not None:
            await self._limiter.wait(key, deadline_s=ends - self._clock())
        request = tool.platform.request(await inlined(wire), state.credential, tenant)
        state.sent = True
        answer = await self._transport.send(request, tenant, deadline_s=ends - self._clock())
        found = tool.platform.read(answer, wire.call, tenant)
        return plain_failure(found) if isinstance(found, Failure) else found

    async def _refresh(self, state: CallState) -> bool:
        """One forced refresh of the credential for the whole call; False when there is none to have."""
        tool = state.bound
        assert tool.platform is not None and state.tenant is not None
        state.refreshed = True
        identity = state.identity or Identity.TENANT
        try:
            found = await tool.platform.credential(state.tenant, identity, state.ctx.actor, force=True)
        except CredentialUnavailable:
            return False
        if isinstance(found, NeedsAuthorisation):
            return False
        state.credential = found
        return True


class _RoutineSend:
    """`Send` for one run of a routine: the tool's declared requests, within the call's time."""

    def __init__(
        self,
        sender: Sender,
        state: CallState,
        calls: Mapping[str, WireCall],
        *,
        ends: float,
        clock: Callable[[], float],
    ) -> None:
        self._sender, self._state, self._calls = sender, state, calls
        self._ends, self._clock = ends, clock

    async def __call__(self, call: str, wire: WireCall) -> Any:
        if call not in self._calls:
            raise PlacetError(f"the routine of {self._state.bound.entry.name!r} declares no request {call!r}")
        answer = await self._sender.send(self._state, wire, self._ends - self._clock())
        if not isinstance(answer, Body):
            raise CallStopped(answer)
        return decode_data(answer.data) if answer.data and not answer.is_file else answer

    async def wait(self, seconds: float) -> bool:
        if self._ends - self._clock() < seconds + LAST_LOOK_S:
            return False
        await anyio.sleep(seconds)
        return True


def _carries_native_key(state: CallState, wire: WireCall) -> bool:
    """True when the platform itself would recognise a second sending of this very request."""
    native = state.bound.binding.native_key
    if native is None or state.written is None or not state.written.native_key:
        return False
    first = native.slot.partition(".")[0]
    return first == wire.call.name or first in PLACES
