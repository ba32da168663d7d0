"""What every scenario stands on: a loopback platform, a gate over it, and one person who has logged in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import placet_feishu
from placet.contract.platform import Secret, Tenant, UserToken
from placet.contract.policy import Policy
from placet.contract.words import Identity
from placet.files import MemoryFiles
from placet.gate import Gate
from placet.stores.memory import MemoryTruth
from placet.testing import FakeFeishu
from tests.runtime.gate.world import allow

__all__ = ["BOTH", "Loopback", "loopback", "policy_of"]

BOTH = (Identity.USER, Identity.TENANT)


class Loopback(NamedTuple):
    """The platform, the gate, and where its file handles open."""

    fake: FakeFeishu
    gate: Gate
    files: MemoryFiles


class _Logins:
    """One person's login, which needs no refresh."""

    def __init__(self, person: str, access: str) -> None:
        self._person = person
        self._token = UserToken(access=Secret(access), access_expires_at=4_000_000_000.0)

    async def get(self, app: str, subject: str) -> UserToken | None:
        return self._token if subject == self._person else None

    async def put(
        self, app: str, subject: str, token: UserToken, *, replaces: UserToken | None = None
    ) -> bool:
        return False


def policy_of(*domains: str, unattended: bool = True, **more: Any) -> Policy:
    """Every tool of the domains is enabled by name, of all where none is named; writes run unattended, or wait."""
    tools = [one for one in placet_feishu.surface.tools if not domains or one.domain in domains]
    writes = tuple(one.name for one in tools if one.risk.is_write)
    chosen: dict[str, Any] = {
        "reads": ("*", *(one.name for one in tools if one.sensitive)),
        "write_allow": writes,
        "unattended": writes if unattended else (),
        "identities": BOTH,
        "calls_per_turn": 1000,
    }
    return Policy(**{**chosen, **more})


@asynccontextmanager
async def loopback(
    policy: Policy,
    *,
    app: str,
    person: str,
    identities: tuple[Identity, ...] = BOTH,
    tenant: dict[str, Any] | None = None,
    **options: Any,
) -> AsyncIterator[Loopback]:
    """A gate under this policy.

    Args:
        person: Who has logged in.
        identities: Whose tokens the app is configured for.
        tenant: More of the tenant's record.
        options: Of the gate, instead of what stands here.
    """
    files = MemoryFiles()
    async with FakeFeishu(apps={app: "s3cret"}) as fake:
        record = Tenant(
            app=app,
            platform="feishu",
            brand="feishu",
            secret=Secret("s3cret"),
            identities=identities,
            base_url=fake.base_url,
            **(tenant or {}),
        )
        chosen: dict[str, Any] = {
            "surfaces": [placet_feishu.surface],
            "tenants": [record],
            "store": MemoryTruth(),
            "policy": policy,
            "authoriser": allow,
            "files": files,
            "users": _Logins(person, fake.user_tokens(app, person).access),
        }
        async with Gate(**{**chosen, **options}) as gate:
            yield Loopback(fake, gate, files)
