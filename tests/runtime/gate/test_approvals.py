"""Who may let a write happen: the policy that names it, the host's authoriser, and a person's yes to exactly it."""

from typing import Any

import anyio
import pytest
from msgspec.structs import replace

from placet.approvals import ApproverRules, Decider, ProposalLimits, Proposals, shown
from placet.contract.approvals import Grant
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
TTL_S = ProposalLimits().ttl_s
MOST_IN_A_CONVERSATION = ProposalLimits().here
MOST_OF_A_REQUESTER = ProposalLimits().theirs


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
    """Pending, yes, one effect. The same call after that needs another yes, and the old one is of no more use."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        first = await gate.call(*WRITE, context())
        assert isinstance(first, Pending)
        same = await gate.call(*WRITE, context())
        assert isinstance(same, Pending)
        assert same.id == first.id
        done = await world.approve(gate, first.id)
        again = await gate.call(*WRITE, context())

    assert (done.kind, again.kind) == ("ok", "pending")
    assert len(world.wire.requests) == 1
    assert (await world.seen(first.id)).row.state == "executed"
    assert (await world.decide(first.id)).verdict == "already_claimed"


async def test_of_many_deciders_at_once_one_claims(world: World) -> None:
    """A yes is claimed by one of any number of racing deciders, and its grant works once."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
        decided: list[Any] = []

        async def decide() -> None:
            decided.append(await world.decide(proposed.id))

        with anyio.fail_after(5):
            async with anyio.create_task_group() as group:
                for _ in range(20):
                    group.start_soon(decide)
        (winner,) = [one.row for one in decided if one.verdict == "claimed"]
        results = [await world.desk(gate).perform(winner) for _ in range(3)]

    assert sorted(one.verdict for one in decided) == ["already_claimed"] * 19 + ["claimed"]
    assert [one.kind for one in results if one is not None] == ["ok", "refused", "refused"]
    assert len(world.wire.requests) == 1


@pytest.mark.parametrize(
    "forge",
    [
        pytest.param(lambda grant: replace(grant, token="guessed"), id="token"),
        pytest.param(lambda grant: replace(grant, approval_id="apr_x"), id="approval"),
        pytest.param(lambda grant: _other(grant, arguments={"name": "b"}), id="arguments"),
        pytest.param(lambda grant: _other(grant, tool="shop.add_keyed"), id="tool"),
        pytest.param(lambda grant: _other(grant, ctx=context("app2")), id="app"),
        pytest.param(lambda grant: _other(grant, ctx=context(user="bob")), id="requester"),
        pytest.param(lambda grant: _other(grant, ctx=context(session="c2")), id="conversation"),
        pytest.param(lambda grant: _other(grant, ctx=context(identity=Identity.USER)), id="identity"),
    ],
)
async def test_a_grant_is_worth_what_the_store_says(world: World, forge: Any) -> None:
    """Whoever hands a gate an altered grant gets a refusal; nothing in it is believed."""
    world.platform.logins.add("ann")
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
        row = (await world.decide(proposed.id)).row
        assert row is not None
        true = Grant(approval_id=row.id, token=row.token, call=world.approvals.opened(row).call)
        result = await gate.perform(forge(true))

    assert result.kind == "refused"
    assert result.code == Reason.APPROVAL_INVALID
    assert world.wire.requests == []


def _other(grant: Grant, **changes: Any) -> Grant:
    return replace(grant, call=replace(grant.call, **changes))


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
        decided = await world.decide(proposed.id)
        other = await gate.call(name, arguments, who)
        sent = len(world.wire.requests)
        assert decided.row is not None
        own = await world.desk(gate).perform(decided.row)

    assert other.kind == "pending"
    assert other.id != proposed.id
    assert sent == 0
    assert own is not None
    assert own.kind == "ok"


