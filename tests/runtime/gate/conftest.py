"""A host over the made-up shop, for every test of this room."""

import pytest

from tests.runtime.gate.world import World


@pytest.fixture
def world() -> World:
    return World()
