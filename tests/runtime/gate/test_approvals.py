"""Who may let a write happen: the policy that names it, the host's authoriser, and a person's yes to exactly it."""

from typing import Any

import anyio
import pytest

from placet.approvals import MOST_IN_A_CONVERSATION, MOST_OF_A_REQUESTER, TTL_S
from placet.contract.call import Actor, CallContext
from placet.contract.errors import CredentialUnavailable
from placet.contract.policy import Decision, Proposal
from placet.contract.refusal import Reason
from placet.contract.result import Ok, Pending
from placet.contract.words import Identity
from placet.policy import ask_for_writes, read_only
from tests.runtime.gate.scripted import answer, failure
from tests.runtime.gate.world import ALL_WRITES, World, context, open_policy

pytestmark = pytest.mark.anyio

WRITE = ("shop.add_item", {"name": "a"})


def deciding(said: Any) -> Any:
    async def authoriser(proposal: Proposal) -> Any:
        if isinstance(said, Exception):
            raise said
        return said

    return authoriser


@pytest.mark.parametrize(
    ("authoriser", "unattended", "read", "write"),
    [
        pytest.param(None, True, "ok", "authoriser_absent", id="absent"),
        pytest.param(deciding(Decision.ALLOW), True, "ok", "ok", id="allow-unattended"),
        pytest.param(deciding(Decision.ALLOW), False, "ok", "pending", id="allow-counts-for-unattended-only"),
        pytest.param(deciding(Decision.ASK), True, "pending", "pending", id="ask"),
        pytest.param(deciding(Decision.DENY), True, "authoriser_denied", "authoriser_denied", id="deny"),
        pytest.param(deciding(True), True, "authoriser_denied", "authoriser_denied", id="junk-true"),
        pytest.param(deciding("allow"), True, "authoriser_denied", "authoriser_denied", id="junk-text"),
        pytest.param(deciding(None), True, "authoriser_denied", "authoriser_denied", id="junk-none"),
        pytest.param(deciding(RuntimeError("no")), True, "step_failed", "step_failed", id="raises"),
        pytest.param(ask_for_writes, True, "ok", "pending", id="ask-for-writes"),
        pytest.param(read_only, True, "ok", "authoriser_denied", id="read-only"),
    ],
)
async def test_what_an_authoriser_says_counts_as_the_table_says(
    world: World, authoriser: Any, unattended: bool, read: str, write: str
) -> None:
    """Allow lets a write through only where the host named it as unattended; anything unknown refuses."""
    policy = open_policy(unattended=ALL_WRITES if unattended else ())
    async with world.gate(authoriser=authoriser, policy=policy) as gate:
        results = [
            await gate.call("shop.get_item", {"id": "a"}, context()),
            await gate.call(*WRITE, context()),
        ]

    said = [one.code if one.kind == "refused" else one.kind for one in results]
    assert said == [read, write]
    assert len(world.wire.requests) == said.count("ok")


async def test_a_local_read_that_is_to_be_asked_for_is_asked_for(world: World) -> None:
    """A tool that sends nothing needs no app, and that is no way around the authoriser."""
    async with world.gate(authoriser=deciding(Decision.ASK)) as gate:
        known = await gate.call("shop.think", {}, context())
        unknown = await gate.call("shop.think", {}, context("app9"))

    assert (known.kind, unknown.kind) == ("pending", "pending")


