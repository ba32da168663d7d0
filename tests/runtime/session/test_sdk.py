"""`SessionStore` over sessions of the Agents SDK: what one engine said, another reads."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from agents.testing import function_call

from placet.contract.stores import TruthStore
from placet.engine import SealedSession
from placet.session import (
    Message,
    ReasoningPart,
    SdkSessionStore,
    SessionStore,
    TextPart,
    ToolResultPart,
    ToolUsePart,
    session_key,
)
from placet.session.sdk import items_of, messages_of
from placet.stores import open_store
from tests.runtime.engine.backends import Backend, backend
from tests.runtime.engine.talk import CTX, Talk, call, say
from tests.runtime.gate.world import allow
from tests.runtime.session.contract import SEALER, said
from tests.runtime.stores.asking import KEYS

pytestmark = pytest.mark.anyio

TALK = [
    said("你好"),
    Message(role="user", content=[TextPart("one"), TextPart("two")]),
    Message(
        role="assistant",
        content=[
            TextPart("Let me see."),
            ToolUsePart("c1", "读", {"名": [1, None]}),
            ToolUsePart("c2", "t", {}),
        ],
    ),
    Message(role="tool", content=[ToolResultPart("c1", "晴"), ToolResultPart("c2", "", is_error=True)]),
    said("Sunny.", "assistant"),
    said("Sunny indeed.", "assistant"),
]


class Clock:
    at = 5.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture(params=["sqlite", "async_sqlite", "redis", "sealed"])
async def sessions(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Backend]:
    redis = request.getfixturevalue("redis_url") if request.param == "redis" else ""
    async with backend(request.param, tmp_path, "", redis) as sessions:
        yield sessions


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[TruthStore]:
    truth, shared = open_store(f"sqlite:///{tmp_path / 'times.db'}", keys=KEYS)
    yield truth
    await shared.close()
    await truth.close()


async def test_a_conversation_comes_back_as_it_was_said(sessions: Backend) -> None:
    """Words, calls and results, in a new object over the same storage; other conversations stay apart."""
    store: SessionStore = SdkSessionStore(sessions, tenant="cli_a")
    await store.append("会话", *TALK[:3])
    await store.append("会话", *TALK[3:])
    await store.append("会话")
    again = SdkSessionStore(sessions, tenant="cli_a")

    assert isinstance(store, SessionStore)
    assert await again.get("会话") == TALK
    assert await again.get("other") == await SdkSessionStore(sessions, tenant="cli_b").get("会话") == []


async def test_a_conversation_is_replaced_continued_and_forgotten(sessions: Backend) -> None:
    """`set` replaces; where it only goes on from what is stored, what is stored is not written again."""
    store = SdkSessionStore(sessions, tenant="cli_a")
    await store.set("oc_1", TALK)
    await sessions(session_key("cli_a", "oc_1")).add_items(
        [{"type": "reasoning", "id": "rs_1", "summary": []}]
    )
    await store.set("oc_1", [*TALK, said("more")])
    kept = await sessions(session_key("cli_a", "oc_1")).get_items()
    continued = await store.get("oc_1")
    await store.set("oc_1", [said("anew")])
    replaced = await store.get("oc_1")
    await store.set("oc_1", [])
    emptied = await store.get("oc_1")
    await store.append("oc_1", said("a"))
    await store.clear("oc_1")

    assert continued == [*TALK, said("more")]
    assert [one.get("type") for one in kept[-2:]] == ["reasoning", None]
    assert (replaced, emptied) == ([said("anew")], [])
    assert await store.get("oc_1") == []


@pytest.mark.parametrize("durable", [False, True], ids=["in-this-process", "in-the-truth-store"])
async def test_when_it_was_written_is_remembered(tmp_path: Path, truth: TruthStore, durable: bool) -> None:
    """Which no session does; across processes where a truth store is given."""
    clock, times = Clock(), (truth, SEALER) if durable else None

    async with backend("sqlite", tmp_path, "", "") as sessions:
        store = SdkSessionStore(sessions, tenant="cli_a", times=times, now=clock)
        found = [await store.updated_at("oc_1")]
        for at, write in ((6.5, store.append("oc_1", said("a"))), (7.5, store.set("oc_1", [said("b")]))):
            clock.at = at
            await write
            found.append(await store.updated_at("oc_1"))
        other = SdkSessionStore(sessions, tenant="cli_a", times=times, now=clock)
        found.append(await other.updated_at("oc_1"))
        await store.clear("oc_1")
        found.append(await store.updated_at("oc_1"))

    assert found == [None, 6.5, 7.5, 7.5 if durable else None, None]


async def test_what_our_engine_said_another_reads_and_the_other_way_round() -> None:
    """One conversation: a turn of the engine, a message of somebody else, the engine's next turn."""
    talk = Talk([call("shop_add_item", {"name": "周报"})], say("Added."), say("You are welcome."))

    def sessions(key: str) -> Any:
        return SealedSession(talk.world.store, talk.world.sealer, session_id=key, tenant="app1")

    store = SdkSessionStore(sessions, tenant="app1")
    async with talk.engine(sessions=sessions, authoriser=allow) as engine:
        await engine.turn("add it", CTX)
        read = await store.get(CTX.session or "")
        await store.append(CTX.session or "", said("thanks"), said("(another engine nods)", "assistant"))
        await engine.turn("and again", CTX)
    shown = [one.get("content", one.get("type")) for one in talk.shown()]

    assert [one.role for one in read] == ["user", "assistant", "tool", "assistant"]
    use = read[1].content[0]
    assert isinstance(use, ToolUsePart) and use.arguments == {"name": "周报"}
    assert isinstance(read[2].content[0], ToolResultPart) and '"ok"' in read[2].content[0].content
    assert read[3] == said("Added.", "assistant")
    assert shown[-3:] == ["thanks", "(another engine nods)", "and again"]


def test_items_that_are_no_messages_are_left_alone() -> None:
    """Reasoning belongs to the server that made it; an object of the SDK is read as a mapping is."""
    refusal = {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}
    items = [
        {"role": "developer", "content": "rules"},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "o"}]},
        function_call("t", "", call_id="c"),
        {"role": "user", "content": []},
        refusal,
    ]

    assert messages_of(items) == [
        Message(role="tool", content=[ToolResultPart("c", "o")]),
        Message(role="assistant", content=[ToolUsePart("c", "t", {})]),
        said("No.", "assistant"),
    ]
    assert items_of([Message(role="assistant", content=[ReasoningPart("hm")])]) == []


def test_arguments_that_a_model_botched_are_no_end_of_a_conversation() -> None:
    """What was never a call's arguments comes back as none."""
    botched = [
        {"type": "function_call", "call_id": "c", "name": "t", "arguments": text} for text in ("{", "[1]")
    ]

    assert [part.arguments for part in messages_of(botched)[0].content] == [{}, {}]
