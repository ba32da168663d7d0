"""Step 3: does somebody who may say so want this call? A write waits for a person's yes to exactly it."""

from collections.abc import Mapping
from typing import Any

from placet.contract.approvals import ApprovalView, ProposedCall, SettleApproval, TooManyPending
from placet.contract.digest import sha256_of
from placet.contract.platform import Credential, Tenant
from placet.contract.policy import Decision, Proposal
from placet.contract.refusal import Reason
from placet.contract.result import Failed, Ok, Pending, Refused
from placet.contract.stores import LookUpWrite, StoreError
from placet.contract.words import Identity
from placet.gate.granting import confirm
from placet.gate.keys import principal_of, write_key
from placet.gate.opening import open_files
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState
from placet.gate.steps.tenant import credential_of, standing_of
from placet.gate.writes import unrecordable
from placet.places import value_at

__all__ = ["authorise"]


async def authorise(state: CallState, runtime: GateRuntime) -> AnyResult | None:
    """Refuses what the host's authoriser or a preflight denies; holds a write that nobody has said yes to."""
    tool, dry = state.bound, state.options.dry_run
    decision = await _decision(state, runtime)
    if isinstance(decision, Refused):
        return decision
    if not dry:
        refused = await _preflights(state, runtime)
        if refused is not None:
            return refused
    alone = decision is Decision.ALLOW and (not tool.is_write or runtime.rules.is_unattended(tool.entry.name))
    return None if alone or dry else await _ask(state, runtime)


async def _decision(state: CallState, runtime: GateRuntime) -> Decision | Refused:
    tool = state.bound
    if runtime.authoriser is None:
        if not tool.is_write:
            return Decision.ALLOW
        return Refused(
            code=Reason.AUTHORISER_ABSENT,
            reason=f"no authoriser is set, so the write {tool.entry.name!r} cannot be asked for",
            hint="the host sets one, as `ask_for_writes`",
        )
    identity = state.identity or Identity.TENANT
    said = await runtime.authoriser(
        Proposal(tool=tool.tool, ctx=state.ctx, identity=identity, arguments=state.arguments)
    )
    if said is Decision.ALLOW or said is Decision.ASK:
        return said
    denied = said is Decision.DENY
    reason = (
        "the host's authoriser said no" if denied else "the host's authoriser gave no decision it may give"
    )
    return Refused(code=Reason.AUTHORISER_DENIED, reason=reason, hint="ask the person how to go on")


async def _preflights(state: CallState, runtime: GateRuntime) -> Refused | None:
    tool = state.bound
    if not tool.binding.preflight or tool.platform is None or state.depth:
        return None
    reads = runtime.children(state)
    for name in tool.binding.preflight:
        problem = await tool.platform.preflight(name)(tool.tool, state.arguments, reads)
        if problem is not None:
            return Refused(code=Reason.PREFLIGHT, reason=problem, hint="correct the arguments and call again")
    return None


async def _ask(state: CallState, runtime: GateRuntime) -> AnyResult | None:
    """A live approval of exactly this call, or the proposal of one."""
    try:
        state.replay_only = await _is_done(state, runtime)
    except StoreError as error:
        return unrecordable(Reason.STORE_UNAVAILABLE, error)
    if state.replay_only:
        return None
    context: dict[str, str] = {}
    if state.bound.platform is not None:
        standing = standing_of(state, runtime)
        if isinstance(standing, Refused):
            return None  # step 4 refuses it; nobody is asked in vain
        tenant, context = standing
        needs = await _authorisation(state, runtime, tenant) or await open_files(state, runtime)
        if needs is not None:
            return needs
    digest = approval_digest(state, context)
    if state.grant is not None and (refused := await confirm(state, runtime, digest)) is not None:
        return refused
    view = await _view(state, runtime, digest)
    if state.grant is not None:
        if state.grant.before == view.before:
            return None
        await _void(state, runtime)
    return await _proposed(state, runtime, view)


async def _void(state: CallState, runtime: GateRuntime) -> None:
    """The person saw other values than the ones the call would replace: their yes is for nothing."""
    grant, state.grant = state.grant, None
    assert grant is not None
    await runtime.store.apply(
        SettleApproval(
            id=grant.approval_id, token=grant.token, state="cancelled", at=runtime.now(), outcome="stale"
        )
    )


