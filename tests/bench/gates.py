"""Gates as hosts open them: masking on, safety warn, the audit batched into SQLite; one app, writes allowed by name.

The limiter is asked as always, but its rates are raised: the platform's own would have the measurement wait.
"""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from placet.contract.call import Actor, CallContext
from placet.contract.platform import Answer, HttpRequest, Secret, Tenant
from placet.contract.policy import Decision, Policy, Proposal
from placet.contract.result import Ok
from placet.gate import Gate
from placet.platforms.feishu import limits
from placet.stores.chain import ChainKeys
from placet.stores.opening import open_store
from placet_feishu import surface
from tests.bench.calling import Call
from tests.bench.measuring import Failed
from tests.bench.samples import APP, answer_to

READ, LIST, WRITE = "bitable.get_records", "bitable.query_records", "bitable.create_field"
CONTEXT = CallContext(app=APP, actor=Actor())
UNBOUNDED = CallContext(app=APP, actor=Actor(), result_chars=None)

HEADERS = {"content-type": "application/json; charset=utf-8", "x-tt-logid": "20261130abcdef"}


class InMemory:
    """A transport that has every answer at hand."""

    async def send(self, request: HttpRequest, tenant: Tenant, *, deadline_s: float) -> Answer:
        body = ANSWERS.get(request.url)
        if body is None:
            body = ANSWERS[request.url] = answer_to(request.url) or b""
        return Answer(status=200, headers=HEADERS, body=body)


ANSWERS: dict[str, bytes] = {}


@asynccontextmanager
async def opened(folder: Path, base: str | None) -> AsyncIterator[Gate]:
    """A gate over SQLite; without a base URL its transport is in memory."""
    limits.TIERS = {tier: (10**9, per_s) for tier, (_, per_s) in limits.TIERS.items()}
    database = folder / f"{secrets.token_hex(4)}.db"
    store, _ = open_store(f"sqlite:///{database}", keys=ChainKeys([secrets.token_bytes(32)]))
    gate = Gate(
        surfaces=[surface],
        tenants=[Tenant(app=APP, platform="feishu", brand="feishu", secret=Secret("s"), base_url=base)],
        store=store,
        policy=Policy(write_allow=(WRITE,), unattended=(WRITE,)),
        authoriser=_allow,
        wire=InMemory() if base is None else None,
    )
    try:
        async with gate:
            yield gate
    finally:
        await store.close()


async def _allow(proposal: Proposal) -> Decision:
    return Decision.ALLOW


def calling(gate: Gate, tool: str, arguments: dict[str, Any], ctx: CallContext = CONTEXT) -> Call:
    """A call that must succeed whole.

    Raises:
        Failed: it did not.
    """

    async def call() -> None:
        result = await gate.call(tool, arguments, ctx)
        if not isinstance(result, Ok) or not result.data or result.drift or result.withheld:
            raise Failed(f"{tool} came back as {result}")

    return call


def storing(gate: Gate) -> Call:
    """Stores the records that wait; what a batch leaves for later belongs to the calls that left it."""
    return gate.runtime.recorder.flush
