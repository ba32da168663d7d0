"""A desk at work: a gate over the loopback platform, the app and one logged-in person behind it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import placet_feishu
from placet.contract.call import Actor, CallContext
from placet.contract.platform import Secret, Tenant, UserToken
from placet.contract.policy import Policy
from placet.contract.words import Identity
from placet.files import MemoryFiles
from placet.gate import Gate
from placet.stores.memory import MemoryTruth
from placet.testing import FakeFeishu, Received
from tests.runtime.gate.world import allow

__all__ = ["ACTOR", "APP", "Desk", "desk"]

APP, ACTOR = "cli_work", "ou_zhang"


class Desk:
    """What a test does at the desk: calls that must go well, and a look at what arrived."""

    def __init__(self, fake: FakeFeishu, gate: Gate, files: MemoryFiles, identity: Identity) -> None:
        self.fake, self.gate, self.files = fake, gate, files
        self.ctx = CallContext(app=APP, actor=Actor(user=ACTOR), session="oc_work", identity=identity)

    async def do(self, tool: str, **arguments: Any) -> Any:
        """The data of a call; anything but success fails the test."""
        result = await self.gate.call(tool, arguments, self.ctx)
        assert result.kind == "ok", (tool, result)
        return result.unwrap()

    async def sent(self, tool: str, **arguments: Any) -> Received:
        """The last request of a call that goes well."""
        await self.do(tool, **arguments)
        return self.fake.calls()[-1]


@asynccontextmanager
async def desk(
    *domains: str,
    identities: tuple[Identity, ...] = (Identity.USER, Identity.TENANT),
    unattended: bool = True,
) -> AsyncIterator[Desk]:
    """Every tool of the domains is enabled by name; writes go unattended unless told otherwise.

    Args:
        identities: Whose tokens may be used; calls carry the first.
    """
    tools = [one for one in placet_feishu.surface.tools if one.name.partition(".")[0] in domains]
    writes = tuple(one.name for one in tools if one.risk.is_write)
    policy = Policy(
        reads=("*", *(one.name for one in tools if one.sensitive)),
        write_allow=writes,
        unattended=writes if unattended else (),
        identities=identities,
        calls_per_turn=1000,
        result_chars=None,
    )
    async with FakeFeishu(apps={APP: "s"}) as fake:
        tenant = Tenant(
            app=APP,
            platform="feishu",
            brand="feishu",
            secret=Secret("s"),
            identities=identities,
            base_url=fake.base_url,
        )
        files = MemoryFiles()
        async with Gate(
            surfaces=[placet_feishu.surface],
            tenants=[tenant],
            store=MemoryTruth(),
            policy=policy,
            authoriser=allow,
            users=_Logins(lambda: _token(fake)),
            files=files,
        ) as gate:
            yield Desk(fake, gate, files, identities[0])


def _token(fake: FakeFeishu) -> UserToken:
    tokens = fake.user_tokens(APP, ACTOR)
    return UserToken(access=Secret(tokens.access), access_expires_at=4e9)


class _Logins:
    """Everybody is logged in."""

    def __init__(self, make: Callable[[], UserToken]) -> None:
        self._make = make
        self._kept: UserToken | None = None

    async def get(self, app: str, subject: str) -> UserToken | None:
        self._kept = self._kept or self._make()
        return self._kept

    async def put(
        self, app: str, subject: str, token: UserToken, *, replaces: UserToken | None = None
    ) -> bool:
        return False
