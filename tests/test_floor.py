"""The guards over a whole run: each of them can fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PASSING = "def test_one(): pass\ndef test_two(): pass\n"
SKIPPING = "import pytest\ndef test_one(): pass\ndef test_two(): pytest.skip('no door')\n"
MODULE_SKIP = "import pytest\npytest.importorskip('no_such_module_here')\n"
XFAIL = "import pytest\ndef test_one(): pass\n@pytest.mark.xfail\ndef test_two(): assert False\n"
FAILING = "def test_one(): assert False\ndef test_two(): pass\n"


def run(
    workspace: Path, folder: Path, tests: str, *options: str, floor: str = "1", skips: str = "", ci: str = ""
) -> subprocess.CompletedProcess[str]:
    """One pytest run of a small suite under the guards, in a process of its own."""
    (folder / "test_small.py").write_text(tests, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -ra\n", encoding="utf-8")
    (folder / "floor.txt").write_text(floor, encoding="utf-8")
    (folder / "skips.txt").write_text(skips, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "syrupy",
        "-p",
        "tests.floor",
        "-p",
        "tests.frozen_snapshots",
    ]
    return subprocess.run(
        [*command, "-p", "no:cacheprovider", f"--floor-dir={folder}", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(workspace), "CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("tests", "floor", "skips", "code", "says"),
    [
        pytest.param(PASSING, "2", "", 0, "2 tests ran, the floor is 2", id="enough-tests-pass"),
        pytest.param(PASSING, "3", "", 1, "only 2 tests ran", id="fewer-tests-than-the-floor-fail"),
        pytest.param("", "1", "", 1, "only 0 tests ran", id="no-test-at-all-fails"),
        pytest.param(
            SKIPPING, "1", "", 1, "test_small.py::test_two was skipped", id="an-unlisted-skip-fails"
        ),
        pytest.param(
            SKIPPING,
            "1",
            "test_small.py::test_two: no door here",
            0,
            "1 tests ran",
            id="a-listed-skip-passes",
        ),
        pytest.param(
            SKIPPING,
            "2",
            "test_small.py::test_two: no door",
            1,
            "only 1 tests ran",
            id="a-skip-does-not-count",
        ),
        pytest.param(
            XFAIL, "1", "", 1, "test_small.py::test_two was skipped", id="an-expected-failure-is-a-skip"
        ),
        pytest.param(MODULE_SKIP, "1", "", 1, "test_small.py was skipped", id="a-skipped-module-fails"),
        pytest.param(
            PASSING, "1", "test_small.py::gone: why", 1, "gone does not exist", id="a-stale-entry-fails"
        ),
        pytest.param(FAILING, "2", "", 1, "2 tests ran", id="a-failed-test-has-run"),
    ],
)
def test_a_run_is_compared_with_its_floor_and_its_list_of_skips(
    workspace: Path, tmp_path: Path, tests: str, floor: str, skips: str, code: int, says: str
) -> None:
    """A run that shrank or skipped in silence fails and says which of the two."""
    done = run(workspace, tmp_path, tests, "--floor", floor=floor, skips=skips)

    assert done.returncode == code, done.stdout
    assert says in done.stdout


@pytest.mark.parametrize(
    ("floor", "skips"),
    [
        pytest.param("", "", id="empty-floor"),
        pytest.param("0", "", id="floor-of-zero"),
        pytest.param("many", "", id="floor-in-words"),
        pytest.param("1", "test_small.py::test_one:", id="skip-without-a-reason"),
    ],
)
def test_a_broken_list_stops_the_run(workspace: Path, tmp_path: Path, floor: str, skips: str) -> None:
    """A floor or a list that says nothing is a fault of use, not a floor of nothing."""
    done = run(workspace, tmp_path, PASSING, "--floor", floor=floor, skips=skips)

    assert done.returncode == pytest.ExitCode.USAGE_ERROR


def test_without_the_option_nothing_is_counted(workspace: Path, tmp_path: Path) -> None:
    """Running one file by hand is not held to the floor."""
    done = run(workspace, tmp_path, PASSING, floor="99")

    assert done.returncode == 0


SNAPSHOT = "def test_one(snapshot): assert 'text' == snapshot\n"


def test_ci_never_writes_a_snapshot(workspace: Path, tmp_path: Path) -> None:
    """Asking CI to update snapshots is refused, and a missing snapshot fails instead of being made."""
    asked = run(workspace, tmp_path, SNAPSHOT, "--snapshot-update", ci="true")
    missing = run(workspace, tmp_path, SNAPSHOT, ci="true")

    assert asked.returncode == pytest.ExitCode.USAGE_ERROR
    assert missing.returncode == pytest.ExitCode.TESTS_FAILED
    assert not (tmp_path / "__snapshots__").exists()


def test_an_orphaned_snapshot_fails_the_run(workspace: Path, tmp_path: Path) -> None:
    """A snapshot whose test is gone is a fault, not a leftover."""
    made = run(
        workspace,
        tmp_path,
        SNAPSHOT + "def test_two(snapshot): assert 'more' == snapshot\n",
        "--snapshot-update",
    )

    orphaned = run(workspace, tmp_path, SNAPSHOT)

    assert made.returncode == 0
    assert orphaned.returncode == pytest.ExitCode.TESTS_FAILED, orphaned.stdout
