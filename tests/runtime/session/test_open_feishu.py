"""open-feishu's own engine keeps its state in our stores: its conversations, approvals and authorisations.

open-feishu 0.5.2 is installed for these tests alone (it is AGPL; nothing of it stands here or is shipped). The
scenarios are those that its documentation describes, over a SQLite file.
"""

import asyncio
import inspect
import json
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import feishu.agent.llm as llm
import feishu.agent.session as theirs
import pytest
from feishu.agent.loop import AgentEngine
from feishu.agent.tools import ToolRegistry
from feishu.events.envelope import Event

from placet import session as ours
from placet.contract.stores import TruthStore
from placet.session import (
    DocumentPendingApprovalStore,
    DocumentPendingAuthorizationStore,
    DocumentSessionStore,
)
from placet.stores import open_store
from tests.runtime.session.contract import MINUTE_S, SEALER
from tests.runtime.stores.asking import KEYS

pytestmark = pytest.mark.anyio

STORES = ("SessionStore", "PendingApprovalStore", "PendingAuthorizationStore")
ANN = {"open_id": "ou_ann", "union_id": "on_ann"}


def want(text: str = "", **calls: Any) -> list[Any]:
    """The chunks of one answer of a model: words, or calls as id=(tool, arguments)."""
    chunks: list[Any] = [llm.TextDelta(text=text)] if text else []
    for at, (identifier, (name, arguments)) in enumerate(calls.items()):
        chunks.append(
            llm.ToolCallDelta(
                index=at, id=identifier, name=name, arguments=json.dumps(arguments, ensure_ascii=False)
            )
        )
    stop = llm.StopReason.TOOL_USE if calls else llm.StopReason.END_TURN
    return [*chunks, llm.MessageStop(stop_reason=stop)]


class Backend:
    """A model whose answers are written down; remembers what it was shown."""

    def __init__(self, *answers: list[Any]) -> None:
        self._answers, self.shown = list(answers), list[list[Any]]()

    def stream(self, *, messages: Sequence[Any], **_: Any) -> AsyncIterator[Any]:
        self.shown.append(list(messages))

        async def chunks() -> AsyncIterator[Any]:
            for chunk in self._answers.pop(0):
                yield chunk

        return chunks()


class Chat:
    """The messenger's side: cards that were sent, texts that were replied, cards as they were changed."""

    def __init__(self) -> None:
        self.im = self
        self.cards: list[dict[str, Any]] = []
        self.replies: list[str] = []
        self.changed: list[str] = []

    async def send(self, receive_id: str, content: Any, **_: Any) -> dict[str, str]:
        self.cards.append(content)
        return {"message_id": f"om_card_{len(self.cards)}"}

    async def reply(self, message_id: str, text: str, **_: Any) -> None:
        self.replies.append(text)

    async def patch(self, message_id: str, card: Any) -> None:
        self.changed.append(json.dumps(card, ensure_ascii=False))

    def values(self, at: int = -1) -> list[dict[str, Any]]:
        """What the buttons of a card send back."""
        found: list[dict[str, Any]] = []

        def walk(node: Any) -> None:
            if isinstance(node, dict):
                if "__approval__" in node:
                    found.append(dict(node))
                node = list(node.values())
            if isinstance(node, list):
                for one in node:
                    walk(one)

        walk(self.cards[at])
        return found


