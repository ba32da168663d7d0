"""A diagnostic and its place."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from placet_generator.diagnostics.codes import Code


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file: path as given to the compiler, line and column from 1 (0 when the whole file is meant)."""

    path: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One finding.

    Attributes:
        message: What is wrong; names the value.
        hint: The next move, as an imperative without a full stop.
        related: Other places that belong to it, as the earlier twin of a duplicate key.
    """

    span: Span
    code: Code
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    related: tuple[Span, ...] = ()


def sort_diagnostics(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By place, then code; each finding once."""
    return tuple(sorted(set(found)))


def any_errors(found: Iterable[Diagnostic]) -> bool:
    return any(one.severity is Severity.ERROR for one in found)
