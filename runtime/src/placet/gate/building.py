"""From what a host hands over to what the steps share: platforms found, pools opened, rules checked."""

import os
import ssl
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any

from msgspec import Struct

from placet.approvals import ApproverRules, Proposals
from placet.audit import BatchedAudit
from placet.contract.approvals import Approvals
from placet.contract.errors import PlacetError
from placet.contract.masking import MaskingPolicy, SafetyMode
from placet.contract.platform import ChildCaller, Platform, Services, Tenant, UserTokens
from placet.contract.policy import Authoriser, Policy
from placet.contract.stores import SharedState, TruthStore
from placet.contract.tool import Surface
from placet.files import FileStore, MemoryFiles
from placet.finishing import Finishing
from placet.gate.bound import Catalogue
from placet.gate.runtime import GateRuntime
from placet.gate.sending import Sender
from placet.gate.state import CallState
from placet.meta import BEHAVIOURS
from placet.policy import Rules
from placet.sanitise.masking import masking
from placet.sealing import Sealer
from placet.surfaces import accept
from placet.tokens import CredentialCache
from placet.transport.limiter import Limiter
from placet.transport.pool import Transport, TransportOptions
from placet.transport.services import RuntimeServices, Sends

__all__ = ["DuplicateTenant", "GateParts", "Opened", "UnknownPlatform", "open_runtime"]

GROUP = "placet.platforms"


class UnknownPlatform(PlacetError):
    """A surface or a tenant names a platform that no installed distribution offers. `name` is it."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no platform {name!r}; installed: {', '.join(known) or 'none'}")
        self.name = name


class DuplicateTenant(PlacetError):
    """Two tenants have one app id, and a call names nothing else. `app` is it."""

    def __init__(self, app: str) -> None:
        super().__init__(f"the app {app!r} has two tenants; an app has one entry")
        self.app = app


class GateParts(Struct, frozen=True, kw_only=True):
    """What a host hands over. See `Gate` for each."""

    surfaces: tuple[Surface, ...]
    tenants: tuple[Tenant, ...]
    policy: Policy
    authoriser: Authoriser | None
    store: TruthStore
    shared: SharedState | None
    seals: Any
    users: UserTokens | None
    approvals: Approvals | None
    approvers: ApproverRules | None
    files: FileStore | None
    safety: SafetyMode
    masking: MaskingPolicy
    transport: TransportOptions | None
    ssl_context: ssl.SSLContext | None
    wire: Sends | None
    platforms: Mapping[str, Platform] | None
    behaviours: Mapping[str, Callable[..., Any]]
    namespace: str
    deadline_s: float
    now: Callable[[], float]
    fresh_id: Callable[[], str]


class Opened(Struct, frozen=True):
    """A runtime and what must be closed with it, the first opened last."""

    runtime: GateRuntime
    transport: Transport
    recorder: BatchedAudit


def open_runtime(parts: GateParts, children: Callable[[CallState], ChildCaller]) -> Opened:
    """Open what a gate needs. Called inside the loop it will run in.

    Raises:
        UnknownPlatform: a platform is not installed.
        DuplicateTenant, NameTaken: two tenants share an app, or two tools a name.
        InvalidPolicy, UnknownContract, DuplicateSurface: as their checks say.
    """
    surfaces = accept(parts.surfaces)
    tenants = _by_app(parts.tenants)
    platforms: dict[str, Platform] = {}
    transport = Transport(
        lambda tenant: _base_url(platforms, tenant), options=parts.transport, ssl_context=parts.ssl_context
    )
    wire = parts.wire if parts.wire is not None else transport
    cache = CredentialCache(shared=parts.shared, seals=parts.seals, clock=parts.now)
    services = RuntimeServices(wire, cache, clock=parts.now)
    wanted = {surface.platform for surface in surfaces} | {tenant.platform for tenant in parts.tenants}
    for name in sorted(wanted):
        given = parts.platforms.get(name) if parts.platforms is not None else None
        platforms[name] = given if given is not None else _create(name, services, parts.users)
    catalogue = Catalogue(surfaces, platforms)
    recorder = BatchedAudit(parts.store)
    maskings = {
        name: masking(parts.masking, (platform.secret_shapes(),)) for name, platform in platforms.items()
    }
    runtime = GateRuntime(
        catalogue=catalogue,
        rules=Rules(parts.policy, catalogue.entries),
        authoriser=parts.authoriser,
        approvals=parts.approvals if parts.approvals is not None else _proposals(parts),
        tenants=tenants,
        platforms=platforms,
        store=parts.store,
        recorder=recorder,
        finishing=Finishing(),
        files=parts.files if parts.files is not None else MemoryFiles(clock=parts.now),
        sender=Sender(wire, Limiter(parts.shared)),
        locals={**BEHAVIOURS, **parts.behaviours},
        children=children,
        maskings={"": masking(parts.masking, ()), **maskings},
        safety=parts.safety,
        namespace=parts.namespace,
        now=parts.now,
        fresh_id=parts.fresh_id,
        deadline_s=parts.deadline_s,
    )
    return Opened(runtime, transport, recorder)


def _proposals(parts: GateParts) -> Proposals:
    """Proposals in the gate's own store, sealed with its keys or with one that lives as long as the gate."""
    sealer = parts.seals if parts.seals is not None else Sealer([os.urandom(32)])
    return Proposals(parts.store, sealer, now=parts.now, fresh_id=parts.fresh_id)


def _by_app(tenants: Sequence[Tenant]) -> dict[str, Tenant]:
    found: dict[str, Tenant] = {}
    for tenant in tenants:
        if found.setdefault(tenant.app, tenant) is not tenant:
            raise DuplicateTenant(tenant.app)
    return found


def _create(name: str, services: Services, users: UserTokens | None) -> Platform:
    installed = entry_points(group=GROUP)
    for entry in installed:
        if entry.name == name:
            platform: Platform = entry.load()(services, users=users)
            return platform
    raise UnknownPlatform(name, sorted(entry.name for entry in installed))


def _base_url(platforms: Mapping[str, Platform], tenant: Tenant) -> str:
    return platforms[tenant.platform].brands()[tenant.brand]
