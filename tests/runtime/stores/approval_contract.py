"""What every store of approvals promises, whatever keeps the rows."""

import secrets
from typing import Any

import anyio
import pytest
from msgspec.structs import replace

from placet.contract.approvals import (
    ApprovalRow,
    DecideApproval,
    Decided,
    ExpireApprovals,
    ListApprovals,
    LookUpApproval,
    ProposeApproval,
    Proposed,
    ResolveApproval,
    SettleApproval,
    SwapApproval,
    TakeOverApprovals,
)
from placet.contract.stores import StoreError
from placet.contract.words import Risk
from tests.runtime.stores.asking import audited
from tests.runtime.stores.truth_contract import UNKEEPABLE

__all__ = ["ApprovalContract", "decide", "proposal"]


def proposal(**more: Any) -> ApprovalRow:
    """A proposal of Ann's in conversation c1, proposed at 1000, open until 1900."""
    chosen: dict[str, Any] = {
        "id": f"apr_{secrets.token_hex(8)}",
        "tenant": f"cli_{secrets.token_hex(4)}",
        "conversation": "c1",
        "requester": "ann",
        "tool": "notes.write",
        "risk": Risk.WRITE,
        "digest": "d1",
        "sealed": b"\x00\xff sealed",
        "proposed_at": 1000.0,
        "expires_at": 1900.0,
    }
    return ApprovalRow(**{**chosen, **more})


def propose(row: ApprovalRow, *, here: int = 5, theirs: int = 20) -> ProposeApproval:
    return ProposeApproval(row=row, most_here=here, most_theirs=theirs)


def decide(row: ApprovalRow, **more: Any) -> DecideApproval:
    """Ann's yes at 1100 to exactly this row."""
    chosen: dict[str, Any] = {
        "id": row.id,
        "tenant": row.tenant,
        "digest": row.digest,
        "approve": True,
        "by": "ann",
        "strength": "person",
        "may": True,
        "at": 1100.0,
        "token": "t1",
        "lease_s": 60.0,
    }
    return DecideApproval(**{**chosen, **more})


