"""Batches: a record is stored within the batch's time and count, and a failing sink is seen and stops things."""

from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest
from msgspec.structs import force_setattr

from placet.audit import AuditUnavailable, BatchedAudit, verify
from placet.contract.stores import AuditEntry, Operation, StoreError
from placet.stores.memory import MemoryTruth
from tests.runtime.stores.asking import KEYS, audited

pytestmark = pytest.mark.anyio


class Sink:
    """A memory store that can be told to fail, and tells when it was asked."""

    def __init__(self) -> None:
        self.kept = MemoryTruth(KEYS)
        self.fails = False
        self.asked = anyio.Event()
        self.sizes: list[int] = []

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        self.sizes.append(len(operations))
        self.asked.set()
        if self.fails:
            raise StoreError("the disk is full")
        return await self.kept.apply(*operations)

    async def close(self) -> None:
        await self.kept.close()

    def calls(self) -> list[str]:
        trail = self.kept.trail()
        return [entry.split('"call_id":"')[1].split('"')[0] for entry in map(_text, trail.latest(10_000))]


def _text(record: Any) -> str:
    return str(record.body.decode())


def entry(name: str) -> AuditEntry:
    return audited(call_id=name).entry


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
async def audit(sink: Sink) -> AsyncIterator[BatchedAudit]:
    audit = BatchedAudit(sink, max_delay_s=60.0, max_batch=4, max_kept=6)
    yield audit
    sink.fails = False
    await audit.close()


async def test_records_wait_for_their_batch(sink: Sink, audit: BatchedAudit) -> None:
    """Under its count nothing is stored; at its count everything is, in one transaction and in order."""
    for name in ("a", "b", "c"):
        audit.add(entry(name))
    before = list(sink.sizes), audit.waiting
    audit.add(entry("d"))
    with anyio.fail_after(5):
        await sink.asked.wait()
        await audit.flush()

    assert before == ([], 3)
    assert sink.sizes == [4]
    assert sink.calls() == ["a", "b", "c", "d"]
    assert audit.waiting == 0


async def test_a_record_is_stored_when_its_time_is_up(sink: Sink) -> None:
    """A lonely record does not wait for others."""
    audit = BatchedAudit(sink, max_delay_s=0.01)
    audit.add(entry("a"))
    with anyio.fail_after(5):
        await sink.asked.wait()
    await audit.close()

    assert sink.calls() == ["a"]


async def test_closing_stores_what_waits_and_takes_no_more(sink: Sink, audit: BatchedAudit) -> None:
    """Nothing is lost at the end, and a late record is refused."""
    audit.add(entry("a"))
    await audit.close()

    with pytest.raises(AuditUnavailable):
        audit.add(entry("b"))
    with pytest.raises(AuditUnavailable):
        audit.require_working()
    assert sink.calls() == ["a"]


async def test_a_failing_sink_is_seen_and_stops_writes(sink: Sink, audit: BatchedAudit) -> None:
    """The reason is visible, writes are told no, and records are kept for later."""
    audit.require_working()
    sink.fails = True
    audit.add(entry("a"))

    with pytest.raises(AuditUnavailable, match="disk is full"):
        await audit.flush()

    assert audit.fault == "the disk is full"
    assert audit.waiting == 1
    with pytest.raises(AuditUnavailable, match="disk is full"):
        audit.require_working()


async def test_reads_go_on_only_as_long_as_their_records_can_be_kept(sink: Sink, audit: BatchedAudit) -> None:
    """The buffer is bounded: when it is full a further record is refused, and none of those kept is lost."""
    sink.fails = True
    for number in range(6):
        audit.add(entry(str(number)))
    with pytest.raises(AuditUnavailable):
        audit.add(entry("refused"))
    with pytest.raises(AuditUnavailable):
        await audit.flush()
    sink.fails = False
    await audit.flush()
    audit.require_working()
    audit.add(entry("6"))
    await audit.flush()

    assert audit.fault is None
    assert sink.calls() == [str(number) for number in range(7)]


async def test_the_sink_is_asked_again_by_itself(sink: Sink) -> None:
    """After a fault the batch is tried anew when its time is up, without another record coming."""
    audit = BatchedAudit(sink, max_delay_s=0.01)
    sink.fails = True
    audit.add(entry("a"))
    with anyio.fail_after(5):
        while len(sink.sizes) < 2:
            sink.asked = anyio.Event()
            await sink.asked.wait()
        sink.fails = False
        while audit.fault is not None or audit.waiting:
            sink.asked = anyio.Event()
            await sink.asked.wait()
            await anyio.lowlevel.checkpoint()
    await audit.close()

    assert sink.calls() == ["a"]


async def test_closing_over_a_failing_sink_says_that_records_are_lost(sink: Sink) -> None:
    """An end that loses records is not a clean one."""
    audit = BatchedAudit(sink, max_delay_s=60.0)
    audit.add(entry("a"))
    sink.fails = True

    with pytest.raises(AuditUnavailable, match="disk is full"):
        await audit.close()


async def test_records_of_a_crowd_are_each_stored_once(sink: Sink) -> None:
    """Batches that overlap in time neither repeat nor lose a record."""
    audit = BatchedAudit(sink, max_delay_s=0.01, max_batch=7, max_kept=1000)
    for number in range(500):
        audit.add(entry(str(number)))
        if number % 10 == 0:
            await anyio.lowlevel.checkpoint()
    await audit.close()
    await sink.close()

    assert sink.calls()[:-1] == [str(number) for number in range(500)]
    assert verify(sink.kept.trail(), KEYS).is_whole


@pytest.mark.parametrize(
    "options",
    [{"max_delay_s": 0.0}, {"max_delay_s": 61.0}, {"max_batch": 0}, {"max_batch": 9, "max_kept": 8}],
)
def test_bounds_that_bound_nothing_are_refused(sink: Sink, options: dict[str, Any]) -> None:
    """A batch is bounded in time and in count."""
    with pytest.raises(ValueError, match="batch"):
        BatchedAudit(sink, **options)


async def test_a_record_that_no_store_takes_holds_up_no_other(sink: Sink) -> None:
    """A marker stands in its place, the sink counts as working, and what came behind it is stored."""
    audit = BatchedAudit(sink, max_delay_s=60.0)
    for name in ("a", "odd", "b"):
        audit.add(entry(name))
    force_setattr(audit._kept[1], "tool", object())
    await audit.flush()
    audit.require_working()
    await audit.close()

    assert sink.calls() == ["a", "odd", "b"]
    assert '"event":"unstorable"' in _text(sink.kept.trail().latest(3)[1])


async def test_a_store_that_breaks_is_a_fault_and_is_asked_again(sink: Sink) -> None:
    """Whatever a store raises, the records are kept and the fault is seen."""

    class Broken(Sink):
        async def apply(self, *operations: Operation) -> tuple[Any, ...]:
            raise RuntimeError("bug")

    audit = BatchedAudit(Broken(), max_delay_s=60.0)
    audit.add(entry("a"))
    with pytest.raises(AuditUnavailable, match="RuntimeError"):
        await audit.flush()

    assert (audit.waiting, audit.fault) == (1, "the store failed (RuntimeError)")