async def test_a_no_and_an_old_yes_let_nothing_through(world: World) -> None:
    """After a no the call is proposed anew, and a yes that nobody acted on in its time is none any more."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        first = await gate.call(*WRITE, context())
        assert isinstance(first, Pending)
        assert (await world.decide(first.id, approve=False)).verdict == "rejected"
        second = await gate.call(*WRITE, context())
        assert isinstance(second, Pending)
        assert second.id != first.id
        decided = await world.decide(second.id)
        assert decided.row is not None
        world.now += TTL_S + 1
        late = await world.desk(gate).perform(decided.row)

    assert late is not None
    assert late.kind == "refused"
    assert (await world.seen(second.id)).row.state == "failed"
    assert world.wire.requests == []


async def test_an_open_proposal_expires(world: World) -> None:
    """Nobody can say yes to what was proposed too long ago, now or ever after."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
        world.now += TTL_S + 1

    assert [(await world.decide(proposed.id)).verdict for _ in range(2)] == ["expired", "expired"]
    assert await world.desk().waiting(app="app1") == ()


async def test_an_approved_call_enters_at_step_one_again(world: World) -> None:
    """A yes given under one policy does not run under a stricter one, and is used up."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
    async with world.gate(authoriser=ask_for_writes, policy=open_policy(deny=("shop.add_item",))) as gate:
        result = await world.approve(gate, proposed.id)

    assert result.kind == "refused"
    assert result.code == Reason.TOOL_NOT_ENABLED
    row = (await world.seen(proposed.id)).row
    assert (row.state, row.outcome) == ("failed", "tool_not_enabled")
    assert world.wire.requests == []


async def test_what_changed_since_the_person_looked_makes_the_yes_void(world: World) -> None:
    """The old value is read again before the write; another one than was shown proposes anew."""
    names = iter(["old", "changed", "changed", "changed"])
    world.wire.answering = lambda request: (
        answer({"name": next(names)}) if request.method == "GET" else answer({})
    )
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call("shop.remove_item", {"id": "a", "name": "new"}, context())
        assert isinstance(proposed, Pending)
        stale = await world.approve(gate, proposed.id)
        assert isinstance(stale, Pending)
        sent = [one.method for one in world.wire.requests]
        done = await world.approve(gate, stale.id)

    assert stale.id != proposed.id
    row = (await world.seen(proposed.id)).row
    assert (row.state, row.outcome) == ("cancelled", "stale")
    assert "DELETE" not in sent
    assert done.kind == "ok"


async def test_a_call_whose_executor_died_is_made_by_a_sweep(world: World) -> None:
    """A yes is durable before anything is sent: whoever sweeps after the lease makes the call, once."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
        died = await world.decide(proposed.id)
        early = await world.desk(gate).sweep()
        world.now += 121
        swept = await world.desk(gate).sweep()
        assert died.row is not None
        woken = await world.desk(gate).perform(died.row)

    assert early.performed == ()
    assert swept.performed == ((proposed.id, "ok"),)
    assert woken is not None
    assert woken.kind == "refused"
    assert len(world.wire.requests) == 1


async def test_an_unanswered_write_leaves_the_yes_unknown_until_a_person_says(world: World) -> None:
    """Nothing sends it again, and only a resolution closes it."""

    def lost(request: Any) -> Any:
        raise TimeoutError

    world.wire.answering = lost
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
        result = await world.approve(gate, proposed.id)
        world.now += 10_000
        swept = await world.desk(gate).sweep()
    desk, by = world.desk(), Decider(name="operator:root", strength="operator")
    resolved = [
        await desk.resolve(proposed.id, app=app, by=by, applied=True) for app in ("app2", "app1", "app1")
    ]

    assert result.kind == "unknown"
    assert swept.performed == ()
    assert resolved == [False, True, False]
    assert (await world.seen(proposed.id)).row.state == "executed"


