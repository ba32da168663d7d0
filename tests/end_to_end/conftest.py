"""A copy of three domains of the repository's surface, made and committed once for the session."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.project import CACHES, PARTS, Project
from tests.three_domains import is_kept, trimmed


@pytest.fixture(scope="session")
def committed(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The three domains, generated, in a git repository of their own; not to be changed."""
    root = tmp_path_factory.mktemp("committed")
    for part in PARTS:
        shutil.copytree(workspace / part, root / part, ignore=CACHES)
    _trim(root / "curation/feishu")
    built = Project(root).run("build")
    assert built.returncode == 0, built.stderr
    shutil.rmtree(root / ".placet", ignore_errors=True)
    git = [
        "git",
        "-c",
        "user.name=Placet",
        "-c",
        "user.email=placet@example.org",
        "-c",
        "commit.gpgsign=false",
    ]
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "As it is"]):
        subprocess.run([*git, *command], cwd=root, check=True, capture_output=True)
    return Project(root)


def _trim(surface: Path) -> None:
    """Leave three domains, and of the surface's lists what is theirs."""
    for path in [path for path in surface.rglob("*") if path.is_file()]:
        if not is_kept(path.relative_to(surface).as_posix()):
            path.unlink()
    file = surface / "surface.yaml"
    file.write_text(trimmed(file.read_text(encoding="utf-8")), encoding="utf-8")


@pytest.fixture
def project(committed: Project, tmp_path: Path) -> Project:
    """A copy that a test may change."""
    return committed.copy(tmp_path / "project")