async def test_an_approved_call_executes_exactly_once(world: World) -> None:
    """Pending, yes, the same call: one effect. The call after that needs another yes."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        first = await gate.call(*WRITE, context())
        assert isinstance(first, Pending)
        same = await gate.call(*WRITE, context())
        assert isinstance(same, Pending)
        assert same.id == first.id
        assert world.approvals.decide(first.id, approve=True)
        results = [await gate.call(*WRITE, context()) for _ in range(2)]

    assert [one.kind for one in results] == ["ok", "pending"]
    assert len(world.wire.requests) == 1
    assert not world.approvals.decide(first.id, approve=True)


async def test_of_many_calls_at_once_one_takes_the_yes(world: World) -> None:
    """A yes is claimed by one of any number of racing callers."""
    results: list[str] = []

    async def call(gate: Any) -> None:
        results.append((await gate.call(*WRITE, context())).kind)

    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
        world.approvals.decide(proposed.id, approve=True)
        with anyio.fail_after(5):
            async with anyio.create_task_group() as group:
                for _ in range(20):
                    group.start_soon(call, gate)

    assert sorted(results) == ["ok"] + ["pending"] * 19
    assert len(world.wire.requests) == 1


OTHERS = [
    pytest.param("shop.add_item", {"name": "b"}, context(), id="arguments"),
    pytest.param("shop.add_item", {"name": "a", "extra": {}}, context(), id="one-argument-more"),
    pytest.param("shop.add_keyed", {"name": "a"}, context(), id="tool"),
    pytest.param("shop.add_item", {"name": "a"}, context(user="bob"), id="requester"),
    pytest.param("shop.add_item", {"name": "a"}, context(user=None), id="nobody"),
    pytest.param("shop.add_item", {"name": "a"}, context(session="c2"), id="conversation"),
    pytest.param("shop.add_item", {"name": "a"}, context(session=None), id="no-conversation"),
    pytest.param("shop.add_item", {"name": "a"}, context("app2"), id="app"),
    pytest.param("shop.add_item", {"name": "a"}, context(identity=Identity.USER), id="identity"),
]


@pytest.mark.parametrize(("name", "arguments", "who"), OTHERS)
async def test_nobody_else_profits_from_a_yes(
    world: World, name: str, arguments: dict[str, Any], who: CallContext
) -> None:
    """A yes is bound to tool, arguments, requester, conversation, app and identity."""
    world.platform.logins.add("ann")
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
        world.approvals.decide(proposed.id, approve=True)
        other = await gate.call(name, arguments, who)
        sent = len(world.wire.requests)
        own = await gate.call(*WRITE, context())

    assert other.kind == "pending"
    assert sent == 0
    assert own.kind == "ok"


async def test_a_no_and_an_old_yes_let_nothing_through(world: World) -> None:
    """After a no the call is proposed anew, and a yes that nobody used in its time is none any more."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        first = await gate.call(*WRITE, context())
        assert isinstance(first, Pending)
        assert world.approvals.decide(first.id, approve=False)
        second = await gate.call(*WRITE, context())
        assert isinstance(second, Pending)
        assert second.id != first.id
        assert world.approvals.decide(second.id, approve=True)
        world.now += TTL_S + 1
        late = await gate.call(*WRITE, context())

    assert late.kind == "pending"
    assert world.wire.requests == []


async def test_an_open_proposal_expires(world: World) -> None:
    """Nobody can say yes to what was proposed too long ago."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
        world.now += TTL_S + 1

    assert world.approvals.view(proposed.id) is None
    assert not world.approvals.decide(proposed.id, approve=True)


async def test_an_approved_call_enters_at_step_one_again(world: World) -> None:
    """A yes given under one policy does not run under a stricter one."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
        world.approvals.decide(proposed.id, approve=True)
    async with world.gate(authoriser=ask_for_writes, policy=open_policy(deny=("shop.add_item",))) as gate:
        result = await gate.call(*WRITE, context())

    assert result.kind == "refused"
    assert result.code == Reason.TOOL_NOT_ENABLED
    assert world.wire.requests == []


