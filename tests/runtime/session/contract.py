"""What every store of `placet.session` promises, whatever keeps its rows."""

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from placet.contract.stores import TruthStore
from placet.sealing import Sealer
from placet.session import (
    ClaimResult,
    DocumentPendingApprovalStore,
    DocumentPendingAuthorizationStore,
    DocumentSessionStore,
    InMemoryPendingApprovalStore,
    InMemoryPendingAuthorizationStore,
    InMemorySessionStore,
    Message,
    PendingApproval,
    PendingApprovalStore,
    PendingAuthorization,
    PendingAuthorizationStore,
    ReasoningPart,
    SessionStore,
    TextPart,
    ToolResultPart,
    ToolUsePart,
)

__all__ = ["DAY_S", "MINUTE_S", "SEALER", "Kit", "StoresContract", "approval", "authorization", "said"]

SEALER = Sealer([b"a key of the tests, and of nobody else"])
MINUTE_S, DAY_S = 60.0, 24 * 3600.0
RACERS = 12


class Kit:
    """The stores over one truth store, or of this process where there is none; and their clock."""

    def __init__(self, truth: TruthStore | None) -> None:
        self.truth, self.at = truth, 1_000_000.0
        self._made: dict[tuple[str, str], Any] = {}

    def now(self) -> float:
        return self.at

    def approvals(self, tenant: str = "cli_a", **more: Any) -> Any:
        return self._store(DocumentPendingApprovalStore, InMemoryPendingApprovalStore, tenant, more)

    def authorizations(self, tenant: str = "cli_a", **more: Any) -> Any:
        return self._store(DocumentPendingAuthorizationStore, InMemoryPendingAuthorizationStore, tenant, more)

    def sessions(self, tenant: str = "cli_a", **more: Any) -> Any:
        return self._store(DocumentSessionStore, InMemorySessionStore, tenant, more)

    def _store(self, durable: Any, passing: Any, tenant: str, more: dict[str, Any]) -> Any:
        """A store as another process would open it; one in memory has no other process."""
        if self.truth is not None:
            return durable(self.truth, SEALER, tenant=tenant, now=self.now, **more)
        key = (passing.__name__, tenant)
        if key not in self._made or more:
            self._made[key] = passing(now=self.now, **more)
        return self._made[key]


def approval(identifier: str = "ap_1", **more: Any) -> PendingApproval:
    chosen: dict[str, Any] = {
        "session_id": "oc_1",
        "tool_call_id": "c1",
        "tool_name": "创建",
        "arguments": {"名称": "周报", "深": [1, 2.5, None, {"是": True}], "大": 2**70},
        "payload_sha256": "abc",
        "owner_user_keys": ("open_id:ou_1", "union_id:on_1"),
        "tenant_key": "tk",
        "created_message_id": "om_1",
        "extra": {"progress_message_id": "om_9"},
    }
    return PendingApproval(identifier, **{**chosen, **more})


def authorization(identifier: str = "au_1", **more: Any) -> PendingAuthorization:
    chosen: dict[str, Any] = {"scopes": ("a:read", "b:write"), "owner_user_keys": ("open_id:ou_1",)}
    return PendingAuthorization(identifier, "oc_1", "c1", "read", {"a": 1}, **{**chosen, **more})


def said(text: str, role: Any = "user") -> Message:
    return Message(role=role, content=[TextPart(text=text)])


async def at_once(*works: Callable[[], Any]) -> list[Any]:
    """All of them at the same time; what each came to."""
    found: list[Any] = []

    async def run(work: Callable[[], Any]) -> None:
        found.append(await work())

    async with anyio.create_task_group() as group:
        for work in works:
            group.start_soon(run, work)
    return found


