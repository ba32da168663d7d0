"""A turn and its decision in a process that dies where it is told; and the same pieces for whoever comes after.

Arguments of the process: store URL, base URL of the platform, folder, write, the point.
"""

import json
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from agents import ModelResponse, Usage
from agents.models.interface import Model
from agents.testing import assistant_message, function_call

import placet_feishu
from placet.approvals import Decider
from placet.contract.approvals import DecideApproval, LookUpApproval
from placet.contract.call import Actor, CallContext
from placet.contract.documents import SwapDocument
from placet.contract.platform import Secret, Tenant
from placet.contract.policy import Policy
from placet.contract.stores import BeginWrite, FinishWrite, Operation, TruthStore
from placet.engine import Engine, EngineOptions, Outgoing
from placet.gate import Gate
from placet.policy import ask_for_writes
from placet.sealing import Sealer
from placet.stores import ChainKeys, open_store
from tests.runtime.gate.dying import KEYS, die, dying_at_answer

WRITES = ("bitable.add_record", "bitable.create_table")
CTX = CallContext(app="cli_a1", actor=Actor(user="ou_ann"), session="oc_1")
ANN = Decider(name="ou_ann", strength="person")


def _point(operation: Operation) -> str:
    """The word for a tuple that holds this operation; empty for one that no point is named after."""
    match operation:
        case DecideApproval():
            return "decide"
        case BeginWrite():
            return "intent"
        case FinishWrite():
            return "finish"
        case SwapDocument(kind="run", document=document) if document is not None:
            return document.state
        case _:
            return ""


class Dying:
    """A store that ends the process before or after the tuple of the point, such as `resuming:after:2`: the second."""

    def __init__(self, inner: TruthStore, point: str) -> None:
        self._inner = inner
        self._word, _, when = point.partition(":")
        self._when, _, count = when.partition(":")
        self._left = int(count or 1)

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        matches = any(_point(one) == self._word for one in operations)
        self._left -= matches
        matches = matches and self._left == 0
        if matches and self._when == "before":
            die()
        found = await self._inner.apply(*operations)
        if matches and self._when == "after":
            die()
        return found

    async def close(self) -> None:
        await self._inner.close()


class Channel:
    """Writes what it took into a file, and may die before it can say so."""

    def __init__(self, folder: Path, point: str) -> None:
        self._file, self._point = folder / "delivered", point

    async def deliver(self, message: Outgoing) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(message.id + "\n")
        if self._point == f"deliver:{message.kind}":
            die()


class Clerk(Model):
    """Wants the write until it sees an answer to it; then says how it went. Dies at the point `reads-on`."""

    def __init__(self, tool: str, arguments: Any, point: str) -> None:
        self._tool, self._arguments, self._point = tool.replace(".", "_"), arguments, point

    async def get_response(
        self, system_instructions: Any, input: Any, *more: Any, **named: Any
    ) -> ModelResponse:
        outputs = [one["output"] for one in input if one.get("type") == "function_call_output"]
        output: Any = function_call(self._tool, json.dumps(self._arguments), call_id="call_0")
        if outputs:
            if self._point == "reads-on":
                die()
            output = assistant_message(f"it is {json.loads(outputs[-1])['kind']}")
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *arguments: Any, **named: Any) -> Any:
        raise NotImplementedError


@asynccontextmanager
async def engine_at(
    url: str, base_url: str, folder: Path, tool: str, arguments: Any, *, point: str = "", ahead_s: float = 0.0
) -> AsyncIterator[tuple[Engine, TruthStore]]:
    """An engine as every process of the installation has it.

    Args:
        ahead_s: Seconds that this process's clock is ahead.
    """
    truth, shared = open_store(url, keys=ChainKeys(KEYS))
    store, sealer = Dying(truth, point), Sealer(KEYS)
    tenant = Tenant(
        app="cli_a1", platform="feishu", brand="feishu", secret=Secret("secret"), base_url=base_url
    )
    async with Gate(
        surfaces=[placet_feishu.surface],
        tenants=[tenant],
        store=store,
        seals=sealer,
        policy=Policy(reads=(), write_allow=WRITES),
        authoriser=ask_for_writes,
        now=lambda: time.time() + ahead_s,
    ) as gate:
        yield (
            Engine(
                gate,
                models={"clerk": Clerk(tool, arguments, point)},
                shared=shared,
                sealer=sealer,
                channel=Channel(folder, point),
                options=EngineOptions(hold_s=1.5),
            ),
            store,
        )
    await shared.close()
    await truth.close()


async def decided(engine: Engine, store: TruthStore, identifier: str) -> str:
    """Ann's yes to what she was shown; the verdict."""
    (row,) = await store.apply(LookUpApproval(id=identifier))
    answer, _ = await engine.decide(identifier, app="cli_a1", decider=ANN, digest=row.digest, approve=True)
    return answer.verdict


async def whole(url: str, base_url: str, folder: Path, tool: str, arguments: Any, point: str) -> None:
    """A turn, and the yes to what it proposes."""
    async with engine_at(url, base_url, folder, tool, arguments, point=point) as (engine, store):
        reply = await engine.turn("please", CTX)
        (folder / "asked").write_text(reply.waiting[0], encoding="utf-8")
        await decided(engine, store, reply.waiting[0])


if __name__ == "__main__":
    store_url, platform_url, place, wanted, where = sys.argv[1:]
    dying_at_answer(where)
    name, sent = json.loads(wanted)
    anyio.run(lambda: whole(store_url, platform_url, Path(place), name, sent, where))
    os._exit(3)  # the point was never reached
