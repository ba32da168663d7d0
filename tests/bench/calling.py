"""Calls on one event loop side by side: one at a time, 32 at once, and how long the loop stalls meanwhile."""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

LANES = 32
TICK_S = 0.001

Call = Callable[[], Awaitable[Any]]
Measure = Callable[[], Awaitable[float]]


async def interleaved_calls(contenders: Mapping[str, Measure], rounds: int) -> dict[str, list[float]]:
    """What each contender measured, round by round; the order turns, and a first round is not counted."""
    names = list(contenders)
    found: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds + 1):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            gc.collect()
            measured = await contenders[name]()
            if number:
                found[name].append(measured)
    return found


def alone(call: Call, count: int, after: Call | None = None) -> Measure:
    """Seconds of a call when they are made one at a time; `after` belongs to them, as the storing of what they left."""

    async def measure() -> float:
        start = time.perf_counter()
        for _ in range(count):
            await call()
        if after is not None:
            await after()
        return (time.perf_counter() - start) / count

    return measure


def together(call: Call, count: int, after: Call | None = None) -> Measure:
    """Seconds of a call when 32 are under way at any time."""

    async def lane() -> None:
        for _ in range(count // LANES):
            await call()

    async def measure() -> float:
        start = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for _ in range(LANES):
                group.create_task(lane())
        if after is not None:
            await after()
        return (time.perf_counter() - start) / count

    return measure


def stall(call: Call, count: int) -> Measure:
    """The 99.9th percentile of a ticker of 1 ms, in seconds, while 32 calls are under way at any time."""

    async def measure() -> float:
        late: list[float] = []

        async def tick() -> None:
            while True:
                start = time.perf_counter()
                await asyncio.sleep(TICK_S)
                late.append(time.perf_counter() - start)

        ticker = asyncio.create_task(tick())
        await together(call, count)()
        ticker.cancel()
        return sorted(late)[int(len(late) * 0.999)]

    return measure
