"""The SQL of the stores and the rules in Python are one and the same."""

import tempfile
from typing import Any

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from placet.contract.stores import BeginWrite, FinishWrite, LookUpWrite, Operation, ResolveWrite
from placet.stores import open_shared, open_store
from tests.runtime.stores.asking import KEYS

TIMES = st.sampled_from([0.0, 5.0, 10.0, 15.0, 20.0, 100.0])
NAMES = st.sampled_from(["a", "b"])

OPERATIONS: st.SearchStrategy[Operation] = st.one_of(
    st.builds(
        BeginWrite,
        key=NAMES,
        digest=st.sampled_from(["d1", "d1", "d1", "d2"]),
        tool=st.just("notes.write"),
        tenant=st.just("cli_a"),
        token=st.sampled_from(["t1", "t2", "t3"]),
        native_key=st.sampled_from(["", "n"]),
        lease_s=st.just(10.0),
        resend_s=st.sampled_from([0.0, 15.0]),
        at=TIMES,
    ),
    st.builds(
        FinishWrite,
        key=NAMES,
        token=st.sampled_from(["t1", "t2", "t3"]),
        status=st.sampled_from(["succeeded", "not_applied", "unknown"]),
        at=TIMES,
        result=st.sampled_from([None, b"", b"{}"]),
        error_class=st.sampled_from(["", "reset"]),
    ),
    st.builds(LookUpWrite, key=NAMES),
    st.builds(
        ResolveWrite,
        key=NAMES,
        status=st.sampled_from(["succeeded", "not_applied"]),
        by=st.just("ou_1"),
        at=TIMES,
    ),
)


@settings(max_examples=60, deadline=None)
@given(tuples=st.lists(st.lists(OPERATIONS, min_size=1, max_size=3), max_size=12))
def test_memory_and_sql_answer_alike(tuples: list[list[Operation]]) -> None:
    """Any sequence of operations gets the same answers from both."""

    async def run() -> tuple[list[Any], list[Any]]:
        with tempfile.TemporaryDirectory() as folder:
            answers = []
            for url in ("memory://", f"sqlite:///{folder}/placet.db"):
                truth, shared = open_store(url, keys=KEYS)
                answers.append([await truth.apply(*operations) for operations in tuples])
                await truth.close()
                await shared.close()
        return answers[0], answers[1]

    memory, sql = anyio.run(run)

    assert memory == sql


@settings(max_examples=60, deadline=None)
@given(
    steps=st.lists(st.floats(min_value=0.0, max_value=3.0), max_size=60),
    count=st.integers(min_value=1, max_value=5),
    per_s=st.sampled_from([1.0, 2.5]),
)
def test_no_window_holds_more_than_its_count(steps: list[float], count: int, per_s: float) -> None:
    """In any `per_s` seconds at most `count` calls are taken, and the wait that is named is the one that helps."""

    async def run(url: str) -> tuple[list[float], list[float]]:
        now = [1000.0]
        shared = open_shared(url, clock=lambda: now[0])
        taken, waits = [], []
        for step in steps:
            now[0] += step
            wait = await shared.take("b", count=count, per_s=per_s)
            waits.append(wait)
            if wait == 0.0:
                taken.append(now[0])
            else:
                now[0] += wait + 1e-6
                waits.append(await shared.take("b", count=count, per_s=per_s))
                assert waits[-1] == 0.0
                taken.append(now[0])
        await shared.close()
        return taken, waits

    with tempfile.TemporaryDirectory() as folder:
        taken, memory = anyio.run(run, "memory://")
        _, sql = anyio.run(run, f"sqlite:///{folder}/placet.db")

    assert memory == sql
    assert all(later - first >= per_s for first, later in zip(taken, taken[count:], strict=False))
