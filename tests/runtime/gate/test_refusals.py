"""The words of refusals are a closed set, each of them is said somewhere, and each means that nothing was sent."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import anyio
import pytest

from placet.audit import AuditUnavailable
from placet.contract.approvals import Grant, ProposeApproval, ProposedCall
from placet.contract.platform import Answer, HttpRequest
from placet.contract.policy import Decision, Policy, Proposal
from placet.contract.refusal import Reason
from placet.contract.result import Ok, Pending, Refused, Result
from placet.contract.stores import LookUpWrite, Operation, StoreError
from placet.contract.words import Identity, Risk
from placet.policy import ask_for_writes
from placet.stores.memory import MemoryTruth
from tests.runtime.gate import pack
from tests.runtime.gate.scripted import answer
from tests.runtime.gate.world import World, context, open_policy, tenant

pytestmark = pytest.mark.anyio

Scenario = Callable[[World], Awaitable[Result[Any]]]

READ = ("shop.get_item", {"id": "a"})
WRITE = ("shop.add_item", {"name": "a"})
KEYED = ("shop.add_item", {"name": "a", "idempotency_key": "k"})


def calling(name: str, arguments: Any, *, who: dict[str, Any] | None = None, **options: Any) -> Scenario:
    """One call at a gate with those options."""

    async def run(world: World) -> Result[Any]:
        async with world.gate(**options) as gate:
            return await gate.call(name, arguments, context(**(who or {})))

    return run


async def deny(proposal: Proposal) -> Decision:
    return Decision.DENY


async def too_many_calls(world: World) -> Result[Any]:
    async with world.gate(policy=open_policy(calls_per_turn=2)) as gate:
        for _ in range(2):
            assert isinstance(await gate.call("shop.think", {}, context()), Ok)
        return await gate.call("shop.think", {}, context())


async def preflight_says_no(world: World) -> Result[Any]:
    async def check(*_: Any) -> str:
        return "there is no such field"

    world.platform.check = check
    return await calling("shop.remove_item", {"id": "a"})(world)


async def too_many_proposals(world: World) -> Result[Any]:
    async with world.gate(authoriser=ask_for_writes) as gate:
        for number in range(5):
            assert isinstance(await gate.call("shop.add_item", {"name": f"{number}"}, context()), Pending)
        return await gate.call("shop.add_item", {"name": "5"}, context())


async def other_request_of_a_key(world: World) -> Result[Any]:
    async with world.gate() as gate:
        assert isinstance(await gate.call(*KEYED, context()), Ok)
        world.wire.requests.clear()
        return await gate.call("shop.add_item", {"name": "b", "idempotency_key": "k"}, context())


async def same_call_at_once(world: World) -> Result[Any]:
    arrived, go = anyio.Event(), anyio.Event()

    async def slow(request: HttpRequest) -> Answer:
        arrived.set()
        await go.wait()
        return answer({"id": "a"})

    world.wire.answering = slow
    async with world.gate() as gate, anyio.create_task_group() as group:
        group.start_soon(gate.call, *KEYED, context())
        with anyio.fail_after(5):
            await arrived.wait()
        world.wire.requests.clear()
        second = await gate.call(*KEYED, context())
        go.set()
    return second


class Forgetful(MemoryTruth):
    """Loses a success between the look-up and the start of the write."""

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        found = await super().apply(*operations)
        if isinstance(operations[0], LookUpWrite):
            self._rows.clear()
        return found


async def success_forgotten(world: World) -> Result[Any]:
    world.store = Forgetful()
    async with world.gate() as gate:
        assert isinstance(await gate.call(*KEYED, context()), Ok)
    world.wire.requests.clear()
    async with world.gate(store=world.store, authoriser=ask_for_writes) as gate:
        return await gate.call(*KEYED, context())


async def forged_grant(world: World) -> Result[Any]:
    tool, arguments = WRITE
    async with world.gate(authoriser=ask_for_writes) as gate:
        call = ProposedCall(tool=tool, arguments=arguments, ctx=context())
        return await gate.perform(Grant(approval_id="apr_x", token="x", call=call))


class Down(MemoryTruth):
    """Refuses whatever is not an audit record alone."""

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        if len(operations) > 1 or isinstance(operations[0], LookUpWrite | ProposeApproval):
            raise StoreError("the disk is full")
        return await super().apply(*operations)


async def store_down(world: World) -> Result[Any]:
    world.store = Down()
    return await calling(*WRITE)(world)


async def proposal_down(world: World) -> Result[Any]:
    world.store = Down()
    return await calling(*WRITE, authoriser=ask_for_writes)(world)


async def look_up_down(world: World) -> Result[Any]:
    world.store = Down()
    return await calling(*KEYED, authoriser=ask_for_writes)(world)


class Deaf(MemoryTruth):
    """Takes nothing."""

    is_deaf = False

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        if self.is_deaf:
            raise StoreError("the disk is full")
        return await super().apply(*operations)


async def audit_down(world: World) -> Result[Any]:
    world.store = store = Deaf()
    async with world.gate() as gate:
        store.is_deaf = True
        assert isinstance(await gate.call(*READ, context()), Ok)
        with pytest.raises(AuditUnavailable):
            await gate.runtime.recorder.flush()
        world.wire.requests.clear()
        result = await gate.call(*WRITE, context())
        store.is_deaf = False
        await gate.runtime.recorder.flush()
        return result


async def authoriser_breaks(proposal: Proposal) -> Decision:
    raise RuntimeError("no")


SCENARIOS: list[tuple[Reason, str, Scenario]] = [
    (Reason.ARGUMENTS_NOT_AN_OBJECT, "list", calling("shop.get_item", "[]")),
    (Reason.ARGUMENTS_NOT_AN_OBJECT, "python", calling("shop.get_item", 7)),
    (Reason.ARGUMENTS_TOO_LARGE, "text", calling("shop.add_item", '{"name": "' + "a" * 1_000_001 + '"}')),
    (Reason.ARGUMENTS_TOO_LARGE, "mapping", calling("shop.add_item", {"name": "a" * 500_001})),
    (Reason.ARGUMENTS_TOO_LARGE, "deep", calling("shop.add_item", '{"name": ' + "[" * 40 + "]" * 40 + "}")),
    (Reason.ARGUMENTS_INVALID, "schema", calling("shop.get_item", {"id": 1})),
    (Reason.ARGUMENTS_INVALID, "path", calling("shop.get_item", {"id": ".."})),
    (Reason.TOOL_UNKNOWN, "name", calling("shop.get_itme", {"id": "a"})),
    (Reason.TOOL_NOT_ENABLED, "write", calling(*WRITE, policy=Policy())),
    (Reason.TOOL_NOT_ENABLED, "sensitive", calling("shop.secret_item", {"id": "a"}, policy=Policy())),
    (Reason.TOOL_NOT_ENABLED, "behaviour", calling("shop.think", {}, behaviours={})),
    (Reason.RISK_OVER_CEILING, "write", calling(*WRITE, policy=open_policy(ceiling=Risk.READ))),
    (
        Reason.IDENTITY_NOT_ALLOWED,
        "policy",
        calling(*READ, who={"identity": Identity.USER}, policy=open_policy(identities=(Identity.TENANT,))),
    ),
    (
        Reason.IDENTITY_NOT_ALLOWED,
        "tenant",
        calling(
            *READ, who={"identity": Identity.USER}, tenants=[tenant("app1", identities=(Identity.TENANT,))]
        ),
    ),
    (Reason.IDENTITY_NOT_ALLOWED, "tool", calling("shop.my_item", {"id": "a"})),
    (Reason.CALLS_PER_TURN, "third", too_many_calls),
    (Reason.AUTHORISER_DENIED, "deny", calling(*WRITE, authoriser=deny)),
    (Reason.AUTHORISER_ABSENT, "none", calling(*WRITE, authoriser=None)),
    (Reason.PREFLIGHT, "no", preflight_says_no),
    (Reason.TOO_MANY_PENDING, "sixth", too_many_proposals),
    (Reason.APPROVAL_INVALID, "forged", forged_grant),
    (Reason.STORE_UNAVAILABLE, "proposal", proposal_down),
    (Reason.APP_UNKNOWN, "read", calling(*READ, who={"app": "app9"})),
    (Reason.APP_UNKNOWN, "empty", calling(*READ, who={"app": ""})),
    (Reason.PLATFORM_UNKNOWN, "brand", calling(*READ, tenants=[tenant("app1", brand="other")])),
    (Reason.CONTEXT_MISSING, "nobody", calling("shop.sign", {"text": "a"}, who={"user": None})),
    (Reason.KEY_CONFLICT, "other-request", other_request_of_a_key),
    (Reason.IN_FLIGHT, "at-once", same_call_at_once),
    (Reason.EARLIER_OUTCOME_UNKNOWN, "forgotten", success_forgotten),
    (Reason.FILE_UNKNOWN, "handle", calling("shop.upload", {"file": "file_nobody_gave"})),
    (Reason.STORE_UNAVAILABLE, "begin", store_down),
    (Reason.STORE_UNAVAILABLE, "look-up", look_up_down),
    (Reason.AUDIT_UNAVAILABLE, "sink", audit_down),
    (Reason.STEP_FAILED, "authoriser", calling(*WRITE, authoriser=authoriser_breaks)),
]


def test_every_reason_is_said_by_a_scenario() -> None:
    """A reason that nothing says is no promise; one that is said here is known to every host."""
    assert {reason for reason, _, _ in SCENARIOS} == set(Reason)


@pytest.mark.parametrize(
    ("reason", "scenario"),
    [pytest.param(reason, run, id=f"{reason.value}-{name}") for reason, name, run in SCENARIOS],
)
async def test_a_refusal_says_why_and_nothing_was_sent(
    world: World, reason: Reason, scenario: Scenario
) -> None:
    """The code is of the closed set, the hint is a next move, and no request left."""
    with anyio.fail_after(20):
        result = await scenario(world)

    assert result.kind == "refused"
    assert result.code == reason
    assert result.reason
    assert result.hint
    assert len(result.reason) < 20_000
    assert world.wire.requests == []


async def test_a_platform_of_another_tenant_is_refused() -> None:
    """A tool of one platform never runs with the credentials of another's app."""
    world, other = World(), World()
    other.platform.name = "other"
    async with world.gate(
        tenants=[tenant("app1", platform="other")],
        platforms={"scripted": world.platform, "other": other.platform},
    ) as gate:
        result = await gate.call(*READ, context())

    assert result.kind == "refused"
    assert result.code == Reason.PLATFORM_UNKNOWN
    assert (world.platform.credentials, other.platform.credentials) == ([], [])


