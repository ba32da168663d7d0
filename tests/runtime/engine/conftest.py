"""The crash matrix, printed below every run that made one."""

import pytest

MATRIX: list[str] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if MATRIX:
        terminalreporter.section("crash matrix")
        for line in sorted(MATRIX):
            terminalreporter.line(line)
