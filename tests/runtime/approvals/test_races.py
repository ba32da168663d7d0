"""Eight processes and a thousand proposals: each is claimed once and made once."""

import json
import sys
from collections import Counter
from pathlib import Path

import anyio
import pytest
from anyio.abc import ByteReceiveStream
from msgspec.structs import replace

from placet.approvals import ProposalLimits, Proposals
from placet.audit import verify
from placet.contract.approvals import ListApprovals
from placet.sealing import Sealer
from placet.stores import ChainKeys, open_store, open_trail
from placet.testing import FakeFeishu
from tests.runtime.approvals.clicker import CTX, KEYS, WRITE, gate_at

pytestmark = pytest.mark.anyio

PROCESSES, PROPOSALS = 8, 1000


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_thousand_proposals_clicked_by_eight_processes_at_once(
    request: pytest.FixtureRequest, tmp_path: Path, workspace: Path, kind: str
) -> None:
    """A thousand effects, a thousand claims, seven thousand who came too late, and whole chains."""
    url = (
        f"sqlite:///{tmp_path / 'placet.db'}" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    )
    async with FakeFeishu(apps={"cli_a1": "secret"}) as fake:
        base = fake.tenant("cli_a1").bitable.add_base()
        await _propose(url, fake.base_url, base.app_token)
        won: Counter[str] = Counter()
        with anyio.fail_after(240):
            processes = [
                await anyio.open_process(
                    [sys.executable, "-m", "tests.runtime.approvals.clicker", url, fake.base_url],
                    cwd=workspace,
                )
                for _ in range(PROCESSES)
            ]
            for process in processes:
                assert process.stdout is not None
                assert (await process.stdout.receive()).startswith(b"ready")
            for process in processes:
                assert process.stdin is not None
                await process.stdin.send(b"go\n")
            for process in processes:
                assert process.stdout is not None
                won.update(json.loads(await _rest(process.stdout)))
                assert await process.wait() == 0
        effects = sum(one.name.startswith("表") for one in base.tables.values())
    store, shared = open_store(url, keys=ChainKeys(KEYS))
    (rows,) = await store.apply(ListApprovals(tenant="cli_a1", most=5000))
    await shared.close()
    await store.close()
    trail = open_trail(url)
    report = verify(trail, ChainKeys(KEYS))
    trail.close()

    assert effects == PROPOSALS
    assert won == {
        "claimed": PROPOSALS,
        "result ok": PROPOSALS,
        "already_claimed": PROPOSALS * (PROCESSES - 1),
    }
    assert Counter(row.state for row in rows) == {"executed": PROPOSALS}
    assert report.faults == ()


async def _propose(url: str, base_url: str, app_token: str) -> None:
    store, shared = open_store(url, keys=ChainKeys(KEYS))
    async with gate_at(store, base_url) as gate:
        runtime = gate.runtime
        limits = ProposalLimits(here=10 * PROPOSALS, theirs=10 * PROPOSALS)
        many = Proposals(store, Sealer(KEYS), now=runtime.now, fresh_id=runtime.fresh_id, limits=limits)
        object.__setattr__(runtime, "approvals", many)
        places = anyio.Semaphore(64)

        async def one(number: int) -> None:
            async with places:
                arguments = {"app_token": app_token, "name": f"表{number}"}
                result = await gate.call(WRITE, arguments, replace(CTX, session=f"oc_{number % 50}"))
                assert result.kind == "pending"

        async with anyio.create_task_group() as group:
            for number in range(PROPOSALS):
                group.start_soon(one, number)
    await shared.close()
    await store.close()


async def _rest(stream: ByteReceiveStream) -> bytes:
    return b"".join([part async for part in stream])
