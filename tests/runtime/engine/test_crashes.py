"""Killed at every point of a turn: the write happens once or is said to be unknown, and the reply comes once.

The rows are those of the crash table of the design; what each came to is printed below the run.
"""

import json
import sys
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from placet.audit import verify
from placet.contract.approvals import ListApprovals
from placet.contract.documents import ListDocuments
from placet.engine import SealedSession
from placet.engine.history import session_key
from placet.engine.pairing import paired
from placet.sealing import Sealer
from placet.stores import ChainKeys, open_trail
from placet.testing import FakeFeishu
from tests.runtime.engine.conftest import MATRIX
from tests.runtime.engine.dying import decided, engine_at
from tests.runtime.gate.dying import KEYS

pytestmark = pytest.mark.anyio

AHEAD_S = 400.0
"""Past every lease, inside the time in which a yes may be acted on."""

KEYED, PLAIN = "bitable.add_record", "bitable.create_table"


class Office:
    """A base on the loopback platform, one store, and processes that die."""

    def __init__(self, fake: FakeFeishu, url: str, folder: Path, workspace: Path) -> None:
        self.fake, self.url, self.folder, self.workspace = fake, url, folder, workspace
        self.base = fake.tenant("cli_a1").bitable.add_base()
        self.table = self.base.add_table("任务", {"任务": "Text"})
        place = {"app_token": self.base.app_token}
        self.calls: dict[str, Any] = {
            KEYED: {**place, "table_id": self.table.table_id, "fields": {"任务": "写周报"}},
            PLAIN: {**place, "name": "新表"},
        }

    def effects(self, tool: str) -> int:
        if tool == KEYED:
            return len(self.table.records)
        return sum(one.name == "新表" for one in self.base.tables.values())

    @property
    def delivered(self) -> Counter[str]:
        """What people saw: a platform shows a message once however often it is sent under its id."""
        file = self.folder / "delivered"
        return Counter(set(file.read_text(encoding="utf-8").split())) if file.exists() else Counter()

    async def die(self, tool: str, point: str) -> None:
        wanted = json.dumps([tool, self.calls[tool]])
        place = [self.url, self.fake.base_url, str(self.folder), wanted, point]
        process = await anyio.open_process(
            [sys.executable, "-m", "tests.runtime.engine.dying", *place], cwd=self.workspace
        )
        assert process.stderr is not None
        faults = b"".join([part async for part in process.stderr]).decode()
        assert await process.wait() == 9, faults


@pytest.fixture(params=["sqlite", "postgresql"])
async def office(request: pytest.FixtureRequest, tmp_path: Path, workspace: Path) -> AsyncIterator[Office]:
    url = (
        f"sqlite:///{tmp_path / 'placet.db'}"
        if request.param == "sqlite"
        else request.getfixturevalue("postgres_url")
    )
    async with FakeFeishu(apps={"cli_a1": "secret"}) as fake:
        yield Office(fake, url, tmp_path, workspace)


POINTS = [
    # the tool, the row, where the process dies, effects by then
    pytest.param(KEYED, "R0 wanted, not asked about", "resuming:after", 0, id="R0"),
    pytest.param(KEYED, "R1 wanted, not proposed", "suspended:before", 0, id="R1"),
    pytest.param(KEYED, "R2 proposed, not told", "suspended:after", 0, id="R2"),
    pytest.param(KEYED, "R3 told, not marked", "deliver:approval", 0, id="R3"),
    pytest.param(KEYED, "A before the claim", "decide:before", 0, id="A"),
    pytest.param(KEYED, "B claimed, nothing begun", "decide:after", 0, id="B"),
    pytest.param(KEYED, "C begun, not sent", "intent:after", 0, id="C"),
    pytest.param(KEYED, "D sent, not recorded", "answer", 1, id="D"),
    pytest.param(PLAIN, "C begun, not sent", "intent:after", 0, id="C-without-a-native-key"),
    pytest.param(PLAIN, "D sent, not recorded", "answer", 1, id="D-without-a-native-key"),
    pytest.param(KEYED, "E recorded and settled, not resumed", "finish:after", 1, id="E"),
    pytest.param(KEYED, "F resuming, model not asked", "resuming:after:2", 1, id="F"),
    pytest.param(KEYED, "G outputs in the session", "reads-on", 1, id="G"),
    pytest.param(KEYED, "H replied, not recorded", "done:before", 1, id="H"),
    pytest.param(KEYED, "I recorded, not delivered", "done:after", 1, id="I"),
    pytest.param(KEYED, "J delivered, not marked", "deliver:reply", 1, id="J"),
]


@pytest.mark.parametrize(("tool", "row", "point", "effects"), POINTS)
async def test_a_turn_that_dies_anywhere_ends_well(
    office: Office, tool: str, row: str, point: str, effects: int
) -> None:
    """Sweep, click again where it still waits, sweep: one effect at most, one card and one reply, whole records."""
    with anyio.fail_after(90):
        await office.die(tool, point)
        assert office.effects(tool) == effects
        async with engine_at(
            office.url, office.fake.base_url, office.folder, tool, office.calls[tool], ahead_s=AHEAD_S
        ) as (engine, store):
            await engine.sweep()
            asked = ListApprovals(tenant="cli_a1", states=("awaiting_confirmation",))
            (open_rows,) = await store.apply(asked)
            for one in open_rows:
                assert await decided(engine, store, one.id) == "claimed"
            await engine.sweep()
            (rows,) = await store.apply(ListApprovals(tenant="cli_a1"))
            (runs,) = await store.apply(ListDocuments(kind="run"))
            session = SealedSession(
                store, Sealer(KEYS), session_id=session_key("cli_a1", "oc_1"), tenant="cli_a1"
            )
            items = await session.get_items()
    trail = open_trail(office.url)
    is_whole = verify(trail, ChainKeys(KEYS)).is_whole
    trail.close()

    (state,) = {one.state for one in rows if one.state != "superseded"}
    done, cards = office.effects(tool), [one for one in office.delivered if one.endswith(".notice")]
    MATRIX.append(
        f"{'sqlite' if 'sqlite' in office.url else 'postgresql':<11} {tool:<22} {row:<38}"
        f" effects {done}  approval {state:<18} run {runs[0].state}"
    )
    is_unsure = tool == PLAIN
    assert (done, state) == ((effects, "execution_unknown") if is_unsure else (1, "executed"))
    assert [one.state for one in runs] == ["done"]
    assert [one.endswith(".reply") for one in office.delivered if one not in cards] == [True]
    assert len(cards) == 1
    assert paired(items) == items
    assert str(items[-1]).count("it is unknown" if is_unsure else "it is ok") == 1
    assert is_whole
