"""A desk of the office: a gate over the loopback platform on which the sensitive reads and writes of domains are named."""

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
from placet.testing import FakeFeishu, Received
from tests.runtime.gate.world import allow

__all__ = ["ME", "Desk", "desk"]

APP, ME, CONVERSATION = "cli_office", "ou_zhang", "oc_office"


class _Logins:
    """One person's login, which needs no refresh."""

    def __init__(self, access: str) -> None:
        self._token = UserToken(access=Secret(access), access_expires_at=4_000_000_000.0)

    async def get(self, app: str, subject: str) -> UserToken | None:
        return self._token if subject == ME else None

    async def put(
        self, app: str, subject: str, token: UserToken, *, replaces: UserToken | None = None
    ) -> bool:
        return False


class Desk:
    """Calls of one conversation, and what arrived at the platform."""

    def __init__(self, gate: Gate, fake: FakeFeishu, files: MemoryFiles) -> None:
        self._gate, self._files, self.fake = gate, files, fake

    async def result(self, tool: str, arguments: dict[str, Any], identity: Identity = Identity.TENANT) -> Any:
        actor = Actor(user=ME, ids={"user_id": "3e3cf96b"})
        ctx = CallContext(app=APP, actor=actor, session=CONVERSATION, identity=identity)
        return await self._gate.call(tool, arguments, ctx)

    async def call(self, tool: str, arguments: dict[str, Any], identity: Identity = Identity.TENANT) -> Any:
        """The data of a call that succeeds, and whose answer is what the tool reads."""
        result = await self.result(tool, arguments, identity)
        data = result.unwrap()
        assert result.drift == ()
        return data

    async def stage(self, content: bytes, name: str) -> str:
        """The handle of a file that a person gave to the conversation."""
        return (await self._files.put(content, name=name, app=APP, session=CONVERSATION)).handle

    def sent(self, match: str) -> Received:
        """The one request that matches."""
        (request,) = self.fake.calls(match)
        return request


@asynccontextmanager
async def desk(*domains: str, unattended: bool = True, **options: Any) -> AsyncIterator[Desk]:
    """A desk; every tool of the domains is enabled by name, writes go unattended unless told otherwise."""
    tools = [one for one in placet_feishu.surface.tools if one.name.partition(".")[0] in domains]
    writes = tuple(one.name for one in tools if one.risk.is_write)
    policy = Policy(
        reads=("*", *(one.name for one in tools if one.sensitive)),
        write_allow=writes,
        unattended=writes if unattended else (),
        identities=tuple(Identity),
        calls_per_turn=1000,
    )
    files = MemoryFiles()
    async with FakeFeishu(apps={APP: "s"}) as fake:
        tenant = Tenant(
            app=APP,
            platform="feishu",
            brand="feishu",
            secret=Secret("s"),
            identities=tuple(Identity),
            base_url=fake.base_url,
            options={"helpdesk_id": "682001"},
            secrets={"helpdesk_token": Secret("ht-1")},
        )
        issued = fake.user_tokens(APP, ME)
        chosen: dict[str, Any] = {
            "surfaces": [placet_feishu.surface],
            "tenants": [tenant],
            "store": MemoryTruth(),
            "policy": policy,
            "authoriser": allow,
            "files": files,
            "users": _Logins(issued.access),
        }
        async with Gate(**{**chosen, **options}) as gate:
            yield Desk(gate, fake, files)
