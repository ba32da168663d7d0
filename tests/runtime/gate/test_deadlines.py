"""Deadlines of many calls under one timer: each ends its own call, and nobody else's."""

import asyncio
from collections.abc import AsyncIterator

import anyio
import pytest

from placet.gate.deadlines import Deadlines

pytestmark = pytest.mark.anyio


@pytest.fixture
async def short() -> AsyncIterator[Deadlines]:
    deadlines = Deadlines(0.01)
    yield deadlines
    deadlines.close()


async def _ended_by_it(deadlines: Deadlines) -> bool:
    with deadlines.begin():
        await anyio.sleep_forever()
    return True


async def test_what_waits_too_long_goes_on_behind_its_deadline(short: Deadlines) -> None:
    """The cancellation ends there, and the task can be cancelled and can wait again."""
    with anyio.fail_after(5):
        assert await _ended_by_it(short)
        await anyio.sleep(0)
        assert await _ended_by_it(short)

    task = asyncio.current_task()
    assert task is not None and task.cancelling() == 0


async def test_every_call_under_way_is_ended(short: Deadlines) -> None:
    """Also those that began while others were running."""
    ended: list[bool] = []

    async def call() -> None:
        ended.append(await _ended_by_it(short))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(call)
                await anyio.sleep(0.001)

    assert ended == [True] * 20


async def test_what_was_done_in_time_is_not_cancelled_later(short: Deadlines) -> None:
    """A task may outlive a call's deadline, whatever it does next."""
    with short.begin():
        await anyio.sleep(0)

    with anyio.fail_after(5):
        assert await asyncio.create_task(_ended_by_it(short))  # the timer has looked by then
        await anyio.sleep(0)


async def test_somebody_elses_cancellation_goes_on(short: Deadlines) -> None:
    """Before the deadline, and also when both come at once."""
    early = asyncio.ensure_future(_ended_by_it(short))
    await anyio.sleep(0)
    early.cancel()

    async def both() -> None:
        with short.begin():
            try:
                await anyio.sleep_forever()
            finally:
                task = asyncio.current_task()
                assert task is not None
                task.cancel()

    late = asyncio.ensure_future(both())
    with anyio.fail_after(5):
        for task in (early, late):
            with pytest.raises(asyncio.CancelledError):
                await task


async def test_a_call_within_a_call_ends_with_the_outer_one() -> None:
    """Both are of one task: the outer's deadline is the earlier one, and what is behind it goes on."""
    deadlines = Deadlines(0.02)
    reached: list[str] = []

    with anyio.fail_after(5):
        with deadlines.begin():
            await anyio.sleep(0.01)
            with deadlines.begin():
                await anyio.sleep_forever()
            reached.append("behind the inner one")
        reached.append("behind the outer one")
    deadlines.close()

    assert reached == ["behind the outer one"]


async def test_an_error_goes_through(short: Deadlines) -> None:
    """A deadline is no place where errors end."""
    with pytest.raises(ValueError, match="mine"), short.begin():
        raise ValueError("mine")
