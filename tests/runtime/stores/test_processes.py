"""Several processes over one store, and a process that is killed: nothing happens twice and nothing is lost."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from placet.audit import verify
from placet.contract.stores import LookUpWrite
from placet.stores import Record, open_store, open_trail
from tests.runtime.stores.asking import KEYS
from tests.runtime.stores.contender import NAMES, PER_WINDOW

PROCESSES = 8
ANSWERS = 300


def started(workspace: Path, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("contender.py")), *arguments],
        cwd=workspace,
        env={**os.environ, "PYTHONPATH": str(workspace)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def raced(workspace: Path, truth: str, shared: str) -> list[dict[str, Any]]:
    """What each of the processes won, when all began at the same time."""
    processes = [started(workspace, "race", truth, shared) for _ in range(PROCESSES)]
    ready = [process.stdout.readline() for process in processes if process.stdout is not None]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    ended = [(*process.communicate(timeout=60), process.returncode) for process in processes]
    assert [(err, code) for _, err, code in ended] == [("", 0)] * PROCESSES
    assert ready == ["ready\n"] * PROCESSES
    return [json.loads(out) for out, _, _ in ended]


@pytest.fixture(params=["sqlite", "postgresql", "redis"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """Addresses of truth and shared state; "-" where a kind has no truth."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'placet.db'}"
        return url, url
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_url")
        return url, url
    return "-", request.getfixturevalue("redis_url")


def test_eight_processes_race(workspace: Path, stores: tuple[str, str]) -> None:
    """One `started` a key, one owner a lease, one winner a token version, as many places as fit; chains are whole."""
    truth, shared = stores

    won = raced(workspace, truth, shared)
    begun = Counter(number for one in won for number in one["started"])
    leases = Counter(number for one in won for number in one["leases"])
    versions = Counter(number for one in won for number in one["versions"])

    assert leases == dict.fromkeys(map(str, range(NAMES)), 1)
    assert set(versions.values()) == {1}
    assert max(versions) == NAMES - 1
    assert sum(one["places"] for one in won) == PER_WINDOW
    if truth != "-":
        trail = open_trail(truth)
        found = verify(trail, KEYS)
        trail.close()
        assert begun == dict.fromkeys(range(NAMES), 1)
        assert found.faults == ()
        assert len(found.chains) >= PROCESSES
        assert all(chain.is_closed for chain in found.chains)


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_killed_process_loses_nothing_it_answered(
    workspace: Path, tmp_path: Path, request: pytest.FixtureRequest, kind: str
) -> None:
    """After kill -9 amid group commits each answered write is there, with its record, and the chains are whole."""
    url = f"sqlite:///{tmp_path / 'placet.db'}"
    if kind == "postgresql":
        url = request.getfixturevalue("postgres_url")
    process = started(workspace, "write", url)
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(ANSWERS)]
    process.kill()
    rest, errors = process.communicate(timeout=30)
    # The last line may have been cut by the kill; what it says was answered all the same.
    told = [line.split() for line in [*lines, *rest.splitlines(keepends=True)] if line.endswith("\n")]
    answered = {(word, key) for word, key in told}

    truth, shared = open_store(url, keys=KEYS)
    rows = {key: (await truth.apply(LookUpWrite(key=key)))[0] for _, key in answered}
    await truth.close()
    await shared.close()
    trail = open_trail(url)
    found = verify(trail, KEYS)
    bodies = [
        record.body
        for chain in trail.chains()
        for record in trail.records(chain)
        if isinstance(record, Record)
    ]
    trail.close()
    recorded = Counter(
        (entry["event"], entry["ledger_key"]) for entry in map(json.loads, bodies) if entry["ledger_key"]
    )

    assert errors == ""
    assert len(answered) >= ANSWERS
    assert [key for word, key in answered if rows[key] is None] == []
    assert [key for word, key in answered if word == "ended" and rows[key].status != "succeeded"] == []
    assert [key for word, key in answered if recorded["intent", key] != 1] == []
    assert [key for word, key in answered if word == "ended" and recorded["outcome", key] != 1] == []
    assert found.faults == ()
