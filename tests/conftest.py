"""What every test shares: the guards over the run as a whole, and where the workspace lies."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A gate must say the same of the same code twice; a person's run looks at new examples each time. No deadlines: the
# machines are shared, and time is the bench's business.
settings.register_profile("person", deadline=None)
settings.register_profile("gate", deadline=None, derandomize=True)
settings.load_profile("gate" if os.environ.get("CI") else "person")

pytest_plugins = ["tests.floor", "tests.frozen_snapshots", "tests.servers"]


@pytest.fixture(scope="session")
def workspace() -> Path:
    """The root of the repository."""
    return Path(__file__).parent.parent


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run on asyncio, the only loop that our HTTP client knows."""
    return "asyncio"
