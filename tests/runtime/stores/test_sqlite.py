"""What is peculiar to SQLite: its file, its locks, and a disk that fails."""

import sqlite3
import stat
from pathlib import Path

import anyio
import pytest

from placet.audit import verify
from placet.contract.stores import LookUpWrite, StoreError
from placet.stores import open_shared, open_store, open_trail
from placet.stores.sql import sqlite
from placet.stores.sql.journal import Anchoring
from placet.stores.sql.session import Statement
from placet.stores.sql.sqlite import SqliteConnection
from placet.stores.sql.stores import SqlTruth
from placet.stores.sql.trail import SqlTrail
from tests.runtime.stores.asking import KEYS, audited, begin, finish, new_key

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "placet.db"


async def test_files_are_for_their_owner_only(path: Path) -> None:
    """A new database, its log and the shared state beside it have mode 0600."""
    truth, shared = open_store(f"sqlite:///{path}", keys=KEYS)
    await truth.apply(audited())
    await shared.acquire("l", owner="a", ttl_s=1.0)

    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    await shared.close()
    await truth.close()

    assert {"placet.db", "placet.db-wal", "placet.db.shared"} <= modes.keys()
    assert set(modes.values()) == {0o600}


async def test_truth_is_committed_to_disk(path: Path) -> None:
    """The writing connection uses a write-ahead log and synchronous FULL."""
    connection = sqlite.open_writer(path, "truth", clock=lambda: 1.0)
    connection.begin(durable=True)

    def asked(pragma: str) -> object:
        return connection.rows(Statement(f"PRAGMA {pragma}", (), {}), {})[0][0]

    found = asked("journal_mode"), asked("synchronous"), asked("busy_timeout")
    connection.rollback()
    connection.close()

    assert found == ("wal", 2, 5000)


async def test_a_full_disk_refuses_and_recovers(path: Path) -> None:
    """While nothing fits every caller is refused; afterwards the chain goes on without a gap."""

    def connect() -> SqliteConnection:
        connection = sqlite.open_writer(path, "truth", clock=lambda: 1.0)
        connection.run(Statement("PRAGMA max_page_count=60", (), {}), {})
        return connection

    store = SqlTruth(
        connect,
        lambda: SqlTrail(lambda: sqlite.open_reader(path), sqlite.DIALECT),
        dialect=sqlite.DIALECT,
        keys=KEYS,
        lanes=1,
        anchoring=Anchoring(),
    )
    answered: list[str] = []
    refused: list[str] = []
    reasons: set[str] = set()

    async def one() -> None:
        key = new_key()
        try:
            await store.apply(audited(ledger_key=key), begin(key), finish(key, result=b"x" * 3000))
            answered.append(key)
        except StoreError as error:
            refused.append(key)
            reasons.add(str(error))

    with anyio.fail_after(20):
        while not refused:
            async with anyio.create_task_group() as group:
                for _ in range(8):
                    group.start_soon(one)
    for row in [(await store.apply(LookUpWrite(key=key)))[0] for key in refused]:
        assert row is None
    with anyio.fail_after(20):
        await store.close()
    again, shared = open_store(f"sqlite:///{path}", keys=KEYS)
    await again.apply(audited())
    for row in [(await again.apply(LookUpWrite(key=key)))[0] for key in answered]:
        assert row is not None
    await again.close()
    await shared.close()
    trail = open_trail(f"sqlite:///{path}")
    found = verify(trail, KEYS)
    trail.close()

    assert answered and refused
    assert reasons == {"the disk is full"}
    assert found.faults == ()


