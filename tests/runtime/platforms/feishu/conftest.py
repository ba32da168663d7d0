"""The platform over the real transport and token cache, against the loopback platform."""

from collections.abc import AsyncIterator

import pytest

from placet.contract.platform import UserToken
from placet.platforms.feishu.platform import FeishuPlatform
from placet.testing import FakeFeishu
from placet.tokens import CredentialCache
from placet.transport.pool import Transport
from placet.transport.services import RuntimeServices


class Clock:
    """Unix seconds that move only when told."""

    def __init__(self) -> None:
        self.now = 1_780_000_000.0

    def __call__(self) -> float:
        return self.now


class Logins:
    """`UserTokens` in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], UserToken] = {}

    async def get(self, app: str, subject: str) -> UserToken | None:
        return self.kept.get((app, subject))

    async def put(
        self, app: str, subject: str, token: UserToken, *, replaces: UserToken | None = None
    ) -> bool:
        if replaces is not None and self.kept.get((app, subject)) != replaces:
            return False
        self.kept[app, subject] = token
        return True


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def logins() -> Logins:
    return Logins()


@pytest.fixture
async def fake(clock: Clock) -> AsyncIterator[FakeFeishu]:
    async with FakeFeishu(apps={"cli_a1": "s3cret-of-a1", "cli_b2": "other"}, clock=clock) as running:
        yield running


@pytest.fixture
async def transport() -> AsyncIterator[Transport]:
    running = Transport(lambda tenant: tenant.base_url or "")
    yield running
    await running.close()


@pytest.fixture
def platform(transport: Transport, clock: Clock, logins: Logins) -> FeishuPlatform:
    services = RuntimeServices(transport, CredentialCache(clock=clock), clock=clock)
    return FeishuPlatform(services, users=logins)
