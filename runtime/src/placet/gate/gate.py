"""One object through which every call passes, whatever door it comes from."""

import asyncio
import secrets
import ssl
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Self, TypeVar, cast

import anyio
import msgspec

from placet.approvals import ApproverRules, Desk, Proposals
from placet.contract.approvals import Approvals, Grant
from placet.contract.call import CallContext
from placet.contract.errors import PlacetError, RequestRefused
from placet.contract.masking import MaskingPolicy, SafetyMode
from placet.contract.platform import Platform, Tenant, UserTokens
from placet.contract.policy import Authoriser, Policy
from placet.contract.refusal import Reason
from placet.contract.result import Failed, Ok, Page, Pending, Refused, Result, Unknown
from placet.contract.stores import SharedState, TruthStore
from placet.contract.tool import Surface, Tool
from placet.files import FileStore
from placet.gate.building import GateParts, Opened, open_runtime
from placet.gate.chain import AFTER, AUDIT, BEFORE, EXECUTE, steps_after, steps_before
from placet.gate.children import Children
from placet.gate.deadlines import Deadlines
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState, Written
from placet.gate.steps.audit import audit
from placet.gate.steps.execute import execute
from placet.gate.words import UNREADABLE
from placet.gate.writes import unrecorded
from placet.sanitise.outbound import warm
from placet.tokens import Seals
from placet.transport.pool import TransportOptions
from placet.transport.services import Sends

__all__ = ["Gate", "fresh_id"]

A = TypeVar("A")
R = TypeVar("R")
T = TypeVar("T")

RECORD_GRACE_S = 5.0
"""Time for recording what became of a write, whoever still waits for it."""

DEADLINE_SLACK_S = 0.5
"""Each wait of the chain ends by the deadline with a reason of its own; this much later the call ends without one."""


def fresh_id() -> str:
    """128 random bits as text."""
    return secrets.token_hex(16)