async def test_a_locked_database_refuses_after_waiting(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process that holds the lock makes writes fail, and they work again once it lets go."""
    monkeypatch.setattr(sqlite, "BUSY_MS", 50)
    truth, shared = open_store(f"sqlite:///{path}", keys=KEYS)
    await truth.apply(audited())
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreError, match="locked"):
        await truth.apply(audited())
    other.execute("ROLLBACK")
    other.close()
    ((_, seq),) = await truth.apply(audited())
    await truth.close()
    await shared.close()

    assert seq == 2


@pytest.mark.parametrize("where", ["truth", "shared"])
async def test_a_file_that_is_no_database_is_refused(path: Path, where: str) -> None:
    """Nothing is written to it, and nothing hangs."""
    file = path if where == "truth" else path.with_name("placet.db.shared")
    content = b"these are notes of somebody else\n" * 300
    file.write_bytes(content)
    truth, shared = open_store(f"sqlite:///{path}", keys=KEYS)

    request = truth.apply(audited()) if where == "truth" else shared.get_token("k")

    with anyio.fail_after(10), pytest.raises(StoreError, match="corrupt"):
        await request
    await truth.close()
    await shared.close()

    assert file.read_bytes() == content


async def test_a_corrupted_database_is_refused(path: Path) -> None:
    """Overwritten pages are found when they are needed, and the write is refused."""
    truth, shared = open_store(f"sqlite:///{path}", keys=KEYS)
    for _ in range(100):
        await truth.apply(audited(), begin(new_key()))
    await truth.close()
    await shared.close()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)

    truth, shared = open_store(f"sqlite:///{path}", keys=KEYS)
    with anyio.fail_after(10), pytest.raises(StoreError, match="corrupt"):
        await truth.apply(audited(), begin(new_key()))
    await truth.close()
    await shared.close()


@pytest.mark.parametrize("fate", ["removed", "replaced"])
async def test_a_database_that_is_taken_away_stops_writes(path: Path, fate: str) -> None:
    """Writes do not go on into a file that no longer has a name, nor into a new and empty one."""
    truth, shared = open_store(f"sqlite:///{path}", keys=KEYS)
    await truth.apply(audited())
    path.rename(path.with_name("away.db"))
    if fate == "replaced":
        path.write_bytes(b"")

    for _ in range(2):
        with pytest.raises(StoreError, match="moved or replaced"):
            await truth.apply(audited())
    await truth.close()
    await shared.close()

    assert not path.exists() or path.read_bytes() == b""


async def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    """The error says that the database cannot be opened, and nothing is made."""
    truth, shared = open_store(f"sqlite:///{tmp_path / 'no' / 'placet.db'}", keys=KEYS)

    with pytest.raises(StoreError, match="cannot be opened"):
        await truth.apply(audited())
    await truth.close()
    await shared.close()

    assert list(tmp_path.iterdir()) == []


async def test_reading_makes_no_database(path: Path) -> None:
    """Looking at the audit of a store that is not there leaves no trace."""
    with pytest.raises(StoreError, match="no database"):
        open_trail(f"sqlite:///{path}")

    assert list(path.parent.iterdir()) == []


async def test_leases_do_not_wait_for_the_truths_lock(path: Path) -> None:
    """Shared state lies in a file of its own."""
    truth, shared = open_store(f"sqlite:///{path}", keys=KEYS)
    await truth.apply(audited())
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with anyio.fail_after(2):
        assert await shared.acquire("l", owner="a", ttl_s=1.0) is not None
    other.execute("ROLLBACK")
    other.close()
    await truth.close()
    await shared.close()


async def test_a_lease_and_a_window_run_out_by_the_clock(path: Path) -> None:
    """Another owner gets the lease, and another call the place, the moment its time has passed."""
    now = [1000.0]
    shared = open_shared(f"sqlite:///{path}", clock=lambda: now[0])
    first = await shared.acquire("l", owner="a", ttl_s=10.0)
    waits = [await shared.take("b", count=2, per_s=4.0)]
    now[0] = 1001.0
    waits += [await shared.take("b", count=2, per_s=4.0) for _ in range(2)]
    now[0] = 1004.0
    waits += [await shared.take("b", count=2, per_s=4.0) for _ in range(2)]
    now[0] = 1009.999
    held = await shared.acquire("l", owner="b", ttl_s=10.0)
    now[0] = 1010.0
    second = await shared.acquire("l", owner="b", ttl_s=10.0)
    await shared.close()

    assert waits == [0.0, 0.0, 3.0, 0.0, 1.0]
    assert (first, held, second) == (1_000_000, None, 1_010_000)


async def test_a_caller_that_gives_up_harms_nobody(path: Path) -> None:
    """Cancelled callers leave the others their answers and the chain whole."""
    truth, shared = open_store(f"sqlite:///{path}", keys=KEYS)
    await truth.apply(audited())
    done: list[int] = []

    async def one(number: int) -> None:
        if number % 2:
            with anyio.CancelScope() as scope:
                scope.cancel()
                await truth.apply(audited())
        else:
            await truth.apply(audited())
            done.append(number)

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            for number in range(40):
                group.start_soon(one, number)
    await truth.close()
    await shared.close()
    trail = open_trail(f"sqlite:///{path}")
    found = verify(trail, KEYS)
    trail.close()

    assert len(done) == 20
    assert found.is_whole
