"""What is peculiar to PostgreSQL: connections that end, servers that do not answer, several lanes."""

import socket

import anyio
import psycopg
import pytest

from placet.audit import Verification, verify
from placet.contract.stores import LookUpWrite, StoredToken, StoreError
from placet.stores import OpenTruth, open_shared, open_store
from tests.runtime.stores.asking import KEYS, audited, begin, new_key

pytestmark = pytest.mark.anyio

END_OTHERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'placet'
"""


async def test_connections_that_are_ended_are_opened_again(postgres_url: str) -> None:
    """While the server ends connections nothing answered is lost, and soon everything works again."""
    truth, shared = open_store(f"{postgres_url}?lanes=2", keys=KEYS)
    answered: list[str] = []
    refused: list[str] = []

    async def one() -> None:
        key = new_key()
        try:
            await truth.apply(audited(ledger_key=key), begin(key))
            answered.append(key)
        except StoreError:
            refused.append(key)

    async def caller() -> None:
        while len(answered) < 400:
            await one()

    with anyio.fail_after(30), psycopg.connect(postgres_url, autocommit=True) as other:
        async with anyio.create_task_group() as group:
            for _ in range(16):
                group.start_soon(caller)
            for goal in (50, 150, 250):
                while len(answered) < goal:
                    await one()
                other.execute(END_OTHERS)
    rows = {key: (await truth.apply(LookUpWrite(key=key)))[0] for key in [*answered, *refused]}
    await truth.close()
    await shared.close()
    trail = truth.trail()
    found = verify(trail, KEYS)
    trail.close()

    assert [key for key in answered if rows[key] is None] == []
    assert [key for key in refused if rows[key] is not None] == []
    assert found.faults == ()


@pytest.mark.parametrize("kind", ["truth", "shared"])
async def test_a_server_that_is_down_is_an_error_without_its_address(kind: str) -> None:
    """Nobody waits for ever, and neither password nor host is in the error."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"postgresql://someone:hunter2@127.0.0.1:{taken.getsockname()[1]}/db"
        truth, shared = open_store(url, keys=KEYS)
        request = truth.apply(audited()) if kind == "truth" else shared.take("b", count=1, per_s=1.0)
        with anyio.fail_after(10), pytest.raises(StoreError) as caught:
            await request
        await truth.close()
        await shared.close()

    assert "hunter2" not in repr(caught.value) and "127.0.0.1" not in repr(caught.value)
    assert caught.value.__cause__ is None


async def test_each_lane_has_a_chain_and_they_anchor_each_other(postgres_url: str) -> None:
    """Two connections write two chains; each that is closed is vouched for, or closed by its own record."""
    truth, shared = open_store(f"{postgres_url}?lanes=2", keys=KEYS, anchor_records=5)

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            for _ in range(300):
                group.start_soon(truth.apply, audited())
        while len((found := _verified(truth)).chains) < 2:
            async with anyio.create_task_group() as group:
                for _ in range(300):
                    group.start_soon(truth.apply, audited())
        for _ in range(20):
            await truth.apply(audited())
    await truth.close()
    await shared.close()
    found = _verified(truth)

    assert found.faults == ()
    assert [chain.is_closed for chain in found.chains] == [True, True]
    assert any(chain.anchored_to for chain in found.chains)


async def test_a_waiting_row_lock_ends_in_an_answer(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else's open transaction on a key costs a bounded wait and then an error, not a hang."""
    monkeypatch.setattr("placet.stores.sql.postgres.STATEMENT_MS", 200)
    truth, shared = open_store(f"{postgres_url}?lanes=1", keys=KEYS)
    key = new_key()
    await truth.apply(begin(key))

    with psycopg.connect(postgres_url) as other, anyio.fail_after(10):
        other.execute("UPDATE placet_ledger SET tenant = 'x' WHERE key = %s", (key,))
        with pytest.raises(StoreError, match="unavailable"):
            await truth.apply(audited(), begin(key, token="t2"))
        other.rollback()
    ((_, seq), again) = await truth.apply(audited(), begin(key, token="t2"))
    await truth.close()
    await shared.close()

    assert seq == 1
    assert again.verdict == "in_flight"


async def test_opposite_orders_of_keys_do_not_deadlock(postgres_url: str) -> None:
    """Two lanes that get the same keys in opposite orders both finish."""
    truth, shared = open_store(f"{postgres_url}?lanes=2", keys=KEYS)
    keys = [new_key() for _ in range(60)]
    verdicts: list[str] = []

    async def one(key: str, token: str) -> None:
        (answer,) = await truth.apply(begin(key, token=token))
        verdicts.append(answer.verdict)

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            for key, opposite in zip(keys, reversed(keys), strict=True):
                group.start_soon(one, key, "a")
                group.start_soon(one, opposite, "b")
    await truth.close()
    await shared.close()

    assert sorted(verdicts) == ["in_flight"] * 60 + ["started"] * 60


async def test_tokens_are_committed_to_disk_and_leases_need_not_be(postgres_url: str) -> None:
    """A shared store works with and without durable commits on one connection."""
    shared = open_shared(postgres_url)

    async def one(number: int) -> None:
        await shared.acquire(f"l{number}", owner="a", ttl_s=5.0)
        await shared.put_token(f"k{number}", StoredToken(sealed=b"x", expires_at=1.0, version=1))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(one, number)
    kept = [await shared.get_token(f"k{number}") for number in range(20)]
    await shared.close()

    assert None not in kept


def _verified(truth: OpenTruth) -> Verification:
    trail = truth.trail()
    try:
        return verify(trail, KEYS)
    finally:
        trail.close()