class Office:
    """One store, and engines of theirs on it, as processes come and go."""

    def __init__(self, truth: TruthStore) -> None:
        self.truth, self.ahead = truth, 0.0
        self.chat, self.made = Chat(), list[dict[str, Any]]()
        self.authorised = False
        self.asked = list[str]()

    def now(self) -> float:
        return time.time() + self.ahead

    def stores(self) -> tuple[Any, Any, Any]:
        place: Any = {"tenant": "cli_a", "now": self.now}
        return (
            DocumentSessionStore(self.truth, SEALER, types=llm, **place),
            DocumentPendingApprovalStore(self.truth, SEALER, types=theirs, **place),
            DocumentPendingAuthorizationStore(self.truth, SEALER, types=theirs, **place),
        )

    def engine(self, *answers: list[Any], **more: Any) -> Any:
        registry = ToolRegistry()
        properties = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}

        async def create(name: str) -> str:
            self.made.append({"name": name})
            return f"created {name}"

        registry.register(
            "create", create, input_schema=properties, description="Creates", requires_approval=True
        )
        registry.register(
            "mine",
            create,
            input_schema=properties,
            description="Creates as a person",
            auth_scopes=("task:write",),
        )
        sessions, approvals, authorizations = self.stores()

        def authorize_url(user: Any, scopes: Any, pending: Any) -> str:
            self.asked.append(pending.authorization_id)
            return "https://example.com/authorize"

        return AgentEngine(
            backend=Backend(*answers),
            registry=registry,
            client=self.chat,
            store=sessions,
            approvals=approvals,
            authorizations=authorizations,
            user_tokens=SimpleNamespace(has_scopes=lambda user, scopes: self.authorised),
            authorize_url_builder=authorize_url,
            auth_card_builder=lambda url: {"url": url},
            clear_command=lambda text: text == "/clear",
            **more,
        )

    def message(self, text: str, identifier: str) -> Any:
        return Event.from_payload(
            {
                "schema": "2.0",
                "header": {
                    "event_type": "im.message.receive_v1",
                    "event_id": f"ev_{identifier}",
                    "tenant_key": "tk",
                },
                "event": {
                    "sender": {"sender_id": ANN, "sender_type": "user"},
                    "message": {
                        "message_id": identifier,
                        "chat_id": "oc_1",
                        "chat_type": "p2p",
                        "message_type": "text",
                        "content": json.dumps({"text": text}),
                    },
                },
            }
        )

    async def click(self, engine: Any, value: dict[str, Any], user: dict[str, str] = ANN) -> None:
        """A click, and all that it sets off."""
        event = Event.from_payload(
            {
                "schema": "2.0",
                "header": {"event_type": "card.action.trigger"},
                "event": {
                    "operator": user,
                    "action": {"value": value, "tag": "button"},
                    "context": {"open_message_id": "om_card_1", "open_chat_id": "oc_1"},
                },
            }
        )
        await engine.handle_card_action(event)
        await asyncio.gather(*engine._bg_tasks)

    async def talk(self) -> list[tuple[str, str]]:
        """Role and gist of each message of the conversation."""
        found = await self.stores()[0].get("oc_1")
        return [(one.role, " ".join(map(gist, one.content))) for one in found]


def gist(part: Any) -> str:
    if isinstance(part, llm.ToolUsePart):
        return f"{part.name}({part.id})"
    return str(part.content if isinstance(part, llm.ToolResultPart) else part.text)


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    truth, shared = open_store(f"sqlite:///{tmp_path / 'placet.db'}", keys=KEYS)
    yield Office(truth)
    await shared.close()
    await truth.close()


CREATE = want("I will.", c1=("create", {"name": "周报"}))


async def test_our_stores_are_what_its_protocols_ask_for(office: Office) -> None:
    """By its own check, and to the name and kind of every parameter."""
    for name, store in zip(STORES, office.stores(), strict=True):
        protocol = getattr(theirs, name)
        methods = [one for one in vars(protocol) if not one.startswith("_")]

        assert isinstance(store, protocol)
        assert len(methods) >= 5
        for method in methods:
            assert parameters(getattr(type(store), method)) == parameters(getattr(protocol, method))
            assert inspect.iscoroutinefunction(getattr(store, method))


def test_our_records_and_results_are_its_own_by_another_name() -> None:
    """The same fields with the same defaults, in the same order; the same six results."""
    parts = ("TextPart", "ReasoningPart", "ToolUsePart", "ToolResultPart", "Message")
    for name in ("PendingApproval", "PendingAuthorization", *parts):
        mine, its = getattr(ours, name), getattr(llm if name in parts else theirs, name)

        assert parameters(mine) == parameters(its)
        assert [one.default_factory for one in fields(mine)] == [one.default_factory for one in fields(its)]
    assert {one.name: one.value for one in ours.ClaimResult} == {
        one.name: one.value for one in theirs.ClaimResult
    }


