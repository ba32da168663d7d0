"""What every truth store promises. A store's own tests add only what is peculiar to it."""

from typing import Any

import anyio
import pytest

from placet.audit import verify
from placet.contract.stores import (
    AppendAudit,
    AuditEntry,
    EntryRefused,
    LedgerRow,
    LookUpWrite,
    ResolveWrite,
    StoreError,
)
from tests.runtime.stores.asking import KEYS, audited, begin, finish, new_key

__all__ = ["TruthContract"]

UNKEEPABLE = AppendAudit(
    entry=AuditEntry(at=1.0, event="x", call_id="", tenant="", tool="", actor="", details={"x": object()})
)
"""An operation that no store can carry out."""


@pytest.mark.anyio
class TruthContract:
    """A subclass has a fixture `store` with an open, empty truth store."""

    async def test_a_write_begins_once(self, store: Any) -> None:
        """The first caller sends; the second is told that it is on its way."""
        key = new_key()

        (first,) = await store.apply(begin(key))
        (second,) = await store.apply(begin(key, token="t2"))

        assert (first.verdict, second.verdict) == ("started", "in_flight")
        assert second.row.token == "t1"
        assert (
            first.row
            == second.row
            == LedgerRow(
                key=key,
                digest="d1",
                tool="notes.write",
                tenant="cli_a",
                status="started",
                token="t1",
                first_at=1000.0,
                started_at=1000.0,
                lease_until=1300.0,
            )
        )

    async def test_a_finished_write_is_replayed_to_the_byte(self, store: Any) -> None:
        """The same key with the same request gives the stored result."""
        key, result = new_key(), b'{"text":"\xe5\xad\x97\\u0000"}'
        await store.apply(begin(key))

        (finished,) = await store.apply(finish(key, result=result))
        (again,) = await store.apply(begin(key, token="t2", at=2000.0))

        assert finished is True
        assert (again.verdict, again.row.result, again.row.finished_at) == ("replayed", result, 1001.0)

    @pytest.mark.parametrize("status", [None, "succeeded", "not_applied", "unknown"])
    async def test_another_request_under_a_key_is_a_conflict(self, store: Any, status: str | None) -> None:
        """Whatever became of the first request, its key never serves another."""
        key = new_key()
        await store.apply(begin(key))
        if status is not None:
            await store.apply(finish(key, status=status))

        (other,) = await store.apply(begin(key, token="t2", digest="d2", at=9999.0))

        assert other.verdict == "conflict"
        assert other.row.digest == "d1"

    async def test_a_write_that_was_not_applied_begins_anew(self, store: Any) -> None:
        """A definite failure leaves the way free; the attempt is counted and the old outcome gone."""
        key = new_key()
        await store.apply(begin(key))
        await store.apply(finish(key, status="not_applied", result=b"no"))

        (again,) = await store.apply(begin(key, token="t2", at=2000.0))
        (row,) = await store.apply(LookUpWrite(key=key))

        assert again.verdict == "started"
        assert again.row == row
        assert (row.attempt, row.token, row.result, row.finished_at, row.first_at) == (
            2,
            "t2",
            None,
            None,
            2000.0,
        )

    async def test_an_unknown_write_waits_for_a_person(self, store: Any) -> None:
        """Neither time nor a native key sends it again; only a resolution moves it."""
        key = new_key()
        await store.apply(begin(key, native_key="n", resend_s=1e9))
        await store.apply(finish(key, status="unknown", result=None))

        (later,) = await store.apply(begin(key, token="t2", at=5000.0, native_key="n", resend_s=1e9))
        (resolved,) = await store.apply(ResolveWrite(key=key, status="not_applied", by="ou_1", at=6000.0))
        (again,) = await store.apply(begin(key, token="t3", at=7000.0))

        assert (later.verdict, resolved, again.verdict) == ("unknown", True, "started")

    @pytest.mark.parametrize(
        ("at", "native_key", "resend_s", "verdict"),
        [
            pytest.param(1299.9, "n", 600.0, "in_flight", id="the-lease-is-running"),
            pytest.param(1300.0, "n", 600.0, "started", id="native-key-inside-its-memory"),
            pytest.param(1600.0, "n", 600.0, "started", id="native-key-at-the-end-of-its-memory"),
            pytest.param(1600.1, "n", 600.0, "unknown", id="native-key-past-its-memory"),
            pytest.param(1300.0, "n", 0.0, "unknown", id="native-key-never-resent"),
            pytest.param(1300.0, "other", 600.0, "unknown", id="another-native-key"),
            pytest.param(1300.0, "", 600.0, "unknown", id="no-native-key"),
        ],
    )
    async def test_an_abandoned_write_is_sent_again_only_under_its_native_key(
        self, store: Any, at: float, native_key: str, resend_s: float, verdict: str
    ) -> None:
        """After its lease a started write is unknown, unless the platform would recognise it."""
        key = new_key()
        await store.apply(begin(key, native_key="n"))

        (answer,) = await store.apply(begin(key, token="t2", at=at, native_key=native_key, resend_s=resend_s))

        assert answer.verdict == verdict
        assert answer.row.token == ("t2" if verdict == "started" else "t1")

    async def test_the_platforms_memory_counts_from_the_first_sending(self, store: Any) -> None:
        """A second abandoned attempt does not renew what the platform remembers."""
        key = new_key()
        await store.apply(begin(key, native_key="n"))
        await store.apply(begin(key, token="t2", at=1500.0, native_key="n", resend_s=600.0))

        (third,) = await store.apply(begin(key, token="t3", at=1900.0, native_key="n", resend_s=600.0))

        assert third.verdict == "unknown"

    async def test_only_the_holder_of_the_token_finishes(self, store: Any) -> None:
        """A stale worker's outcome is refused, and the row stays as it was."""
        key = new_key()
        await store.apply(begin(key, native_key="n"))
        await store.apply(begin(key, token="t2", at=1400.0, native_key="n", resend_s=600.0))

        (stale,) = await store.apply(finish(key, token="t1"))
        (right,) = await store.apply(finish(key, token="t2", result=b"2"))
        (twice,) = await store.apply(finish(key, token="t2", result=b"3"))
        (row,) = await store.apply(LookUpWrite(key=key))

        assert (stale, right, twice) == (False, True, False)
        assert row.result == b"2"

    async def test_a_late_outcome_is_still_the_truth(self, store: Any) -> None:
        """A worker that was only slow may finish after its lease, when nobody took its place."""
        key = new_key()
        await store.apply(begin(key))
        await store.apply(begin(key, token="t2", at=5000.0))

        (late,) = await store.apply(finish(key, at=6000.0))

        assert late is True

    @pytest.mark.parametrize(
        ("before", "at", "resolved"),
        [
            pytest.param(None, 2000.0, False, id="no-such-write"),
            pytest.param("started", 1200.0, False, id="on-its-way"),
            pytest.param("started", 1300.0, True, id="abandoned"),
            pytest.param("succeeded", 2000.0, False, id="succeeded"),
            pytest.param("not_applied", 2000.0, False, id="not-applied"),
            pytest.param("unknown", 2000.0, True, id="unknown"),
        ],
    )
    async def test_only_an_unknown_or_abandoned_write_can_be_resolved(
        self, store: Any, before: str | None, at: float, resolved: bool
    ) -> None:
        """Nobody can overrule what is known."""
        key = new_key()
        if before is not None:
            await store.apply(begin(key))
        if before not in (None, "started"):
            await store.apply(finish(key, status=before))

        (answer,) = await store.apply(ResolveWrite(key=key, status="succeeded", by="ou_1", at=at))
        (late,) = await store.apply(finish(key, at=at + 1))
        (row,) = await store.apply(LookUpWrite(key=key))

        assert answer is resolved
        assert late is (before == "started" and not resolved)
        assert (row.status if row else None) == ("succeeded" if resolved or late else before)

    async def test_looking_up_changes_nothing(self, store: Any) -> None:
        """An unknown key is None, before and after."""
        key = new_key()

        found = await store.apply(
            LookUpWrite(key=key), LookUpWrite(key=key), begin(key), LookUpWrite(key=key)
        )

        assert found[:2] == (None, None)
        assert found[3] == found[2].row

    async def test_a_tuple_is_applied_together_or_not_at_all(self, store: Any) -> None:
        """What stands before a part that cannot be kept did not happen, its audit record neither."""
        key = new_key()
        chain, before = (await store.apply(audited()))[0]

        with pytest.raises(EntryRefused):
            await store.apply(audited(), begin(key), UNKEEPABLE)
        found, (same_chain, after) = await store.apply(LookUpWrite(key=key), audited())

        assert found is None
        assert (same_chain, after) == (chain, before + 1)

    async def test_a_part_that_fails_takes_nobody_with_it(self, store: Any) -> None:
        """Of callers that wait at the same time each stands for itself, and the chain has no gap."""
        keys = [new_key() for _ in range(40)]
        failed: list[int] = []

        async def one(number: int) -> None:
            broken = (UNKEEPABLE,) if number % 3 == 0 else ()
            try:
                answers = await store.apply(audited(ledger_key=keys[number]), begin(keys[number]), *broken)
                assert answers[1].verdict == "started"
            except StoreError:
                failed.append(number)

        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for number in range(len(keys)):
                    group.start_soon(one, number)
        rows = [(await store.apply(LookUpWrite(key=key)))[0] for key in keys]
        trail = store.trail()
        found = verify(trail, KEYS)
        bodies = b"".join(record.body for chain in trail.chains() for record in trail.records(chain))
        trail.close()

        assert sorted(failed) == list(range(0, 40, 3))
        assert [row is None for row in rows] == [number % 3 == 0 for number in range(40)]
        assert [key.encode() in bodies for key in keys] == [row is not None for row in rows]
        assert found.faults == ()

    async def test_one_key_begins_once_among_many_at_the_same_time(self, store: Any) -> None:
        """Exactly one of a crowd is told to send."""
        key = new_key()
        verdicts: list[str] = []

        async def one(number: int) -> None:
            (answer,) = await store.apply(begin(key, token=f"t{number}"))
            verdicts.append(answer.verdict)

        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for number in range(30):
                    group.start_soon(one, number)

        assert sorted(verdicts) == ["in_flight"] * 29 + ["started"]

    async def test_audit_records_are_numbered_without_a_gap(self, store: Any) -> None:
        """Records of one tuple stand in its order, directly behind each other."""
        first = await store.apply(audited(call_id="a"), audited(call_id="b"))
        second = await store.apply(audited(call_id="c"))

        chains = {chain for chain, _ in (*first, *second)}
        trail = store.trail()
        (chain,) = chains
        seqs = [record.seq for record in trail.records(chain)]
        last = trail.head(chain)
        trail.close()

        assert [seq for _, seq in (*first, *second)] == [1, 2, 3]
        assert seqs == [1, 2, 3]
        assert last is not None and last.seq == 3 and b'"call_id":"c"' in last.body

    @pytest.mark.parametrize("count", [2, 31, 32, 33, 70, 128])
    async def test_a_batch_of_records_is_stored_as_if_one_by_one(self, store: Any, count: int) -> None:
        """However many there are: in their order, each in its place, in a chain that verifies."""
        batch = [audited(call_id=f"call-{number:03}") for number in range(count)]

        (before,) = await store.apply(audited(call_id="before"))
        places = await store.apply(*batch)
        (after,) = await store.apply(audited(call_id="after"))

        trail = store.trail()
        records = list(trail.records(before[0]))
        found = verify(trail, KEYS)
        trail.close()
        assert list(places) == [(before[0], before[1] + 1 + number) for number in range(count)]
        assert after[1] == before[1] + 1 + count
        assert [f'"call_id":"call-{n:03}"'.encode() in one.body for n, one in enumerate(records[1:-1])] == [
            True
        ] * count
        assert found.is_whole

    async def test_one_record_of_a_batch_that_cannot_be_kept_stops_it(self, store: Any) -> None:
        """All of a tuple or nothing; what comes behind it stands where it would have stood."""
        batch = [audited() for _ in range(40)]

        (before,) = await store.apply(audited())
        with pytest.raises(StoreError):
            await store.apply(*batch, UNKEEPABLE, *batch)
        (after,) = await store.apply(audited())

        trail = store.trail()
        found = verify(trail, KEYS)
        trail.close()
        assert after == (before[0], before[1] + 1)
        assert found.is_whole

    async def test_a_closed_store_says_so(self, store: Any) -> None:
        """After closing, which may be done twice, nothing is taken and the chain is ended."""
        await store.apply(audited())
        await store.close()
        await store.close()

        with pytest.raises(StoreError):
            await store.apply(audited())
        trail = store.trail()
        found = verify(trail, KEYS)
        trail.close()

        assert found.is_whole
        assert [chain.is_closed for chain in found.chains] == [True]

    async def test_closing_under_load_loses_no_answer(self, store: Any) -> None:
        """Every caller is told the truth: what was answered is stored, what was refused is not."""
        keys = [new_key() for _ in range(200)]
        answered: set[str] = set()

        async def one(key: str) -> None:
            try:
                await store.apply(audited(ledger_key=key), begin(key), finish(key))
                answered.add(key)
            except StoreError:
                return

        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for number, key in enumerate(keys):
                    group.start_soon(one, key)
                    if number == 100:
                        await anyio.lowlevel.checkpoint()
                        group.start_soon(store.close)
                        await anyio.lowlevel.checkpoint()
        trail = store.trail()
        bodies = b"".join(record.body for chain in trail.chains() for record in trail.records(chain))
        found = verify(trail, KEYS)
        trail.close()

        assert {key for key in keys if key.encode() in bodies} == answered
        assert 0 < len(answered) < len(keys)
        assert found.is_whole
