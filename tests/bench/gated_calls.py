"""Gated calls beside their peers, interleaved in one process. Prints the rows as JSON; the argument is the rounds."""

import asyncio
import gc
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import asdict
from pathlib import Path
from statistics import median

import aiohttp

from placet.gate import Gate
from tests.bench.answering import answering
from tests.bench.calling import LANES, alone, interleaved_calls, stall, together
from tests.bench.gates import LIST, READ, UNBOUNDED, WRITE, calling, opened, storing
from tests.bench.measuring import Row, at_most, ratio
from tests.bench.peers import between_transactions, by_hand, in_memory, sdk
from tests.bench.samples import FIELD_ARGUMENTS, GET_ARGUMENTS, LIST_ARGUMENTS, RECORDS

STALLING, STALLS = 6400, 5

Seconds = Mapping[str, list[float]]


async def _reads_in_memory(folder: Path, rounds: int) -> list[Row]:
    peers = in_memory()
    async with opened(folder, None) as gate:
        seconds = await interleaved_calls(
            {
                "gate": alone(calling(gate, READ, GET_ARGUMENTS), 250, storing(gate)),
                "openai-agents": alone(peers["openai-agents"], 500),
                "FastMCP": alone(peers["FastMCP"], 50),
            },
            rounds,
        )
    what = "gated read in memory"
    return [
        _row(f"{what} / openai-agents function_tool", seconds, "gate", "openai-agents", 2.2),
        _row(f"{what} / FastMCP call_tool", seconds, "gate", "FastMCP", 0.25),
        _micros("read in memory", seconds),
    ]


async def _reads(gate: Gate, session: aiohttp.ClientSession, base: str, rounds: int) -> list[Row]:
    ours, bare, lark = calling(gate, READ, GET_ARGUMENTS), by_hand(session, base)["read"], sdk(base)
    one = await interleaved_calls(
        {
            "gate": alone(ours, 200, storing(gate)),
            "aiohttp": alone(bare, 200),
            "lark-oapi": alone(lark["read"], 15),
            "lark-oapi async": alone(lark["read async"], 3),
        },
        rounds,
    )
    many = await interleaved_calls(
        {"gate": together(ours, 960, storing(gate)), "aiohttp": together(bare, 960)}, rounds
    )
    stalls = await interleaved_calls(
        {"gate": stall(ours, STALLING), "aiohttp": stall(bare, STALLING)}, STALLS
    )
    stalled = median(stalls["gate"]) / median(stalls["aiohttp"])
    what = "gated read on loopback"
    return [
        _row(f"{what} / pooled aiohttp", one, "gate", "aiohttp", 1.25),
        _row(f"{what} / pooled aiohttp, {LANES} at once", many, "gate", "aiohttp", 1.45),
        _row(f"{what} / lark-oapi sync", one, "gate", "lark-oapi", 0.2),
        _row(f"{what} / lark-oapi async", one, "gate", "lark-oapi async", 0.02),
        _micros("read on loopback", one),
        _micros(f"read on loopback, {LANES} at once", many),
        at_most(f"stall, p99.9 of a 1 ms ticker, {LANES} reads at once / pooled aiohttp", stalled, 1.5),
    ]


async def _writes(
    gate: Gate, session: aiohttp.ClientSession, base: str, folder: Path, rounds: int
) -> list[Row]:
    ours, bare = calling(gate, WRITE, FIELD_ARGUMENTS), by_hand(session, base)["write"]
    with between_transactions(folder, bare) as between:
        one = await interleaved_calls({"gate": alone(ours, 60), "bare": alone(between, 60)}, rounds)
        many = await interleaved_calls({"gate": together(ours, 320), "bare": together(between, 320)}, rounds)
    what = "durable write on loopback / bare call and two bare transactions"
    return [
        _row(what, one, "gate", "bare", 1.4),
        Row(f"  {LANES} at once", f"{ratio(many['gate'], many['bare']):.3f} x"),
        _micros("durable write", one),
    ]


async def _lists(gate: Gate, session: aiohttp.ClientSession, base: str, rounds: int) -> list[Row]:
    lark = sdk(base)
    seconds = await interleaved_calls(
        {
            "gate": alone(calling(gate, LIST, LIST_ARGUMENTS), 30, storing(gate)),
            "gate without budget": alone(calling(gate, LIST, LIST_ARGUMENTS, UNBOUNDED), 20, storing(gate)),
            "aiohttp": alone(by_hand(session, base)["list"], 30),
            "lark-oapi": alone(lark["list"], 6),
            "lark-oapi async": alone(lark["list async"], 3),
        },
        rounds,
    )
    what = f"list of {RECORDS} records"
    return [
        _row(f"{what} / aiohttp and orjson.loads", seconds, "gate", "aiohttp", 1.3),
        _row(
            f"{what}, budget off / aiohttp and orjson.loads", seconds, "gate without budget", "aiohttp", 2.0
        ),
        _row(f"{what} / lark-oapi sync", seconds, "gate", "lark-oapi", 0.3),
        Row(
            f"  {what}, budget off / lark-oapi sync",
            f"{ratio(seconds['gate without budget'], seconds['lark-oapi']):.3f} x",
        ),
        _micros(what, seconds),
    ]


def _row(what: str, seconds: Seconds, of: str, to: str, goal: float) -> Row:
    return at_most(what, ratio(seconds[of], seconds[to]), goal)


def _micros(what: str, seconds: Seconds) -> Row:
    listed = ", ".join(f"{name} {median(values) * 1e6:.0f}" for name, values in seconds.items())
    return Row(f"  us, {what}: {listed}", "")


async def _measured(rounds: int) -> list[Row]:
    # What the peers' imports left would be looked through at each collection, and nobody would have it in a host.
    gc.collect()
    gc.freeze()
    with answering() as base, tempfile.TemporaryDirectory(prefix="placet-bench-") as name:
        folder = Path(name)
        # Short ones need more rounds: what disturbs them is as long as they are.
        rows = await _reads_in_memory(folder, 3 * rounds)
        async with AsyncExitStack() as stack:
            gate = await stack.enter_async_context(opened(folder, base))
            session = await stack.enter_async_context(
                aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=64))
            )
            rows += await _reads(gate, session, base, rounds)
            rows += await _writes(gate, session, base, folder, rounds)
            rows += await _lists(gate, session, base, rounds)
    return rows


def main() -> None:
    os.environ.setdefault("OPENAI_AGENTS_DISABLE_TRACING", "1")
    rows = asyncio.run(_measured(int(sys.argv[1])))
    json.dump([asdict(row) for row in rows], sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    main()
