"""Writes and the ledger: one effect for one key, whoever repeats, whatever breaks on the way."""

import json
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from placet.contract.platform import Answer, HttpRequest
from placet.contract.refusal import Reason
from placet.contract.result import Failed, Ok, Refused, Unknown
from placet.contract.stores import BeginWrite, FinishWrite, Operation, StoreError
from placet.contract.words import Identity
from placet.policy import ask_for_writes
from placet.stores.memory import MemoryTruth
from placet.transport.faults import TransportError, TransportReason
from tests.runtime.gate.scripted import answer, failure
from tests.runtime.gate.world import World, context

pytestmark = pytest.mark.anyio

ADD = ("shop.add_item", {"name": "a", "idempotency_key": "k"})
KEYED = ("shop.add_keyed", {"name": "a", "idempotency_key": "k"})


class Replies:
    """Answers with its replies, one after the other; the last one stays."""

    def __init__(self, *replies: Any) -> None:
        self._replies = list(replies)

    def __call__(self, request: HttpRequest) -> Answer:
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, Exception):
            raise reply
        assert isinstance(reply, Answer)
        return reply


def lost(*, sent: bool) -> TransportError:
    reason = TransportReason.RESET if sent else TransportReason.CONNECT
    return TransportError(sent=sent, reason=reason)


async def test_the_same_key_and_request_is_replayed(world: World) -> None:
    """A repeat gets the stored result, marked, without a request and without asking a person."""
    world.wire.answering = Replies(answer({"id": "1", "name": "a"}), answer({"id": "2"}))
    async with world.gate() as gate:
        first = await gate.call(*ADD, context())
    async with world.gate(authoriser=ask_for_writes) as gate:
        again = await gate.call(*ADD, context())

    assert first == Ok(data={"id": "1", "name": "a"})
    assert again == Ok(data={"id": "1", "name": "a"}, replayed=True)
    assert len(world.wire.requests) == 1


async def test_what_was_withheld_or_cut_is_replayed_as_that(world: World) -> None:
    """A replay does not claim that an answer was empty, or whole, when it was not."""
    world.wire.answering = Replies(answer({"id": "1", "name": "n" * 5000}))
    async with world.gate() as gate:
        first = await gate.call(*ADD, context())
        again = await gate.call(*ADD, context())

    assert isinstance(first, Ok)
    assert isinstance(again, Ok)
    assert (first.truncated, again.truncated, again.replayed) == (True, True, True)
    assert again.data == first.data


async def test_a_result_too_large_to_keep_is_replayed_without_its_data(world: World) -> None:
    """The repeat is told that it happened, and that its data is gone."""
    world.wire.answering = Replies(answer({"id": "1", "name": "n" * 200_000}))
    async with world.gate() as gate:
        first = await gate.call(*ADD, context(result_chars=None))
        again = await gate.call(*ADD, context())

    assert isinstance(first, Ok)
    assert isinstance(again, Ok)
    assert len(first.data["name"]) == 200_000
    assert (again.data, again.replayed) == ({}, True)
    assert again.withheld


@pytest.mark.parametrize(
    ("who", "effects"),
    [
        pytest.param(context(), 1, id="the-same-person"),
        pytest.param(context(session="c2", turn="t9"), 1, id="the-same-person-elsewhere"),
        pytest.param(context(user="bob"), 2, id="another-person"),
        pytest.param(context(user=None), 2, id="nobody"),
        pytest.param(context(user=""), 2, id="an-empty-name"),
        pytest.param(context("app2"), 2, id="another-app"),
        pytest.param(context(identity=Identity.USER), 2, id="another-identity"),
    ],
)
async def test_one_persons_key_never_answers_another(world: World, who: Any, effects: int) -> None:
    """The key holds the acting principal: another person's call with the same key has its own effect."""
    world.platform.logins.add("ann")
    world.wire.answering = Replies(answer({"id": "1"}), answer({"id": "2"}))
    async with world.gate() as gate:
        await gate.call(*ADD, context())
        result = await gate.call(*ADD, who)

    assert isinstance(result, Ok)
    assert len(world.wire.requests) == effects
    assert result.data == {"id": str(effects)}


