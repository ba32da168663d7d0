"""Any session of the Agents SDK behind the engine: each back end for real, and nothing of a conversation is lost."""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from agents import Agent, RunConfig, RunContextWrapper, Runner, SessionSettings, SQLiteSession
from agents.extensions.memory import EncryptedSession
from agents.testing import ScriptedModel
from hypothesis import given
from hypothesis import strategies as st

from placet.contract.documents import ListDocuments
from placet.engine import EngineOptions
from placet.engine.encrypted import strict
from placet.engine.pairing import PairingSession
from placet.sealing import SealBroken
from placet.session import session_key
from tests.runtime.engine.backends import Backend, Wrapped, backend
from tests.runtime.engine.talk import CTX, Talk, call, say
from tests.runtime.gate.world import context

pytestmark = pytest.mark.anyio

ADD = call("shop_add_item", {"name": "a"})

KINDS = [
    "sqlite",
    "async_sqlite",
    "advanced_sqlite",
    "sqlalchemy_sqlite",
    "sqlalchemy_postgres",
    "redis",
    "encrypted",
    "sealed",
    "wrapped",
]

Process = Callable[[], AbstractAsyncContextManager[Backend]]
WRAPPER: Any = RunContextWrapper(("run_test", CTX))


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def process(request: pytest.FixtureRequest, kind: str, tmp_path: Path) -> Process:
    """Opens a process's sessions; another one sees what this one stored."""
    postgres = request.getfixturevalue("postgres_url") if kind == "sqlalchemy_postgres" else ""
    redis = request.getfixturevalue("redis_url") if kind == "redis" else ""
    return lambda: backend(kind, tmp_path, postgres, redis)


@pytest.fixture
async def sessions(process: Process) -> AsyncIterator[Backend]:
    async with process() as sessions:
        yield sessions


@asynccontextmanager
async def engine_of(talk: Talk, process: Process, **more: Any) -> AsyncIterator[Any]:
    """An engine as a new process has it, with session objects of its own."""
    async with process() as sessions, talk.engine(sessions=sessions, **more) as engine:
        yield engine


def words(items: list[Any]) -> list[str]:
    """What an item is, and of words which."""
    found = []
    for one in items:
        content = one.get("content")
        text = content if isinstance(content, str) else "".join(part["text"] for part in content or ())
        found.append(text or one["type"])
    return found


