"""A desk of the office: a gate over the loopback platform on which the sensitive reads and writes of domains are named."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from placet.contract.call import Actor, CallContext
from placet.contract.platform import Secret
from placet.contract.words import Identity
from placet.files import MemoryFiles
from placet.gate import Gate
from placet.testing import FakeFeishu, Received
from tests.runtime.platforms.feishu.scenarios.loopback import loopback, policy_of

__all__ = ["ME", "Desk", "desk"]

APP, ME, CONVERSATION = "cli_office", "ou_zhang", "oc_office"


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


HELP_DESK = {"options": {"helpdesk_id": "682001"}, "secrets": {"helpdesk_token": Secret("ht-1")}}


@asynccontextmanager
async def desk(*domains: str, unattended: bool = True, **options: Any) -> AsyncIterator[Desk]:
    """A desk; every tool of the domains is enabled by name, writes go unattended unless told otherwise."""
    policy = options.pop("policy", None) or policy_of(*domains, unattended=unattended)
    async with loopback(policy, app=APP, person=ME, tenant=HELP_DESK, **options) as found:
        yield Desk(found.gate, found.fake, found.files)
