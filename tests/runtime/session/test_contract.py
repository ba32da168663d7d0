"""The contract against every kind of store, with a real server; and what only durable stores can promise."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from placet.contract.documents import ListDocuments
from placet.contract.stores import StoreError
from placet.sealing import SealBroken, Sealer
from placet.session import (
    ClaimResult,
    DocumentPendingApprovalStore,
    DocumentSessionStore,
    InMemoryPendingApprovalStore,
    InMemoryPendingAuthorizationStore,
    InMemorySessionStore,
    PendingApprovalStore,
    PendingAuthorizationStore,
    SessionStore,
)
from placet.session.shelves import TRIES, DocumentShelf, Row
from placet.stores import open_store
from tests.runtime.session.claimer import NUMBERS
from tests.runtime.session.contract import SEALER, Kit, StoresContract, approval, said
from tests.runtime.stores.asking import KEYS

pytestmark = pytest.mark.anyio


async def kit_at(url: str) -> AsyncIterator[Kit]:
    truth, shared = open_store(url, keys=KEYS)
    yield Kit(truth)
    await shared.close()
    await truth.close()


class TestMemory(StoresContract):
    @pytest.fixture
    def kit(self) -> Kit:
        return Kit(None)


class TestDocumentsInMemory(StoresContract):
    @pytest.fixture
    async def kit(self) -> AsyncIterator[Kit]:
        async for kit in kit_at("memory://"):
            yield kit


class TestSqlite(StoresContract):
    @pytest.fixture
    async def kit(self, tmp_path: Path) -> AsyncIterator[Kit]:
        async for kit in kit_at(f"sqlite:///{tmp_path / 'placet.db'}"):
            yield kit


class TestPostgres(StoresContract):
    @pytest.fixture
    async def kit(self, postgres_url: str) -> AsyncIterator[Kit]:
        async for kit in kit_at(postgres_url):
            yield kit


@pytest.fixture
async def kit(tmp_path: Path) -> AsyncIterator[Kit]:
    async for kit in kit_at(f"sqlite:///{tmp_path / 'placet.db'}"):
        yield kit


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_of_several_processes_one_claims_each(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, workspace: Path
) -> None:
    """Locks of a process are none between processes; every claim is won once, and no update is lost."""
    url = f"sqlite:///{tmp_path / 'p.db'}" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    async for kit in kit_at(url):
        for name in (*map(str, NUMBERS), "counted"):
            await kit.approvals().put(approval(name, extra={}))
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.runtime.session.claimer", url],
            cwd=workspace,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    ready = [one.stdout.readline() for one in processes if one.stdout is not None]
    for one in processes:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    ended = [json.loads(one.communicate(timeout=60)[0]) for one in processes]

    assert ready == ["ready\n"] * 4
    for number in NUMBERS:
        claims = Counter(claims[str(number)] for claims, _ in ended)
        assert claims == {"claimed": 1, "already_claimed": 3}
    assert sorted(count for _, counts in ended for count in counts) == list(range(1, 21))


async def test_what_waits_survives_its_process(tmp_path: Path) -> None:
    """A store opened anew goes on where the other was."""
    url = f"sqlite:///{tmp_path / 'placet.db'}"
    async for kit in kit_at(url):
        await kit.approvals().put(approval())
        await kit.approvals().claim("ap_1", expected_payload_sha256="abc")
        await kit.sessions().append("oc_1", said("a"))
    async for kit in kit_at(url):
        again = await kit.approvals().claim("ap_1", expected_payload_sha256="abc")
        talk = await kit.sessions().get("oc_1")

    assert again is ClaimResult.ALREADY_CLAIMED
    assert talk == [said("a")]


def test_the_stores_are_what_the_protocols_ask_for() -> None:
    """To a type checker, and at run time."""
    sessions: SessionStore = InMemorySessionStore()
    approvals: PendingApprovalStore = InMemoryPendingApprovalStore()
    authorizations: PendingAuthorizationStore = InMemoryPendingAuthorizationStore()

    assert isinstance(sessions, SessionStore)
    assert isinstance(approvals, PendingApprovalStore)
    assert isinstance(authorizations, PendingAuthorizationStore)


async def test_a_newer_proposal_whose_process_died_still_supersedes(kit: Kit) -> None:
    """The word to the old row was never written; a claim looks for itself."""
    store = kit.approvals()
    await store.put(approval("old"))
    kit.at += 1
    await store._put(store._kept_of(approval("new", created_message_id="om_2"), kit.at), "new")

    assert await store.claim("old", expected_payload_sha256="abc") is ClaimResult.SUPERSEDED


async def test_nothing_of_a_record_is_readable_and_another_key_is_an_error(kit: Kit, tmp_path: Path) -> None:
    """Arguments and words lie sealed; who has not the key has no empty history but an error."""
    await kit.approvals().put(approval(arguments={"secret": "open sesame"}))
    await kit.sessions().append("oc_1", said("open sesame"))
    assert kit.truth is not None
    bodies = []
    for kind in ("pending approval", "conversation"):
        (found,) = await kit.truth.apply(ListDocuments(kind=kind))
        bodies += [one.body for one in found]
    other = Sealer([b"another key, as long as it must be, or longer"])

    assert len(bodies) == 2
    assert not any(b"sesame" in body for body in bodies)
    with pytest.raises(SealBroken):
        await DocumentPendingApprovalStore(kit.truth, other, tenant="cli_a").get("ap_1")
    with pytest.raises(SealBroken):
        await DocumentSessionStore(kit.truth, other, tenant="cli_a").get("oc_1")


async def test_a_row_that_never_holds_still_is_an_error(kit: Kit) -> None:
    """A change begins anew a bounded number of times, and says so in the end."""
    assert kit.truth is not None
    shelf = DocumentShelf(kit.truth, SEALER, kind="row", tenant="cli_a")
    other = DocumentShelf(kit.truth, SEALER, kind="row", tenant="cli_a")
    tries = []

    class Restless(DocumentShelf):
        async def _found(self, identifier: str):  # type: ignore[no-untyped-def] # as its base
            found = await super()._found(identifier)
            tries.append(found)
            await other.change("a", lambda old: (None, Row(b"%d" % len(tries))))
            return found

    shelf = Restless(kit.truth, SEALER, kind="row", tenant="cli_a")
    with pytest.raises(StoreError):
        await shelf.change("a", lambda old: (None, Row(b"mine")))

    assert len(tries) == TRIES