async def test_an_unknown_name_is_compared_with_enabled_tools_only(world: World) -> None:
    """A suggestion does not tell the names of tools that are off, and a huge name costs nothing."""
    async with world.gate(policy=Policy(deny=("shop.get_item",))) as gate:
        hidden = await gate.call("shop.get_itme", {}, context())
        huge = await gate.call("x" * 5_000_000, {}, context())
    async with world.gate() as gate:
        shown = await gate.call("shop.get_itme", {}, context())

    assert hidden.kind == huge.kind == shown.kind == "refused"
    assert "get_item" not in hidden.hint
    assert "shop.get_item" in shown.hint
    assert len(repr(huge)) < 1000


async def test_names_that_two_tools_answer_to_do_not_start(world: World) -> None:
    """Of two surfaces with one tool name nobody could say which one a call means."""
    from msgspec.structs import replace

    twin = replace(pack.surface, name="twin")

    with pytest.raises(Exception, match="belongs to both"):
        async with world.gate(surfaces=[pack.surface, twin]):
            pass


async def test_two_tenants_of_one_app_do_not_start(world: World) -> None:
    """A call names its app and nothing else."""
    with pytest.raises(Exception, match="two tenants"):
        async with world.gate(tenants=[tenant("app1"), tenant("app1")]):
            pass


