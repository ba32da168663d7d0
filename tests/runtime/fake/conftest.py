"""A fake platform with two apps, a clock that stands still, and a plain client for each app."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from placet.testing import FakeFeishu
from tests.runtime.fake.client import PlainClient


class Clock:
    """Unix seconds that move only when told."""

    def __init__(self) -> None:
        self.now = 1_780_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def fake(clock: Clock) -> AsyncIterator[FakeFeishu]:
    async with FakeFeishu(apps={"cli_a1": "secret", "cli_b2": "other"}, clock=clock) as running:
        yield running


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as running:
        yield running


@pytest.fixture
def client(fake: FakeFeishu, session: aiohttp.ClientSession) -> PlainClient:
    return PlainClient(fake, session, "cli_a1", "secret")


@pytest.fixture
def other(fake: FakeFeishu, session: aiohttp.ClientSession) -> PlainClient:
    return PlainClient(fake, session, "cli_b2", "other")
