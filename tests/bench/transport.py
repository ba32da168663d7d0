"""Our transport beside bare pooled aiohttp in one run: one at a time, 32 at once, and how long the loop stalls."""

import asyncio
from statistics import median

import aiohttp

from placet.contract.platform import HttpRequest, Secret, Tenant
from placet.transport.pool import Transport
from tests.bench.answering import answering
from tests.bench.calling import LANES, alone, interleaved_calls, stall, together
from tests.bench.measuring import Row, ratio

ALONE, TOGETHER, STALLING = 300, 1280, 6400
STALLS = 5
HEADERS = {"Authorization": "Bearer t", "Content-Type": "application/json; charset=utf-8"}
BODY = b'{"fields":{"text":"done","number":12.5}}'


def measure(rounds: int) -> list[Row]:
    """Ratios of medians' rounds; no goals of their own: those are the gate's."""
    with answering() as base:
        return asyncio.run(_measure(base, rounds))


async def _measure(base: str, rounds: int) -> list[Row]:
    url = f"{base}/v1/apps/bascnA/records/rec1?id_type=open"
    tenant = Tenant(app="cli_a", platform="own", brand="own", secret=Secret("s"), base_url=base)
    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=64))
    transport = Transport(lambda _: base)

    async def bare() -> bytes:
        async with session.put(url, data=BODY, headers=HEADERS) as answer:
            return await answer.read()

    async def ours() -> bytes:
        call = HttpRequest(method="PUT", url=url, headers=HEADERS, body=BODY)
        return (await transport.send(call, tenant, deadline_s=30)).body

    calls = {"ours": ours, "bare": bare}
    try:
        one = await interleaved_calls({name: alone(call, ALONE) for name, call in calls.items()}, rounds)
        many = await interleaved_calls(
            {name: together(call, TOGETHER) for name, call in calls.items()}, rounds
        )
        stalls = await interleaved_calls(
            {name: stall(call, STALLING) for name, call in calls.items()}, STALLS
        )
    finally:
        await transport.close()
        await session.close()
    what = "ours to pooled aiohttp"
    stalled = median(stalls["ours"]) / median(stalls["bare"])
    return [
        Row(f"transport on loopback, one at a time: {what}", f"{ratio(one['ours'], one['bare']):.3f} x"),
        Row(f"transport on loopback, {LANES} at once: {what}", f"{ratio(many['ours'], many['bare']):.3f} x"),
        Row(f"stall of the loop, p99.9 of a 1 ms ticker: {what}", f"{stalled:.3f} x"),
    ]