async def _proposed(state: CallState, runtime: GateRuntime, view: ApprovalView) -> Pending | Refused:
    arguments = dict(state.arguments)
    if state.options.idempotency_key is not None:
        arguments["idempotency_key"] = state.options.idempotency_key
    call = ProposedCall(tool=state.bound.entry.name, arguments=arguments, ctx=state.ctx)
    try:
        identifier = await runtime.approvals.propose(view, call)
    except TooManyPending as error:
        return Refused(code=Reason.TOO_MANY_PENDING, reason=str(error), hint="wait for a decision")
    except StoreError as error:
        return unrecordable(Reason.STORE_UNAVAILABLE, error)
    state.approval_id = identifier
    return Pending(id=identifier, needs="approval", view=_shown(view))


async def _is_done(state: CallState, runtime: GateRuntime) -> bool:
    """True when the ledger holds this principal's success: it is replayed, and nobody is asked again."""
    has_key = state.options.idempotency_key is not None or None not in (state.ctx.run, state.ctx.call)
    if not state.bound.is_write or not has_key or state.grant is not None:
        return False
    (row,) = await runtime.store.apply(LookUpWrite(key=write_key(state, runtime)))
    return row is not None and row.status == "succeeded"


async def _authorisation(state: CallState, runtime: GateRuntime, tenant: Tenant) -> Pending | Failed | None:
    """What stands between a person's identity and its token; an app's own is fetched in step 4."""
    if state.identity is not Identity.USER:
        return None
    found = await credential_of(state, runtime, tenant, Identity.USER)
    return None if isinstance(found, Credential) else found


def approval_digest(state: CallState, context: Mapping[str, str]) -> str:
    """What a yes is bound to: the list of design section 10.

    Args:
        context: Slot to value of what the actor and the tenant fill in.
    """
    return sha256_of(
        {
            "tool": state.bound.entry.name,
            "contract": state.bound.tool.digest,
            "arguments": state.arguments,
            "files": {handle: [one.sha256, one.size] for handle, one in state.files.items()},
            "context": context,
            "app": state.ctx.app,
            "identity": state.identity.value if state.identity else "",
            "requester": principal_of(state),
            "conversation": state.ctx.session or "",
        }
    )


async def _view(state: CallState, runtime: GateRuntime, digest: str) -> ApprovalView:
    entry = state.bound.entry
    return ApprovalView(
        digest=digest,
        tool=entry.name,
        summary=entry.summary,
        risk=entry.risk,
        identity=state.identity.value if state.identity else "",
        app=state.ctx.app,
        requester=principal_of(state),
        conversation=state.ctx.session or "",
        arguments=state.arguments,
        before=await _replaced(state, runtime),
    )


async def _replaced(state: CallState, runtime: GateRuntime) -> dict[str, Any]:
    """What the write replaces, as a child read of the same identity sees it; empty when it cannot be read."""
    before = state.bound.binding.before
    if before is None:
        return {}
    reads = runtime.children(state)
    entry = runtime.catalogue.entry(before.tool)
    if entry is None:
        return {}
    names = {slot.argument for slot in runtime.catalogue.bind(entry).binding.slots}
    passed = {name: value for name, value in state.arguments.items() if name in names}
    given = {name: _bound(value, state.arguments) for name, value in before.arguments.items()}
    result = await reads.read(before.tool, {**passed, **given})
    if not isinstance(result, Ok):
        return {}
    return {
        argument: value
        for argument, place in before.compare.items()
        if argument in state.arguments and (value := value_at(result.data, place)) is not None
    }


def _bound(value: Any, arguments: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_bound(one, arguments) for one in value]
    return arguments.get(value[1:]) if isinstance(value, str) and value.startswith("$") else value


def _shown(view: ApprovalView) -> dict[str, Any]:
    """What the model is told about the proposal: nothing it did not send itself."""
    return {"tool": view.tool, "summary": view.summary, "risk": view.risk.value, "arguments": view.arguments}
