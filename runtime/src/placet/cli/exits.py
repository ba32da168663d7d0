"""How a result ends a command: one table of exit codes."""

from typing import Any

from placet.contract.result import Result

__all__ = ["EXIT_CODES", "exit_code"]

EXIT_CODES = {"ok": 0, "failed": 1, "refused": 3, "pending": 4, "unknown": 5}
"""By kind of result; 2 is a fault of usage, as for every command."""


def exit_code(result: Result[Any]) -> int:
    """The exit code of a call's result."""
    return EXIT_CODES[result.kind]
