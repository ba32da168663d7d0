"""The report of the wire proof, printed below every run that made one."""

import pytest

REPORT = pytest.StashKey[list[str]]()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    lines = config.stash.get(REPORT, [])
    if lines:
        terminalreporter.section("wire proof")
        for line in lines:
            terminalreporter.line(line)