@pytest.mark.parametrize(
    ("calls", "most"),
    [
        pytest.param([context() for _ in range(25)], MOST_IN_A_CONVERSATION, id="conversation"),
        pytest.param([context(session=f"c{n}") for n in range(25)], MOST_OF_A_REQUESTER, id="requester"),
    ],
)
async def test_open_proposals_are_capped(world: World, calls: list[CallContext], most: int) -> None:
    """A model cannot flood a person with proposals until one is approved by weariness."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        results = [
            await gate.call("shop.add_item", {"name": f"{number}"}, who) for number, who in enumerate(calls)
        ]

    assert [one.kind for one in results] == ["pending"] * most + ["refused"] * (25 - most)


async def test_the_person_sees_what_is_replaced_and_the_model_does_not(world: World) -> None:
    """What a `before:` read found is in the proposal; the answer to the model holds its own arguments only."""
    world.wire.answering = lambda request: answer({"name": "the old name"})
    async with world.gate(authoriser=ask_for_writes) as gate:
        result = await gate.call("shop.remove_item", {"id": "a", "name": "new"}, context())

    assert isinstance(result, Pending)
    view = world.approvals.view(result.id)
    assert view is not None
    assert (view.before, view.arguments) == ({"name": "the old name"}, {"id": "a", "name": "new"})
    assert "old" not in repr(result)


async def test_a_before_read_that_fails_stops_no_proposal(world: World) -> None:
    """Without the read the person decides without the old value."""
    world.wire.answering = lambda request: failure("9")
    async with world.gate(authoriser=ask_for_writes) as gate:
        result = await gate.call("shop.remove_item", {"id": "a", "name": "new"}, context())

    assert isinstance(result, Pending)
    view = world.approvals.view(result.id)
    assert view is not None
    assert view.before == {}


async def test_a_person_who_has_not_logged_in_is_asked_for_that_first(world: World) -> None:
    """Authorisation is never consent: after it the write is still proposed."""
    who = context(identity=Identity.USER)
    async with world.gate(authoriser=ask_for_writes) as gate:
        first = await gate.call(*WRITE, who)
        world.platform.logins.add("ann")
        second = await gate.call(*WRITE, who)

    assert isinstance(first, Pending)
    assert isinstance(second, Pending)
    assert (first.needs, second.needs) == ("authorisation", "approval")
    assert first.view["url"] == "https://shop.invalid/login"
    assert world.wire.requests == []


@pytest.mark.parametrize("identity", [Identity.TENANT, Identity.USER], ids=["app", "person"])
async def test_without_a_token_nobody_is_asked_and_nothing_is_sent(world: World, identity: Identity) -> None:
    """A platform that gives no token fails the call, typed; for a person's identity before anybody is asked."""
    world.platform.raises["credential"] = CredentialUnavailable("no token", code="7", category="server")
    async with world.gate() as gate:
        read = await gate.call("shop.get_item", {"id": "a"}, context(identity=identity))
        write = await gate.call(*WRITE, context(identity=identity))

    for result in (read, write):
        assert result.kind == "failed"
        assert (result.code, result.category, result.retryable) == ("7", "server", True)
    assert world.wire.requests == []


