"""One difference between two versions of a tool."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

__all__ = ["Audience", "Change", "Effect"]

Audience = Literal["model", "host", "both"]
"""Whom it concerns: the model that calls, the host that runs and approves, or both."""


class Effect(StrEnum):
    """What a change does to those who rely on the tool.

    BREAKING: a call, answer or permission that held may not hold any more. WIDENING: all of them still hold.
    TEXT: only words changed.
    """

    BREAKING = "breaking"
    WIDENING = "widening"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A difference in words.

    Attributes:
        tool: The tool's name now; its old name when it is gone.
        kind: A stable word for the kind of change, as `parameter-removed`.
        place: What it is about, as `parameter 'fields.name'`; empty for the tool itself.
        message: What happened to it, as `became required`.
        old: The value before, None when there was none.
        new: The value after, None when there is none.
    """

    tool: str
    kind: str
    effect: Effect
    audience: Audience
    message: str
    place: str = ""
    old: Any = None
    new: Any = None
