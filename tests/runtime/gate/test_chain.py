"""The chain: seven steps in one order; whatever breaks before the request refuses, and afterwards only withholds."""

import json
from pathlib import Path
from typing import Any

import pytest

from placet.contract.platform import Answer, HttpRequest
from placet.contract.refusal import Reason
from placet.contract.result import Failed, Ok, Pending, Refused, Unknown
from placet.gate import Gate, chain
from placet.policy import ask_for_writes
from placet.stores.memory import MemoryTruth
from placet.transport.faults import TransportError, TransportReason
from tests.runtime.gate import pack
from tests.runtime.gate.pack_schemas import records
from tests.runtime.gate.scripted import answer, failure
from tests.runtime.gate.world import World, context

pytestmark = pytest.mark.anyio

READ = ("shop.get_item", {"id": "a"})
WRITE = ("shop.add_item", {"name": "a"})


def breaking(gate: Gate, name: str) -> None:
    """From now on that step of the gate raises; what it says must reach nobody."""

    async def broken(*_: Any) -> Any:
        raise RuntimeError("secret of the step")

    gate._before = tuple((one, broken if one == name else step) for one, step in gate._before)
    gate._after = tuple((one, broken if one == name else step) for one, step in gate._after)


def test_the_schemas_of_the_pack_are_those_of_its_structs() -> None:
    """The hand-written pack is as consistent as a generated one."""
    text = Path(pack.__file__).with_name("schemas").joinpath("shop.json").read_text(encoding="utf-8")

    assert json.loads(text) == records()


def test_the_order_is_one_tuple() -> None:
    """Nothing is looked at before it is sanitised, nobody asked before policy allows, nothing leaves unrecorded."""
    assert chain.CHAIN == (
        "inbound_sanitise",
        "policy",
        "authorise",
        "tenant_switch",
        "execute",
        "content_safety",
        "outbound_sanitise",
        "audit",
    )
    assert [*map(len, (chain.steps_before(), chain.steps_after()))] == [4, 3]


@pytest.mark.parametrize(("name", "arguments"), [READ, WRITE], ids=["read", "write"])
async def test_a_call_passes_every_step_in_order(world: World, name: str, arguments: dict[str, Any]) -> None:
    """The audit record of a call lists each step before it, with verdict and microseconds, in the chain's order."""
    async with world.gate() as gate:
        result = await gate.call(name, arguments, context())
        record = (await world.records(gate))[-1]

    assert isinstance(result, Ok)
    assert [step for step, _, _ in record["steps"]] == list(chain.CHAIN[:-1])
    assert [verdict for _, verdict, _ in record["steps"]] == ["pass"] * 4 + ["ok"] * 3
    assert all(type(micros) is int and micros >= 0 for _, _, micros in record["steps"])


