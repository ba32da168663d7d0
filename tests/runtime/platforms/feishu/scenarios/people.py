"""A host over the loopback platform: 张三 asks, and the writes that a test names are allowed without asking him."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from placet.contract.call import Actor, CallContext
from placet.contract.policy import Policy
from placet.contract.result import Result
from placet.contract.words import Identity
from placet.files import FileStore
from placet.gate import Gate
from placet.testing import FakeFeishu, Received
from tests.runtime.platforms.feishu.scenarios.loopback import BOTH, loopback

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


@asynccontextmanager
async def hosted(
    *, writes: tuple[str, ...] = (), reads: tuple[str, ...] = ("*",), files: FileStore | None = None
) -> AsyncIterator[Host]:
    """A host whose policy allows these writes; `reads` names sensitive ones besides."""
    policy = Policy(reads=reads, write_allow=writes, unattended=writes, identities=BOTH, calls_per_turn=1000)
    kept: dict[str, Any] = {} if files is None else {"files": files}
    async with loopback(policy, app=APP, person=ASKER, **kept) as found:
        yield Host(found.fake, found.gate)
