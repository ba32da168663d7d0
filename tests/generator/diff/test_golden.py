"""Reading golden tool files from a folder and from git."""

import json
import subprocess
from pathlib import Path

import pytest

from placet_generator.diff import DiffFailed, compare, read_folder, read_revision

FOLDER = "golden/demo/tools"


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def put(root: Path, name: str, risk: str) -> None:
    path = root / FOLDER / name.split(".")[0] / f"{name.split('.')[1]}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps({"name": name, "risk": risk, "text": "多维"}, ensure_ascii=False), encoding="utf-8"
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    put(tmp_path, "a.one", "read")
    put(tmp_path, "b.two", "write")
    (tmp_path / FOLDER / "README.md").write_text("not a tool", encoding="utf-8")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path


def test_a_revision_is_read_as_the_folder_was(repository: Path) -> None:
    """What git kept is what the folder holds, byte for byte, until it is edited."""
    before = read_folder(repository / FOLDER)
    assert read_revision(repository, "HEAD", FOLDER) == before
    assert sorted(before) == ["a.one", "b.two"]

    put(repository, "a.one", "write")

    assert read_revision(repository, "HEAD", FOLDER) == before
    (change,) = compare(read_revision(repository, "HEAD", FOLDER), read_folder(repository / FOLDER))
    assert (change.tool, change.kind) == ("a.one", "risk-raised")


def test_an_older_revision_can_be_named(repository: Path) -> None:
    """Any name that git knows works."""
    put(repository, "c.three", "read")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "second")

    assert "c.three" in read_revision(repository, "HEAD", FOLDER)
    assert "c.three" not in read_revision(repository, "HEAD~1", FOLDER)


def test_a_workspace_below_the_repository_is_read_too(tmp_path: Path) -> None:
    """The workspace need not be the repository's root."""
    root = tmp_path / "work space"
    put(root, "a.one", "read")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")

    assert sorted(read_revision(root, "HEAD", FOLDER)) == ["a.one"]


def test_what_was_not_there_is_empty(repository: Path) -> None:
    """A surface that is new has nothing on the old side, so all its tools are added."""
    assert read_revision(repository, "HEAD", "golden/other/tools") == {}
    assert read_folder(repository / "golden/other/tools") == {}


@pytest.mark.parametrize("revision", ["", "nowhere", "--output=x", "-h", "HEAD\n", "HEAD:golden"])
def test_a_revision_that_git_does_not_know_is_an_answer(repository: Path, revision: str) -> None:
    """Neither a typo nor an option in disguise reaches the person as a traceback, or git as an option."""
    with pytest.raises(DiffFailed):
        read_revision(repository, revision, FOLDER)


def test_without_a_repository_or_a_commit_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside git, before the first commit, and without git on the machine there is a sentence each."""
    with pytest.raises(DiffFailed):
        read_revision(tmp_path, "HEAD", FOLDER)
    git(tmp_path, "init", "-q")
    with pytest.raises(DiffFailed):
        read_revision(tmp_path, "HEAD", FOLDER)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DiffFailed, match="git"):
        read_revision(tmp_path, "HEAD", FOLDER)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"risk": "read"}', "[" * 100_000], ids=["cut", "list", "no-name", "deep"]
)
def test_a_file_that_is_no_golden_tool_is_named(repository: Path, text: str) -> None:
    """On either side, a broken file is named."""
    (repository / FOLDER / "a" / "one.json").write_text(text, encoding="utf-8")
    with pytest.raises(DiffFailed, match=r"one\.json"):
        read_folder(repository / FOLDER)

    git(repository, "commit", "-q", "-a", "-m", "broken")

    with pytest.raises(DiffFailed, match=r"one\.json"):
        read_revision(repository, "HEAD", FOLDER)