class Gate:
    """Seven steps for every call, fail-closed: `async with Gate(...) as gate`.

    Args:
        surfaces: Tool packs.
        tenants: The apps that calls may name; there is no default one.
        policy: Reads on, writes off by default.
        authoriser: The host's say on each call; without one, writes are refused. `ask_for_writes` asks a person.
        store: Ledger and audit; must be durable wherever it matters.
        shared: What several processes share; None when this one is alone.
        seals: Encrypts shared tokens; needed with `shared`.
        users: Logins of persons; None where nobody can log in.
        approvals: Where proposals go; into `store` by default.
        approvers: Who may decide about them.
        files: Staged files; in memory by default.
        safety: What happens to texts that try to instruct a model.
        transport: Bounds of the connections; `ssl_context` trusts other certificates than the system's.
        wire: Exchanges requests instead of the pooled connections; for tests and measurements.
        behaviours: What local tools do, by the names their surface gives them, beside the four of `placet.meta`.
        namespace: Parts this installation's ledger keys from another's in one store.
        deadline_s: Total seconds of one call.
        platforms: Platforms by name instead of the installed ones.

    Raises:
        InvalidPolicy, UnknownPlatform, UnknownContract, DuplicateTenant, NameTaken: when entered; each names the
            option and the next move.
    """

    def __init__(
        self,
        *,
        surfaces: Sequence[Surface],
        tenants: Sequence[Tenant],
        store: TruthStore,
        policy: Policy | None = None,
        authoriser: Authoriser | None = None,
        shared: SharedState | None = None,
        seals: Seals | None = None,
        users: UserTokens | None = None,
        approvals: Approvals | None = None,
        approvers: ApproverRules | None = None,
        files: FileStore | None = None,
        safety: SafetyMode = SafetyMode.WARN,
        masking: MaskingPolicy | None = None,
        transport: TransportOptions | None = None,
        ssl_context: ssl.SSLContext | None = None,
        wire: Sends | None = None,
        platforms: Mapping[str, Platform] | None = None,
        behaviours: Mapping[str, Callable[..., Any]] | None = None,
        namespace: str = "",
        deadline_s: float = 30.0,
        now: Callable[[], float] = time.time,
        ids: Callable[[], str] = fresh_id,
    ) -> None:
        self._parts = GateParts(
            surfaces=tuple(surfaces),
            tenants=tuple(tenants),
            policy=policy if policy is not None else Policy(),
            authoriser=authoriser,
            store=store,
            shared=shared,
            seals=seals,
            users=users,
            approvals=approvals,
            approvers=approvers,
            files=files,
            safety=safety,
            masking=masking if masking is not None else MaskingPolicy(),
            transport=transport,
            ssl_context=ssl_context,
            wire=wire,
            platforms=platforms,
            behaviours=behaviours if behaviours is not None else {},
            namespace=namespace,
            deadline_s=deadline_s,
            now=now,
            fresh_id=ids,
        )
        self._opened: Opened | None = None
        self._before = tuple(zip(BEFORE, steps_before(), strict=True))
        self._after = tuple(zip(AFTER, steps_after(), strict=True))

    async def __aenter__(self) -> Self:
        self._opened = open_runtime(self._parts, self._children)
        self._deadlines = Deadlines(self._parts.deadline_s + DEADLINE_SLACK_S)
        # Beside the loop: it takes a while, and who needs a rule before that compiles it.
        asyncio.get_running_loop().run_in_executor(None, _warm, self._opened.runtime)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Store what waits and close the connections. The stores stay open: they are their maker's."""
        self._deadlines.close()
        opened, self._opened = self._opened, None
        if opened is not None:
            try:
                await opened.runtime.finishing.drain(RECORD_GRACE_S)
                await opened.recorder.close()
            finally:
                await opened.transport.close()

    @property
    def runtime(self) -> GateRuntime:
        """What the steps share; for doors that list tools or show settings.

        Raises:
            PlacetError: the gate is not open.
        """
        if self._opened is None:
            raise PlacetError("the gate is not open; use it as `async with Gate(...) as gate`")
        return self._opened.runtime

    @property
    def desk(self) -> Desk:
        """Where people decide about this gate's proposals, for trusted doors.

        Raises:
            PlacetError: the gate is not open, or its host keeps proposals elsewhere.
        """
        runtime = self.runtime
        if not isinstance(runtime.approvals, Proposals):
            raise PlacetError("this gate's proposals are kept by its host; decide there")
        return Desk(
            runtime.store,
            runtime.approvals,
            self,
            rules=self._parts.approvers,
            now=runtime.now,
            fresh_id=runtime.fresh_id,
            lease_s=max(60.0, 4 * runtime.deadline_s),
        )

    async def call(
        self, name: str, arguments: Mapping[str, Any] | str | bytes, ctx: CallContext
    ) -> Result[Any]:
        """Call a tool by name with arguments as a mapping or as JSON text.

        Returns:
            Exactly one of five kinds; nothing is raised for what a model, a person or the platform did.
        """
        return await self._pass(CallState(id=self.runtime.fresh_id(), name=name, ctx=ctx, raw=arguments))

    async def perform(self, grant: Grant) -> Result[Any]:
        """Make an approved call: it enters at step 1 as every call does, and its yes is checked in the store."""
        return await self._pass(
            CallState(
                id=self.runtime.fresh_id(),
                name=grant.call.tool,
                ctx=grant.call.ctx,
                raw=dict(grant.call.arguments),
                grant=grant,
                approval_id=grant.approval_id,
            )
        )

    async def invoke(self, tool: Tool[A, R], ctx: CallContext, args: A) -> Result[R]:
        """Call a typed tool; its arguments enter at step 1 as everybody's do, its data comes back typed."""
        arguments = msgspec.to_builtins(args)
        result = await self.call(tool.name, arguments, ctx)
        if not isinstance(result, Ok) or result.dry_run:
            return cast("Result[R]", result)
        try:
            data = msgspec.convert(result.data, tool.result)
        except msgspec.ValidationError as error:
            fallback = msgspec.convert({}, tool.result)
            return msgspec.structs.replace(result, data=fallback, drift=(*result.drift, str(error)))
        return cast("Result[R]", msgspec.structs.replace(result, data=data))

    def _children(self, state: CallState) -> Children:
        return Children(state, self.runtime, self._pass)

    async def _pass(self, state: CallState) -> AnyResult:
        runtime = self.runtime
        result: AnyResult | None = None
        try:
            # Steps 1 to 4 and the request, within the call's total deadline whatever they wait for.
            with self._deadlines.begin():
                result = await self._until_executed(state)
            if result is None:
                result = _overdue(state)
            if state.written is None and state.grant is None:
                return await self._leave(state, runtime, result)
        except BaseException:
            if not state.recorded:
                await self._finish(runtime, self._record_cancelled(state, runtime))
            raise
        # A write may have left: what became of it is recorded even when nobody waits any more.
        is_entering = not state.sent and state.written is not None and not _has_entered(state.written)
        work = self._leave(state, runtime, result)
        left = await self._finish(runtime, work, 0.0 if is_entering else RECORD_GRACE_S)
        if left is not None:
            return left
        return unrecorded(state, "the store did not answer in time") if state.sent else result

    async def _finish(
        self, runtime: GateRuntime, work: Coroutine[Any, Any, T], within_s: float = RECORD_GRACE_S
    ) -> T | None:
        """What the work comes to, waited for so long; it is finished in any case."""
        task = runtime.finishing.start(work)
        with anyio.move_on_after(within_s, shield=True):
            return await asyncio.shield(task)
        return None

    async def _leave(self, state: CallState, runtime: GateRuntime, result: AnyResult) -> AnyResult:
        trace, began = state.trace, time.perf_counter()
        verdict: str
        for name, step in self._after:
            try:
                result = await step(state, runtime, result)
                verdict = result.kind
            except Exception as error:
                _log(name, error)
                result, verdict = _withheld(state, result, name), "withheld"
            ended = time.perf_counter()
            trace.append((name, verdict, int((ended - began) * 1e6)))
            began = ended
        return result

    async def _until_executed(self, state: CallState) -> AnyResult:
        runtime, trace, began = self.runtime, state.trace, time.perf_counter()
        for name, step in self._before:
            try:
                stopped = await step(state, runtime)
            except Exception as error:
                _log(name, error)
                stopped = _broken(name)
            if stopped is not None:
                state.passed(name, stopped.kind, began)
                return stopped
            ended = time.perf_counter()
            trace.append((name, "pass", int((ended - began) * 1e6)))
            began = ended
        try:
            result = await execute(state, runtime)
        except Exception as error:
            result = _interrupted(state, error)
        state.passed(EXECUTE, result.kind, began)
        return result

    async def _record_cancelled(self, state: CallState, runtime: GateRuntime) -> None:
        """A cancelled write that may have left is unknown, and is recorded as that although nobody waits for it."""
        if not state.sent:
            state.grant = None  # the yes stands: a sweep makes the call that this caller no longer waits for
        state.passed(EXECUTE, "cancelled", state.started)
        try:
            await audit(state, runtime, _cancelled(state))
        except Exception as error:
            _log(AUDIT, error)