@pytest.mark.parametrize("step", chain.BEFORE)
@pytest.mark.parametrize(("name", "arguments"), [READ, WRITE], ids=["read", "write"])
async def test_a_step_that_raises_refuses_and_nothing_is_sent(
    world: World, step: str, name: str, arguments: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """Before the request a fault of ours is a refusal, on record, and its cause goes to the log alone."""
    async with world.gate() as gate:
        breaking(gate, step)
        result = await gate.call(name, arguments, context())
        (record,) = await world.records(gate)

    assert isinstance(result, Refused)
    assert result.code == Reason.STEP_FAILED
    assert step in result.reason
    assert "secret of the step" not in repr(result)
    assert world.wire.requests == []
    assert (record["event"], record["outcome"], record["reason"]) == ("refusal", "refused", "step_failed")
    assert "secret of the step" in caplog.text


@pytest.mark.parametrize("step", chain.AFTER)
async def test_after_a_write_was_sent_a_step_can_only_withhold(world: World, step: str) -> None:
    """A write that happened is never refused or failed afterwards: its data is withheld, or its outcome unknown."""
    async with world.gate() as gate:
        breaking(gate, step)
        result = await gate.call("shop.add_item", {"name": "a", "idempotency_key": "k"}, context())

    assert len(world.wire.requests) == 1
    if step == "audit":
        assert isinstance(result, Unknown)
    else:
        assert isinstance(result, Ok)
        assert (result.data, bool(result.withheld)) == ({}, True)
    async with world.gate() as gate:
        again = await gate.call("shop.add_item", {"name": "a", "idempotency_key": "k"}, context())
    assert len(world.wire.requests) == 1
    if isinstance(result, Ok):
        assert again == Ok(data={}, withheld=result.withheld, replayed=True)
    else:
        assert again.kind in ("refused", "unknown")


@pytest.mark.parametrize("step", chain.AFTER)
async def test_what_could_not_be_checked_or_recorded_does_not_leave(world: World, step: str) -> None:
    """A read whose outbound step breaks is answered without its data."""
    async with world.gate() as gate:
        breaking(gate, step)
        result = await gate.call(*READ, context())

    assert isinstance(result, Ok)
    assert result.data == {}
    assert step in (result.withheld or "")


@pytest.mark.parametrize("step", ["content_safety", "outbound_sanitise"])
async def test_texts_of_failures_do_not_leave_unchecked(world: World, step: str) -> None:
    """What the platform says about an error goes the same way as data."""
    world.wire.answering = lambda request: failure("7", message="SECRET", violations={"SECRET": "SECRET"})
    async with world.gate() as gate:
        breaking(gate, step)
        result = await gate.call(*READ, context())

    assert isinstance(result, Failed)
    assert result.code == "7"
    assert "SECRET" not in repr(result)


@pytest.mark.parametrize("step", ["content_safety", "outbound_sanitise"])
async def test_texts_of_refusals_do_not_leave_unchecked(world: World, step: str) -> None:
    """A preflight's sentence holds what it read; without the outbound steps it stays inside."""

    async def check(*_: Any) -> str:
        return "the table has SECRET"

    world.platform.check = check
    async with world.gate() as gate:
        breaking(gate, step)
        result = await gate.call("shop.remove_item", {"id": "a"}, context())

    assert isinstance(result, Refused)
    assert result.code == Reason.PREFLIGHT
    assert "SECRET" not in repr(result)


async def unanswered(request: HttpRequest) -> Answer:
    raise TransportError(sent=True, reason=TransportReason.TIMEOUT)


ENDINGS = [
    pytest.param(READ, {}, {}, answer({"id": "a"}), Ok, "outcome", "", id="read"),
    pytest.param(("shop.nothing", {}), {}, {}, None, Refused, "refusal", "tool_unknown", id="no-such-tool"),
    pytest.param(
        ("shop.get_item", {"i": 1}), {}, {}, None, Refused, "refusal", "arguments_invalid", id="arguments"
    ),
    pytest.param(READ, {}, {"app": "app9"}, None, Refused, "refusal", "app_unknown", id="no-such-app"),
    pytest.param(WRITE, {}, {"app": "app9"}, None, Refused, "refusal", "app_unknown", id="write-of-no-app"),
    pytest.param(WRITE, {"authoriser": ask_for_writes}, {}, None, Pending, "outcome", "approval", id="asked"),
    pytest.param(READ, {}, {}, failure("131"), Failed, "outcome", "131", id="failed"),
    pytest.param(WRITE, {}, {}, answer({"id": "a"}), Ok, "outcome", "", id="write"),
    pytest.param(WRITE, {}, {}, failure("131"), Failed, "outcome", "131", id="write-failed"),
    pytest.param(WRITE, {}, {}, unanswered, Unknown, "outcome", "unanswered", id="write-unanswered"),
    pytest.param(
        ("shop.add_item", {"name": "a", "dry_run": True}),
        {},
        {},
        None,
        Ok,
        "outcome",
        "dry_run",
        id="rehearsed",
    ),
]


@pytest.mark.parametrize(("call", "options", "who", "reply", "kind", "event", "reason"), ENDINGS)
async def test_every_refusal_and_every_outcome_is_on_record(
    world: World,
    call: tuple[str, dict[str, Any]],
    options: dict[str, Any],
    who: dict[str, Any],
    reply: Any,
    kind: type,
    event: str,
    reason: str,
) -> None:
    """However a call ends, its last record says so, names who asked for what, and holds no argument."""
    world.wire.answering = reply if callable(reply) else lambda request: reply
    async with world.gate(**options) as gate:
        result = await gate.call(*call, context(**who))
        found = await world.records(gate)

    assert type(result) is kind
    last = found[-1]
    assert (last["event"], last["outcome"], last.get("reason", "")) == (event, result.kind, reason)
    assert (last["tenant"], last["tool"], last["actor"]) == (who.get("app", "app1"), call[0], "ann")
    assert {one["call_id"] for one in found} == {last["call_id"]}
    assert world.wire.requests == [] or reply is not None


async def test_the_intent_is_durable_before_a_write_leaves(world: World) -> None:
    """When the request arrives the intent is stored already, and the outcome follows in one more transaction."""
    seen: list[list[str]] = []

    def look(request: HttpRequest) -> Answer:
        assert isinstance(world.store, MemoryTruth)
        seen.append([json.loads(one.body)["event"] for one in world.store.trail().latest(10)])
        return answer({"id": "a"})

    world.wire.answering = look
    async with world.gate() as gate:
        await gate.call(*WRITE, context())
        found = await world.records(gate)

    assert seen == [["intent"]]
    assert [one["event"] for one in found] == ["intent", "outcome"]
    assert found[0]["ledger_key"] == found[1]["ledger_key"] != ""


@pytest.mark.parametrize(
    ("name", "who"),
    [
        pytest.param("no.\udcfftool", {}, id="tool"),
        pytest.param("shop.get_item", {"app": "app\ud800"}, id="app"),
        pytest.param("shop.get_item", {"user": "ann\udfff"}, id="user"),
        pytest.param("shop.add_item", {"user": "ann\udfff"}, id="user-of-a-write"),
        pytest.param("shop.get_item", {"app": "a" * 100_000, "user": "\ud800" * 100_000}, id="long"),
    ],
)
async def test_no_name_that_a_door_gives_stops_the_audit(
    world: World, name: str, who: dict[str, Any]
) -> None:
    """Whatever stands in it, its record is stored, is bounded, and the next call's as well."""
    arguments = {"name": "a"} if name == "shop.add_item" else {"id": "a"}
    async with world.gate() as gate:
        await gate.call(name, arguments, context(**who))
        found = await world.records(gate)
        after = await gate.call(*WRITE, context())

    assert len(found) == 1
    assert all(len(one) <= 500 for one in found[0].values() if isinstance(one, str))
    assert after.kind == "ok"


async def test_a_gate_that_is_not_open_takes_no_call() -> None:
    """There is no way around `async with`."""
    world = World()
    async with world.gate() as gate:
        pass

    with pytest.raises(Exception, match="not open"):
        await gate.call(*READ, context())
