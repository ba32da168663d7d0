"""What goes wrong around a decision: the model is told the truth, and nobody is told to do it again."""

import json

import pytest

from placet.contract.result import Pending
from placet.policy import ask_for_writes
from tests.runtime.engine.talk import CTX, Talk, call, say
from tests.runtime.gate.world import context, open_policy

pytestmark = pytest.mark.anyio

ADD = call("shop_add_item", {"name": "a"})


async def test_more_writes_than_may_wait_are_refused_and_the_others_wait() -> None:
    """Five cards and not seven; once they are decided the model hears of all seven."""
    talk = Talk([call("shop_add_item", {"name": f"{number}"}) for number in range(7)], say("Five of seven."))
    async with talk.engine() as engine:
        asked = await engine.turn("add seven", CTX)
        notices = [one for one in talk.channel.taken if one.kind == "approval"]
        replies = [(await talk.decide(engine, one))[1] for one in asked.waiting]

    kinds = [json.loads(one)["kind"] for one in talk.outputs()]
    assert (len(asked.waiting), len(notices)) == (5, 5)
    assert {one.approval_id for one in notices} == set(asked.waiting)
    assert [one is None for one in replies] == [True] * 4 + [False]
    assert sorted(kinds) == ["ok"] * 5 + ["refused"] * 2
    assert talk.sent == ["POST"] * 5


async def test_a_turn_whose_every_write_is_one_too_many_answers_at_once() -> None:
    """It waits for nothing: the model goes on, and nobody gets a card that is not there."""
    talk = Talk([ADD], say("Too many wait."))
    async with talk.world.gate(authoriser=ask_for_writes) as gate:
        for number in range(5):
            proposed = await gate.call("shop.add_keyed", {"name": f"{number}"}, context())
            assert isinstance(proposed, Pending)
    async with talk.engine() as engine:
        reply = await engine.turn("add a", CTX)
        run = await talk.run(engine, reply)

    assert (reply.text, reply.waiting, run.status) == ("Too many wait.", (), "done")
    assert "too many proposals" in talk.outputs()[0]
    assert [one.kind for one in talk.channel.taken] == ["reply"]
    assert talk.sent == []


async def test_a_model_that_fails_after_a_yes_does_not_unmake_what_was_made() -> None:
    """The person is not told to try again, and the next turn knows that it was done."""
    talk = Talk([ADD], RuntimeError("down"), say("It was added."))
    async with talk.engine() as engine:
        asked = await engine.turn("add a", CTX)
        _, failed = await talk.decide(engine, asked.waiting[0])
        reply = await engine.turn("was it added?", CTX)

    assert failed is not None
    assert "before you repeat it" in failed.text
    assert "try again" not in failed.text
    assert reply.text == "It was added."
    assert [json.loads(one)["kind"] for one in talk.outputs()] == ["ok"]
    assert talk.sent == ["POST"]


async def test_what_was_made_is_told_as_made_when_its_tool_is_off_by_now() -> None:
    """The stored answer stays inside; that the call was made is said."""
    talk = Talk([ADD], say("Done."))
    async with talk.engine() as engine:
        asked = await engine.turn("add a", CTX)
    async with talk.world.gate(authoriser=ask_for_writes) as gate:
        await talk.world.approve(gate, asked.waiting[0])
    async with talk.engine(policy=open_policy(deny=("shop.add_item",))) as engine:
        (reply,) = await engine.sweep()

    told = json.loads(talk.outputs()[0])
    assert reply.text == "Done."
    assert (told["kind"], "it was executed" in told["reason"]) == ("ok", True)
    assert talk.sent == ["POST"]