WHO = [
    pytest.param({}, "write", "ann", "person", "claimed", id="requester"),
    pytest.param({}, "write", "bob", "person", "forbidden", id="another-person"),
    pytest.param({}, "write", "", "person", "forbidden", id="nobody"),
    pytest.param({}, "write", "operator:root", "operator", "claimed", id="operator"),
    pytest.param({}, "write", "ann", "client", "forbidden", id="client-word-off"),
    pytest.param({"clients": True}, "write", "ann", "client", "claimed", id="client-word-on"),
    pytest.param({"clients": True}, "write", "bob", "client", "forbidden", id="client-of-another"),
    pytest.param({"clients": True}, "high", "ann", "client", "forbidden", id="client-high-risk"),
    pytest.param({"approvers": {"app1": ("boss",)}}, "write", "ann", "person", "claimed", id="write-as-ever"),
    pytest.param(
        {"approvers": {"app1": ("boss",)}}, "write", "boss", "person", "claimed", id="approver-write"
    ),
    pytest.param({"approvers": {"app1": ("boss",)}}, "high", "boss", "person", "claimed", id="approver"),
    pytest.param(
        {"approvers": {"app1": ("boss", "ann")}}, "high", "ann", "person", "forbidden", id="never-oneself"
    ),
    pytest.param(
        {"approvers": {"app1": ("boss",)}},
        "high",
        "operator:root",
        "operator",
        "forbidden",
        id="operator-unlisted",
    ),
    pytest.param(
        {"approvers": {"app1": ("operator:root",)}},
        "high",
        "operator:root",
        "operator",
        "claimed",
        id="operator-listed",
    ),
    pytest.param(
        {"approvers": {"app2": ("boss",)}}, "high", "boss", "person", "forbidden", id="another-apps-approver"
    ),
    pytest.param(
        {"two": frozenset({"shop.add_item"})}, "write", "ann", "person", "recorded", id="one-of-two"
    ),
]


@pytest.mark.parametrize(("rules", "risk", "name", "strength", "verdict"), WHO)
async def test_who_may_approve_is_a_table(
    world: World, rules: dict[str, Any], risk: str, name: str, strength: Any, verdict: str
) -> None:
    """By default the requester or an operator; with approvers a high-risk write needs one of them."""
    call = WRITE if risk == "write" else ("shop.remove_item", {"id": "a"})
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*call, context())
        assert isinstance(proposed, Pending)
    desk = world.desk(rules=ApproverRules(**rules))
    shown = await desk.show(proposed.id, app="app1")
    assert shown is not None
    decided = await desk.decide(
        proposed.id,
        app="app1",
        decider=Decider(name=name, strength=strength),
        digest=shown.row.digest,
        approve=True,
    )

    assert decided.verdict == verdict


async def test_two_yeses_of_two_people_claim_together(world: World) -> None:
    """The same person twice is one yes; a no of either ends it."""
    desk = world.desk(rules=ApproverRules(two=frozenset({"shop.add_item"})))
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
    digest = (await world.seen(proposed.id)).row.digest
    verdicts = [
        (
            await desk.decide(
                proposed.id,
                app="app1",
                decider=Decider(name=name, strength="operator" if ":" in name else "person"),
                digest=digest,
                approve=True,
            )
        ).verdict
        for name in ("ann", "ann", "operator:root", "operator:eve")
    ]

    assert verdicts == ["recorded", "recorded", "claimed", "already_claimed"]


