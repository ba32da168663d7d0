"""The calls of one turn are counted, per app and conversation, and only the calls of doors."""

import pytest

from placet.contract.refusal import Reason
from tests.runtime.gate.world import World, context, open_policy

pytestmark = pytest.mark.anyio


async def test_a_turn_has_so_many_calls_and_the_next_one_has_them_again(world: World) -> None:
    """The eleventh call of a turn is refused by default; another turn, conversation or app is not touched."""
    calls = ("shop.get_item", {"id": "a"})
    async with world.gate(policy=open_policy(calls_per_turn=10)) as gate:
        kinds = [(await gate.call(*calls, context())).kind for _ in range(10)]
        over = await gate.call(*calls, context())
        others = [
            await gate.call(*calls, who)
            for who in (context(turn="t2"), context(session="c2"), context("app2"), context(turn=None))
        ]

    assert kinds == ["ok"] * 10
    assert over.kind == "refused"
    assert over.code == Reason.CALLS_PER_TURN
    assert [one.kind for one in others] == ["ok"] * 4
    assert len(world.wire.requests) == 14


async def test_a_write_counts_as_a_call(world: World) -> None:
    """Reads and writes share the turn."""
    async with world.gate(policy=open_policy(calls_per_turn=2)) as gate:
        await gate.call("shop.get_item", {"id": "a"}, context())
        await gate.call("shop.add_item", {"name": "a"}, context())
        over = await gate.call("shop.add_item", {"name": "b"}, context())

    assert over.kind == "refused"
    assert [one.method for one in world.wire.requests] == ["GET", "POST"]