@pytest.mark.anyio
class ApprovalContract:
    """A subclass has a fixture `store` with an open truth store."""

    async def test_a_proposal_is_kept_to_the_byte(self, store: Any) -> None:
        """What was proposed is what is read, under its own id only."""
        row = proposal(op_key="k", run="r1")

        (proposed,) = await store.apply(propose(row))
        found, missing = await store.apply(LookUpApproval(id=row.id), LookUpApproval(id="apr_none"))

        assert proposed == Proposed(verdict="opened", id=row.id)
        assert (found, missing) == (row, None)

    async def test_an_identical_open_proposal_is_one(self, store: Any) -> None:
        """The same digest of the same run coalesces while it is open; afterwards it is another."""
        first = proposal()
        same = replace(first, id="apr_2" + first.id)
        await store.apply(propose(first))

        (again,) = await store.apply(propose(same))
        await store.apply(decide(first, approve=False))
        (later,) = await store.apply(propose(same))

        assert again == Proposed(verdict="same", id=first.id)
        assert later == Proposed(verdict="opened", id=same.id)

    async def test_caps_count_what_is_open(self, store: Any) -> None:
        """Of one conversation and of one requester; a decided or expired proposal makes room."""
        tenant = proposal().tenant

        def row(number: int, **more: Any) -> ApprovalRow:
            return proposal(tenant=tenant, digest=f"d{number}", **more)

        here = [row(number) for number in range(3)]
        for one in here:
            await store.apply(propose(one, here=3))
        (full,) = await store.apply(propose(row(9), here=3))
        (elsewhere,) = await store.apply(propose(row(8, conversation="c2"), here=3, theirs=4))
        (theirs,) = await store.apply(propose(row(7, conversation="c3"), here=3, theirs=4))
        (others,) = await store.apply(propose(row(6, conversation="c3", requester="bob"), here=3, theirs=4))
        await store.apply(decide(here[0]))
        (room,) = await store.apply(propose(row(5), here=3))
        late = row(4, proposed_at=1900.0, expires_at=2800.0)
        (time_passed,) = await store.apply(propose(late, here=1))

        assert [one.verdict for one in (full, elsewhere, theirs, others, room, time_passed)] == [
            "too_many_here",
            "opened",
            "too_many_theirs",
            "opened",
            "opened",
            "opened",
        ]

    async def test_a_newer_run_supersedes_and_siblings_do_not(self, store: Any) -> None:
        """The same operation of another run takes the place of what waits; claimed rows stay."""
        tenant = proposal().tenant

        def row(run: str, number: int, op_key: str = "k") -> ApprovalRow:
            return proposal(tenant=tenant, run=run, op_key=op_key, digest=f"d{number}")

        first, sibling, claimed, other = row("r1", 1), row("r1", 2), row("r1", 3), row("r1", 4, "k2")
        for one in (first, sibling, claimed, other):
            await store.apply(propose(one))
        await store.apply(decide(claimed))
        newer = row("r2", 5)
        (proposed,) = await store.apply(propose(newer))
        states = [
            (await store.apply(LookUpApproval(id=one.id)))[0].state
            for one in (first, sibling, claimed, other)
        ]
        (late,) = await store.apply(decide(first))

        assert set(proposed.superseded) == {first.id, sibling.id}
        assert states == ["superseded", "superseded", "executing", "awaiting_confirmation"]
        assert (late.verdict, late.row.superseded_by) == ("superseded", newer.id)

    @pytest.mark.parametrize(
        ("more", "verdict", "state"),
        [
            pytest.param({}, "claimed", "executing", id="yes"),
            pytest.param({"approve": False}, "rejected", "rejected", id="no"),
            pytest.param({"tenant": "cli_other"}, "missing", "awaiting_confirmation", id="tenant"),
            pytest.param({"id": "apr_none"}, "missing", "awaiting_confirmation", id="id"),
            pytest.param({"digest": "d2"}, "tampered", "awaiting_confirmation", id="digest"),
            pytest.param({"digest": ""}, "tampered", "awaiting_confirmation", id="no-digest"),
            pytest.param({"may": False}, "forbidden", "awaiting_confirmation", id="not-eligible"),
            pytest.param({"at": 1899.9}, "claimed", "executing", id="just-in-time"),
            pytest.param({"at": 1900.0}, "expired", "expired", id="too-late"),
            pytest.param({"at": 1900.0, "approve": False}, "expired", "expired", id="too-late-no"),
            pytest.param({"needed": 2}, "recorded", "awaiting_confirmation", id="one-of-two"),
        ],
    )
    async def test_a_decision_does_what_the_table_says(
        self, store: Any, more: dict[str, Any], verdict: str, state: str
    ) -> None:
        """Each guard on its own; what does not count moves nothing."""
        row = proposal()
        await store.apply(propose(row))

        (decided,) = await store.apply(decide(row, **more))
        (found,) = await store.apply(LookUpApproval(id=row.id))

        assert (decided.verdict, found.state) == (verdict, state)
        if verdict == "claimed":
            assert decided == Decided(verdict="claimed", row=found)
            assert (found.token, found.decided_by, found.strength) == ("t1", "ann", "person")
            assert (found.decided_at, found.lease_until) == (decided.row.decided_at, found.decided_at + 60.0)

    async def test_the_second_decision_is_too_late(self, store: Any) -> None:
        """Whatever the first one was, and whatever became of it."""
        rows = [proposal() for _ in range(4)]
        verdicts = []
        for row, first in zip(rows, ({}, {"approve": False}, {}, {}), strict=True):
            await store.apply(propose(row), decide(row, **first))
        await store.apply(SettleApproval(id=rows[2].id, token="t1", state="executed", at=1200.0))
        await store.apply(SettleApproval(id=rows[3].id, token="t1", state="execution_unknown", at=1200.0))
        for row in rows:
            for approve in (True, False):
                (decided,) = await store.apply(decide(row, approve=approve, token="t2"))
                verdicts.append(decided.verdict)

        assert verdicts == ["already_claimed"] * 8

    async def test_two_deciders_are_two(self, store: Any) -> None:
        """One person twice is one yes; the second person's claims."""
        row = proposal()
        await store.apply(propose(row))

        verdicts = []
        for by in ("ann", "ann", "bob", "eve"):
            (decided,) = await store.apply(decide(row, by=by, needed=2))
            verdicts.append(decided.verdict)
        (found,) = await store.apply(LookUpApproval(id=row.id))

        assert verdicts == ["recorded", "recorded", "claimed", "already_claimed"]
        assert [vote.by for vote in found.votes] == ["ann", "bob"]

    async def test_only_the_claims_token_settles(self, store: Any) -> None:
        """Once; a stale executor is refused."""
        row = proposal()
        await store.apply(propose(row), decide(row))

        answers = [
            (
                await store.apply(
                    SettleApproval(id=row.id, token=token, state="executed", at=1200.0, outcome="x")
                )
            )[0]
            for token in ("t0", "t1", "t1")
        ]
        (found,) = await store.apply(LookUpApproval(id=row.id))

        assert answers == [False, True, False]
        assert (found.state, found.settled_at, found.outcome) == ("executed", 1200.0, "x")

    async def test_an_abandoned_claim_is_taken_over_once(self, store: Any) -> None:
        """After its lease, under a new token that alone settles."""
        row = proposal()
        await store.apply(propose(row), decide(row))

        early = await self._taken(store, row, 1159.9, "t2")
        taken = await self._taken(store, row, 1160.0, "t2")
        again = await self._taken(store, row, 1161.0, "t3")
        answers = [
            (await store.apply(SettleApproval(id=row.id, token=token, state="executed", at=1170.0)))[0]
            for token in ("t1", "t2")
        ]

        assert (early, again) == ([], [])
        assert [(one.token, one.attempt, one.lease_until) for one in taken] == [("t2", 2, 1220.0)]
        assert answers == [False, True]

    async def test_what_nobody_decided_expires(self, store: Any) -> None:
        """Once, by whoever looks first."""
        row = proposal()
        await store.apply(propose(row))

        ids = []
        for at in (1899.9, 1900.0, 2000.0):
            (gone,) = await store.apply(ExpireApprovals(at=at, most=10_000))
            ids.append([one.id for one in gone if one.id == row.id])
        (found,) = await store.apply(LookUpApproval(id=row.id))

        assert ids == [[], [row.id], []]
        assert (found.state, found.settled_at) == ("expired", 1900.0)

    @pytest.mark.parametrize("state", ["executed", "failed", "cancelled", "execution_unknown"])
    async def test_only_an_unknown_outcome_can_be_resolved(self, store: Any, state: Any) -> None:
        """By its own tenant, once."""
        row = proposal()
        await store.apply(propose(row), decide(row))
        await store.apply(SettleApproval(id=row.id, token="t1", state=state, at=1200.0))

        answers = [
            (
                await store.apply(
                    ResolveApproval(id=row.id, tenant=tenant, state="executed", by="ops", at=1300.0)
                )
            )[0]
            for tenant in ("cli_other", row.tenant, row.tenant)
        ]

        assert answers == [False, state == "execution_unknown", False]

    async def test_swapping_compares_versions(self, store: Any) -> None:
        """What moved meanwhile is not overwritten; a new row needs that there is none, and a row can be removed."""
        row = proposal()

        (inserted,) = await store.apply(SwapApproval(id=row.id, version=0, row=row))
        (twice,) = await store.apply(SwapApproval(id=row.id, version=0, row=row))
        (stale,) = await store.apply(SwapApproval(id=row.id, version=7, row=row))
        (swapped,) = await store.apply(
            SwapApproval(id=row.id, version=1, row=replace(row, reason="r", version=2))
        )
        (found,) = await store.apply(LookUpApproval(id=row.id))
        (removed,) = await store.apply(SwapApproval(id=row.id, version=2, row=None))
        (gone,) = await store.apply(LookUpApproval(id=row.id))

        assert (inserted, twice, stale, swapped, removed) == (True, False, False, True, True)
        assert found.reason == "r"
        assert gone is None

    async def test_a_tenant_lists_its_own_newest_first(self, store: Any) -> None:
        """By state, by digest, page by page."""
        tenant = proposal().tenant
        rows = [proposal(tenant=tenant, digest=f"d{n}", proposed_at=1000.0 + n) for n in range(4)]
        for row in [*rows, proposal()]:
            await store.apply(propose(row))
        await store.apply(decide(rows[2]))

        async def ids(**asked: Any) -> list[str]:
            (found,) = await store.apply(ListApprovals(tenant=tenant, **asked))
            return [one.id for one in found]

        names = [row.id for row in rows]
        assert await ids() == names[::-1]
        assert await ids(states=("executing", "awaiting_confirmation")) == names[::-1]
        assert await ids(states=("executing",)) == [names[2]]
        assert await ids(states=()) == []
        assert await ids(digest="d1") == [names[1]]
        assert await ids(before=1002.0, most=1) == [names[1]]

    async def test_what_fails_beside_a_decision_undoes_it(self, store: Any) -> None:
        """A decision that cannot be recorded did not happen."""
        row = proposal()
        await store.apply(propose(row))

        with pytest.raises(StoreError):
            await store.apply(decide(row), UNKEEPABLE)
        (found,) = await store.apply(LookUpApproval(id=row.id))

        assert found == row

    async def test_a_record_takes_its_outcome_from_the_decision(self, store: Any) -> None:
        """Verdict and record are one transaction."""
        row = proposal()
        record = replace(audited("decision"), outcome_of=0)
        await store.apply(propose(row))

        (decided, place) = await store.apply(decide(row), record)

        assert decided.verdict == "claimed"
        assert isinstance(place, tuple)

    async def test_of_many_at_once_one_claims(self, store: Any) -> None:
        """Whoever the deciders are."""
        row = proposal()
        await store.apply(propose(row))
        verdicts: list[str] = []

        async def one(number: int) -> None:
            (decided,) = await store.apply(decide(row, token=f"t{number}", approve=number % 3 != 0))
            verdicts.append(decided.verdict)

        async with anyio.create_task_group() as group:
            for number in range(30):
                group.start_soon(one, number)

        assert sorted(verdicts)[:-1] == ["already_claimed"] * 29
        assert sorted(verdicts)[-1] in ("claimed", "rejected")

    async def test_superseding_and_claiming_exclude_each_other(self, store: Any) -> None:
        """Of an old proposal claimed and superseded at once never both happen, and never neither."""
        pairs = [(proposal(run="r1", op_key="k"),) for _ in range(20)]
        ended: list[tuple[str, bool]] = []

        async def one(old: ApprovalRow) -> None:
            new = replace(old, id=f"{old.id}n", run="r2", digest="d2")
            await store.apply(propose(old))
            answers: dict[str, Any] = {}

            async def claim() -> None:
                (answers["claim"],) = await store.apply(decide(old))

            async def supersede() -> None:
                (answers["propose"],) = await store.apply(propose(new))

            async with anyio.create_task_group() as group:
                group.start_soon(claim)
                group.start_soon(supersede)
            ended.append((answers["claim"].verdict, old.id in answers["propose"].superseded))

        async with anyio.create_task_group() as group:
            for (old,) in pairs:
                group.start_soon(one, old)

        assert set(ended) <= {("claimed", False), ("superseded", True)}
        assert len(ended) == 20

    async def _taken(self, store: Any, row: ApprovalRow, at: float, token: str) -> list[ApprovalRow]:
        (taken,) = await store.apply(TakeOverApprovals(token=token, at=at, lease_s=60.0, most=10_000))
        return [one for one in taken if one.id == row.id]
