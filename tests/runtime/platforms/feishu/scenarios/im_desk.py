"""A gate for whole flows of messages, groups, cards and mail: everything is enabled, writes run unattended."""

from collections.abc import AsyncIterator
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
from placet.testing import FakeFeishu
from tests.runtime.gate.world import allow

__all__ = ["APP", "ME", "Desk", "opened"]

APP, ME = "cli_a1", "ou_zhang"
NAMES = {ME: "张三", "ou_li": "李四", "ou_wang": "王五"}

_WRITES = tuple(entry.name for entry in placet_feishu.surface.tools if entry.risk.is_write)
_SENSITIVE = tuple(entry.name for entry in placet_feishu.surface.tools if entry.sensitive)


class _Logins:
    """The one person's login, which needs no refresh."""

    def __init__(self, access: str) -> None:
        self._token = UserToken(access=Secret(access), access_expires_at=4_000_000_000.0)

    async def get(self, app: str, subject: str) -> UserToken | None:
        return self._token if subject == ME else None

    async def put(
        self, app: str, subject: str, token: UserToken, *, replaces: UserToken | None = None
    ) -> bool:
        return False


class Desk:
    """Calls of one conversation.

    Attributes:
        files: Where handles open.
    """

    def __init__(self, gate: Gate, fake: FakeFeishu, files: MemoryFiles) -> None:
        self._gate, self.fake, self.files = gate, fake, files
        self.tenant = fake.tenant(APP)

    async def result(self, tool: str, *, identity: Identity = Identity.TENANT, **arguments: Any) -> Any:
        ctx = CallContext(app=APP, actor=Actor(user=ME), session="oc_desk", identity=identity)
        return await self._gate.call(tool, arguments, ctx)

    async def call(self, tool: str, *, identity: Identity = Identity.TENANT, **arguments: Any) -> Any:
        """The data of a call that succeeds, and whose answer is what the tool reads."""
        result = await self.result(tool, identity=identity, **arguments)
        data = result.unwrap()
        assert result.drift == ()
        return data

    async def stage(self, content: bytes, name: str) -> str:
        return (await self.files.put(content, name=name, app=APP, session="oc_desk")).handle


@asynccontextmanager
async def opened() -> AsyncIterator[Desk]:
    """A desk over a platform of its own, on which three people work."""
    files = MemoryFiles()
    async with FakeFeishu(apps={APP: "secret"}) as fake:
        fake.tenant(APP).people.update(NAMES)
        tenant = Tenant(
            app=APP,
            platform="feishu",
            brand="feishu",
            secret=Secret("secret"),
            base_url=fake.base_url,
            identities=tuple(Identity),
        )
        policy = Policy(
            reads=("*", *_SENSITIVE),
            write_allow=_WRITES,
            unattended=_WRITES,
            identities=tuple(Identity),
            calls_per_turn=1000,
        )
        async with Gate(
            surfaces=[placet_feishu.surface],
            tenants=[tenant],
            store=MemoryTruth(),
            policy=policy,
            authoriser=allow,
            users=_Logins(fake.user_tokens(APP, ME).access),
            files=files,
        ) as gate:
            yield Desk(gate, fake, files)
