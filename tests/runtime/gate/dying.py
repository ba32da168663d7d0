"""One call that dies where it is told, in a process of its own; or one that does not, anywhere.

Arguments of the process: store URL, base URL of the platform, tool, arguments as JSON, the point.
"""

import os
import sys
import time
from typing import Any

import anyio

import placet_feishu
from placet.contract.binding import Call
from placet.contract.call import Actor, CallContext
from placet.contract.platform import Answer, Body, Failure, Secret, Tenant
from placet.contract.policy import Decision, Policy, Proposal
from placet.contract.stores import BeginWrite, FinishWrite, Operation, TruthStore
from placet.gate import Gate
from placet.platforms.feishu import platform as feishu
from placet.stores import ChainKeys, open_store

KEYS = [b"k" * 32]
WRITES = ("bitable.add_record", "bitable.create_table")


def die() -> None:
    os._exit(9)


class Dying:
    """A store that ends the process before or after the tuple with an operation of a kind."""

    def __init__(self, inner: TruthStore, point: str) -> None:
        self._inner = inner
        kind, _, self._when = point.partition(":")
        self._kind = {"intent": BeginWrite, "finish": FinishWrite}.get(kind)

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        matches = self._kind is not None and any(isinstance(one, self._kind) for one in operations)
        if matches and self._when == "before":
            die()
        found = await self._inner.apply(*operations)
        if matches:
            die()
        return found

    async def close(self) -> None:
        await self._inner.close()


def dying_at_answer(point: str) -> None:
    """The platform's reading of a write's answer ends the process: the answer was there, and nothing came of it."""
    if point != "answer":
        return
    read = feishu.FeishuPlatform.read

    def reading(
        self: feishu.FeishuPlatform, answer: Answer, call: Call, tenant: Tenant | None = None
    ) -> Body | Failure:
        if call.http == "POST" and "/search" not in call.route:
            die()
        return read(self, answer, call, tenant)

    feishu.FeishuPlatform.read = reading  # type: ignore[method-assign]


async def allow(proposal: Proposal) -> Decision:
    return Decision.ALLOW


async def called(
    url: str, base_url: str, tool: str, arguments: str, *, point: str = "", ahead_s: float = 0.0
) -> list[Any]:
    """Kind, code and whether it was replayed.

    Args:
        point: Where the process dies.
        ahead_s: Seconds that the host's clock is ahead.
    """
    truth, shared = open_store(url, keys=ChainKeys(KEYS))
    tenant = Tenant(
        app="cli_a1", platform="feishu", brand="feishu", secret=Secret("secret"), base_url=base_url
    )
    policy = Policy(reads=(), write_allow=WRITES, unattended=WRITES)
    async with Gate(
        surfaces=[placet_feishu.surface],
        tenants=[tenant],
        store=Dying(truth, point),
        policy=policy,
        authoriser=allow,
        now=lambda: time.time() + ahead_s,
    ) as gate:
        ctx = CallContext(app="cli_a1", actor=Actor(user="ou_ann"))
        result = await gate.call(tool, arguments, ctx)
    await shared.close()
    await truth.close()
    return [result.kind, getattr(result, "code", ""), getattr(result, "replayed", False)]


if __name__ == "__main__":
    store_url, platform_url, name, sent, where = sys.argv[1:]
    dying_at_answer(where)
    anyio.run(lambda: called(store_url, platform_url, name, sent, point=where))
