"""Everything around a gate under test: its host's choices, its stores, and the platform at the other end."""

import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from placet.approvals import Approval, Decider, Desk, Proposals
from placet.contract import Actor, CallContext, Identity, Result
from placet.contract.approvals import Decided, LookUpApproval
from placet.contract.platform import Secret, Tenant
from placet.contract.policy import Decision, Policy, Proposal
from placet.contract.stores import TruthStore
from placet.files import FileStore, MemoryFiles
from placet.gate import Gate
from placet.policy import ask_for_writes
from placet.sealing import Sealer
from placet.stores.memory import MemoryTruth
from tests.runtime.gate import pack
from tests.runtime.gate.scripted import ScriptedPlatform, ScriptedWire

__all__ = ["ALL_WRITES", "World", "allow", "context", "open_policy"]

ALL_WRITES = tuple(sorted(one.name for one in pack.surface.tools if one.risk.is_write))


def open_policy(**more: Any) -> Policy:
    """Every read and write of the pack is on, each write unattended, for both identities."""
    chosen: dict[str, Any] = {
        "reads": ("*", "shop.secret_item"),
        "write_allow": ALL_WRITES,
        "unattended": ALL_WRITES,
        "identities": tuple(Identity),
        "calls_per_turn": 1000,
    }
    return Policy(**{**chosen, **more})


async def allow(proposal: Proposal) -> Decision:
    return Decision.ALLOW


def context(app: str = "app1", *, user: str | None = "ann", **more: Any) -> CallContext:
    """A call of Ann in conversation c1."""
    return CallContext(**{"app": app, "actor": Actor(user=user), "session": "c1", "turn": "t1", **more})


@dataclass
class World:
    """A host over the shop.

    Attributes:
        now: Unix seconds; tests move it.
    """

    platform: ScriptedPlatform = field(default_factory=ScriptedPlatform)
    wire: ScriptedWire = field(default_factory=ScriptedWire)
    store: TruthStore = field(default_factory=MemoryTruth)
    now: float = 1_800_000_000.0

    def __post_init__(self) -> None:
        self.sealer = Sealer([b"s" * 32])
        self.files: FileStore = MemoryFiles(clock=lambda: self.now)
        self._numbers = itertools.count(1)

    @property
    def approvals(self) -> Proposals:
        return Proposals(self.store, self.sealer, now=lambda: self.now, fresh_id=self._fresh)

    def desk(self, gate: Any = None, **options: Any) -> Desk:
        """A desk of its own; without a gate, for decisions alone."""
        return Desk(self.store, self.approvals, gate, now=lambda: self.now, fresh_id=self._fresh, **options)

    async def seen(self, identifier: str, app: str = "app1") -> Approval:
        """A proposal as a person sees it."""
        found = await self.desk().show(identifier, app=app)
        assert found is not None
        return found

    async def decide(
        self, identifier: str, *, by: str = "ann", approve: bool = True, app: str = "app1"
    ) -> Decided:
        """A decision by somebody who saw what was proposed."""
        (row,) = await self.store.apply(LookUpApproval(id=identifier))
        who = Decider(name=by, strength="operator" if by.startswith("operator:") else "person")
        digest = row.digest if row is not None else ""
        return await self.desk().decide(identifier, app=app, decider=who, digest=digest, approve=approve)

    async def approve(
        self, gate: Gate, identifier: str, *, by: str = "ann", app: str = "app1"
    ) -> Result[Any]:
        """A yes, and the call it sets off."""
        decided = await self.decide(identifier, by=by, app=app)
        assert decided.verdict == "claimed"
        assert decided.row is not None
        result = await self.desk(gate).perform(decided.row)
        assert result is not None
        return result

    def _fresh(self) -> str:
        return f"id{next(self._numbers)}"

    @asynccontextmanager
    async def gate(self, **options: Any) -> AsyncIterator[Gate]:
        """An open gate in which every tool is on and writes are asked for, unless options say otherwise."""
        chosen: dict[str, Any] = {
            "surfaces": [pack.surface],
            "tenants": [tenant("app1"), tenant("app2")],
            "policy": open_policy(),
            "authoriser": allow,
            "store": self.store,
            "approvals": self.approvals,
            "files": self.files,
            "platforms": {"scripted": self.platform},
            "wire": self.wire,
            "behaviours": {"think": think},
            "now": lambda: self.now,
            "ids": self._fresh,
        }
        async with Gate(**{**chosen, **options}) as gate:
            yield gate

    async def records(self, gate: Gate) -> list[dict[str, Any]]:
        """Every record of the audit so far, in order."""
        await gate.runtime.recorder.flush()
        assert isinstance(self.store, MemoryTruth)
        return [json.loads(one.body) for one in self.store.trail().latest(10_000)]


def tenant(app: str, **more: Any) -> Tenant:
    chosen: dict[str, Any] = {
        "app": app,
        "platform": "scripted",
        "brand": "main",
        "secret": Secret(f"secret of {app}"),
        "identities": tuple(Identity),
    }
    return Tenant(**{**chosen, **more})


async def think(surface: Any, arguments: dict[str, Any], is_on: Any) -> dict[str, Any]:
    return {"thought": "hm"}


asking = ask_for_writes
