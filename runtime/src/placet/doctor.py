"""What is wrong with an installation, and what to do about it: each check is one line that a person can act on."""

import time
from collections.abc import AsyncIterator, Mapping
from email.utils import parsedate_to_datetime
from pathlib import Path

from msgspec import Struct

from placet.assembly import configuration, open_gate
from placet.config import Config
from placet.contract.call import Actor
from placet.contract.errors import CredentialUnavailable, PlacetError
from placet.contract.platform import HttpRequest, Tenant
from placet.contract.stores import LookUpWrite
from placet.contract.words import Identity
from placet.gate import Gate

__all__ = ["Finding", "examine"]

CLOCK_SKEW_S = 60.0
PROBE_S = 10.0


class Finding(Struct, frozen=True):
    """One check: what was looked at, whether it is well, what was seen, and the next move when it is not."""

    check: str
    is_well: bool
    seen: str
    move: str = ""


async def examine(option: Path | None) -> AsyncIterator[Finding]:
    """Every check in order, each as soon as it is made; the later ones need the configuration to hold."""
    try:
        config = configuration(option)
    except PlacetError as error:
        yield Finding(
            "configuration", False, str(error), "correct the file; `placet setup` writes a first one"
        )
        return
    yield Finding(
        "configuration", True, f"{config.path.name}, {len(config.tenants)} app(s), {len(config.keys)} key(s)"
    )
    try:
        async with open_gate(config) as gate:
            async for finding in _opened(config, gate):
                yield finding
    except PlacetError as error:
        yield Finding(
            "start", False, str(error), "mend what the sentence names; nothing can be called until then"
        )


async def _opened(config: Config, gate: Gate) -> AsyncIterator[Finding]:
    yield await _store(config, gate)
    yield _tools(gate)
    for tenant in config.tenants.values():
        yield await _clock(gate, tenant)
        yield await _credential(gate, tenant)
    for finding in _scopes(gate):
        yield finding


async def _store(config: Config, gate: Gate) -> Finding:
    if config.stores.url.reveal().startswith("memory:"):
        move = "name a sqlite or postgresql store in stores.url"
        return Finding("store", False, "the ledger and the audit are forgotten at every restart", move)
    try:
        await gate.runtime.store.apply(LookUpWrite(key="0" * 64))
    except PlacetError as error:
        return Finding("store", False, str(error), "correct stores.url, or start the server it names")
    return Finding("store", True, "reachable, and its schema is ours")


def _tools(gate: Gate) -> Finding:
    runtime = gate.runtime
    on = [name for name in runtime.catalogue.entries if runtime.rules.is_on(name)]
    writes = sum(runtime.catalogue.entries[name].risk.is_write for name in on)
    seen = f"{len(on)} of {len(runtime.catalogue.entries)} tools are on, {writes} of them writes"
    if not on:
        return Finding("tools", False, seen, "install a tool pack, or widen policy.reads")
    return Finding("tools", True, seen)


async def _clock(gate: Gate, tenant: Tenant) -> Finding:
    """The platform's own clock, from the Date of whatever it answers."""
    name = f"clock and host of {tenant.app}"
    base = tenant.base_url or gate.runtime.platforms[tenant.platform].brands().get(tenant.brand, "")
    request = HttpRequest(method="GET", url=f"{base}/", headers={})
    try:
        answer = await gate.runtime.sender.exchange(request, tenant, PROBE_S)
    except PlacetError as error:
        move = "check the network, the proxy in transport.proxy, and the app's brand"
        return Finding(name, False, f"{base} gave no answer: {error}", move)
    skew = _skew_s(answer.headers)
    if skew is None:
        return Finding(name, True, f"{base} answers, without a date")
    if abs(skew) > CLOCK_SKEW_S:
        return Finding(
            name, False, f"this clock is {skew:+.0f} s off", "set the clock; tokens are judged by it"
        )
    return Finding(name, True, f"{base} answers, this clock is {skew:+.0f} s off")


def _skew_s(headers: Mapping[str, str]) -> float | None:
    try:
        return time.time() - parsedate_to_datetime(headers["date"]).timestamp()
    except (KeyError, ValueError, TypeError):
        return None


async def _credential(gate: Gate, tenant: Tenant) -> Finding:
    name = f"credentials of {tenant.app}"
    platform = gate.runtime.platforms[tenant.platform]
    try:
        # The shared cache answers first; only then is a forced one about that very token, and asked for anew.
        await platform.credential(tenant, Identity.TENANT, Actor(), force=False)
        await platform.credential(tenant, Identity.TENANT, Actor(), force=True)
    except CredentialUnavailable as error:
        return Finding(name, False, str(error), "compare app, secret and brand with the platform's console")
    except PlacetError as error:
        return Finding(name, False, str(error), "see the sentence")
    return Finding(name, True, "the platform gave a token")


def _scopes(gate: Gate) -> list[Finding]:
    """What the enabled tools need, by identity: for the person who grants scopes in the platform's console."""
    runtime = gate.runtime
    needed: dict[str, set[str]] = {}
    for name, entry in runtime.catalogue.entries.items():
        if not runtime.rules.is_on(name):
            continue
        for identity in entry.identity:
            if identity in runtime.rules.policy.identities:
                first = entry.scopes.any_of[:1]
                needed.setdefault(identity.value, set()).update(first, entry.scopes.all_of)
    return [
        Finding(f"scopes for {identity}", True, ", ".join(sorted(scopes)) or "none")
        for identity, scopes in sorted(needed.items())
    ]
