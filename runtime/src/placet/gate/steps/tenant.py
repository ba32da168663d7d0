"""Step 4: whose app, which host, whose token. There is no default app and no default brand."""

from placet.contract.errors import CredentialUnavailable
from placet.contract.platform import NeedsAuthorisation
from placet.contract.refusal import Reason
from placet.contract.result import Failed, Pending, Refused
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState

__all__ = ["context_of", "switch_tenant"]


async def switch_tenant(state: CallState, runtime: GateRuntime) -> AnyResult | None:
    """Refuses a call of an unknown app, of an unknown brand, or with an absent context value."""
    tool = state.bound
    if tool.platform is None:
        return None
    tenant = runtime.tenants.get(state.ctx.app)
    if tenant is None:
        return Refused(
            code=Reason.APP_UNKNOWN,
            reason=f"there is no app {state.ctx.app!r}",
            hint="the host names an app it has configured; there is no default",
        )
    if tenant.platform != tool.platform.name:
        return Refused(
            code=Reason.PLATFORM_UNKNOWN,
            reason=f"the app {tenant.app!r} belongs to the platform {tenant.platform!r}, not {tool.platform.name!r}",
            hint="use a tool of its own platform",
        )
    if tenant.brand not in tool.platform.brands() and tenant.base_url is None:
        known = ", ".join(sorted(tool.platform.brands()))
        return Refused(
            code=Reason.PLATFORM_UNKNOWN,
            reason=f"the app {tenant.app!r} has the brand {tenant.brand!r}, which the platform does not know",
            hint=f"use one of {known}",
        )
    context = context_of(state, runtime)
    if isinstance(context, Refused):
        return context
    state.tenant, state.context_values = tenant, context
    if state.identity is None or state.options.dry_run:
        return None
    if state.identity not in tenant.identities:
        return Refused(
            code=Reason.IDENTITY_NOT_ALLOWED,
            reason=f"the app {tenant.app!r} is not configured for the identity {state.identity.value!r}",
            hint="the host adds it to the app's identities",
        )
    try:
        found = await tool.platform.credential(tenant, state.identity, state.ctx.actor, force=False)
    except CredentialUnavailable as error:
        return Failed(
            code=error.code or "no_credential",
            category=error.category,
            message=str(error),
            retryable=error.retryable,
            retry_after_s=error.retry_after_s,
        )
    if isinstance(found, NeedsAuthorisation):
        view = {"reason": found.reason, "url": found.url}
        return Pending(id=runtime.fresh_id(), needs="authorisation", view=view)
    state.credential = found
    return None


def context_of(state: CallState, runtime: GateRuntime) -> dict[str, str] | Refused:
    """Slot to value of what the call's actor and tenant supply; an absent one refuses the call."""
    tool = state.bound
    tenant = runtime.tenants.get(state.ctx.app)
    if tool.platform is None or tenant is None:
        return {}
    values: dict[str, str] = {}
    for slot, key in tool.binding.context.items():
        value = tool.platform.context(key, tenant, state.ctx)
        if not value:
            return Refused(
                code=Reason.CONTEXT_MISSING,
                reason=f"{tool.entry.name!r} acts for a person, and the call's {key!r} is not known",
                hint="the host's door says who is acting; a model cannot",
            )
        values[slot] = value
    return values
