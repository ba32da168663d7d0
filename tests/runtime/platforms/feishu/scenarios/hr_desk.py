"""A desk of the HR department: a gate over the loopback platform on which its sensitive reads and writes are named."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import placet_feishu
from placet.contract.call import Actor, CallContext
from placet.contract.platform import Secret, Tenant
from placet.contract.policy import Policy
from placet.contract.words import Identity
from placet.gate import Gate
from placet.stores.memory import MemoryTruth
from placet.testing import FakeFeishu
from tests.runtime.gate.world import allow

__all__ = ["ACTOR", "CTX", "desk"]

ACTOR = "ou_zhang"
CTX = CallContext(app="cli_hr", actor=Actor(user=ACTOR), session="oc_hr")


@asynccontextmanager
async def desk(
    *domains: str, unattended: bool = True, **options: Any
) -> AsyncIterator[tuple[FakeFeishu, Gate]]:
    """A platform and a gate; every tool of the domains is enabled by name, writes go unattended unless told otherwise."""
    tools = [one for one in placet_feishu.surface.tools if one.name.partition(".")[0] in domains]
    writes = tuple(one.name for one in tools if one.risk.is_write)
    policy = Policy(
        reads=("*", *(one.name for one in tools if one.sensitive)),
        write_allow=writes,
        unattended=writes if unattended else (),
        calls_per_turn=1000,
    )
    async with FakeFeishu(apps={"cli_hr": "s"}) as fake:
        tenant = Tenant(
            app="cli_hr",
            platform="feishu",
            brand="feishu",
            secret=Secret("s"),
            identities=(Identity.TENANT,),
            base_url=fake.base_url,
        )
        chosen: dict[str, Any] = {
            "surfaces": [placet_feishu.surface],
            "tenants": [tenant],
            "store": MemoryTruth(),
            "policy": policy,
            "authoriser": allow,
        }
        async with Gate(**{**chosen, **options}) as gate:
            yield fake, gate
