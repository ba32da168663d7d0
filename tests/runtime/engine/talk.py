"""A conversation with an engine over the scripted shop: what the model says is scripted, everything else is real."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from agents.testing import ScriptedModel, assistant_message, function_call

from placet.approvals import Decider
from placet.contract.approvals import Decided, LookUpApproval
from placet.engine import Engine, EngineOptions, Outgoing, Reply
from placet.engine.runs import Run
from placet.policy import ask_for_writes
from placet.stores.memory import MemoryShared
from tests.runtime.gate.world import World, context

__all__ = ["Channel", "Talk", "call", "say"]


def say(text: str) -> list[Any]:
    """The model replies."""
    return [assistant_message(text)]


def call(name: str, arguments: Any, call_id: str = "call_0") -> Any:
    """The model wants a tool; `call_0` is what careless servers call every one."""
    return function_call(name, arguments, call_id=call_id)


class Channel:
    """Takes messages, unless it is told to fail."""

    def __init__(self) -> None:
        self.taken: list[Outgoing] = []
        self.fails = False

    async def deliver(self, message: Outgoing) -> None:
        if self.fails:
            raise OSError("no network")
        self.taken.append(message)


class Talk:
    """One world, one store, engines on it.

    Attributes:
        model: Give it steps; its `calls` say what it was shown.
    """

    def __init__(self, *steps: Any) -> None:
        self.world, self.shared, self.channel = World(), MemoryShared(), Channel()
        self.model = ScriptedModel(steps)

    @asynccontextmanager
    async def engine(self, *, options: EngineOptions | None = None, **more: Any) -> AsyncIterator[Engine]:
        of_engine = {name: more.pop(name) for name in ("sessions", "session_input_callback") if name in more}
        async with self.world.gate(**{"authoriser": ask_for_writes, **more}) as gate:
            yield Engine(
                gate,
                models={"main": self.model},
                shared=self.shared,
                sealer=self.world.sealer,
                channel=self.channel,
                options=options,
                **of_engine,
            )

    async def decide(
        self, engine: Engine, identifier: str, *, by: str = "ann", approve: bool = True, reason: str = ""
    ) -> tuple[Decided, Reply | None]:
        (row,) = await self.world.store.apply(LookUpApproval(id=identifier))
        assert row is not None
        return await engine.decide(
            identifier,
            app="app1",
            decider=Decider(name=by, strength="person"),
            digest=row.digest,
            approve=approve,
            reason=reason,
        )

    async def run(self, engine: Engine, reply: Reply) -> Run:
        found = await engine._runs.get(reply.run)
        assert found is not None
        return found

    @property
    def sent(self) -> list[str]:
        return [request.method for request in self.world.wire.requests]

    def shown(self, at: int = -1) -> list[Any]:
        """What the model was shown at that request."""
        found: Any = self.model.calls[at].input
        return list(found) if not isinstance(found, str) else [found]

    def outputs(self, at: int = -1) -> list[str]:
        return [one["output"] for one in self.shown(at) if one.get("type") == "function_call_output"]


CTX = context(turn=None)
