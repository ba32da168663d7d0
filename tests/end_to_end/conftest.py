"""A copy of the repository's surface, made and committed once for the session."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.project import CACHES, PARTS, Project


@pytest.fixture(scope="session")
def committed(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The surface as it is in the repository, in a git repository of its own; not to be changed."""
    root = tmp_path_factory.mktemp("committed")
    for part in PARTS:
        shutil.copytree(workspace / part, root / part, ignore=CACHES)
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


@pytest.fixture
def project(committed: Project, tmp_path: Path) -> Project:
    """A copy that a test may change."""
    return committed.copy(tmp_path / "project")