@pytest.mark.parametrize(
    ("first", "second", "effects"),
    [
        pytest.param({"session": "c1"}, {"session": "c1"}, 1, id="one-conversation"),
        pytest.param({"session": "c1"}, {"session": "c2"}, 2, id="two-conversations"),
        pytest.param({"session": "c1"}, {"session": None, "run": "c1"}, 2, id="a-run-is-no-conversation"),
        pytest.param({"session": None, "run": "r1"}, {"session": None, "run": "r1"}, 1, id="one-run"),
        pytest.param({"session": None, "run": "r1"}, {"session": None, "run": "r2"}, 2, id="two-runs"),
        pytest.param({"session": "c1"}, {"user": "c1"}, 2, id="a-person-of-that-name"),
    ],
)
async def test_where_nobody_is_known_the_conversation_stands_for_them(
    world: World, first: dict[str, Any], second: dict[str, Any], effects: int
) -> None:
    """Callers without a name are not one caller: another conversation's result is never replayed."""
    world.wire.answering = Replies(answer({"id": "1"}), answer({"id": "2"}))
    async with world.gate() as gate:
        await gate.call(*ADD, context(**{"user": None, **first}))
        result = await gate.call(*ADD, context(**{"user": None, **second}))

    assert isinstance(result, Ok)
    assert len(world.wire.requests) == effects
    assert result.data == {"id": str(effects)}


async def test_nobodys_key_is_refused(world: World) -> None:
    """Without a person, a conversation or a run, no repeat could be told from somebody else's."""
    async with world.gate() as gate:
        keyed = await gate.call(*ADD, context(user=None, session=None))
        keyless = await gate.call("shop.add_item", {"name": "a"}, context(user=None, session=None))

    assert isinstance(keyed, Refused)
    assert keyed.code == Reason.CONTEXT_MISSING
    assert keyless.kind == "ok"
    assert len(world.wire.requests) == 1


async def test_two_hosts_over_one_store_do_not_share_keys(world: World) -> None:
    """A namespace parts the keys of installations."""
    for namespace in ("one", "two"):
        async with world.gate(namespace=namespace) as gate:
            assert (await gate.call(*ADD, context())).kind == "ok"

    assert len(world.wire.requests) == 2


async def test_without_a_key_nothing_is_taken_for_a_repeat(world: World) -> None:
    """Two equal calls without a key are two calls."""
    async with world.gate() as gate:
        for _ in range(2):
            assert (await gate.call("shop.add_item", {"name": "a"}, context())).kind == "ok"

    assert len(world.wire.requests) == 2


async def test_a_failure_that_did_nothing_frees_the_key(world: World) -> None:
    """What the platform turned away may be sent again under the same key."""
    world.wire.answering = Replies(failure("131", effect="none"), answer({"id": "1"}))
    async with world.gate() as gate:
        first = await gate.call(*ADD, context())
        again = await gate.call(*ADD, context())

    assert isinstance(first, Failed)
    assert again == Ok(data={"id": "1"})


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(lost(sent=True), id="no-answer"),
        pytest.param(failure("500", effect="unknown"), id="an-answer-that-does-not-say"),
    ],
)
async def test_an_unanswered_write_is_unknown_and_never_sent_again(world: World, reply: Any) -> None:
    """Without the platform's own key nobody can repeat it safely: one request, however often it is asked."""
    world.wire.answering = Replies(reply, answer({"id": "1"}))
    async with world.gate() as gate:
        first = await gate.call(*ADD, context())
        again = await gate.call(*ADD, context())
        world.now += 100_000
        later = await gate.call(*ADD, context())

    assert isinstance(first, Unknown)
    assert isinstance(again, Unknown)
    assert isinstance(later, Unknown)
    assert len(world.wire.requests) == 1


async def test_with_the_platforms_own_key_it_is_sent_again_under_the_same_key(world: World) -> None:
    """Retries carry one key, a UUID of version 4 that follows from the ledger's."""
    world.wire.answering = Replies(lost(sent=True), lost(sent=True), answer({"id": "1"}))
    async with world.gate() as gate:
        result = await gate.call(*KEYED, context())

    assert result == Ok(data={"id": "1"})
    keys = {body["key"] for body in world.wire.bodies}
    assert len(world.wire.bodies) == 3
    assert len(keys) == 1
    assert keys.pop()[14] == "4"


async def test_a_request_that_never_left_is_sent_again_without_any_key(world: World) -> None:
    """A connection that could not be made proves that nothing was done."""
    world.wire.answering = Replies(lost(sent=False), answer({"id": "1"}))
    async with world.gate() as gate:
        result = await gate.call(*ADD, context())

    assert result == Ok(data={"id": "1"})


