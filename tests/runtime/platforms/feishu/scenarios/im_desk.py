"""A gate for whole flows of messages, groups, cards and mail: everything is enabled, writes run unattended."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from placet.contract.call import Actor, CallContext
from placet.contract.words import Identity
from placet.files import MemoryFiles
from placet.gate import Gate
from placet.testing import FakeFeishu
from tests.runtime.platforms.feishu.scenarios.loopback import loopback, policy_of

__all__ = ["APP", "ME", "Desk", "opened"]

APP, ME = "cli_a1", "ou_zhang"
NAMES = {ME: "张三", "ou_li": "李四", "ou_wang": "王五"}


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
    async with loopback(policy_of(), app=APP, person=ME) as found:
        found.fake.tenant(APP).people.update(NAMES)
        yield Desk(found.gate, found.fake, found.files)