STEPS_OUT = (
    "..", "../x", "../../x", "a/../../b", "..\\x", "a/./b", "%2e%2e", "%2E%2E%2Fx", "..%2fx", "%252e%252e%252fx",
    "x%2F%2e%2e", "..;a/b", ".. /b", "%" + "25" * 20 + "2e",
)  # fmt: skip


@pytest.mark.parametrize("value", STEPS_OUT)
async def test_a_path_value_leads_nowhere_else(world: World, value: str) -> None:
    """Whoever decodes and resolves it on the way would call another route; a dry run says so too."""
    async with world.gate() as gate:
        read = await gate.call("shop.get_item", {"id": value}, context())
        dry = await gate.call("shop.remove_item", {"id": value, "dry_run": True}, context())

    assert isinstance(read, Refused)
    assert isinstance(dry, Refused)
    assert read.code == dry.code == Reason.ARGUMENTS_INVALID
    assert world.wire.requests == []


@pytest.mark.parametrize(
    "value", ["a.b", "...", "a/b", "100%", "%zz", "a%2Fb", "待办", "..a", "x;..y", "1.2.3"]
)
async def test_other_path_values_are_sent_encoded(world: World, value: str) -> None:
    """Dots, slashes and percent signs within a value stay one value."""
    async with world.gate() as gate:
        read = await gate.call("shop.get_item", {"id": value}, context())

    assert read.kind == "ok"
    assert world.wire.requests[0].url.endswith(f"/items/{quote(value, safe='')}")
