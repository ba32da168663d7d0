"""The engine: turns, decisions and what is left when a process dies.

A turn goes through the stages of `stages.STAGES`. Its loop stops at each write; the write is proposed in the
transaction that stores the run; a decision makes the call before the model reads on, and never because it does.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from agents import RunContextWrapper
from agents.memory import SessionInputCallback
from agents.models.interface import Model
from msgspec.structs import replace

from placet.approvals import Decider, Proposals
from placet.contract.approvals import Decided, LookUpApproval
from placet.contract.call import CallContext
from placet.contract.errors import PlacetError
from placet.contract.stores import SharedState, StoreError
from placet.engine.answers import closed, executed, gone
from placet.engine.conversations import Conversations
from placet.engine.encrypted import strict
from placet.engine.guidance import instructions
from placet.engine.history import SealedSession, session_key
from placet.engine.loop import Listener, Loop
from placet.engine.options import EngineOptions, Reply
from placet.engine.outbox import OutboundChannel, Outbox
from placet.engine.pairing import PairingSession
from placet.engine.runs import OwnershipLost, PendingCall, Run, Runs
from placet.engine.stages import Stages, Turn
from placet.engine.tools import call_of, enabled_tools, function_tools
from placet.gate import Gate
from placet.sealing import Sealer

__all__ = ["Engine"]

Sessions = Callable[[str], Any]
"""Session id to a session of any back end of the Agents SDK."""


class Engine:
    """Conversations over one gate.

    Args:
        gate: Open, with its proposals in its own store.
        models: By name; the first is used where a turn names none.
        shared: Conversation leases, seen by every process of the installation.
        sealer: Encrypts runs, sessions and what waits to be delivered.
        sessions: Session id to a session; the truth store's own by default.
        session_input_callback: What a model is given of the history and the new message, as `RunConfig` has it.
        channel: Takes replies and approval notices to people; None where callers only read `Reply`.
        tools: Names to offer; every enabled one by default.
    """

    def __init__(
        self,
        gate: Gate,
        *,
        models: dict[str, Model],
        shared: SharedState,
        sealer: Sealer,
        sessions: Sessions | None = None,
        session_input_callback: SessionInputCallback | None = None,
        channel: OutboundChannel | None = None,
        tools: Iterable[str] | None = None,
        options: EngineOptions | None = None,
    ) -> None:
        if not models:
            raise PlacetError("an engine needs a model; name one")
        runtime = gate.runtime
        if not isinstance(runtime.approvals, Proposals):
            raise PlacetError("an engine needs a gate whose proposals lie in its own store")
        self._gate, self._proposals, self._store = gate, runtime.approvals, runtime.store
        self._options = options if options is not None else EngineOptions()
        self._sealer, self._sessions = sealer, sessions
        self._now, self._fresh_id = runtime.now, runtime.fresh_id
        self._runs = Runs(runtime.store, sealer, now=runtime.now)
        self._outbox = Outbox(runtime.store, sealer, channel, now=runtime.now)
        self._conversations = Conversations(
            shared, fresh_id=runtime.fresh_id, most=self._options.turns, lease_s=self._options.hold_s
        )
        entries = enabled_tools(gate, tools)
        told = instructions(
            gate,
            entries,
            own=self._options.own,
            locale=self._options.locale,
            most_chars=self._options.guidance_chars,
        )
        offered = function_tools(gate, entries, locale=self._options.locale)
        self._loops = {
            name: Loop(model, instructions=told, tools=offered, session_input_callback=session_input_callback)
            for name, model in models.items()
        }
        self._stages = Stages(
            gate,
            self._proposals,
            runs=self._runs,
            outbox=self._outbox,
            loops=self._loops,
            options=self._options,
            now=runtime.now,
        )

    async def turn(
        self, text: str, ctx: CallContext, *, model: str | None = None, listener: Listener | None = None
    ) -> Reply:
        """A person says something.

        Args:
            ctx: The authenticated person and the conversation; `session` must be set.
            model: By name.
            listener: Hears of text and tools as they come.

        Raises:
            Busy: the conversation had no place in time.
            StoreError: the store is down; what was durable before is gone on with by a sweep.
        """
        name = model if model is not None else next(iter(self._loops))
        if name not in self._loops:
            raise PlacetError(f"there is no model {name!r}; there is {', '.join(self._loops)}")
        if not ctx.session:
            raise PlacetError("a turn belongs to a conversation; set the context's session")
        async with self._conversations.hold(session_key(ctx.app, ctx.session)):
            identifier = f"run_{self._fresh_id()}"
            session = await self._session(identifier, ctx)
            run = Run(
                id=identifier,
                ctx=ctx,
                model=name,
                text=text,
                status="running",
                started_at=self._now(),
                savepoint=await session.count(),
                until=self._stages.until(),
            )
            reply = await self._stages.drive(Turn(run, session, listener))
        await self._outbox.flush()
        return reply

    async def decide(
        self,
        approval_id: str,
        *,
        app: str,
        decider: Decider,
        digest: str,
        approve: bool,
        reason: str = "",
    ) -> tuple[Decided, Reply | None]:
        """A person's decision at a trusted door; with what the conversation came to, once nothing of it waits.

        The decision is durable when this has begun to act on it; dying in between loses nothing.

        Args:
            app: The tenant's; another tenant's approval is not found.
            digest: Of what the decider was shown.

        Raises:
            Busy: the conversation was not free in time; the call was made, and a sweep lets the model read on.
            StoreError: the store is down; a decision that was answered stands.
        """
        desk = self._gate.desk
        decided = await desk.decide(
            approval_id, app=app, decider=decider, digest=digest, approve=approve, reason=reason
        )
        row = decided.row
        if decided.verdict == "claimed" and row is not None:
            await desk.perform(row)
        if row is None or not row.run or decided.verdict not in ("claimed", "rejected"):
            return decided, None
        return decided, await self.go_on(row.run)

    async def close(self) -> None:
        """Let the models' connections go. Gate and stores stay open: they are their makers'."""
        for loop in self._loops.values():
            await loop.close()

    async def go_on(self, run_id: str) -> Reply | None:
        """Let the model read on, when nothing that its run waits for is open; None when something is."""
        found = await self._runs.get(run_id)
        if found is None or found.status != "suspended":
            return None
        async with self._conversations.hold(session_key(found.ctx.app, found.conversation)):
            reply = await self._resumed(run_id)
        await self._outbox.flush()
        return reply

    async def sweep(self) -> list[Reply]:
        """Go on with whatever a dead process left: calls, turns, replies. Any number of processes may sweep."""
        await self._gate.desk.sweep()
        replies = []
        for run in await self._runs.abandoned():
            replies += await self._quietly(run, self._taken_up)
        for run in await self._runs.suspended():
            replies += await self._quietly(run, self._resumed)
        await self._outbox.flush()
        return replies

    async def _quietly(self, run: Run, work: Callable[[str], Awaitable[Reply | None]]) -> list[Reply]:
        """One run's trouble is not the others'."""
        try:
            async with self._conversations.hold(session_key(run.ctx.app, run.conversation)):
                reply = await work(run.id)
        except (OwnershipLost, StoreError, PlacetError) as error:
            logging.getLogger("placet.engine").warning("run %s: %s", run.id, type(error).__name__)
            return []
        return [] if reply is None else [reply]

    async def _taken_up(self, run_id: str) -> Reply | None:
        """Redo a stretch whose process died: the session goes back to the savepoint, and no write can be lost.

        A write of that stretch was either proposed with the run's next version or not at all; what it did read, it
        reads again.
        """
        run = await self._runs.get(run_id)
        if run is None or run.status not in ("running", "resuming") or (run.until or 0) > self._now():
            return None
        session = await self._session(run.id, run.ctx)
        if run.attempts >= self._options.attempts:
            return await self._stages.give_up(run, session, "this turn could not be finished")
        await session.roll_back(run.savepoint)
        run = replace(run, attempts=run.attempts + 1, until=self._stages.until())
        return await self._stages.drive(Turn(run, session))

    async def _resumed(self, run_id: str) -> Reply | None:
        run = await self._runs.get(run_id)
        if run is None or run.status != "suspended":
            return None
        answers = dict(run.answers)
        for call in run.pending:
            output = await self._output(run, call)
            if output is None:
                return None
            answers[call.call_id] = output
        session = await self._session(run.id, run.ctx)
        run = replace(
            run,
            status="resuming",
            pending=(),
            answers=answers,
            savepoint=await session.count(),
            until=self._stages.until(),
            attempts=1,
        )
        return await self._stages.drive(Turn(run, session))

    async def _output(self, run: Run, call: PendingCall) -> str | None:
        """What a decided call says to the model; None while it is open."""
        (row,) = await self._store.apply(LookUpApproval(id=call.approval_id))
        if row is None:
            return gone()
        if row.state == "executed":
            # Asked again under its own run and call id: the ledger answers, and nothing is sent.
            arguments = self._proposals.opened(row).call.arguments
            return executed(
                await self._gate.call(call.tool, arguments, call_of(run.ctx, run.id, call.call_id))
            )
        return closed(row)

    async def _session(self, run: str, ctx: CallContext) -> PairingSession:
        key = session_key(ctx.app, ctx.session or "")
        inner = (
            strict(self._sessions(key))
            if self._sessions is not None
            else SealedSession(self._store, self._sealer, session_id=key, tenant=ctx.app)
        )
        waiting = await self._runs.waiting_calls(ctx.app, ctx.session or "")
        return PairingSession(
            inner,
            waiting=waiting,
            most_tokens=self._options.history_tokens,
            # As the loop's own calls have it.
            wrapper=RunContextWrapper((run, ctx)),
        )
