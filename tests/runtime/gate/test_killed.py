"""A process that is killed anywhere around a write: never a second effect, never a lost record, at worst unknown."""

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.abc import Process

from placet.audit import verify
from placet.stores import ChainKeys, Record, open_trail
from placet.testing import FakeFeishu, Fault, Received
from tests.runtime.gate.dying import KEYS, called

pytestmark = pytest.mark.anyio

LEASE_S = 120.0
"""Four total deadlines: after it a write that nobody finished is held to be abandoned."""

SOON_S, LATE_S = LEASE_S + 60, 100_000.0


class Office:
    """A base on the loopback platform, and processes that write to it."""

    def __init__(self, fake: FakeFeishu, url: str, workspace: Path) -> None:
        self.fake, self.url, self.workspace = fake, url, workspace
        base = fake.tenant("cli_a1").bitable.add_base()
        self.table = base.add_table("任务", {"任务": "Text"})
        self.base = base
        place = {"app_token": base.app_token, "idempotency_key": "k1"}
        self.calls = {
            "bitable.add_record": {**place, "table_id": self.table.table_id, "fields": {"任务": "写周报"}},
            "bitable.create_table": {**place, "name": "新表"},
        }

    def effects(self, tool: str) -> int:
        """How often the platform did it."""
        if tool == "bitable.add_record":
            return len(self.table.records)
        return sum(one.name == "新表" for one in self.base.tables.values())

    async def start(self, tool: str, point: str) -> Process:
        """The call in a process of its own."""
        place = [self.url, self.fake.base_url, tool, json.dumps(self.calls[tool]), point]
        return await anyio.open_process(
            [sys.executable, "-m", "tests.runtime.gate.dying", *place], cwd=self.workspace
        )

    async def die(self, tool: str, point: str) -> None:
        """The call in a process that dies there."""
        process = await self.start(tool, point)
        assert process.stderr is not None
        faults = b"".join([part async for part in process.stderr]).decode()
        assert await process.wait() == 9, faults

    async def call(self, tool: str, ahead_s: float = 0.0) -> list[Any]:
        """What the same call comes back as in this process, whose clock is ahead."""
        return await called(self.url, self.fake.base_url, tool, json.dumps(self.calls[tool]), ahead_s=ahead_s)


@pytest.fixture(params=["sqlite", "postgresql"])
async def office(request: pytest.FixtureRequest, tmp_path: Path, workspace: Path) -> AsyncIterator[Office]:
    url = (
        f"sqlite:///{tmp_path / 'placet.db'}"
        if request.param == "sqlite"
        else request.getfixturevalue("postgres_url")
    )
    async with FakeFeishu(apps={"cli_a1": "secret"}) as fake:
        yield Office(fake, url, workspace)


def audited(url: str) -> list[str]:
    """The events of the audit, once its chains are known to be whole."""
    trail = open_trail(url)
    try:
        assert verify(trail, ChainKeys(KEYS)).faults == ()
        found = trail.latest(1000)
        return [json.loads(one.body)["event"] for one in found if isinstance(one, Record)]
    finally:
        trail.close()


def is_write(received: Received) -> bool:
    return received.method == "POST" and received.path.startswith("/open-apis/bitable/")


KEYED, PLAIN = "bitable.add_record", "bitable.create_table"
REFUSED_MEANWHILE = ["refused", "in_flight", False]

POINTS = [
    # where it dies, effects by then, what the same call comes to at once, after the lease, and long after
    pytest.param("intent:before", 0, ["ok", "", False], None, id="before-the-intent"),
    pytest.param("intent:after", 0, REFUSED_MEANWHILE, "abandoned", id="after-the-intent"),
    pytest.param("answer", 1, REFUSED_MEANWHILE, "abandoned", id="after-the-answer"),
    pytest.param("finish:before", 1, REFUSED_MEANWHILE, "abandoned", id="before-the-finish"),
    pytest.param("finish:after", 1, ["ok", "", True], None, id="after-the-finish"),
]


@pytest.mark.parametrize("tool", [KEYED, PLAIN], ids=["with-a-native-key", "without"])
@pytest.mark.parametrize(("point", "effects", "at_once", "later"), POINTS)
async def test_a_killed_process_leaves_no_second_effect_and_no_gap(
    office: Office, tool: str, point: str, effects: int, at_once: list[Any], later: str | None
) -> None:
    """Whoever repeats the call, now or after the lease, adds nothing to what was done, and the audit is whole."""
    with anyio.fail_after(60):
        await office.die(tool, point)
        assert office.effects(tool) == effects
        assert await office.call(tool) == at_once
        if later is None:
            assert office.effects(tool) == 1
            assert await office.call(tool, ahead_s=LATE_S) == ["ok", "", True]
        else:
            assert office.effects(tool) == effects
            after = await office.call(tool, ahead_s=SOON_S)
            # Under the platform's own key it is sent again and done once; without one nobody may send it again.
            assert after == (["ok", "", False] if tool == KEYED else ["unknown", "", False])
            assert office.effects(tool) == (1 if tool == KEYED else effects)
            late = await office.call(tool, ahead_s=LATE_S)
            assert late == (["ok", "", True] if tool == KEYED else ["unknown", "", False])
        assert office.effects(tool) <= 1
        events = audited(office.url)

    assert events.count("intent") >= 1
    assert events.count("outcome") >= 1


@pytest.mark.parametrize("tool", [KEYED, PLAIN], ids=["with-a-native-key", "without"])
@pytest.mark.parametrize("effect", ["applied", "none"])
async def test_a_process_killed_during_the_request(office: Office, tool: str, effect: Any) -> None:
    """SIGKILL while the platform holds the request: once or never, and unknown where nobody can tell."""
    fault = Fault(effect=effect, hold=anyio.Event(), drop=True, times=1)
    injection = office.fake.inject(is_write, fault)
    with anyio.fail_after(60):
        process = await office.start(tool, "")
        await injection.reached.wait()
        process.kill()
        await process.wait()
        assert fault.hold is not None
        fault.hold.set()
        done = 1 if effect == "applied" else 0
        assert office.effects(tool) == done
        assert await office.call(tool) == REFUSED_MEANWHILE
        late = await office.call(tool, ahead_s=LATE_S)

    assert late == ["unknown", "", False]
    assert office.effects(tool) == done
    assert "intent" in audited(office.url)