def parameters(function: Any) -> list[tuple[str, Any, str]]:
    found = inspect.signature(function).parameters.values()
    return [(one.name, one.kind, str(one.default)) for one in found if one.name != "self"]


async def test_a_write_waits_for_its_card_and_is_made_once(office: Office) -> None:
    """Message, card, yes, effect, answer; whatever is clicked besides changes nothing."""
    engine = office.engine(CREATE, want("It is done."))
    await engine.run(office.message("create it", "om_1"))
    waiting, made = await office.talk(), list(office.made)
    yes, no = office.chat.values()
    await asyncio.gather(*[office.click(engine, yes) for _ in range(3)])
    await office.click(engine, no)
    await office.click(engine, yes)

    assert made == []
    assert [role for role, _ in waiting] == ["user", "assistant", "tool"]
    assert office.made == [{"name": "周报"}]
    assert office.chat.replies == ["It is done."]


async def test_a_yes_is_carried_out_by_whichever_process_gets_it(office: Office) -> None:
    """The engine that asked is gone; the conversation and the approval are where it left them."""
    await office.engine(CREATE).run(office.message("create it", "om_1"))
    later = office.engine(want("It is done."))
    await office.click(later, office.chat.values()[0])

    assert office.made == [{"name": "周报"}]
    assert office.chat.replies == ["It is done."]
    assert await office.talk() == [
        ("user", "create it"),
        ("assistant", "I will. create(c1)"),
        ("tool", "created 周报"),
        ("assistant", "It is done."),
    ]
    assert len(later.backend.shown[0]) == 3


async def test_of_two_processes_one_makes_the_call(office: Office) -> None:
    """Their own locks end at the process; the claim does not."""
    await office.engine(CREATE).run(office.message("create it", "om_1"))
    engines = [office.engine(want("It is done."), want("?")) for _ in range(4)]
    await asyncio.gather(*[office.click(one, office.chat.values()[0]) for one in engines])

    assert office.made == [{"name": "周报"}]


async def test_a_no_is_told_to_the_model(office: Office) -> None:
    """Nothing is made, and it can answer."""
    engine = office.engine(CREATE, want("Then not."))
    await engine.run(office.message("create it", "om_1"))
    yes, no = office.chat.values()
    await office.click(engine, no)
    await office.click(engine, yes)

    assert office.made == []
    assert office.chat.replies == ["Then not."]
    assert (await office.talk())[-1] == ("assistant", "Then not.")


async def test_nobody_else_may_click(office: Office) -> None:
    """Who asked is on the record, under every id."""
    engine = office.engine(CREATE)
    await engine.run(office.message("create it", "om_1"))
    await office.click(engine, office.chat.values()[0], {"open_id": "ou_bob"})

    assert office.made == []
    assert (
        await office.stores()[1].claim(
            office.chat.values()[0]["__approval__"],
            expected_payload_sha256=office.chat.values()[0]["payload_sha256"],
        )
        is theirs.ClaimResult.CLAIMED
    )


@pytest.mark.parametrize("forged", ["0" * 64, None], ids=["another-digest", "no-digest"])
async def test_a_card_that_was_tampered_with_is_refused(office: Office, forged: str | None) -> None:
    """The yes is for what was shown; the true card still works."""
    engine = office.engine(CREATE, want("It is done."))
    await engine.run(office.message("create it", "om_1"))
    yes = office.chat.values()[0]
    await office.click(engine, {**yes, "payload_sha256": forged})
    made, changed = list(office.made), list(office.chat.changed)
    await office.click(engine, yes)

    assert (made, len(changed)) == ([], 1)
    assert office.made == [{"name": "周报"}]


async def test_a_late_yes_does_nothing(office: Office) -> None:
    """After a quarter of an hour; the record says why."""
    engine = office.engine(CREATE)
    await engine.run(office.message("create it", "om_1"))
    yes = office.chat.values()[0]
    office.ahead = 15 * MINUTE_S
    await office.click(engine, yes)
    claim = await office.stores()[1].claim(yes["__approval__"], expected_payload_sha256=yes["payload_sha256"])

    assert office.made == []
    assert claim is theirs.ClaimResult.EXPIRED


