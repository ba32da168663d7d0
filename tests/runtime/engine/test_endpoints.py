"""The real OpenAI clients against a server that is strict about the order of calls and results."""

from collections.abc import Callable
from typing import Any

import pytest
from agents import OpenAIResponsesModel
from agents.models.interface import Model
from openai import AsyncOpenAI

from placet.engine import Engine
from placet.engine.endpoints import chat_model
from placet.policy import ask_for_writes
from placet.testing import FakeModels
from placet.testing.models import chat_fault, items_fault
from tests.runtime.engine.talk import CTX, Talk

pytestmark = pytest.mark.anyio


class Responses(OpenAIResponsesModel):
    async def close(self) -> None:
        await self._client.close()


def responses_model(name: str, *, base_url: str) -> Model:
    return Responses(model=name, openai_client=AsyncOpenAI(base_url=base_url, api_key="none"))


MODELS = [pytest.param(chat_model, id="chat-completions"), pytest.param(responses_model, id="responses")]


@pytest.mark.parametrize("make", MODELS)
async def test_a_late_yes_after_newer_turns_is_in_an_order_that_strict_servers_take(
    make: Callable[..., Model],
) -> None:
    """Write, newer message, yes, another write with the same careless id: nothing is refused, two effects."""
    script: list[Any] = [
        lambda said: [("shop_get_item", {"id": "a"}), ("shop_add_item", {"name": "a"})],
        lambda said: "It waits.",
        lambda said: "Added.",
        lambda said: [("shop_add_item", {"name": "b"})],
        lambda said: "Added too.",
    ]
    talk = Talk()
    async with FakeModels(script) as models, talk.world.gate(authoriser=ask_for_writes) as gate:
        engine = Engine(
            gate,
            models={"main": make("m", base_url=models.base_url)},
            shared=talk.shared,
            sealer=talk.world.sealer,
        )
        asked = await engine.turn("add a", CTX)
        between = await engine.turn("and?", CTX)
        _, first = await talk.decide(engine, asked.waiting[0])
        again = await engine.turn("add b", CTX)
        _, second = await talk.decide(engine, again.waiting[0])
        await engine.close()

    assert models.refused == []
    assert between.text == "It waits."
    assert first is not None
    assert second is not None
    assert (first.text, second.text) == ("Added.", "Added too.")
    assert talk.sent == ["GET", "POST", "POST"]


async def test_streamed_text_and_calls_are_those_of_the_answer() -> None:
    """Chat completions in pieces: the same reply, told as it comes."""
    heard: list[str] = []

    async def listener(event: dict[str, Any]) -> None:
        heard.append(event.get("delta", event["type"]))

    talk = Talk()
    script: list[Any] = [lambda said: [("shop_get_item", {"id": "a"})], lambda said: "It is there."]
    async with FakeModels(script) as models, talk.world.gate() as gate:
        engine = Engine(
            gate,
            models={"main": chat_model("m", base_url=models.base_url)},
            shared=talk.shared,
            sealer=talk.world.sealer,
        )
        reply = await engine.turn("is a there?", CTX, listener=listener)
        await engine.close()

    assert reply.text == "It is there."
    assert "".join(one for one in heard if one not in ("tool_started", "tool_finished")) == "It is there."
    assert models.refused == []


async def test_the_key_of_an_endpoint_reaches_no_log_and_no_reply(caplog: pytest.LogCaptureFixture) -> None:
    """A server that refuses leaves a sentence for the person."""
    talk = Talk()
    async with talk.world.gate() as gate:
        engine = Engine(
            gate,
            models={
                "main": chat_model("m", base_url="http://127.0.0.1:9/v1", api_key="sk-secret-of-the-model")
            },
            shared=talk.shared,
            sealer=talk.world.sealer,
        )
        reply = await engine.turn("hi", CTX)
        await engine.close()

    assert "try again" in reply.text
    assert "sk-secret" not in caplog.text + reply.text


def test_the_servers_own_strictness() -> None:
    """It refuses what real servers refuse."""
    call: dict[str, Any] = {"role": "assistant", "tool_calls": [{"id": "1"}]}
    result: dict[str, Any] = {"role": "tool", "tool_call_id": "1"}
    person: dict[str, Any] = {"role": "user", "content": "x"}

    assert chat_fault([person, call, result, person]) is None
    assert [chat_fault(one) is None for one in ([call], [result], [call, person, result])] == [False] * 3
    item, output = {"type": "function_call", "call_id": "1"}, {"type": "function_call_output", "call_id": "1"}
    assert items_fault([item, output]) is None
    assert [items_fault(one) is None for one in ([item], [output], [item, item, output])] == [False] * 3
