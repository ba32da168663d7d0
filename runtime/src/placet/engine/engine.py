"""The engine: turns, decisions and what is left when a process dies.

A turn goes through the stages of `STAGES`, in that order. Its loop stops at each write; the write is proposed in the
transaction that stores the run; a decision makes the call before the model reads on, and never because it does. Every
step forward is a new version of the run's row, so that of two processes one goes on and the other learns that it lost.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from agents import RunContextWrapper
from agents.memory import SessionInputCallback
from agents.models.interface import Model
from msgspec import Struct
from msgspec.structs import replace

from placet.approvals import Decider, Proposals
from placet.approvals.proposals import Gathered
from placet.contract.approvals import Decided, LookUpApproval
from placet.contract.call import CallContext
from placet.contract.errors import PlacetError
from placet.contract.result import Pending, Result
from placet.contract.stores import Operation, SharedState, StoreError
from placet.engine.answers import TOO_MANY, closed, executed, gone, outputs
from placet.engine.conversations import Conversations
from placet.engine.encrypted import strict
from placet.engine.guidance import instructions
from placet.engine.history import SealedSession, session_key
from placet.engine.loop import OVER, Listener, Loop
from placet.engine.options import EngineOptions, Reply
from placet.engine.outbox import OutboundChannel, Outbox, Outgoing
from placet.engine.pairing import PairingSession
from placet.engine.runs import OwnershipLost, PendingCall, Run, Runs
from placet.engine.tools import call_of, enabled_tools, function_tools
from placet.gate import Gate
from placet.rendering import for_model
from placet.sealing import Sealer

__all__ = ["STAGES", "Engine"]

Sessions = Callable[[str], Any]
"""Session id to a session of any back end of the Agents SDK."""


class _Turn(Struct):
    """A run on its way through the stages."""

    run: Run
    session: PairingSession
    listener: Listener | None = None
    reply: str = ""


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
                until=self._until(),
            )
            reply = await self._drive(_Turn(run, session, listener))
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
            return await self._given_up(run, session, "this turn could not be finished")
        await session.roll_back(run.savepoint)
        run = replace(run, attempts=run.attempts + 1, until=self._until())
        return await self._drive(_Turn(run, session))

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
            until=self._until(),
            attempts=1,
        )
        return await self._drive(_Turn(run, session))

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

    async def _drive(self, turn: _Turn) -> Reply:
        reply: Reply | None = None
        try:
            for stage in STAGES:
                reply = await stage(self, turn)
        except OwnershipLost:
            raise
        except PlacetError:
            raise
        except Exception as error:
            # A model's server that fails must not leave a conversation that never answers.
            logging.getLogger("placet.engine").error("run %s failed", turn.run.id, exc_info=error)
            return await self._given_up(turn.run, turn.session, "the model could not be reached")
        assert reply is not None
        return reply

    async def _open(self, turn: _Turn) -> None:
        """On record before anything is done: whoever finds the row can do the turn again."""
        turn.run, _ = await self._runs.save(turn.run)

    async def _think(self, turn: _Turn) -> None:
        """The loop, from the person's words or from the answers to what it waited for, until it replies or waits."""
        text = turn.run.text if turn.run.status == "running" else None
        while True:
            if turn.run.wanted:
                await self._ask(turn)
                if turn.run.status == "suspended":
                    return
            await turn.session.add_items(outputs(turn.run.answers))
            run = turn.run
            stretch = await self._loops[run.model].go_on(
                text,
                turn.session,
                run=run.id,
                ctx=run.ctx,
                most=self._options.requests - run.used.requests,
                listener=turn.listener,
            )
            used = run.used.plus(stretch.used)
            turn.run, turn.reply, text = replace(run, used=used), stretch.reply, None
            if not stretch.wanted:
                return
            if self._is_spent(turn.run):
                turn.reply = OVER
                return
            # On record before a call is taken to the gate: a write that needs nobody's yes is not made twice.
            turn.run, _ = await self._runs.save(
                replace(
                    turn.run,
                    status="resuming",
                    wanted=stretch.wanted,
                    answers={},
                    savepoint=await turn.session.count(),
                    until=self._until(),
                )
            )

    async def _close(self, turn: _Turn) -> Reply:
        """The reply and the end of the run in one transaction; or how it waits."""
        run = turn.run
        if run.status == "suspended":
            return Reply(run=run.id, text="", waiting=tuple(call.approval_id for call in run.pending))
        return await self._ended(run, "done", turn.reply)

    async def _ask(self, turn: _Turn) -> None:
        """Each call at which the loop stopped, through the gate: some wait for a person, the others are answered."""
        run = turn.run
        waiting, answers = [], dict(run.answers)
        with self._proposals.gathering() as gathered:
            for call in run.wanted:
                result: Result[Any] = await self._gate.call(
                    call.tool, call.arguments, call_of(run.ctx, run.id, call.call_id)
                )
                if isinstance(result, Pending) and result.needs == "approval":
                    waiting.append(PendingCall(call_id=call.call_id, tool=call.tool, approval_id=result.id))
                else:
                    answers[call.call_id] = for_model(result)
        turn.run = replace(run, wanted=(), answers=answers)
        if waiting:
            await self._suspend(turn, waiting, gathered)

    def _is_spent(self, run: Run) -> bool:
        tokens, calls = self._options.run_tokens, self._options.run_calls
        used = run.used.input_tokens + run.used.output_tokens
        return (
            run.used.requests >= self._options.requests
            or (tokens is not None and used >= tokens)
            or (calls is not None and run.used.calls >= calls)
        )

    async def _suspend(self, turn: _Turn, waiting: list[PendingCall], gathered: Gathered) -> None:
        """Proposals, notices and the run that waits for them: one transaction."""
        run = replace(turn.run, status="suspended", pending=tuple(waiting), until=None, attempts=1)
        notices = [self._outbox.post(_notice(run, call)) for call in waiting]
        operations: list[Operation] = [*gathered.asked, *notices]
        run, answered = await self._runs.save(run, *operations)
        opened: dict[str, Any] = {
            asked.row.id: proposed for asked, proposed in zip(gathered.asked, answered, strict=False)
        }
        turn.run = await self._settled_on(run, opened)
        for identifier, proposed in opened.items():
            if proposed.verdict == "opened":
                self._proposals.tell(identifier, gathered.views[identifier])

    async def _settled_on(self, run: Run, opened: dict[str, Any]) -> Run:
        """The run with what its proposals came to: an identical one's id, or that there were too many.

        A run that then waits for nothing goes on at once, and nobody is told of what was not opened.
        """
        pending, answers = [], dict(run.answers)
        for call in run.pending:
            proposed = opened.get(call.approval_id)
            if proposed is None or proposed.verdict == "opened":
                pending.append(call)
            elif proposed.verdict == "same":
                pending.append(replace(call, approval_id=proposed.id))
            else:
                answers[call.call_id] = TOO_MANY
        if tuple(pending) == run.pending:
            return run
        settled = replace(run, pending=tuple(pending), answers=answers)
        if not pending:
            settled = replace(settled, status="resuming", until=self._until())
        unopened = {call.approval_id for call in run.pending} - {call.approval_id for call in pending}
        withdrawn = [self._outbox.withdraw(_notice_id(identifier)) for identifier in sorted(unopened)]
        saved, _ = await self._runs.save(settled, *withdrawn)
        return saved

    async def _given_up(self, run: Run, session: PairingSession, why: str) -> Reply:
        """End a run without the model. What was decided stays in the history, so that nothing is made twice."""
        await session.roll_back(run.savepoint)
        await session.add_items(outputs(run.answers))
        again = "please try again"
        if run.answers:
            again = "what was decided has been dealt with; ask what became of it before you repeat it"
        return await self._ended(run, "failed", f"{why}; {again}")

    async def _ended(self, run: Run, status: Any, text: str) -> Reply:
        message = Outgoing(
            id=f"{run.id}.reply",
            kind="reply",
            app=run.ctx.app,
            conversation=run.conversation,
            run=run.id,
            text=text,
        )
        ended = replace(run, status=status, reply=text, until=None, answers={}, pending=())
        await self._runs.save(ended, self._outbox.post(message))
        return Reply(run=run.id, text=text)

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

    def _until(self) -> float:
        return self._now() + self._options.lease_s


STAGES = (Engine._open, Engine._think, Engine._close)
"""What a turn goes through, first to last."""


def _notice(run: Run, call: PendingCall) -> Outgoing:
    return Outgoing(
        id=_notice_id(call.approval_id),
        kind="approval",
        app=run.ctx.app,
        conversation=run.conversation,
        run=run.id,
        approval_id=call.approval_id,
    )


def _notice_id(approval_id: str) -> str:
    return f"{approval_id}.notice"
