"""Callers that are gone, as a web server or `asyncio.timeout` takes them away: a cut at every step loses no outcome."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from placet.contract.platform import Answer, HttpRequest
from placet.contract.stores import BeginWrite, FinishWrite, Operation, StoreError
from placet.stores.memory import MemoryTruth
from tests.runtime.gate.scripted import answer
from tests.runtime.gate.world import World, context

pytestmark = pytest.mark.anyio

ADD = ("shop.add_item", {"name": "a", "idempotency_key": "k"})
STEPS = 60
"""More loop steps than a call takes here."""


class Pausing(MemoryTruth):
    """Answers some loop steps later, as a store with a thread of its own does."""

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        await asyncio.sleep(0)
        found = await super().apply(*operations)
        await asyncio.sleep(0)
        return found


async def pausing(request: HttpRequest) -> Answer:
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return answer({"id": "1"})


async def steps(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


@pytest.mark.parametrize("twice", [False, True], ids=["once", "twice"])
async def test_a_write_cut_off_at_any_step_is_settled_and_never_made_twice(twice: bool) -> None:
    """The ledger row is closed and each intent has its outcome, whenever the task was cancelled."""
    for count in range(STEPS):
        world = World(store=Pausing())
        world.wire.answering = pausing
        async with world.gate() as gate:
            task = asyncio.ensure_future(gate.call(*ADD, context()))
            await steps(count)
            task.cancel()
            if twice:
                await steps(1)
                task.cancel()
            await asyncio.wait([task])
            was_sent = len(world.wire.requests)
        assert isinstance(world.store, Pausing)
        rows = [row.status for row in world.store._rows.values()]
        events = [json.loads(one.body) for one in world.store.trail().latest(100)]
        async with world.gate() as gate:
            again = await gate.call(*ADD, context())

        assert "started" not in rows, count
        assert Counter(one["call_id"] for one in events if one["event"] == "intent") <= Counter(
            one["call_id"] for one in events if one["event"] == "outcome"
        ), count
        assert len(world.wire.requests) == 1, count
        assert again.kind == ("unknown" if rows == ["unknown"] else "ok"), count
        assert was_sent == 1 or "succeeded" not in rows, count


async def test_a_write_whose_answer_came_is_recorded_with_it() -> None:
    """The caller's time ran out while the success was being stored: it is stored, and replayed."""
    world = World(store=Pausing())
    async with world.gate() as gate:

        async def cut(task: "asyncio.Task[Any]") -> None:
            while not world.wire.requests:
                await asyncio.sleep(0)
            await steps(1)
            task.cancel()

        task = asyncio.ensure_future(gate.call(*ADD, context()))
        await cut(task)
        await asyncio.wait([task])
        assert task.cancelled()
        await steps(20)
        again = await gate.call(*ADD, context())

    assert again.kind == "ok"
    assert len(world.wire.requests) == 1


async def test_a_read_cut_off_while_it_leaves_is_on_record(world: World) -> None:
    """A download is staged when its caller goes: the call is in the audit all the same."""
    staging = asyncio.Event()

    class Hanging:
        async def put(self, *_: Any, **__: Any) -> Any:
            staging.set()
            await asyncio.Event().wait()

        async def open_all(self, *_: Any, **__: Any) -> dict[str, Any]:
            return {}

    async with world.gate(files=Hanging()) as gate:
        task = asyncio.ensure_future(gate.call("shop.download", {"id": "a"}, context()))
        await asyncio.wait_for(staging.wait(), 5)
        task.cancel()
        await asyncio.wait([task])
        (record,) = await world.records(gate)

    assert (record["outcome"], record["reason"]) == ("failed", "cancelled")


async def test_a_batch_of_records_is_stored_once_though_its_caller_goes() -> None:
    """Whoever waited for the flush is cancelled at every step of it."""
    for count in range(10):
        world = World(store=Pausing())
        async with world.gate() as gate:
            await gate.call("shop.get_item", {"id": "a"}, context())
            task = asyncio.ensure_future(gate.runtime.recorder.flush())
            await steps(count)
            task.cancel()
            await asyncio.wait([task])
            await gate.runtime.recorder.flush()
            assert isinstance(world.store, Pausing)
            assert len(world.store.trail().latest(10)) == 1, count


async def test_an_entry_that_was_kept_and_reported_lost_is_taken_back() -> None:
    """Nothing was sent, so the key is free again although the store kept the row."""

    class Lying(MemoryTruth):
        lies = 1

        async def apply(self, *operations: Operation) -> tuple[Any, ...]:
            found = await super().apply(*operations)
            if self.lies and any(isinstance(one, BeginWrite) for one in operations):
                self.lies = 0
                raise StoreError("the connection is gone")
            return found

    world = World(store=Lying())
    async with world.gate() as gate:
        first = await gate.call(*ADD, context())
        await steps(20)
        again = await gate.call(*ADD, context())

    assert (first.kind, again.kind) == ("refused", "ok")


async def test_a_gate_that_closes_gives_up_what_never_ends(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that hangs holds no shutdown for ever."""

    class Hanging(MemoryTruth):
        async def apply(self, *operations: Operation) -> tuple[Any, ...]:
            if any(isinstance(one, FinishWrite) for one in operations):
                await asyncio.Event().wait()
            return await super().apply(*operations)

    monkeypatch.setattr("placet.gate.gate.RECORD_GRACE_S", 0.01)
    world.store = Hanging()
    async with asyncio.timeout(5):
        async with world.gate() as gate:
            task = asyncio.ensure_future(gate.call(*ADD, context()))
            while not world.wire.requests:
                await asyncio.sleep(0)
            await steps(5)
            task.cancel()
            await asyncio.wait([task])
