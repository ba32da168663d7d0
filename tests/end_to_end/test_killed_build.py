"""A build that is killed leaves each file whole, as it was or as it will be, and the next build finishes the work."""

import random
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.end_to_end.project import PLACET, Project, changed_files

# Kills itself before its n-th call of the function on a file of the project does anything.
KILL_AT = """
import os, signal, sys
left = int(sys.argv[2])
real = getattr(os, sys.argv[1])
def counted(*arguments, **named):
    global left
    left -= str(arguments[0]).startswith(os.getcwd())
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments, **named)
setattr(os, sys.argv[1], counted)
from placet.cli.main import main
main(["build"])
"""


@pytest.fixture(scope="module")
def edited(committed: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose next build writes most files, adds some and removes some."""
    project = committed.copy(tmp_path_factory.mktemp("edited") / "project")
    path = project.root / "curation/feishu/domains/bitable.yaml"
    text = path.read_text(encoding="utf-8").replace("    summary: ", "    summary: Anew. ")
    path.write_text(text.replace("\n  copy_dashboard:\n", "\n  duplicate_dashboard:\n"), encoding="utf-8")
    overlay = project.root / "curation/feishu/locales/zh/bitable.yaml"
    renamed = overlay.read_text(encoding="utf-8").replace(
        "\n  copy_dashboard:\n", "\n  duplicate_dashboard:\n"
    )
    overlay.write_text(renamed, encoding="utf-8")
    return project


@pytest.fixture(scope="module")
def finished(edited: Project, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """What the files are once the build is through."""
    copy = edited.copy(tmp_path_factory.mktemp("finished") / "project")
    done = copy.run("build")
    assert done.returncode == 0, done.stderr
    return copy.files()


def killed_at(function: str, calls: int) -> Callable[[Project], int]:
    def run(project: Project) -> int:
        command = [sys.executable, "-c", KILL_AT, function, str(calls)]
        code = subprocess.run(command, cwd=project.root, capture_output=True, check=False).returncode
        assert code == -signal.SIGKILL
        return code

    return run


def killed_after(seconds: float) -> Callable[[Project], int]:
    def run(project: Project) -> int:
        with subprocess.Popen([PLACET, "build"], cwd=project.root, stdout=subprocess.DEVNULL) as process:
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
        return process.returncode

    return run


MOMENTS = random.Random(20260801)


@pytest.mark.parametrize(
    "kill",
    [
        *(pytest.param(killed_at("replace", n), id=f"before-rename-{n}") for n in (0, 1, 20, 60)),
        *(pytest.param(killed_at("unlink", n), id=f"before-removal-{n}") for n in (0, 1)),
        *(pytest.param(killed_after(MOMENTS.uniform(0.05, 1.2)), id=f"at-random-{n}") for n in range(6)),
    ],
)
def test_a_killed_build_leaves_whole_files(
    kill: Callable[[Project], int],
    edited: Project,
    finished: Mapping[str, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whenever a build is killed, each file is wholly old or wholly new, and the next build ends the work."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # what a killed process cannot clear up goes with the test
    project = edited.copy(tmp_path / "project")
    before = project.files()
    assert len(changed_files(before, finished)) > 40

    code = kill(project)
    after = project.files()

    assert code in (-signal.SIGKILL, 0)
    torn = [path for path, content in after.items() if content not in (before.get(path), finished.get(path))]
    assert torn == []
    assert [path for path in before.keys() & finished.keys() if path not in after] == []
    assert project.run("build").returncode == 0
    assert changed_files(project.files(), finished) == set()
    assert list((project.root / ".placet").glob("writing-*")) == []
