"""Step 4: whose app, which host, whose token. There is no default app and no default brand."""

from placet.contract.errors import CredentialUnavailable
from placet.contract.platform import Credential, NeedsAuthorisation, Tenant
from placet.contract.refusal import Reason
from placet.contract.result import Failed, Pending, Refused
from placet.contract.words import Identity
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState
from placet.gate.words import UNREADABLE, word

__all__ = ["Standing", "credential_of", "standing_of", "switch_tenant"]

Standing = tuple[Tenant, dict[str, str]]
"""The tenant of a call, and slot to value of what its actor and tenant supply."""


async def switch_tenant(state: CallState, runtime: GateRuntime) -> AnyResult | None:
    """Refuses a call of an unknown app, of an unknown brand, or with an absent context value."""
    if state.bound.platform is None:
        return None
    standing = standing_of(state, runtime)
    if isinstance(standing, Refused):
        return standing
    state.tenant, state.context_values = standing
    if state.identity is None or state.options.dry_run:
        return None
    found = await credential_of(state, runtime, state.tenant, state.identity)
    if not isinstance(found, Credential):
        return found
    state.credential = found
    return None


def standing_of(state: CallState, runtime: GateRuntime) -> Standing | Refused:
    """On whose behalf the call is made, or why it cannot be. Asks nobody."""
    tool = state.bound
    known = tool.standings.get((state.ctx.app, state.identity))
    tenant = known if known is not None else _judged(state, runtime)
    if isinstance(tenant, Refused):
        return tenant
    if known is None:
        tool.standings[state.ctx.app, state.identity] = tenant
    return _with_context(state, tenant) if tool.binding.context else (tenant, {})


def _judged(state: CallState, runtime: GateRuntime) -> Tenant | Refused:
    platform = state.bound.platform
    assert platform is not None
    tenant = runtime.tenants.get(state.ctx.app)
    if tenant is None:
        return Refused(
            code=Reason.APP_UNKNOWN,
            reason=f"there is no app {state.ctx.app!r}",
            hint="the host names an app it has configured; there is no default",
        )
    if tenant.platform != platform.name:
        return Refused(
            code=Reason.PLATFORM_UNKNOWN,
            reason=f"the app {tenant.app!r} belongs to the platform {tenant.platform!r}, not {platform.name!r}",
            hint="use a tool of its own platform",
        )
    if tenant.brand not in platform.brands() and tenant.base_url is None:
        known = ", ".join(sorted(platform.brands()))
        return Refused(
            code=Reason.PLATFORM_UNKNOWN,
            reason=f"the app {tenant.app!r} has the brand {tenant.brand!r}, which the platform does not know",
            hint=f"use one of {known}" if known else "the host gives the app a base URL",
        )
    if state.identity is not None and state.identity not in tenant.identities:
        return Refused(
            code=Reason.IDENTITY_NOT_ALLOWED,
            reason=f"the app {tenant.app!r} is not configured for the identity {state.identity.value!r}",
            hint="the host adds it to the app's identities",
        )
    return tenant


def _with_context(state: CallState, tenant: Tenant) -> Standing | Refused:
    """The values that the binding takes from the call's actor and its tenant."""
    platform = state.bound.platform
    assert platform is not None
    context: dict[str, str] = {}
    for slot, key in state.bound.binding.context.items():
        value = platform.context(key, tenant, state.ctx)
        if not value:
            return Refused(
                code=Reason.CONTEXT_MISSING,
                reason=f"{state.bound.entry.name!r} acts for a person, and the call's {key!r} is not known",
                hint="the host's door says who is acting; a model cannot",
            )
        context[slot] = value
    return tenant, context


async def credential_of(
    state: CallState, runtime: GateRuntime, tenant: Tenant, identity: Identity
) -> Credential | Pending | Failed:
    """The token of exactly this identity; what a person must do first, or why there is none."""
    platform = state.bound.platform
    assert platform is not None
    try:
        found = await platform.credential(tenant, identity, state.ctx.actor, force=False)
    except CredentialUnavailable as error:
        return Failed(
            code=word(error.code or "no_credential", UNREADABLE),
            category=word(error.category, "other"),
            message=str(error),
            retryable=error.retryable,
            retry_after_s=error.retry_after_s,
        )
    if isinstance(found, NeedsAuthorisation):
        view = {"reason": found.reason, "url": found.url}
        return Pending(id=runtime.fresh_id(), needs="authorisation", view=view)
    return found