@pytest.mark.parametrize(
    ("app", "digest", "verdict"),
    [
        pytest.param("app2", None, "missing", id="another-tenant"),
        pytest.param("app1", "0" * 64, "tampered", id="another-hash"),
        pytest.param("app1", "", "tampered", id="no-hash"),
    ],
)
async def test_a_decision_about_something_else_moves_nothing(
    world: World, app: str, digest: str | None, verdict: str
) -> None:
    """Another tenant does not even learn that it exists; another hash is on record as tampering."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
        row = (await world.seen(proposed.id)).row
        decided = await world.desk().decide(
            proposed.id,
            app=app,
            decider=Decider(name="ann", strength="person"),
            digest=row.digest if digest is None else digest,
            approve=True,
        )
        found = await world.records(gate)

    assert decided.verdict == verdict
    assert (await world.seen(proposed.id)).row == row
    assert [(one["outcome"], one["actor"]) for one in found if one["event"] == "decision"] == [
        (verdict, "ann")
    ]


async def test_a_newer_turns_proposal_takes_the_place_of_the_older(world: World) -> None:
    """The same person's same tool in a later run supersedes; siblings of one run stand side by side."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        ids = []
        for run, name in (("r1", "a"), ("r1", "b"), ("r2", "c")):
            result = await gate.call("shop.add_item", {"name": name}, context(run=run, call=name))
            assert isinstance(result, Pending)
            ids.append(result.id)

    states = [(await world.seen(one)).row.state for one in ids]
    assert states == ["superseded", "superseded", "awaiting_confirmation"]
    assert (await world.decide(ids[0])).verdict == "superseded"


async def test_a_person_sees_values_masked_and_what_ran_before(world: World) -> None:
    """Nothing is hidden but credentials, and a repeat says so."""
    arguments = {"name": "a", "extra": {"password": "hunter2-hunter2"}}
    async with world.gate(authoriser=ask_for_writes) as gate:
        for _ in range(2):
            proposed = await gate.call("shop.add_keyed", arguments, context())
            assert isinstance(proposed, Pending)
            last = proposed.id
            if not world.wire.requests:
                await world.approve(gate, proposed.id)
                world.now += 180
        view = shown(await world.seen(last), gate.runtime.maskings["scripted"], now=world.now)

    assert view["same_action"] == "the same action ran 3 minutes ago"
    assert view["changes"][0] == {"argument": "name", "new": "a"}
    assert "hunter2" not in repr(view)
    assert (view["requester"], view["conversation"], view["expires_in_s"]) == ("ann", "c1", 900)


async def test_a_person_sees_what_cannot_be_seen(world: World) -> None:
    """A text that turns its own end around is spelled out, wherever it stands."""
    async with world.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(*WRITE, context())
        assert isinstance(proposed, Pending)
        seen = await world.seen(proposed.id)
        assert seen.view is not None
        turned = replace(
            seen,
            row=replace(seen.row, reason="left\u202eright"),
            view=replace(seen.view, arguments={"a\u200b": ["x\u2066y"]}, before={}),
        )
        view = shown(turned, gate.runtime.maskings["scripted"], now=world.now)

    assert view["reason"] == "left<U+202E>right"
    assert view["changes"] == [{"argument": "a<U+200B>", "new": ["x<U+2066>y"]}]


async def test_a_channel_that_fails_leaves_the_proposal_open(world: World) -> None:
    """Telling people is the host's; a failure of it loses nothing."""
    told: list[str] = []

    class Channel:
        def notify(self, approval_id: str, view: Any) -> None:
            told.append(approval_id)
            raise RuntimeError("no network")

    proposals = Proposals(
        world.store, world.sealer, now=lambda: world.now, fresh_id=lambda: "x", channel=Channel()
    )
    async with world.gate(authoriser=ask_for_writes, approvals=proposals) as gate:
        proposed = await gate.call(*WRITE, context())

    assert isinstance(proposed, Pending)
    assert told == [proposed.id]
    assert [one.row.id for one in await world.desk().waiting(app="app1")] == [proposed.id]


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
    view = (await world.seen(result.id)).view
    assert view is not None
    assert (view.before, view.arguments) == ({"name": "the old name"}, {"id": "a", "name": "new"})
    assert "old" not in repr(result)


async def test_a_before_read_that_fails_stops_no_proposal(world: World) -> None:
    """Without the read the person decides without the old value."""
    world.wire.answering = lambda request: failure("9")
    async with world.gate(authoriser=ask_for_writes) as gate:
        result = await gate.call("shop.remove_item", {"id": "a", "name": "new"}, context())

    assert isinstance(result, Pending)
    view = (await world.seen(result.id)).view
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
