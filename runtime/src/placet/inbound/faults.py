"""One thing that is wrong with a call's arguments, and how all of them are told at once."""

from collections.abc import Iterable

from msgspec import Struct

from placet.contract.refusal import Reason

__all__ = ["MOST_FAULTS", "Fault", "told"]

MOST_FAULTS = 20
"""Faults told in one answer; a model that sends thousands learns nothing from the rest."""

_PATH, _PROBLEM = 200, 400


class Fault(Struct, frozen=True, order=True):
    """A place (`fields.状态`, empty for the whole) and a sentence that names the value and the next move."""

    path: str
    problem: str
    reason: Reason = Reason.ARGUMENTS_INVALID


def told(faults: Iterable[Fault]) -> str:
    """All faults as lines, by place, each once, and none longer than a person would read."""
    listed = sorted(set(faults))
    lines = [
        f"{_short(one.path, _PATH)}: {_short(one.problem, _PROBLEM)}"
        if one.path
        else _short(one.problem, _PROBLEM)
        for one in listed[:MOST_FAULTS]
    ]
    if len(listed) > MOST_FAULTS:
        lines.append(f"and {len(listed) - MOST_FAULTS} more")
    return "\n".join(lines)


def _short(text: str, most: int) -> str:
    """The text with its middle left out: the beginning names the value, the end what is wrong with it."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"