def person(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


CALLED = {"type": "function_call", "call_id": "c1", "name": "t", "arguments": "{}"}
ANSWERED = {"type": "function_call_output", "call_id": "c1", "output": "o"}


async def test_a_turn_waits_in_one_process_and_goes_on_in_another(process: Process) -> None:
    """Three processes: one asks, one talks on, one decides; the model reads one well-formed history."""
    talk = Talk([ADD], say("It waits."), say("已添加。"))
    async with engine_of(talk, process) as engine:
        asked = await engine.turn("添加 a", CTX)
    async with engine_of(talk, process) as engine:
        await engine.turn("什么时候？", CTX)
    waiting = talk.shown()
    async with engine_of(talk, process) as engine:
        decided, reply = await talk.decide(engine, asked.waiting[0])

    assert words(waiting) == ["添加 a", "function_call", "function_call_output", "什么时候？"]
    assert "waits for a person" in waiting[2]["output"]
    assert (decided.verdict, reply.text if reply else "", talk.sent) == ("claimed", "已添加。", ["POST"])
    assert words(talk.shown()) == [
        "添加 a",
        "function_call",
        "function_call_output",
        "什么时候？",
        "It waits.",
    ]
    assert json.loads(talk.outputs()[0])["kind"] == "ok"


async def test_a_limit_does_not_part_a_late_answer_from_its_call(kind: str, process: Process) -> None:
    """A yes after many other turns reaches the model, however little history it is given."""
    settings = SessionSettings(limit=2)
    talk = Talk([ADD], *[say(f"Answer {at}.") for at in range(4)], say("Added."))
    async with process() as sessions:
        limited = partial(sessions, session_settings=settings)
        async with talk.engine(sessions=limited) as engine:
            asked = await engine.turn("add a", CTX)
            for at in range(4):
                await engine.turn(f"question {at}", CTX)
            few = talk.shown()
            _, reply = await talk.decide(engine, asked.waiting[0])

    assert len(few) <= 4
    assert few[-1]["content"] == "question 3"
    assert reply is not None and reply.text == "Added."
    assert json.loads(talk.outputs()[0])["kind"] == "ok"


async def test_a_failed_turn_is_taken_back_whatever_a_limit_hides(process: Process) -> None:
    """Nothing of it stays, and nothing else goes."""
    talk = Talk(say("One."), say("Two."), RuntimeError("the server is down"), say("Three."))
    async with process() as sessions:
        limited = partial(sessions, session_settings=SessionSettings(limit=1))
        async with talk.engine(sessions=limited) as engine:
            for text in ("1", "2", "3"):
                await engine.turn(text, CTX)
        async with talk.engine(sessions=sessions) as engine:
            await engine.turn("4", CTX)

    assert words(talk.shown()) == ["1", "One.", "2", "Two.", "4"]


async def test_a_host_may_take_words_back(process: Process) -> None:
    """`pop_item` corrects a conversation: what was taken back is never shown again."""
    talk = Talk(say("Wrong."), say("Right."))
    async with engine_of(talk, process) as engine:
        await engine.turn("a typo", CTX)
    async with process() as sessions:
        session = PairingSession(strict(sessions(session_key("app1", CTX.session or ""))), wrapper=WRAPPER)
        popped = [await session.pop_item() for _ in range(2)]
        nothing = await session.pop_item()
    async with engine_of(talk, process) as engine:
        await engine.turn("the word", CTX)

    assert words([one for one in popped if one is not None]) == ["Wrong.", "a typo"]
    assert nothing is None
    assert words(talk.shown()) == ["the word"]


async def test_a_callback_chooses_what_a_model_is_given(process: Process) -> None:
    """The SDK's own `session_input_callback`, in a turn and when a decision resumes one."""
    seen = []

    def last_exchange(history: list[Any], new: list[Any]) -> list[Any]:
        seen.append((len(history), len(new)))
        return [*history[-2:], *new]

    talk = Talk(say("One."), say("Two."), [ADD], say("Added."))
    async with engine_of(talk, process, session_input_callback=last_exchange) as engine:
        for text in ("1", "2"):
            await engine.turn(text, CTX)
        shown = talk.shown()
        asked = await engine.turn("add a", CTX)
        _, reply = await talk.decide(engine, asked.waiting[0])

    assert words(shown) == ["1", "One.", "2"]
    assert seen == [(0, 1), (2, 1), (4, 1), (7, 0)]
    assert reply is not None and reply.text == "Added."
    assert words(talk.shown()) == ["function_call", "function_call_output"]


async def test_tenants_and_conversations_never_share(process: Process) -> None:
    """The same conversation id of another app is another conversation, in every back end; so is a Chinese one."""
    talk = Talk(*[say(f"{at}.") for at in range(4)])
    places = [("app1", "会话|:messages"), ("app1", "会话"), ("app1", "会话|:messages"), ("app1", "%E4")]
    async with engine_of(talk, process) as engine:
        for app, session in places:
            await engine.turn(f"{app} {session}", context(turn=None, app=app, session=session))

    assert [len(talk.shown(at)) for at in range(4)] == [1, 1, 3, 1]
    async with process() as sessions:
        other = PairingSession(strict(sessions(session_key("app2", "会话"))), wrapper=WRAPPER)
        assert await other.get_items() == []


@given(one=st.tuples(st.text(), st.text()), other=st.tuples(st.text(), st.text()))
def test_a_key_of_a_session_names_one_conversation(one: tuple[str, str], other: tuple[str, str]) -> None:
    """Two keys are equal where tenant and conversation are; none ends like a back end's own."""
    assert (session_key(*one) == session_key(*other)) == (one == other)
    assert ":" not in session_key(*one)


@pytest.mark.parametrize("kind", KINDS[:7], indirect=True)  # ours refuses a second writer
async def test_many_writers_leave_pairs_together(sessions: Backend) -> None:
    """One turn of a conversation writes at a time; a breach of that would find each exchange whole."""
    session = PairingSession(sessions("k"))
    await asyncio.gather(*[session.add_items([person(f"q{at}"), person(f"a{at}")]) for at in range(10)])
    texts = words(await session.get_items())

    assert sorted(zip(texts[::2], texts[1::2], strict=True)) == [(f"q{at}", f"a{at}") for at in range(10)]


async def test_the_rules_of_a_history_hold_over_every_back_end(sessions: Backend) -> None:
    """Limits, an output twice, a count that no limit hides, and forgetting."""
    session = PairingSession(
        strict(sessions("键", session_settings=SessionSettings(limit=2))), wrapper=WRAPPER
    )
    await session.add_items([person("a"), CALLED, person("b"), ANSWERED])
    await session.add_items([ANSWERED])
    count = await session.count()
    shown = [words(await session.get_items(limit)) for limit in (None, 1, 2, 3, 10)]
    await session.roll_back(1)
    left = await session.get_items()
    await session.clear_session()

    assert (session.session_id, session.session_settings) == ("键", SessionSettings(limit=2))
    assert count == 4
    assert shown == [
        ["function_call", "function_call_output", "b"],
        ["function_call", "function_call_output"],
        ["function_call", "function_call_output", "b"],
        ["function_call", "function_call_output", "b"],
        ["a", "function_call", "function_call_output", "b"],
    ]
    assert words(left) == ["a"]
    assert await session.count() == 0


@pytest.fixture
def a_loop() -> Iterator[None]:
    """The loop that a synchronous caller's thread has; the SDK leaves it open."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


@pytest.mark.usefixtures("a_loop")
def test_the_synchronous_runner_works(tmp_path: Path) -> None:
    """`Runner.run_sync` of the SDK over a session of ours, with its own settings and callback."""
    model = ScriptedModel([say("One."), say("Two.")])
    inner = SQLiteSession("k", tmp_path / "s.db")
    agent: Agent[Any] = Agent(name="a", model=model)
    config = RunConfig(
        tracing_disabled=True,
        session_settings=SessionSettings(limit=1),
        session_input_callback=lambda history, new: [*history, *new],
    )
    with closing(inner):
        replies = [
            Runner.run_sync(agent, text, session=PairingSession(inner), run_config=config).final_output
            for text in "12"
        ]
    shown: Any = model.calls[-1].input

    assert replies == ["One.", "Two."]
    assert words(shown) == ["One.", "2"]


async def test_a_hosts_session_is_told_for_which_run(tmp_path: Path) -> None:
    """A session whose methods take `wrapper` gets one for every call: the loop's, and the engine's own."""
    Wrapped.runs.clear()
    talk = Talk([ADD], say("Added."))
    async with engine_of(talk, lambda: backend("wrapped", tmp_path, "", "")) as engine:
        asked = await engine.turn("add a", CTX)
        await talk.decide(engine, asked.waiting[0])

    assert Wrapped.runs == {asked.run}


async def test_a_session_that_takes_no_wrapper_in_one_method_gets_none() -> None:
    """All or nothing, which is the SDK's rule."""

    class Half:
        session_id = "k"

        async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[Any]:
            return [wrapper]

        async def add_items(self, items: list[Any]) -> None: ...

        async def pop_item(self) -> None: ...

        async def clear_session(self) -> None: ...

    session = PairingSession(Half(), wrapper=WRAPPER)

    assert session.session_settings is None
    assert await session.get_items() == [None]


# encryption


def _backends(tmp_path: Path) -> AbstractAsyncContextManager[Backend]:
    return backend("encrypted", tmp_path, "", "")


async def test_a_wrong_key_is_an_error_and_takes_nothing(tmp_path: Path) -> None:
    """Neither an empty history nor a drained one: the turn does not begin, and the right key finds all."""
    talk = Talk(say("One."), say("Two."))
    async with _backends(tmp_path) as sessions:
        async with talk.engine(sessions=sessions) as engine:
            await engine.turn("1", CTX)
        wrong = partial(sessions, encryption_key="another key")
        async with talk.engine(sessions=wrong) as engine:
            with pytest.raises(SealBroken):
                await engine.turn("2", CTX)
        unreadable = strict(wrong(session_key("app1", CTX.session or "")))
        for read in (unreadable.get_items, unreadable.pop_item):
            with pytest.raises(SealBroken):
                await read()
        async with talk.engine(sessions=sessions) as engine:
            await engine.turn("2", CTX)

    assert words(talk.shown()) == ["1", "One.", "2"]


async def test_an_item_that_is_not_encrypted_is_an_error(tmp_path: Path) -> None:
    """Whoever can write to the storage has not thereby said something."""
    async with _backends(tmp_path) as sessions:
        session = strict(sessions("k"))
        await session.add_items([person("a")])
        for item in (person("forged"), {"__enc__": 1, "v": 1, "kid": "hkdf-v1", "payload": "forged"}):
            await session.underlying_session.add_items([item])
            with pytest.raises(SealBroken):
                await session.get_items()
            await session.underlying_session._inner.pop_item()

        assert words(await session.get_items()) == ["a"]


async def test_what_has_outlived_its_time_is_left_out_and_counts_as_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An age is no wrong key; a savepoint stands though items before it have grown too old."""
    clock = SimpleNamespace(ahead=0)
    async with _backends(tmp_path) as sessions:
        ticking = SimpleNamespace(time=lambda: time.time() + clock.ahead)
        monkeypatch.setattr("cryptography.fernet.time", ticking)
        session = PairingSession(strict(sessions("k", ttl=60)))
        await session.add_items([person("old"), person("older")])
        clock.ahead = 100
        await session.add_items([person("new"), person("failed")])
        seen, count = words(await session.get_items()), await session.count()
        await session.roll_back(3)
        kept = words(await session.get_items())
        await session.roll_back(0)

        assert (seen, count, kept) == (["new", "failed"], 4, ["new"])
        assert await session.count() == 0


async def test_the_hosts_own_session_object_stays_as_it_was(tmp_path: Path) -> None:
    """The engine looks through a copy, once; what is no encrypted session is passed as it came."""
    async with _backends(tmp_path) as sessions:
        given, plain = sessions("k"), SQLiteSession("k")
        beneath = given.underlying_session
        checked = strict(given)

        assert given.underlying_session is beneath
        assert isinstance(checked, EncryptedSession)
        assert strict(checked) is checked
        assert strict(plain) is plain
        checked.session_settings = SessionSettings(limit=1)
        assert given.session_settings == SessionSettings(limit=1)
        plain.close()


async def test_nothing_said_is_readable_in_an_encrypted_back_end(tmp_path: Path) -> None:
    """Neither in the SDK's, nor in ours."""
    talk = Talk(say("open sesame"), say("open sesame"))
    async with _backends(tmp_path) as sessions, talk.engine(sessions=sessions) as engine:
        await engine.turn("open sesame", CTX)
    async with talk.engine() as engine:
        await engine.turn("open sesame", CTX)
    (kept,) = await talk.world.store.apply(ListDocuments(kind="session item"))

    assert len(kept) == 2
    assert all(b"sesame" not in one.body for one in kept)
    assert all(b"sesame" not in file.read_bytes() for file in tmp_path.iterdir())


async def test_a_trimmed_history_keeps_the_answer_that_was_waited_for() -> None:
    """A budget of tokens leaves out old exchanges, and never what nobody has read yet."""
    talk = Talk([ADD], say("long " * 200), say("Added."))
    async with talk.engine(options=EngineOptions(history_tokens=100)) as engine:
        asked = await engine.turn("add a", CTX)
        await engine.turn("tell me a story", CTX)
        await talk.decide(engine, asked.waiting[0])

    assert words(talk.shown())[:3] == ["function_call", "function_call_output", "tell me a story"]
    assert json.loads(talk.outputs()[0])["kind"] == "ok"


@pytest.mark.parametrize(
    ("module", "variable"),
    [
        pytest.param("pymongo", "PLACET_TEST_MONGODB_URL", id="mongodb"),
        pytest.param("dapr", "PLACET_TEST_DAPR_ADDRESS", id="dapr"),
    ],
)
async def test_a_back_end_with_a_server_of_its_own(module: str, variable: str) -> None:
    """Where its client is installed and its server named, it is held to the same."""
    pytest.importorskip(module)
    address = os.environ.get(variable) or pytest.skip(f"no server: name one with {variable}")
    from agents.extensions.memory import DaprSession, MongoDBSession

    session: Any = (
        MongoDBSession.from_uri("placet test", uri=address)
        if module == "pymongo"
        else DaprSession.from_address("placet test", state_store_name="statestore", dapr_address=address)
    )
    paired = PairingSession(session)
    await paired.clear_session()
    await paired.add_items([CALLED, person("b"), ANSWERED, ANSWERED])
    shown, count = words(await paired.get_items(1)), await paired.count()
    await paired.clear_session()
    await session.close()

    assert (shown, count) == (["function_call", "function_call_output"], 4)
