"""A proposal in a person's words: the values as they are, credentials masked, nothing invisible."""

import json
from typing import Any

from placet.approvals.desk import Approval
from placet.contract.masking import SafetyMode
from placet.sanitise.masking import Masking
from placet.sanitise.outbound import release
from placet.sanitise.unicode import visible

__all__ = ["as_text", "shown"]


def shown(approval: Approval, masking: Masking, *, now: float) -> dict[str, Any]:
    """What a door shows about a proposal; every text is safe to print.

    Args:
        now: Unix seconds.
    """
    row, view = approval.row, approval.view
    about: dict[str, Any] = {
        "id": row.id,
        "state": row.state,
        "tool": row.tool,
        "risk": row.risk.value,
        "requester": visible(row.requester),
        "conversation": visible(row.conversation),
        "app": row.tenant,
        "proposed_at": row.proposed_at,
        "expires_in_s": max(0, round(row.expires_at - now)) if row.state == "awaiting_confirmation" else None,
        "digest": row.digest,
        "decided_by": visible(row.decided_by),
        "reason": visible(row.reason),
        "outcome": row.outcome,
        "yeses": [visible(vote.by) for vote in row.votes],
    }
    if view is not None:
        about["summary"] = view.summary
        about["identity"] = view.identity
        about["changes"] = _changes(view.arguments, view.before, masking)
    else:
        about["warning"] = "no configured key opens this proposal; it cannot be approved"
    if approval.ran_at is not None:
        ago = max(0, round((now - approval.ran_at) / 60))
        done = "may have run" if approval.ran_unknown else "ran"
        about["same_action"] = f"the same action {done} {ago} minutes ago"
    return {name: value for name, value in about.items() if value not in (None, "", [])}


def _changes(arguments: dict[str, Any], before: dict[str, Any], masking: Masking) -> list[dict[str, Any]]:
    """Each argument with its value, and the value it replaces where a read saw it."""
    masked = _masked({"new": arguments, "old": before}, masking)
    return [
        {
            "argument": visible(name),
            "new": value,
            **({"old": masked["old"][name]} if name in masked["old"] else {}),
        }
        for name, value in masked["new"].items()
    ]


def _masked(value: dict[str, Any], masking: Masking) -> Any:
    # Nothing is marked or withheld: a person must see what they decide about.
    kept = release(_spelled(value), masking=masking, safety_mode=SafetyMode.OFF)
    if kept.blocked:
        return {"new": {"": "too large to show"}, "old": {}}
    return kept.data


def _spelled(value: Any) -> Any:
    """The value with what a reader would not see as code points."""
    match value:
        case str():
            return visible(value)
        case dict():
            return {visible(str(name)): _spelled(one) for name, one in value.items()}
        case list():
            return [_spelled(one) for one in value]
        case _:
            return value


def as_text(value: Any) -> str:
    """A value on one line, JSON unless it is text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