async def test_a_call_that_cannot_run_is_not_proposed(world: World) -> None:
    """Nobody is asked about a write of an unknown app, of nobody known, or with a file that is not there."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        results = [
            await gate.call(*WRITE, context("app9")),
            await gate.call("shop.sign", {"text": "a"}, context(user=None)),
            await gate.call("shop.upload", {"file": "file_x"}, context()),
        ]

    assert [one.code for one in results if one.kind == "refused"] == [
        Reason.APP_UNKNOWN,
        Reason.CONTEXT_MISSING,
        Reason.FILE_UNKNOWN,
    ]


async def test_who_acts_comes_from_the_door_and_is_part_of_the_yes(world: World) -> None:
    """A slot that says who acts holds the actor of the call, whatever the arguments say."""
    async with world.gate() as gate:
        asked = await gate.call("shop.sign", {"text": "a", "by": "boss"}, context())
        done = await gate.call("shop.sign", {"text": "a"}, CallContext(app="app1", actor=Actor(user="ann")))

    assert asked.kind == "refused"
    assert isinstance(done, Ok)
    assert world.wire.bodies == [{"text": "a", "by": "ann"}]


async def test_a_child_call_passes_all_seven_steps_and_does_not_count(world: World) -> None:
    """A preflight reads as the caller, through the chain, on record under its parent, not against the turn."""
    seen: list[Any] = []

    async def check(tool: Any, arguments: Any, reads: Any) -> None:
        for _ in range(5):
            seen.append(await reads.read("shop.get_item", {"id": arguments["id"]}))
        seen.append(await reads.read("shop.add_item", {"name": "by a preflight"}))
        seen.append(await reads.read("shop.nothing", {}))
        seen.append(reads.is_enabled("shop.get_item"))
        seen.append(reads.is_enabled("shop.secret_item"))

    world.platform.check = check
    world.platform.logins.add("ann")
    policy = open_policy(reads=("shop.get_item",), calls_per_turn=1)
    async with world.gate(policy=policy) as gate:
        result = await gate.call("shop.remove_item", {"id": "a"}, context())
        found = await world.records(gate)

    assert result.kind == "ok"
    assert [one.kind for one in seen[:7]] == ["ok"] * 5 + ["refused", "refused"]
    assert seen[7:] == [True, False]
    parent = found[-1]["call_id"] if not found[-1].get("parent_id") else found[-1]["parent_id"]
    children = [one for one in found if one.get("parent_id") == parent]
    assert len(children) == 5
    assert all(len(one["steps"]) == 7 for one in children)
    assert [one.method for one in world.wire.requests] == ["GET"] * 5 + ["DELETE"]


async def test_a_child_call_is_bound_by_policy_and_by_the_identity_of_its_parent(world: World) -> None:
    """What the caller may not read, a preflight may not read for it; nor with another token."""
    seen: list[Any] = []

    async def check(tool: Any, arguments: Any, reads: Any) -> None:
        seen.append(await reads.read("shop.secret_item", {"id": "a"}))
        seen.append(await reads.read("shop.my_item", {"id": "a"}))

    world.platform.check = check
    async with world.gate(policy=open_policy(reads=("*",))) as gate:
        await gate.call("shop.remove_item", {"id": "a"}, context())

    assert [one.code for one in seen] == [Reason.TOOL_NOT_ENABLED, Reason.IDENTITY_NOT_ALLOWED]
    assert {identity for _, identity, _ in world.platform.credentials} == {Identity.TENANT}


async def test_a_child_call_is_not_cut_to_a_models_budget(world: World) -> None:
    """A preflight that judges by a list sees all of it."""
    seen: list[Any] = []
    world.wire.answering = lambda request: answer({"name": "n" * 10_000})

    async def check(tool: Any, arguments: Any, reads: Any) -> None:
        seen.append(await reads.read("shop.get_item", {"id": "a"}))

    world.platform.check = check
    async with world.gate() as gate:
        await gate.call("shop.remove_item", {"id": "a"}, context())

    assert len(seen[0].data["name"]) == 10_000


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        pytest.param("shop.remove_item", {"id": "a/b ?", "name": "n"}, id="with-preflight-and-before"),
        pytest.param("shop.add_keyed", {"name": "汉", "extra": {"password": "hunter2-hunter2"}}, id="keyed"),
        pytest.param("shop.add_item", {"name": "n", "idempotency_key": "k"}, id="with-a-key"),
    ],
)
async def test_a_dry_run_shows_the_request_and_touches_nothing(
    world: World, name: str, arguments: dict[str, Any]
) -> None:
    """No token, no preflight, no approval, no ledger row, no request; the audit says that it was asked."""

    async def check(*_: Any) -> str:
        return "never"

    world.platform.check = check
    async with world.gate(authoriser=ask_for_writes) as gate:
        result = await gate.call(name, {**arguments, "dry_run": True}, context())
        found = await world.records(gate)

    assert isinstance(result, Ok)
    assert result.dry_run
    (request,) = result.data["requests"]
    assert request["method"] in ("POST", "DELETE")
    assert (world.wire.requests, world.platform.credentials) == ([], [])
    assert [(one["event"], one.get("reason"), one.get("ledger_key")) for one in found] == [
        ("outcome", "dry_run", "")
    ]
    if name == "shop.remove_item":
        assert request["path"] == "/items/a%2Fb%20%3F"
        assert request["query"] == [["name", "n"]]
    if name == "shop.add_keyed":
        assert request["body"]["name"] == "汉"
        assert "hunter2" not in repr(result)


async def test_a_dry_run_is_bound_by_policy_and_authoriser(world: World) -> None:
    """It skips the yes, the preflights and the token, and nothing else."""
    rehearsal = ("shop.add_item", {"name": "a", "dry_run": True})
    async with world.gate(policy=open_policy(write_allow=(), unattended=())) as gate:
        off = await gate.call(*rehearsal, context())
    async with world.gate(authoriser=read_only) as gate:
        denied = await gate.call(*rehearsal, context())
    async with world.gate() as gate:
        nobody = await gate.call(*rehearsal, context("app9"))

    assert [one.code for one in (off, denied, nobody) if one.kind == "refused"] == [
        Reason.TOOL_NOT_ENABLED,
        Reason.AUTHORISER_DENIED,
        Reason.APP_UNKNOWN,
    ]


async def test_arguments_cannot_consent(world: World) -> None:
    """No argument says yes for a person, whatever a document told the model to send."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        for word in ("confirmed", "yes", "approved", "force", "identity", "app"):
            result = await gate.call("shop.add_item", {"name": "a", word: True}, context())
            assert result.kind == "refused"
            assert "consent" in result.reason
