"""A desk of the HR department: calls of the app alone, whose sensitive reads and writes are named."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from placet.contract.call import Actor, CallContext
from placet.contract.policy import Policy
from placet.contract.words import Identity
from placet.gate import Gate
from placet.testing import FakeFeishu
from tests.runtime.platforms.feishu.scenarios.loopback import loopback, policy_of

__all__ = ["ACTOR", "CTX", "desk"]

ACTOR = "ou_zhang"
CTX = CallContext(app="cli_hr", actor=Actor(user=ACTOR), session="oc_hr")
APP_ONLY = (Identity.TENANT,)


@asynccontextmanager
async def desk(
    *domains: str, unattended: bool = True, **options: Any
) -> AsyncIterator[tuple[FakeFeishu, Gate]]:
    """A platform and a gate; without a domain nothing sensitive and no write is on."""
    policy = Policy(calls_per_turn=1000)
    if domains:
        policy = policy_of(*domains, unattended=unattended, identities=APP_ONLY)
    async with loopback(policy, app=CTX.app, person=ACTOR, identities=APP_ONLY, **options) as found:
        yield found.fake, found.gate
