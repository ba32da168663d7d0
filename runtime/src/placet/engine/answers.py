"""What a call at which the loop stopped says to the model, once it is decided."""

import json

from placet.contract.approvals import ApprovalRow
from placet.contract.result import Ok, Result
from placet.rendering import for_model

__all__ = ["TOO_MANY", "closed", "executed", "gone", "outputs"]


def _told(kind: str, reason: str) -> str:
    return json.dumps({"kind": kind, "reason": reason}, ensure_ascii=False)


TOO_MANY = _told("refused", "too many proposals are open; nothing was sent; wait for a decision")


def gone() -> str:
    """Of a proposal that the store no longer has."""
    return _told("unknown", "the proposal is no longer on record; look at what it would have changed")


def executed(result: Result[object]) -> str:
    """Of a call that was made.

    Args:
        result: What the gate answered when it was asked for the stored outcome. It may refuse to give it out, for a
            tool that was switched off since; that the call was made stands all the same.
    """
    if isinstance(result, Ok):
        return for_model(result)
    return _told("ok", "it was executed; its answer is no longer available, read what it changed")


def closed(row: ApprovalRow) -> str | None:
    """Of a call that was not made; None while it is open."""
    match row.state:
        case "awaiting_confirmation" | "executing":
            return None
        case "rejected":
            why = f"; their reason: {row.reason}" if row.reason else ""
            return _told("refused", f"the person said no{why}")
        case "expired":
            return _told("refused", "nobody decided in time; it was not executed")
        case "superseded":
            return _told("refused", "a newer proposal took its place; it was not executed")
        case "execution_unknown":
            return _told("unknown", "it was sent and no answer came; look at what it would have changed")
        case _:
            return _told("failed", f"it was approved and not made ({row.outcome or row.state})")


def outputs(answers: dict[str, str]) -> list[dict[str, str]]:
    """Answers as items of a session.

    Args:
        answers: Call id to what it says.
    """
    return [
        {"type": "function_call_output", "call_id": call_id, "output": output}
        for call_id, output in answers.items()
    ]
