"""A desk at work: a gate over the loopback platform, the app and one logged-in person behind it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from placet.contract.call import Actor, CallContext
from placet.contract.words import Identity
from placet.files import MemoryFiles
from placet.gate import Gate
from placet.testing import FakeFeishu, Received
from tests.runtime.platforms.feishu.scenarios.loopback import BOTH, loopback, policy_of

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
    identities: tuple[Identity, ...] = BOTH,
    unattended: bool = True,
) -> AsyncIterator[Desk]:
    """Every tool of the domains is enabled by name; writes go unattended unless told otherwise.

    Args:
        identities: Whose tokens may be used; calls carry the first.
    """
    policy = policy_of(*domains, unattended=unattended, identities=identities, result_chars=None)
    async with loopback(policy, app=APP, person=ACTOR, identities=identities) as found:
        yield Desk(found.fake, found.gate, found.files, identities[0])