def _has_entered(written: Written) -> bool:
    return written.entering is None or written.entering.done()


def _warm(runtime: GateRuntime) -> None:
    """Compile the outbound rules of every platform; the answer that needs one first would wait for it."""
    for masking in runtime.maskings.values():
        warm(masking, runtime.safety)


def _broken(step: str) -> Refused:
    """A step that raises refuses. What it raised stays in the log; a model learns the step's name alone."""
    return Refused(
        code=Reason.STEP_FAILED,
        reason=f"the step {step!r} could not be carried out, so nothing was sent",
        hint="try again later; the operator finds the cause in the log",
    )


def _interrupted(state: CallState, error: Exception) -> AnyResult:
    if isinstance(error, RequestRefused) and not state.sent:
        return Refused(code=Reason.ARGUMENTS_INVALID, reason=str(error), hint="correct it and call again")
    _log(EXECUTE, error)
    if not state.sent:
        return _broken(EXECUTE)
    if state.bound.is_write:
        return Unknown(id=state.id, reason="the write may have been sent, and then this runtime failed")
    return Failed(
        code="answer_unreadable",
        category="server",
        message="the platform answered, and this runtime could not read it",
    )


def _overdue(state: CallState) -> AnyResult:
    """Something outside did not answer before the call's deadline, and no part of the chain said so itself."""
    sentence = "the call took longer than its deadline"
    if not state.sent:
        return Refused(
            code=Reason.STEP_FAILED, reason=f"{sentence}; nothing was sent", hint="try again later"
        )
    if state.bound.is_write:
        return Unknown(id=state.id, reason=f"{sentence} after its write may have been sent")
    return Failed(code="deadline", category="network", message=sentence, retryable=True)


def _cancelled(state: CallState) -> AnyResult:
    if state.written is not None and state.sent:
        return Unknown(id=state.id, reason="the call was cancelled while its write was under way")
    return Failed(code="cancelled", category="other", message="the call was cancelled")


def _withheld(state: CallState, result: AnyResult, step: str) -> AnyResult:
    """After the request a step can only withhold: what could not be checked, or recorded, does not leave."""
    if step == AUDIT and state.sent and state.bound.is_write:
        return unrecorded(state, "the record could not be made")
    match result:
        case Ok():
            page = None if state.cursor_at is None else Page(next=state.cursor_at(0))
            return Ok(data={}, page=page, withheld=f"the step {step!r} could not be carried out")
        case Failed() if step != AUDIT:
            return Failed(
                code=result.code if result.code.isdigit() else UNREADABLE,
                category=result.category,
                retryable=result.retryable,
                retry_after_s=result.retry_after_s,
            )
        case Refused() if step != AUDIT:
            return msgspec.structs.replace(result, reason="the reason was withheld", hint="")
        case Pending() if step != AUDIT:
            return msgspec.structs.replace(result, view={})
        case Unknown() if step != AUDIT:
            return msgspec.structs.replace(result, reason="the reason was withheld")
        case _:
            return result


def _log(step: str, error: Exception) -> None:
    import logging

    logging.getLogger("placet.gate").error("step %s failed: %s", step, type(error).__name__, exc_info=error)
