"""`placet approvals`: what waits for a person, and the person's yes or no, at a terminal or with an operator's token.

A yes given here counts as the operator's. Whoever can run programs under this account can give it, a model with a
shell included: this door makes consent, not a boundary against its own account.
"""

import getpass
import hmac
import json
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from placet.cli.exits import exit_code
from placet.contract.errors import PlacetError

if TYPE_CHECKING:
    from placet.approvals import Approval, Decider
    from placet.config import Config
    from placet.contract.approvals import Decided
    from placet.gate import Gate

__all__ = ["command", "page"]

command = typer.Typer(
    help="Show what waits for a person, and decide.", no_args_is_help=True, add_completion=False
)

AppOption = Annotated[
    str | None, typer.Option("--app", help="The app; may be left out when there is one only.")
]
ConfigOption = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="The configuration.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Identifier = Annotated[str, typer.Argument(help="The approval's id, as apr_...")]
TokenOption = Annotated[
    Path | None,
    typer.Option(
        "--operator-token", metavar="FILE", help="A file with the operator's token, instead of a terminal."
    ),
]
DigestOption = Annotated[
    str | None, typer.Option("--digest", help="The digest that was shown; needed without a terminal.")
]
ReasonOption = Annotated[str, typer.Option("--reason", help="Why; kept with the decision.")]

_VERDICTS = {
    "missing": "there is no such approval of this app",
    "superseded": "a newer proposal has taken its place",
    "expired": "nobody decided in time; it must be proposed anew",
    "tampered": "the digest is not the one of what waits; look again with `placet approvals show`",
    "already_claimed": "somebody has decided already",
    "forbidden": "you may not decide about this; the configuration says who may",
    "recorded": "your yes is kept; another person's is needed",
    "rejected": "rejected",
}


