"""The contract suites, each against every store, with real servers."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from placet.contract.stores import SharedState, TruthStore
from placet.stores import open_shared, open_store
from tests.runtime.stores.approval_contract import ApprovalContract
from tests.runtime.stores.asking import KEYS
from tests.runtime.stores.document_contract import DocumentContract
from tests.runtime.stores.shared_contract import SharedContract
from tests.runtime.stores.truth_contract import TruthContract


async def truth_at(url: str) -> AsyncIterator[TruthStore]:
    store, shared = open_store(url, keys=KEYS)
    await shared.close()
    yield store
    await store.close()


async def shared_at(url: str) -> AsyncIterator[SharedState]:
    shared = open_shared(url)
    yield shared
    await shared.close()


class TestMemoryTruth(TruthContract, ApprovalContract, DocumentContract):
    @pytest.fixture
    async def store(self) -> AsyncIterator[TruthStore]:
        async for store in truth_at("memory://"):
            yield store


class TestSqliteTruth(TruthContract, ApprovalContract, DocumentContract):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[TruthStore]:
        async for store in truth_at(f"sqlite:///{tmp_path / 'placet.db'}"):
            yield store


class TestPostgresTruth(TruthContract, ApprovalContract, DocumentContract):
    @pytest.fixture
    async def store(self, postgres_url: str) -> AsyncIterator[TruthStore]:
        # One lane, as the suite follows one chain; what several lanes do is in test_postgres.
        async for store in truth_at(f"{postgres_url}?lanes=1"):
            yield store


class TestMemoryShared(SharedContract):
    @pytest.fixture
    async def shared(self) -> AsyncIterator[SharedState]:
        async for shared in shared_at("memory://"):
            yield shared


class TestSqliteShared(SharedContract):
    @pytest.fixture
    async def shared(self, tmp_path: Path) -> AsyncIterator[SharedState]:
        async for shared in shared_at(f"sqlite:///{tmp_path / 'placet.db'}"):
            yield shared


class TestPostgresShared(SharedContract):
    @pytest.fixture
    async def shared(self, postgres_url: str) -> AsyncIterator[SharedState]:
        async for shared in shared_at(postgres_url):
            yield shared


class TestRedisShared(SharedContract):
    @pytest.fixture
    async def shared(self, redis_url: str) -> AsyncIterator[SharedState]:
        async for shared in shared_at(redis_url):
            yield shared
