"""A process of a race or of a crash: `contender.py race|write TRUTH SHARED`. Waits for a line, works, prints JSON."""

import json
import secrets
import sys
from typing import Any

import anyio

from placet.contract.stores import StoredToken, StoreError
from placet.stores import open_shared, open_store
from tests.runtime.stores.asking import KEYS, audited, begin, finish

NAMES = 40
PER_WINDOW = 25
WRITERS = 16


async def race(truth_url: str, shared_url: str) -> dict[str, Any]:
    """Ask for the same keys, leases, tokens and places as every other process."""
    me = secrets.token_hex(4)
    truth, unused = (None, None) if truth_url == "-" else open_store(truth_url, keys=KEYS, anchor_records=20)
    if unused is not None:
        await unused.close()
    shared = open_shared(shared_url)
    won: dict[str, Any] = {"started": [], "leases": {}, "versions": [], "places": 0}

    async def begin_one(number: int) -> None:
        assert truth is not None
        _, begun = await truth.apply(audited(), begin(f"{number:064x}", token=me))
        if begun.verdict == "started":
            won["started"].append(number)

    async def lease_one(number: int) -> None:
        token = await shared.acquire(f"lease {number}", owner=me, ttl_s=3600.0)
        if token is not None:
            won["leases"][number] = token

    async def version_one(number: int) -> None:
        token = StoredToken(sealed=me.encode(), expires_at=1.0, version=number)
        if await shared.put_token("token", token):
            won["versions"].append(number)

    async def place_one(number: int) -> None:
        if await shared.take("bucket", count=PER_WINDOW, per_s=3600.0) == 0.0:
            won["places"] += 1

    await shared.get_token("token")
    if truth is not None:
        await truth.ready()
    print("ready", flush=True)
    await anyio.to_thread.run_sync(sys.stdin.readline)
    async with anyio.create_task_group() as group:
        for number in range(NAMES):
            if truth is not None:
                group.start_soon(begin_one, number)
            group.start_soon(lease_one, number)
            group.start_soon(version_one, number)
            group.start_soon(place_one, number)
    await shared.close()
    if truth is not None:
        await truth.close()
    return won


async def write(truth_url: str) -> None:
    """Write until killed; print each key the moment its write was answered."""
    truth, shared = open_store(truth_url, keys=KEYS, anchor_records=50)
    await shared.close()

    async def writer() -> None:
        while True:
            key = secrets.token_hex(32)
            try:
                await truth.apply(audited(ledger_key=key), begin(key))
                print(f"began {key}", flush=True)
                await truth.apply(finish(key), audited("outcome", ledger_key=key))
                print(f"ended {key}", flush=True)
            except StoreError as error:
                print(f"error {error}", file=sys.stderr, flush=True)

    async with anyio.create_task_group() as group:
        for _ in range(WRITERS):
            group.start_soon(writer)


if __name__ == "__main__":
    if sys.argv[1] == "race":
        print(json.dumps(anyio.run(race, sys.argv[2], sys.argv[3])), flush=True)
    else:
        anyio.run(write, sys.argv[2])
