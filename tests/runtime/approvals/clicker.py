"""A process that says yes to everything at once: `clicker.py STORE PLATFORM`. Waits for a line, works, prints JSON."""

import json
import sys
from collections import Counter

import anyio

import placet_feishu
from placet.approvals import Decider
from placet.contract.call import Actor, CallContext
from placet.contract.platform import Secret, Tenant
from placet.contract.policy import Policy
from placet.gate import Gate
from placet.policy import ask_for_writes
from placet.sealing import Sealer
from placet.stores import ChainKeys, open_store

KEYS = [b"k" * 32]
CTX = CallContext(app="cli_a1", actor=Actor(user="ou_x"))
WRITE = "bitable.create_table"
"""Without a native key: the platform would do it twice."""


def gate_at(store: object, base_url: str) -> Gate:
    """A gate as every process of the installation has it."""
    tenant = Tenant(
        app="cli_a1", platform="feishu", brand="feishu", secret=Secret("secret"), base_url=base_url
    )
    return Gate(
        surfaces=[placet_feishu.surface],
        tenants=[tenant],
        store=store,  # type: ignore[arg-type] # what `open_store` gave
        seals=Sealer(KEYS),
        policy=Policy(reads=(), write_allow=(WRITE,)),
        authoriser=ask_for_writes,
    )


async def click(url: str, base_url: str) -> dict[str, int]:
    """Verdicts and results, counted."""
    truth, shared = open_store(url, keys=ChainKeys(KEYS))
    counted: Counter[str] = Counter()
    async with gate_at(truth, base_url) as gate:
        desk = gate.desk
        waiting = await desk.waiting(app="cli_a1", most=5000)
        print("ready", flush=True)
        await anyio.to_thread.run_sync(sys.stdin.readline)
        places = anyio.Semaphore(16)

        async def one(identifier: str, digest: str) -> None:
            async with places:
                decided = await desk.decide(
                    identifier,
                    app="cli_a1",
                    decider=Decider(name="ou_x", strength="person"),
                    digest=digest,
                    approve=True,
                )
                counted[decided.verdict] += 1
                if decided.verdict == "claimed" and decided.row is not None:
                    result = await desk.perform(decided.row)
                    told = getattr(result, "reason", "")
                    counted[f"result {result.kind if result is not None else None} {told}".strip()] += 1

        async with anyio.create_task_group() as group:
            for approval in waiting:
                group.start_soon(one, approval.row.id, approval.row.digest)
    await shared.close()
    await truth.close()
    return counted


if __name__ == "__main__":
    print(json.dumps(anyio.run(click, sys.argv[1], sys.argv[2])), flush=True)
