"""A process of a race: `claimer.py URL`. Waits for a line, claims what everybody claims, prints what it won."""

import json
import sys

import anyio

from placet.session import PendingApproval
from placet.stores import open_store
from tests.runtime.session.contract import Kit
from tests.runtime.stores.asking import KEYS

NUMBERS = range(40)


async def main(url: str) -> None:
    """Claims each, and counts itself in the one that is updated."""
    truth, shared = open_store(url, keys=KEYS)
    store = Kit(truth).approvals()
    await store.get("0")
    print("ready", flush=True)
    sys.stdin.readline()
    claims = {
        number: str(await store.claim(str(number), expected_payload_sha256="abc")) for number in NUMBERS
    }

    def counted(one: PendingApproval) -> tuple[int, PendingApproval]:
        one.extra["count"] = one.extra.get("count", 0) + 1
        return one.extra["count"], one

    counts = [await store.update("counted", counted) for _ in range(5)]
    await shared.close()
    await truth.close()
    print(json.dumps([claims, counts]), flush=True)


if __name__ == "__main__":
    anyio.run(main, sys.argv[1])
