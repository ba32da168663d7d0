"""A host over the loopback platform: 张三 asks, and the writes that a test names are allowed without asking him."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from placet.contract.call import Actor, CallContext
from placet.contract.platform import Secret, Tenant, UserToken
from placet.contract.policy import Decision, Policy, Proposal
from placet.contract.result import Result
from placet.contract.words import Identity
from placet.files import FileStore
from placet.gate import Gate
from placet.stores.memory import MemoryTruth
from placet.surfaces import installed_surfaces
from placet.testing import FakeFeishu, Received

__all__ = ["APP", "ASKER", "Host", "hosted"]

APP = "cli_a1"
ASKER = "ou_zs"


class Host:
    """Calls tools through a gate and reads what arrived at the platform."""

    def __init__(self, fake: FakeFeishu, gate: Gate) -> None:
        self.fake, self._gate = fake, gate

    async def result(
        self, tool: str, arguments: dict[str, Any], identity: Identity = Identity.TENANT
    ) -> Result[Any]:
        actor = Actor(user=ASKER, ids={"open_id": ASKER})
        ctx = CallContext(app=APP, identity=identity, actor=actor, session="c1", result_chars=None)
        return await self._gate.call(tool, arguments, ctx)

    async def ask(
        self, tool: str, identity: Identity = Identity.TENANT, /, **arguments: Any
    ) -> dict[str, Any]:
        """What the tool answers; anything but an answer fails the test."""
        value = (await self.result(tool, arguments, identity)).unwrap()
        assert isinstance(value, dict)
        return value

    @property
    def last(self) -> Received:
        """The request that arrived last."""
        return self.fake.calls()[-1]


class _Logins:
    """The asker's login and nobody else's."""

    def __init__(self, token: UserToken) -> None:
        self._token = token

    async def get(self, app: str, subject: str) -> UserToken | None:
        return self._token if (app, subject) == (APP, ASKER) else None

    async def put(
        self, app: str, subject: str, token: UserToken, *, replaces: UserToken | None = None
    ) -> bool:
        self._token = token
        return True


@asynccontextmanager
async def hosted(
    *, writes: tuple[str, ...] = (), reads: tuple[str, ...] = ("*",), files: FileStore | None = None
) -> AsyncIterator[Host]:
    """A host whose policy allows these writes; `reads` names sensitive ones besides."""
    policy = Policy(
        reads=reads,
        write_allow=writes,
        unattended=writes,
        identities=(Identity.TENANT, Identity.USER),
        calls_per_turn=1000,
    )
    async with FakeFeishu(apps={APP: "s3cret"}) as fake:
        given = fake.user_tokens(APP, ASKER)
        token = UserToken(access=Secret(given.access), access_expires_at=time.time() + 3600)
        tenant = Tenant(
            app=APP,
            platform="feishu",
            brand="feishu",
            secret=Secret("s3cret"),
            base_url=fake.base_url,
            identities=(Identity.TENANT, Identity.USER),
        )
        async with Gate(
            surfaces=installed_surfaces(),
            tenants=[tenant],
            store=MemoryTruth(),
            policy=policy,
            authoriser=_allow,
            users=_Logins(token),
            files=files,
        ) as gate:
            yield Host(fake, gate)


async def _allow(proposal: Proposal) -> Decision:
    return Decision.ALLOW