@command.command("list")
def listed(
    app: AppOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Decided and expired ones too.")] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """List what waits for a decision, the newest first."""

    async def work(gate: "Gate", named: str, settings: "Config") -> int:
        desk = gate.desk
        found = await (desk.listed(app=named) if everything else desk.waiting(app=named))
        for one in found:
            about = _shown(gate, one)
            print(json.dumps(about, ensure_ascii=False) if as_json else _line(about))
        if not found and not as_json:
            print("nothing waits")
        return 0

    _run(config, app, work)


@command.command()
def show(
    identifier: Identifier, app: AppOption = None, as_json: JsonOption = False, config: ConfigOption = None
) -> None:
    """Show one proposal: what would change, from which value to which, who asked, and how it stands."""

    async def work(gate: "Gate", named: str, settings: "Config") -> int:
        about = _shown(gate, await _found(gate, identifier, named))
        print(json.dumps(about, ensure_ascii=False) if as_json else page(about))
        return 0

    _run(config, app, work)


@command.command()
def approve(
    identifier: Identifier,
    app: AppOption = None,
    digest: DigestOption = None,
    reason: ReasonOption = "",
    operator_token: TokenOption = None,
    config: ConfigOption = None,
) -> None:
    """Show a proposal, take a yes, and make the call. Exit codes as of `placet call`."""

    async def work(gate: "Gate", named: str, settings: "Config") -> int:
        decided = await _decide(
            gate, settings, identifier, named, digest, reason, operator_token, approve=True
        )
        if decided is None:
            return 1
        if decided.verdict != "claimed" or decided.row is None:
            print(_VERDICTS[decided.verdict])
            return 0 if decided.verdict == "recorded" else 1
        result = await gate.desk.perform(decided.row)
        if result is None:
            print("no configured key opens the proposal; it was not made")
            return 1
        import msgspec

        shown = {"kind": result.kind, **msgspec.to_builtins(result)}
        print(json.dumps(shown, ensure_ascii=False, indent=2))
        return exit_code(result)

    _run(config, app, work)


@command.command()
def reject(
    identifier: Identifier,
    app: AppOption = None,
    digest: DigestOption = None,
    reason: ReasonOption = "",
    operator_token: TokenOption = None,
    config: ConfigOption = None,
) -> None:
    """Show a proposal and refuse it. Exit code 0 when the no counted."""

    async def work(gate: "Gate", named: str, settings: "Config") -> int:
        decided = await _decide(
            gate, settings, identifier, named, digest, reason, operator_token, approve=False
        )
        if decided is None:
            return 1
        print(_VERDICTS[decided.verdict])
        return 0 if decided.verdict == "rejected" else 1

    _run(config, app, work)


@command.command()
def sweep(config: ConfigOption = None) -> None:
    """Close what nobody decided in time, and make approved calls whose process died."""

    async def work(gate: "Gate", named: str, settings: "Config") -> int:
        swept = await gate.desk.sweep()
        print(json.dumps({"expired": swept.expired, "performed": dict(swept.performed)}))
        return 0

    _run(config, None, work, any_app=True)


async def _decide(
    gate: "Gate",
    settings: "Config",
    identifier: str,
    app: str,
    digest: str | None,
    reason: str,
    token: Path | None,
    *,
    approve: bool,
) -> "Decided | None":
    """The decision of whoever is at the door; None when they thought better of it."""
    decider = _decider(settings, token)
    shown = await _found(gate, identifier, app)
    if token is None and shown.row.state == "awaiting_confirmation":
        print(page(_shown(gate, shown)))
        if not typer.confirm("Approve this call?" if approve else "Reject this call?", default=False):
            print("left open")
            return None
    if token is not None and digest is None:
        raise typer.BadParameter("without a terminal, say what was shown", param_hint="--digest")
    return await gate.desk.decide(
        identifier,
        app=app,
        decider=decider,
        digest=digest if digest is not None else shown.row.digest,
        approve=approve,
        reason=reason,
    )


def _decider(settings: "Config", token: Path | None) -> "Decider":
    from placet.approvals import Decider

    if token is not None:
        kept = settings.operator_token
        if kept is None:
            raise PlacetError("no operator token is configured; set doors.host.operator_token")
        given = token.read_text(encoding="utf-8").strip()
        if not hmac.compare_digest(given.encode(), kept.reveal().strip().encode()):
            raise PlacetError("this is not the operator's token")
    elif not sys.stdin.isatty():
        raise PlacetError("a decision needs a person at a terminal, or --operator-token FILE")
    return Decider(name=f"operator:{getpass.getuser()}", strength="operator")


async def _found(gate: "Gate", identifier: str, app: str) -> "Approval":
    found = await gate.desk.show(identifier, app=app)
    if found is None:
        raise PlacetError(f"there is no approval {identifier[:80]!r} of the app {app!r}")
    return found


def _shown(gate: "Gate", approval: "Approval") -> dict[str, Any]:
    from placet.approvals import shown

    runtime = gate.runtime
    tenant = runtime.tenants.get(approval.row.tenant)
    masking = runtime.maskings.get(tenant.platform if tenant is not None else "", runtime.maskings[""])
    return shown(approval, masking, now=time.time())


def _line(about: dict[str, Any]) -> str:
    left = about.get("expires_in_s")
    ends = f"{left // 60}:{left % 60:02} left" if left is not None else about["state"]
    who = about.get("requester", "nobody known")
    return f"{about['id']}  {about['risk']:<16}  {about['tool']:<32}  {ends:<12}  for {who}"


def page(about: dict[str, Any]) -> str:
    """The proposal as lines, one change each, old before new."""
    from placet.approvals.showing import as_text

    head = ("id", "state", "tool", "summary", "risk", "app", "identity", "requester", "conversation")
    tail = ("same_action", "warning", "yeses", "decided_by", "reason", "outcome", "expires_in_s", "digest")
    lines = [f"{name + ':':<14} {as_text(about[name])}" for name in head if name in about]
    for change in about.get("changes", ()):
        old = f"{as_text(change['old'])}  ->  " if "old" in change else ""
        lines.append(f"  {change['argument']}: {old}{as_text(change['new'])}")
    lines += [f"{name.replace('_', ' ') + ':':<14} {as_text(about[name])}" for name in tail if name in about]
    return "\n".join(lines)


def _run(
    config: Path | None,
    app: str | None,
    work: "Callable[[Gate, str, Config], Awaitable[int]]",
    *,
    any_app: bool = False,
) -> None:
    import anyio

    from placet.assembly import configuration, open_gate

    settings = configuration(config)
    if app is None and not any_app:
        if len(settings.tenants) != 1:
            raise typer.BadParameter(f"name one of {', '.join(settings.tenants)}", param_hint="--app")
        (app,) = settings.tenants

    async def run() -> int:
        async with open_gate(settings) as gate:
            return await work(gate, app or "", settings)

    raise typer.Exit(anyio.run(run))