async def test_a_newer_request_takes_the_place_of_the_old_card(office: Office) -> None:
    """What their own stores can say and never do."""
    engine = office.engine(CREATE, want("", c2=("create", {"name": "月报"})), want("Monthly."))
    await engine.run(office.message("create it", "om_1"))
    await engine.run(office.message("no, the monthly one", "om_2"))
    old, new = office.chat.values(0)[0], office.chat.values(1)[0]
    await office.click(engine, old)
    claim = await office.stores()[1].claim(old["__approval__"], expected_payload_sha256=old["payload_sha256"])
    await office.click(engine, new)

    assert office.made == [{"name": "月报"}]
    assert claim is theirs.ClaimResult.SUPERSEDED


async def test_a_write_whose_outcome_is_unknown_stays(office: Office) -> None:
    """Frozen by their engine, and kept by our store however long it takes somebody to look."""
    engine = office.engine(CREATE, want("I do not know."))
    await engine.run(office.message("create it", "om_1"))
    yes = office.chat.values()[0]

    def breaks(name: str) -> str:
        raise OSError("the line went dead")

    engine.registry.get("create").handler = breaks
    await office.click(engine, yes)
    office.ahead = 365 * 24 * 60 * MINUTE_S
    await office.stores()[1].purge_expired()
    kept = await office.stores()[1].get(yes["__approval__"])

    assert kept.state == "execution_unknown"


async def test_an_authorisation_resumes_its_call_once(office: Office) -> None:
    """Card, callback, effect, answer; a second callback finds nothing, a stranger's is refused."""
    engine = office.engine(want("", c1=("mine", {"name": "周报"})), want("Done as you."))
    await engine.run(office.message("create it as me", "om_1"))
    (identifier,) = office.asked
    kept = await office.stores()[2].get(identifier)
    office.authorised = True
    said = [
        await engine.resume_authorization(identifier, user={"open_id": "ou_bob"}),
        await engine.resume_authorization(identifier, user=ANN),
        await engine.resume_authorization(identifier, user=ANN),
    ]

    assert kept.extra == {"auth_card_message_id": "om_card_1"}
    assert said == ["forbidden", "resumed", "missing"]
    assert office.made == [{"name": "周报"}]
    assert office.chat.replies == ["Done as you."]


async def test_a_late_authorisation_is_told_so(office: Office) -> None:
    """The person is back after an hour: nothing is made, and they hear why, each time."""
    engine = office.engine(want("", c1=("mine", {"name": "周报"})))
    await engine.run(office.message("create it as me", "om_1"))
    office.ahead, office.authorised = 60 * MINUTE_S, True
    said = [await engine.resume_authorization(office.asked[0], user=ANN) for _ in range(2)]

    assert said == ["expired", "expired"]
    assert office.made == []
    assert len(office.chat.replies) == 2


async def test_a_conversation_goes_on_and_can_be_cleared(office: Office) -> None:
    """The next message sees the earlier ones, in another process too; a cleared one begins anew."""
    first = office.engine(want("Hello Ann."))
    await first.run(office.message("I am Ann", "om_1"))
    second = office.engine(want("Ann."), want("I do not know."))
    await second.run(office.message("who am I?", "om_2"))
    await second.run(office.message("/clear", "om_3"))
    await second.run(office.message("who am I?", "om_4"))

    assert [len(one) for one in second.backend.shown] == [3, 1]
    assert await office.talk() == [("user", "who am I?"), ("assistant", "I do not know.")]


async def test_an_idle_conversation_is_forgotten(office: Office) -> None:
    """Their engine asks our store when it was last written."""
    await office.engine(want("Hello.")).run(office.message("hi", "om_1"))
    later = office.engine(
        want("Hello again."), idle_session_timeout_seconds=60.0, now=lambda: office.now() + 2 * MINUTE_S
    )
    await later.run(office.message("hi", "om_2"))

    assert [len(one) for one in later.backend.shown] == [1]
