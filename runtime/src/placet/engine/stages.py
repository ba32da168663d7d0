"""The stages of a turn, first to last: on record, the loop, the end or how it waits.

Every step forward is a new version of the run's row, so that of two processes one goes on and the other learns that it
lost.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from placet.approvals import Proposals
from placet.approvals.proposals import Gathered
from placet.contract.errors import PlacetError
from placet.contract.result import Pending, Result
from placet.contract.stores import Operation
from placet.engine.answers import TOO_MANY, outputs
from placet.engine.loop import OVER, Listener, Loop
from placet.engine.options import EngineOptions, Reply
from placet.engine.outbox import Outbox, Outgoing
from placet.engine.pairing import PairingSession
from placet.engine.runs import OwnershipLost, PendingCall, Run, Runs
from placet.engine.tools import call_of
from placet.gate import Gate
from placet.rendering import for_model

__all__ = ["STAGES", "Stages", "Turn"]


class Turn(Struct):
    """A run on its way through the stages."""

    run: Run
    session: PairingSession
    listener: Listener | None = None
    reply: str = ""


class Stages:
    """What moves runs.

    Args:
        loops: By the model's name.
        now: Unix seconds.
    """

    def __init__(
        self,
        gate: Gate,
        proposals: Proposals,
        *,
        runs: Runs,
        outbox: Outbox,
        loops: Mapping[str, Loop],
        options: EngineOptions,
        now: Callable[[], float],
    ) -> None:
        self._gate, self._proposals = gate, proposals
        self._runs, self._outbox, self._loops = runs, outbox, loops
        self._options, self._now = options, now

    def until(self) -> float:
        """When whoever moves a run from now on is held to be dead, in Unix seconds."""
        return self._now() + self._options.lease_s

    async def drive(self, turn: Turn) -> Reply:
        """Take a run through the stages.

        Raises:
            OwnershipLost: another process moved the run.
            PlacetError: the store or the gate cannot go on; a sweep will.
        """
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
            return await self.give_up(turn.run, turn.session, "the model could not be reached")
        assert reply is not None
        return reply

    async def _open(self, turn: Turn) -> None:
        """On record before anything is done: whoever finds the row can do the turn again."""
        turn.run, _ = await self._runs.save(turn.run)

    async def _think(self, turn: Turn) -> None:
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
                    until=self.until(),
                )
            )

    async def _close(self, turn: Turn) -> Reply:
        """The reply and the end of the run in one transaction; or how it waits."""
        run = turn.run
        if run.status == "suspended":
            return Reply(run=run.id, text="", waiting=tuple(call.approval_id for call in run.pending))
        return await self._ended(run, "done", turn.reply)

    async def _ask(self, turn: Turn) -> None:
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

    async def _suspend(self, turn: Turn, waiting: list[PendingCall], gathered: Gathered) -> None:
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
            settled = replace(settled, status="resuming", until=self.until())
        unopened = {call.approval_id for call in run.pending} - {call.approval_id for call in pending}
        withdrawn = [self._outbox.withdraw(_notice_id(identifier)) for identifier in sorted(unopened)]
        saved, _ = await self._runs.save(settled, *withdrawn)
        return saved

    async def give_up(self, run: Run, session: PairingSession, why: str) -> Reply:
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


STAGES = (Stages._open, Stages._think, Stages._close)
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