@pytest.mark.anyio
class StoresContract:
    """A subclass has a fixture `kit`."""

    # approvals

    async def test_an_approval_comes_back_as_it_was_put(self, kit: Kit) -> None:
        """Every field, to the last digit; what a caller changes afterwards is its own."""
        store, given = kit.approvals(), approval()
        await store.put(given)
        first = await kit.approvals().get("ap_1")
        first.arguments["名称"] = "其他"
        given.arguments.clear()

        assert isinstance(store, PendingApprovalStore)
        assert await kit.approvals().get("ap_1") == approval(created_at=1_000_000)
        assert await store.get("ap_2") is None

    async def test_a_claim_says_which_of_six_things_happened(self, kit: Kit) -> None:
        """Each of the six is really said, and said again."""
        store = kit.approvals()
        for name, turn in (("won", "om_1"), ("old", "om_2"), ("bad", "om_3"), ("late", "om_4")):
            await store.put(approval(name, tool_name=name, created_message_id=turn))
        await store.put(approval("new", tool_name="old", created_message_id="om_5"))

        said = {"won": [await store.claim("won", expected_payload_sha256="abc")]}
        for name, digest in (("won", "abc"), ("old", "abc"), ("bad", "abd"), ("bad", None), ("none", "abc")):
            said.setdefault(name, []).append(await store.claim(name, expected_payload_sha256=digest))
        kit.at += 15 * MINUTE_S
        for name in ("late", "late", "won", "old"):
            said.setdefault(name, []).append(await store.claim(name, expected_payload_sha256="abc"))

        assert said == {
            "won": [ClaimResult.CLAIMED, ClaimResult.ALREADY_CLAIMED, ClaimResult.ALREADY_CLAIMED],
            "old": [ClaimResult.SUPERSEDED, ClaimResult.SUPERSEDED],
            "bad": [ClaimResult.TAMPERED, ClaimResult.TAMPERED],
            "none": [ClaimResult.MISSING],
            "late": [ClaimResult.EXPIRED, ClaimResult.EXPIRED],
        }

    async def test_a_digest_that_only_one_side_has_is_tampering(self, kit: Kit) -> None:
        """No caller talks itself past the check by leaving it out; without any there is nothing to check."""
        store = kit.approvals()
        await store.put(approval("bare", payload_sha256=None))

        assert await store.claim("bare", expected_payload_sha256="abc") is ClaimResult.TAMPERED
        assert await store.claim("bare") is ClaimResult.CLAIMED

    @pytest.mark.parametrize(
        ("outcome", "state", "claim"),
        [
            pytest.param("retry", "awaiting_confirmation", "claimed", id="retry-waits-again"),
            pytest.param("unknown", "execution_unknown", "already_claimed", id="unknown-stays"),
            pytest.param("frozen", "execution_unknown", "already_claimed", id="frozen-stays"),
            pytest.param("executed", None, "missing", id="executed"),
            pytest.param("replayed", None, "missing", id="replayed"),
            pytest.param("rejected", None, "missing", id="rejected"),
            pytest.param("cancelled", None, "missing", id="cancelled"),
            pytest.param("failed", None, "missing", id="failed"),
            pytest.param("superseded", None, "superseded", id="superseded"),
            pytest.param("expired", None, "expired", id="expired"),
        ],
    )
    async def test_an_outcome_settles(self, kit: Kit, outcome: str, state: str | None, claim: str) -> None:
        """What is settled is gone for good, with a word for late clicks where there is one."""
        store = kit.approvals()
        await store.put(approval())
        await store.claim("ap_1", expected_payload_sha256="abc")
        await store.complete("ap_1", outcome=outcome)
        found = await store.get("ap_1")

        assert (found.state if found is not None else None) == state
        assert await store.claim("ap_1", expected_payload_sha256="abc") == claim
        await store.complete("none", outcome=outcome)

    async def test_put_never_lowers_a_state(self, kit: Kit) -> None:
        """A card's second write, late, neither reopens what was claimed nor revives what was settled."""
        store = kit.approvals()
        await store.put(approval(extra={}))
        await store.claim("ap_1", expected_payload_sha256="abc")
        await store.put(approval(payload_sha256="abd", extra={"card": "om_7"}))
        executing = await store.get("ap_1")
        again = await store.claim("ap_1", expected_payload_sha256="abc")
        await store.complete("ap_1", outcome="executed")
        await store.put(approval())

        assert (executing.state, executing.extra, executing.payload_sha256) == (
            "executing",
            {"card": "om_7"},
            "abc",
        )
        assert again is ClaimResult.ALREADY_CLAIMED
        assert await store.get("ap_1") is None
        assert await store.claim("ap_1", expected_payload_sha256="abc") is ClaimResult.MISSING

    async def test_put_changes_what_waits_and_not_its_time(self, kit: Kit) -> None:
        """The record is replaced, an expired one is not revived, and nobody gets more time by putting again."""
        store = kit.approvals()
        await store.put(approval())
        kit.at += 10 * MINUTE_S
        await store.put(approval(extra={"card": "om_7"}, created_at=int(kit.at)))
        changed = await store.get("ap_1")
        kit.at += 5 * MINUTE_S
        await store.put(approval())

        assert changed.extra == {"card": "om_7"}
        assert await store.get("ap_1") is None
        assert await store.claim("ap_1", expected_payload_sha256="abc") is ClaimResult.EXPIRED

    async def test_a_newer_turn_supersedes_and_a_sibling_does_not(self, kit: Kit) -> None:
        """The same person's same tool in the same conversation; what runs already goes on."""
        store = kit.approvals()
        await store.put(approval("a"))
        await store.put(approval("sibling"))
        await store.put(approval("other tool", tool_name="删除"))
        await store.put(approval("other person", owner_user_keys=("open_id:ou_2",)))
        await store.put(approval("other talk", session_id="oc_2"))
        await store.put(approval("no turn", created_message_id=None))
        await store.claim("sibling", expected_payload_sha256="abc")
        kit.at += 1
        await store.put(approval("b", created_message_id="om_2"))
        names = ("a", "sibling", "other tool", "other person", "other talk", "no turn", "b")
        claims = {name: (await store.claim(name, expected_payload_sha256="abc")).value for name in names}

        assert claims == {
            "a": "superseded",
            "sibling": "already_claimed",
            "other tool": "claimed",
            "other person": "claimed",
            "other talk": "claimed",
            "no turn": "claimed",
            "b": "claimed",
        }

    async def test_what_an_operation_is_can_be_said(self, kit: Kit) -> None:
        """A host that tells records apart by their target, or wants no superseding, says so."""
        store = kit.approvals(operation=lambda one: one.arguments["id"])
        for number, target in enumerate(["x", "y", "", "", "x"]):
            kit.at += 1
            put = approval(f"ap_{number}", arguments={"id": target}, created_message_id=f"om_{number}")
            await store.put(put)
        claims = [await store.claim(f"ap_{number}", expected_payload_sha256="abc") for number in range(5)]

        assert [str(one) for one in claims] == ["superseded", *["claimed"] * 4]

    async def test_what_executes_or_is_unknown_is_never_removed(self, kit: Kit) -> None:
        """Tombstones go after thirty days, evidence of an open outcome never."""
        store = kit.approvals()
        for name in ("runs", "unknown", "closed", "late"):
            await store.put(approval(name))
        for name in ("runs", "unknown", "closed"):
            await store.claim(name, expected_payload_sha256="abc")
        await store.complete("unknown", outcome="unknown")
        await store.complete("closed", outcome="executed")
        kit.at += 15 * MINUTE_S
        first = await store.purge_expired()
        kit.at += 29 * DAY_S
        none = await store.purge_expired()
        still = await store.claim("late", expected_payload_sha256="abc")
        kit.at += 2 * DAY_S
        second = await store.purge_expired()
        kit.at += 1000 * DAY_S

        assert (first, none, second) == (1, 0, 2)
        assert still is ClaimResult.EXPIRED
        assert await store.claim("late", expected_payload_sha256="abc") is ClaimResult.MISSING
        assert (await store.get("runs")).state == "executing"
        assert (await store.get("unknown")).state == "execution_unknown"

    async def test_a_put_clears_up_what_time_has_closed(self, kit: Kit) -> None:
        """Nobody has to call a purge for a store to stay small."""
        store = kit.approvals()
        await store.put(approval("old"))
        kit.at += 15 * MINUTE_S
        await store.put(approval("b", created_message_id="om_2"))
        kit.at += 31 * DAY_S
        await store.put(approval("c", created_message_id="om_3"))

        assert await store.claim("old", expected_payload_sha256="abc") is ClaimResult.MISSING

    async def test_a_retry_has_its_time_anew(self, kit: Kit) -> None:
        """Opened again, it can be confirmed again, and by one caller."""
        store = kit.approvals()
        await store.put(approval())
        await store.claim("ap_1", expected_payload_sha256="abc")
        kit.at += DAY_S
        await store.complete("ap_1", outcome="retry")
        kit.at += 14 * MINUTE_S

        assert await store.claim("ap_1", expected_payload_sha256="abc") is ClaimResult.CLAIMED

    async def test_pop_takes_a_record_once(self, kit: Kit) -> None:
        """What waited is gone and may be put again; what was begun is gone and stays so."""
        store = kit.approvals()
        await store.put(approval())
        popped = [one for one in await at_once(*[lambda: store.pop("ap_1")] * RACERS) if one is not None]
        await store.put(approval())
        await store.claim("ap_1", expected_payload_sha256="abc")
        begun = await store.pop("ap_1")
        await store.put(approval())

        assert [one.approval_id for one in popped] == ["ap_1"]
        assert begun.state == "executing"
        assert await store.get("ap_1") is None

    async def test_an_update_is_one_step(self, kit: Kit) -> None:
        """Of many at once none is lost; the answer is the mutator's; what is not there is a `KeyError`."""
        store = kit.approvals()
        await store.put(approval(extra={"count": 0}))

        def counted(one: PendingApproval) -> tuple[int, PendingApproval]:
            one.extra["count"] += 1
            return one.extra["count"], one

        answers = await at_once(*[lambda: kit.approvals().update("ap_1", counted)] * RACERS)
        kit.at += 15 * MINUTE_S

        assert sorted(answers) == list(range(1, RACERS + 1))
        for name in ("none", "ap_1"):
            with pytest.raises(KeyError):
                await store.update(name, counted)

    async def test_an_update_may_move_a_state_and_not_an_id(self, kit: Kit) -> None:
        """A mutator's state counts, reopened with its time anew; another id, or a state of nobody's, is refused."""
        store = kit.approvals()
        await store.put(approval())

        def to(
            state: str, identifier: str = "ap_1"
        ) -> Callable[[PendingApproval], tuple[None, PendingApproval]]:
            return lambda one: (None, approval(identifier, state=state))

        await store.update("ap_1", to("execution_unknown"))
        unknown = await store.claim("ap_1", expected_payload_sha256="abc")
        kit.at += DAY_S
        await store.update("ap_1", to("awaiting_confirmation"))

        assert unknown is ClaimResult.ALREADY_CLAIMED
        for wrong in (to("done"), to("executing", "ap_2")):
            with pytest.raises(ValueError, match=r"update|put as"):
                await store.update("ap_1", wrong)
        assert await store.claim("ap_1", expected_payload_sha256="abc") is ClaimResult.CLAIMED

    async def test_of_many_claims_one_wins(self, kit: Kit) -> None:
        """However many click at once."""
        await kit.approvals().put(approval())
        claim = [lambda: kit.approvals().claim("ap_1", expected_payload_sha256="abc")] * RACERS

        assert Counter(await at_once(*claim)) == {"claimed": 1, "already_claimed": RACERS - 1}

    async def test_a_newer_proposal_and_a_claim_of_the_old_one_never_both_win(self, kit: Kit) -> None:
        """Never both, never neither: the old one is claimed or superseded, and the new one waits."""
        store = kit.approvals()
        for number in range(15):
            old = approval(f"old {number}", session_id=f"oc_{number}")
            new = approval(f"new {number}", session_id=f"oc_{number}", created_message_id="om_2")
            await store.put(old)
            kit.at += 0.001
            claims = await at_once(
                lambda old=old: kit.approvals().claim(old.approval_id, expected_payload_sha256="abc"),  # type: ignore[misc] # bound in the loop
                lambda new=new: kit.approvals().put(new),  # type: ignore[misc] # bound in the loop
            )
            (verdict,) = [one for one in claims if one is not None]
            kept = await store.get(old.approval_id)

            assert (verdict, kept is not None and kept.state) in [
                ("claimed", "executing"),
                ("superseded", False),
            ]
            assert (await store.get(new.approval_id)).state == "awaiting_confirmation"

    async def test_of_newer_proposals_at_once_one_turn_is_left(self, kit: Kit) -> None:
        """Whoever looks last sees them all."""
        turns = [approval(f"ap_{at}", created_message_id=f"om_{at}") for at in range(RACERS)]
        await at_once(*[lambda one=one: kit.approvals().put(one) for one in turns])
        found = [await kit.approvals().get(one.approval_id) for one in turns]

        assert sum(one is not None for one in found) == 1

    async def test_another_tenant_finds_nothing(self, kit: Kit) -> None:
        """Neither by asking nor by claiming, putting or settling; ids of two tenants never meet."""
        await kit.approvals().put(approval())
        other = kit.approvals("cli_b")
        claimed = await other.claim("ap_1", expected_payload_sha256="abc")
        await other.complete("ap_1", outcome="executed")
        await other.put(approval(tool_name="theirs"))

        assert claimed is ClaimResult.MISSING
        assert (await kit.approvals().get("ap_1")).tool_name == "创建"
        assert (await other.get("ap_1")).tool_name == "theirs"

    @pytest.mark.parametrize(
        "given",
        [
            pytest.param({"state": "done"}, id="a-state-of-nobody's"),
            pytest.param({"arguments": {"a": float("nan")}}, id="not-a-number"),
            pytest.param({"arguments": {1: "a"}}, id="a-key-that-is-no-text"),
            pytest.param({"arguments": {"a": {1, 2}}}, id="a-set"),
        ],
    )
    async def test_what_would_come_back_otherwise_is_refused(self, kit: Kit, given: dict[str, Any]) -> None:
        """A person says yes to what was put, and to nothing that it became."""
        with pytest.raises((ValueError, TypeError)):
            await kit.approvals().put(approval(**given))
        assert await kit.approvals().get("ap_1") is None

    # authorisations

    async def test_an_authorisation_is_claimed_once(self, kit: Kit) -> None:
        """As an approval; a second callback learns that it is second."""
        store = kit.authorizations()
        await store.put(authorization())
        found = await store.get("au_1")
        claims = Counter(await at_once(*[lambda: kit.authorizations().claim("au_1")] * RACERS))
        await store.put(authorization(extra={"card": "om_1"}))
        executing = await store.get("au_1")
        await store.complete("au_1", outcome="executed")

        assert isinstance(store, PendingAuthorizationStore)
        assert found == authorization(created_at=1_000_000)
        assert claims == {"claimed": 1, "already_claimed": RACERS - 1}
        assert (executing.state, executing.extra) == ("executing", {"card": "om_1"})
        assert await store.claim("au_1") is ClaimResult.MISSING
        assert await store.get("au_1") is None

    async def test_an_authorisation_whose_time_is_over_can_still_be_read(self, kit: Kit) -> None:
        """Its person has been away for an hour, and is told so, at every callback."""
        store = kit.authorizations()
        await store.put(authorization())
        kit.at += 59 * MINUTE_S
        early = await store.get("au_1")
        kit.at += 1 * MINUTE_S
        late = await store.get("au_1")
        claims = [await store.claim("au_1"), await store.claim("au_1")]

        assert early == late == await store.get("au_1")
        assert late.state == "awaiting_authorization"
        assert claims == [ClaimResult.EXPIRED] * 2
        assert await store.pop("au_1") is None

    async def test_an_authorisation_can_be_reopened_frozen_changed_and_taken(self, kit: Kit) -> None:
        """The rest of the protocol, as for approvals."""
        store = kit.authorizations()
        await store.put(authorization())
        states = []
        for outcome in ("retry", "frozen", "retry"):
            await store.claim("au_1")
            await store.complete("au_1", outcome=outcome)
            states.append((await store.get("au_1")).state)
        answer = await store.update("au_1", lambda one: (len(one.scopes), authorization(scopes=("c",))))
        taken = await store.pop("au_1")

        assert states == ["awaiting_authorization", "execution_unknown", "awaiting_authorization"]
        assert (answer, taken.scopes) == (2, ("c",))
        assert await store.get("au_1") is None
        with pytest.raises(KeyError):
            await store.update("au_1", lambda one: (None, one))

    # conversations

    async def test_a_conversation_comes_back_as_it_was_said(self, kit: Kit) -> None:
        """Each kind of part, in order; what a caller changes is its own."""
        store = kit.sessions()
        talk = [
            said("你好"),
            Message(
                role="assistant",
                content=[
                    ReasoningPart("想"),
                    TextPart("看"),
                    ToolUsePart("c1", "读", {"名": [1, None, "\ud800"]}),
                ],
            ),
            Message(
                role="tool", content=[ToolResultPart("c1", "晴"), ToolResultPart("c2", "坏", is_error=True)]
            ),
        ]
        kept = copy.deepcopy(talk)
        unknown = (await store.get("oc_1"), await store.updated_at("oc_1"))
        await store.append("oc_1", *talk[:1])
        kit.at += 5
        await store.append("oc_1", *talk[1:])
        await store.append("oc_1")
        found = await store.get("oc_1")
        found[0].content.clear()
        talk.clear()

        assert isinstance(store, SessionStore)
        assert unknown == ([], None)
        assert await kit.sessions().get("oc_1") == kept
        assert await store.updated_at("oc_1") == 1_000_005.0

    async def test_a_conversation_is_replaced_and_forgotten(self, kit: Kit) -> None:
        """`set` leaves nothing of the old; `clear` leaves nothing at all; other conversations and tenants stay."""
        store, theirs = kit.sessions(), kit.sessions("cli_b")
        for one, name in ((store, "oc_1"), (store, "oc_2"), (theirs, "oc_1")):
            await one.append(name, said("a"), said("b"))
        await store.set("oc_1", [said("c")])
        replaced = await store.get("oc_1")
        await store.clear("oc_1")
        await store.clear("oc_9")

        assert replaced == [said("c")]
        assert (await store.get("oc_1"), await store.updated_at("oc_1")) == ([], None)
        assert await store.get("oc_2") == await theirs.get("oc_1") == [said("a"), said("b")]

    async def test_of_many_at_once_no_message_is_lost_and_none_parted(self, kit: Kit) -> None:
        """What was appended together stands together."""
        pairs = [(said(f"q{at}"), said(f"a{at}", "assistant")) for at in range(RACERS)]
        await at_once(*[lambda pair=pair: kit.sessions().append("oc_1", *pair) for pair in pairs])
        texts = [one.content[0].text for one in await kit.sessions().get("oc_1")]

        assert sorted(zip(texts[::2], texts[1::2], strict=True)) == sorted(
            (f"q{at}", f"a{at}") for at in range(RACERS)
        )

    async def test_a_long_conversation_loses_whole_exchanges(self, kit: Kit) -> None:
        """The oldest first; what is left begins with a person, and one exchange is never cut."""
        store = kit.sessions(most_messages=4)
        turn = [
            said("q"),
            Message(role="assistant", content=[ToolUsePart("c", "t", {})]),
            Message(role="tool", content=[ToolResultPart("c", "r")]),
        ]
        await store.set("oc_1", [*turn, *turn, said("new")])
        left = [one.role for one in await store.get("oc_1")]
        await store.set("oc_2", [said("q"), *turn[1:] * 4])

        assert left == ["user", "assistant", "tool", "user"]
        assert len(await store.get("oc_2")) == 9

    async def test_a_part_of_no_kind_is_refused(self, kit: Kit) -> None:
        """And nothing of its message is kept."""
        with pytest.raises(TypeError):
            await kit.sessions().append("oc_1", said("a"), Message(role="user", content=["text"]))  # type: ignore[list-item] # on purpose
        assert await kit.sessions().get("oc_1") == []