async def test_a_request_that_never_left_has_failed_and_not_more(world: World) -> None:
    """When no attempt left, the call failed, says that it may be tried again, and the key is free."""
    world.wire.answering = Replies(lost(sent=False))
    async with world.gate() as gate:
        result = await gate.call(*ADD, context())
        world.wire.answering = Replies(answer({"id": "1"}))
        again = await gate.call(*ADD, context())

    assert isinstance(result, Failed)
    assert (result.code, result.category, result.retryable) == ("not_sent", "network", True)
    assert again == Ok(data={"id": "1"})


async def test_a_doubtful_attempt_stays_doubtful(world: World) -> None:
    """An attempt that may have arrived is not undone by a later one that did not."""
    world.wire.answering = Replies(lost(sent=True), lost(sent=False))
    async with world.gate() as gate:
        result = await gate.call(*KEYED, context())

    assert isinstance(result, Unknown)


async def test_a_write_that_was_done_is_ok_however_odd_its_answer(world: World) -> None:
    """No answer's form makes a write fail: what does not fit is named in drift."""
    world.wire.answering = Replies(answer(b"<html>"))
    async with world.gate() as gate:
        odd = await gate.call("shop.add_item", {"name": "a"}, context())
        world.wire.answering = Replies(answer(b"[" * 100_000))
        deep = await gate.call("shop.add_item", {"name": "a"}, context())
        world.wire.answering = Replies(answer({"id": 7, "name": "a"}))
        drifted = await gate.call("shop.add_item", {"name": "a"}, context())
        world.wire.answering = Replies(answer(b""))
        empty = await gate.call("shop.add_item", {"name": "a"}, context())
        world.wire.answering = Replies(failure("8", effect="applied"))
        applied = await gate.call("shop.add_item", {"name": "a"}, context())
        found = await world.records(gate)

    assert {one.kind for one in (odd, deep, drifted, empty, applied)} == {"ok"}
    assert drifted == Ok(data={"name": "a"}, drift=("id",))
    assert all(isinstance(one, Ok) and one.drift for one in (odd, deep, applied))
    assert {"drift": ["id"]} in [one["details"] for one in found]


async def test_a_cancelled_write_is_recorded_as_unknown(world: World) -> None:
    """Cancellation goes on, after the outcome that nobody waits for any more is on record."""
    arrived = anyio.Event()

    async def hang(request: HttpRequest) -> Answer:
        arrived.set()
        await anyio.sleep_forever()
        raise AssertionError

    world.wire.answering = hang
    async with world.gate() as gate:
        with anyio.fail_after(5):
            async with anyio.create_task_group() as group:
                group.start_soon(gate.call, *ADD, context())
                await arrived.wait()
                group.cancel_scope.cancel()
        found = await world.records(gate)
        again = await gate.call(*ADD, context())

    assert [(one["event"], one["outcome"]) for one in found] == [("intent", ""), ("outcome", "unknown")]
    assert isinstance(again, Unknown)
    assert len(world.wire.requests) == 1


class Slow(MemoryTruth):
    """Holds the tuple that has an operation of that kind until it is told."""

    def __init__(self, kind: type, *, before: bool) -> None:
        super().__init__()
        self.kind, self.is_before = kind, before
        self.reached, self.go = anyio.Event(), anyio.Event()

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        if not any(isinstance(one, self.kind) for one in operations) or self.reached.is_set():
            return await super().apply(*operations)
        if self.is_before:
            self.reached.set()
            await self.go.wait()
            return await super().apply(*operations)
        found = await super().apply(*operations)
        self.reached.set()
        await self.go.wait()
        return found


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
async def test_a_call_cancelled_while_it_is_entered_was_not_applied(world: World, before: bool) -> None:
    """Nothing had left, so the key is free again and nobody is told that something may have happened."""
    world.store = store = Slow(BeginWrite, before=before)
    async with world.gate() as gate:

        async def free() -> None:
            await anyio.lowlevel.checkpoint()
            store.go.set()

        with anyio.fail_after(5):
            async with anyio.create_task_group() as outer, anyio.create_task_group() as group:
                group.start_soon(gate.call, *ADD, context())
                await store.reached.wait()
                outer.start_soon(free)
                group.cancel_scope.cancel()
        assert world.wire.requests == []
        again = await gate.call(*ADD, context())

    assert again.kind == "ok"


