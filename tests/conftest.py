"""What every test shares: the guards over the run as a whole, and where the workspace lies."""

from pathlib import Path

import pytest

pytest_plugins = ["tests.floor", "tests.frozen_snapshots", "tests.servers"]


@pytest.fixture(scope="session")
def workspace() -> Path:
    """The root of the repository."""
    return Path(__file__).parent.parent


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run on asyncio, the only loop that our HTTP client knows."""
    return "asyncio"
