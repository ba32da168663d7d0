"""A record that reports another operation of its tuple takes the outcome from that one's answer."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from placet.contract.stores import AppendAudit, Operation

__all__ = ["with_outcome"]


def with_outcome(operation: Operation, answers: Sequence[Any]) -> Operation:
    """The operation, a record that waits for an earlier answer with it filled in.

    Args:
        answers: Of the operations before it, in order.
    """
    if not isinstance(operation, AppendAudit) or operation.outcome_of is None:
        return operation
    answer = answers[operation.outcome_of]
    verdict = getattr(answer, "verdict", None)
    outcome = verdict if verdict is not None else ("done" if answer else "not_done")
    return replace(operation, entry=replace(operation.entry, outcome=outcome))