async def test_a_call_cancelled_while_it_is_recorded_is_recorded(world: World) -> None:
    """The answer was there; the record is finished although nobody waits for it."""
    world.store = store = Slow(FinishWrite, before=True)
    async with world.gate() as gate:

        async def free() -> None:
            await anyio.lowlevel.checkpoint()
            store.go.set()

        with anyio.fail_after(5):
            async with anyio.create_task_group() as outer, anyio.create_task_group() as group:
                group.start_soon(gate.call, *ADD, context())
                await store.reached.wait()
                outer.start_soon(free)
                group.cancel_scope.cancel()
        again = await gate.call(*ADD, context())

    assert isinstance(again, Ok)
    assert again.replayed


class Failing(MemoryTruth):
    """Refuses tuples that hold an operation of that kind."""

    def __init__(self, kind: type, error: Exception) -> None:
        super().__init__()
        self.kind, self.error = kind, error

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        if any(isinstance(one, self.kind) for one in operations):
            raise self.error
        return await super().apply(*operations)


@pytest.mark.parametrize("error", [StoreError("down"), RuntimeError("bug")], ids=["down", "bug"])
@pytest.mark.parametrize("reply", [answer({"id": "1"}), failure("131", effect="none")], ids=["ok", "failed"])
async def test_an_outcome_that_cannot_be_recorded_is_unknown(
    world: World, error: Exception, reply: Answer
) -> None:
    """A write whose outcome is on no record has none that anybody may rely on."""
    world.store = Failing(FinishWrite, error)
    world.wire.answering = Replies(reply)
    async with world.gate() as gate:
        result = await gate.call(*ADD, context())

    assert isinstance(result, Unknown)
    assert "record" in result.reason


@pytest.mark.parametrize("error", [StoreError("down"), RuntimeError("bug")], ids=["down", "bug"])
async def test_what_cannot_be_entered_is_not_sent(world: World, error: Exception) -> None:
    """No record, no send; reads are answered meanwhile."""
    world.store = Failing(BeginWrite, error)
    async with world.gate() as gate:
        write = await gate.call(*ADD, context())
        sent = len(world.wire.requests)
        read = await gate.call("shop.get_item", {"id": "a"}, context())

    assert write.kind == "refused"
    assert sent == 0
    assert read.kind == "ok"


async def test_a_store_that_never_answers_holds_no_call_forever(world: World) -> None:
    """A call ends by its total deadline, whatever it waits for."""

    class Hanging(MemoryTruth):
        async def apply(self, *operations: Operation) -> tuple[Any, ...]:
            if any(isinstance(one, BeginWrite) for one in operations):
                await anyio.sleep_forever()
            return await super().apply(*operations)

    world.store = Hanging()
    async with world.gate(deadline_s=0.01) as gate:
        with anyio.fail_after(5):
            result = await gate.call(*ADD, context())

    assert result.kind == "refused"
    assert "deadline" in result.reason
    assert world.wire.requests == []


async def test_the_ledger_holds_what_left_and_nothing_else(world: World) -> None:
    """A stored result is masked as the answer was: a database's reader sees no token in it."""
    world.wire.answering = Replies(answer({"id": "1", "name": "Bearer " + "t-" + "a1b2c3d4e5" * 4}))
    async with world.gate() as gate:
        await gate.call(*ADD, context())

    assert isinstance(world.store, MemoryTruth)
    (row,) = world.store._rows.values()
    assert row.result is not None
    assert json.loads(row.result)["data"]["id"] == "1"
    assert b"a1b2c3d4e5a1b2" not in row.result


async def test_twenty_equal_calls_at_once_have_one_effect(world: World) -> None:
    """One sends, the others are told that it is under way, and afterwards what came of it."""
    go, arrived = anyio.Event(), anyio.Event()

    async def slow(request: HttpRequest) -> Answer:
        arrived.set()
        await go.wait()
        return answer({"id": "1"})

    world.wire.answering = slow
    results: list[Any] = []

    async def call(gate: Any) -> None:
        results.append(await gate.call(*ADD, context()))

    async with world.gate() as gate:
        with anyio.fail_after(5):
            async with anyio.create_task_group() as group:
                for _ in range(20):
                    group.start_soon(call, gate)
                await arrived.wait()
                while len(results) < 19:
                    await anyio.lowlevel.checkpoint()
                go.set()

    assert [one.kind for one in results] == ["refused"] * 19 + ["ok"]
    assert {one.code for one in results[:19]} == {"in_flight"}
    assert len(world.wire.requests) == 1
