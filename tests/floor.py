"""A pytest plugin: the run as a whole may not shrink in silence.

With `--floor` (what `make test` passes) a run fails when fewer tests ran than `floor.txt` says, when a test was
skipped that `skips.txt` does not list, and when `skips.txt` lists a test that no longer exists. Without it, as when
one file is run by hand, nothing is counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

__all__ = ["Count", "pytest_addoption", "pytest_configure", "read_floor", "read_skips"]

HERE = Path(__file__).parent


@dataclass(slots=True, eq=False)  # pytest keeps plugins in sets
class Count:
    """The guard: what ran, what was skipped, and what that is compared with.

    Attributes:
        floor: Fewest tests that must run to their end, passed or failed.
        skips: Node id of each test that may be skipped, with the reason.
    """

    floor: int
    skips: Mapping[str, str]
    ran: set[str] = field(default_factory=set)
    skipped: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.skipped.add(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self.skipped.add(report.nodeid)
        elif report.when == "call":
            self.ran.add(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.faults = self.compare()
        if self.faults and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("floor")
        terminalreporter.line(f"{len(self.ran)} tests ran, the floor is {self.floor}")
        for fault in self.faults:
            terminalreporter.line(f"FLOOR {fault}", red=True)

    def compare(self) -> list[str]:
        """What is wrong with the run, a sentence each."""
        faults = []
        if len(self.ran) < self.floor:
            faults.append(
                f"only {len(self.ran)} tests ran; if tests were removed on purpose, lower tests/floor.txt"
            )
        faults += [
            f"{test} was skipped; list it with its reason in tests/skips.txt"
            for test in sorted(self.skipped - self.skips.keys())
        ]
        faults += [
            f"{test} does not exist; remove it from tests/skips.txt"
            for test in sorted(self.skips.keys() - self.skipped - self.ran)
        ]
        return faults


def read_floor(path: Path) -> int:
    """The number in the file.

    Raises:
        pytest.UsageError: the file holds anything but one positive number.
    """
    text = path.read_text(encoding="utf-8").strip()
    if not text.isdecimal() or int(text) < 1:
        raise pytest.UsageError(f"{path.name}: expected one positive number, found {text!r}")
    return int(text)


def read_skips(path: Path) -> dict[str, str]:
    """Node id to reason, from lines of `node id: reason`; `#` begins a comment line.

    Raises:
        pytest.UsageError: a line has no reason.
    """
    skips = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        test, separator, reason = line.partition(": ")
        if not separator or not reason.strip():
            raise pytest.UsageError(f"{path.name}:{number}: a skip needs a reason, as `node id: reason`")
        skips[test] = reason.strip()
    return skips


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("floor")
    group.addoption(
        "--floor", action="store_true", help="fail a run that is smaller than the committed floor"
    )
    group.addoption("--floor-dir", type=Path, default=HERE, help="folder of floor.txt and skips.txt")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--floor"):
        folder = config.getoption("--floor-dir")
        config.pluginmanager.register(
            Count(floor=read_floor(folder / "floor.txt"), skips=read_skips(folder / "skips.txt")),
            "floor-count",
        )
