"""A commit whose answer is lost: what happened is looked up, so that the caller is told the truth."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from placet.audit import verify
from placet.contract.stores import LookUpWrite, StoreError
from placet.stores import Record
from placet.stores.sql import postgres, sqlite
from placet.stores.sql.journal import Anchoring
from placet.stores.sql.stores import SqlTruth
from placet.stores.sql.trail import SqlTrail
from tests.runtime.stores.asking import KEYS, audited, begin, new_key
from tests.runtime.stores.interrupted import Interrupted, Switch

pytestmark = pytest.mark.anyio


@pytest.fixture
def switch() -> Switch:
    return Switch()


@pytest.fixture(params=["sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path, switch: Switch) -> AsyncIterator[SqlTruth]:
    connect: Callable[[], Any]
    if request.param == "sqlite":
        path, dialect = tmp_path / "placet.db", sqlite.DIALECT
        connect = lambda: sqlite.open_writer(path, "truth", clock=lambda: 1.0)  # noqa: E731
        read = lambda: SqlTrail(lambda: sqlite.open_reader(path), dialect)  # noqa: E731
    else:
        url, dialect = request.getfixturevalue("postgres_url"), postgres.DIALECT
        connect = lambda: postgres.open_connection(url, "truth")  # noqa: E731
        read = lambda: SqlTrail(lambda: postgres.open_connection(url, None), dialect)  # noqa: E731
    store = SqlTruth(
        lambda: Interrupted(connect(), switch),
        read,
        dialect=dialect,
        keys=KEYS,
        lanes=1,
        anchoring=Anchoring(),
    )
    yield store
    await store.close()


@pytest.mark.parametrize(
    ("fault", "happened"),
    [pytest.param("after", True, id="it-was-stored"), pytest.param("before", False, id="it-was-not")],
)
async def test_a_lost_answer_is_found_out(
    store: SqlTruth, switch: Switch, fault: str, happened: bool
) -> None:
    """What is answered is durable and what raises did not happen, also when the connection dies at the commit."""
    key = new_key()
    await store.apply(audited())
    switch.fault = fault

    try:
        await store.apply(audited(ledger_key=key), begin(key))
        answered = True
    except StoreError:
        answered = False
    (row,) = await store.apply(LookUpWrite(key=key))

    assert answered is happened
    assert (row is not None) is happened
    assert switch.connections == 2


@pytest.mark.parametrize("fault", ["after", "before"])
async def test_the_chains_stay_whole(store: SqlTruth, switch: Switch, fault: str) -> None:
    """No place of a chain is claimed twice, whatever became of the commit."""
    await store.apply(audited(call_id="a"))
    switch.fault = fault
    try:
        await store.apply(audited(call_id="b"))
    except StoreError:
        assert fault == "before"
    await store.apply(audited(call_id="c"))
    await store.close()

    trail = store.trail()
    found = verify(trail, KEYS)
    kept = b"".join(
        record.body
        for chain in trail.chains()
        for record in trail.records(chain)
        if isinstance(record, Record)
    )
    trail.close()

    assert found.faults == ()
    assert [b'"call_id":"%s"' % name in kept for name in (b"a", b"b", b"c")] == [True, fault == "after", True]
