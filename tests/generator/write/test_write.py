"""Writing files: whole or old, nothing outside, nothing left behind."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from placet_generator.workspace import UnsafePath, checked_path
from placet_generator.write import WriteFailed, WriteReport, write_files

OWNED = ("generated/pack", "golden/tools")


def tree(root: Path) -> dict[str, str]:
    """Every file below root but the state folder's, by relative path."""
    files = (path for path in root.rglob("*") if path.is_file() and ".placet" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in files}


def lay(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def test_the_owned_folders_hold_exactly_what_was_built(tmp_path: Path) -> None:
    """New files are there, old ones are replaced, orphans and their folders are gone, the rest is untouched."""
    lay(
        tmp_path,
        {
            "generated/pack/a.py": "old",
            "generated/pack/gone/x.py": "old",
            "generated/pack/gone/__pycache__/x.pyc": "cache",
            "generated/other.py": "theirs",
            "golden/manifest.tsv": "old",
        },
    )

    report = write_files(
        tmp_path,
        {"generated/pack/a.py": "new", "golden/manifest.tsv": "m", "golden/tools/b/c.json": "{}"},
        OWNED,
    )

    assert tree(tmp_path) == {
        "generated/pack/a.py": "new",
        "generated/other.py": "theirs",
        "golden/manifest.tsv": "m",
        "golden/tools/b/c.json": "{}",
    }
    assert not (tmp_path / "generated/pack/gone").exists()
    assert report == WriteReport(
        written=("generated/pack/a.py", "golden/manifest.tsv", "golden/tools/b/c.json"),
        removed=("generated/pack/gone/x.py",),
        unchanged=(),
    )


def test_an_unchanged_file_is_not_touched(tmp_path: Path) -> None:
    """Tools that look at times see only what really changed."""
    files = {"generated/pack/a.py": "a", "generated/pack/b.py": "b"}
    write_files(tmp_path, files, OWNED)
    os.utime(tmp_path / "generated/pack/a.py", ns=(1, 1))
    os.utime(tmp_path / "generated/pack/b.py", ns=(1, 1))

    report = write_files(tmp_path, {**files, "generated/pack/b.py": "other"}, OWNED)

    assert report.unchanged == ("generated/pack/a.py",)
    assert (tmp_path / "generated/pack/a.py").stat().st_mtime_ns == 1
    assert (tmp_path / "generated/pack/b.py").stat().st_mtime_ns != 1


def test_a_file_may_become_a_folder_and_a_folder_a_file(tmp_path: Path) -> None:
    """A domain that is split or merged needs no help by hand."""
    lay(tmp_path, {"generated/pack/a": "file", "generated/pack/b/c/d.py": "deep"})
    files = {"generated/pack/a/x.py": "x", "generated/pack/b": "file"}

    write_files(tmp_path, files, OWNED)

    assert tree(tmp_path) == files


@pytest.mark.parametrize(
    "path",
    ["/etc/x", "../x", "a/../../x", "a//b", "./a", "", "a\\b", "c:x", "a\nb", "a/", "generated/pack/../../x"],
)
def test_a_path_that_leaves_the_root_is_refused_before_anything_is_written(tmp_path: Path, path: str) -> None:
    """No text of a curation can choose where a file goes outside the root."""
    root = tmp_path / "root"
    lay(root, {"generated/pack/a.py": "old"})

    with pytest.raises(WriteFailed):
        write_files(root, {"generated/pack/a.py": "new", path: "evil"}, OWNED)
    with pytest.raises(WriteFailed):
        write_files(root, {}, [path])

    assert tree(tmp_path) == {"root/generated/pack/a.py": "old"}
    with pytest.raises(UnsafePath):
        checked_path(path)


def test_nothing_is_written_or_removed_through_a_link(tmp_path: Path) -> None:
    """A link inside an owned folder is replaced; what it leads to stays as it was."""
    lay(tmp_path, {"outside/keep.txt": "keep", "outside/a.py": "keep"})
    root = tmp_path / "root"
    lay(root, {"generated/pack/z.py": "z"})
    (root / "generated/pack/domain").symlink_to(tmp_path / "outside")
    (root / "generated/pack/extra").symlink_to(tmp_path / "outside")
    (root / "generated/pack/file.py").symlink_to(tmp_path / "outside/keep.txt")

    write_files(root, {"generated/pack/domain/a.py": "keep", "generated/pack/file.py": "keep"}, OWNED)

    assert tree(tmp_path / "outside") == {"keep.txt": "keep", "a.py": "keep"}
    assert tree(root) == {"generated/pack/domain/a.py": "keep", "generated/pack/file.py": "keep"}
    assert not any(path.is_symlink() for path in (root / "generated/pack").rglob("*"))


@pytest.mark.parametrize("place", ["generated", "generated/pack", "golden"])
def test_a_link_above_an_owned_or_written_place_is_refused(tmp_path: Path, place: str) -> None:
    """An owned folder that lies elsewhere is not emptied."""
    lay(tmp_path, {"outside/pack/keep.py": "keep"})
    root = tmp_path / "root"
    (root / place).parent.mkdir(parents=True)
    (root / place).symlink_to(tmp_path / "outside")

    with pytest.raises(WriteFailed):
        write_files(root, {"golden/manifest.tsv": "m"}, OWNED)

    assert tree(tmp_path / "outside") == {"pack/keep.py": "keep"}


@pytest.mark.parametrize(
    ("before", "files"),
    [
        pytest.param({}, {"generated/pack/a": "x", "generated/pack/a/b": "y"}, id="a-file-inside-a-file"),
        pytest.param({"golden/a": "theirs"}, {"golden/a/b": "y"}, id="a-foreign-file-in-the-way"),
        pytest.param({"golden/a/b": "theirs"}, {"golden/a": "y"}, id="a-foreign-folder-in-the-way"),
        pytest.param({}, {"generated/pack/a": "\ud800"}, id="no-unicode"),
    ],
)
def test_what_cannot_be_written_changes_nothing(
    tmp_path: Path, before: dict[str, str], files: dict[str, str]
) -> None:
    """Every refusal comes before the first change."""
    lay(tmp_path, {"generated/pack/old.py": "old", **before})

    with pytest.raises(WriteFailed):
        write_files(tmp_path, {"generated/pack/fine.py": "fine", **files}, OWNED)

    assert tree(tmp_path) == {"generated/pack/old.py": "old", **before}


def test_a_disk_that_refuses_is_reported_and_leaves_the_old_files(tmp_path: Path) -> None:
    """A state folder that cannot be made is an answer, not a traceback."""
    lay(tmp_path, {"generated/pack/a.py": "old", ".placet": "a file where the folder belongs"})

    with pytest.raises(WriteFailed):
        write_files(tmp_path, {"generated/pack/a.py": "new"}, OWNED)

    assert tree(tmp_path)["generated/pack/a.py"] == "old"


OLD = {
    "generated/pack/a.py": "old a\n" * 9,
    "generated/pack/b.py": "old b\n" * 9,
    "golden/tools/gone/c.json": "old c\n",
}
NEW = {
    "generated/pack/a.py": "new a\n" * 9,
    "generated/pack/b.py": "new b\n" * 9,
    "generated/pack/d/e.py": "new e\n",
}

KILLED_AT = """
import os, signal, sys
from pathlib import Path
from placet_generator.write import write_files

event, left = sys.argv[2], int(sys.argv[3])

def hook(name, arguments):
    global left
    if name == event and (event != "open" or "writing-" in str(arguments[0])):
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

sys.addaudithook(hook)
write_files(Path(sys.argv[1]), {new!r}, {owned!r})
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
@pytest.mark.parametrize(
    ("event", "count"),
    [("open", 3), ("os.rename", 3), ("os.remove", 1)],
    ids=["while-staging", "while-renaming", "while-removing"],
)
def test_a_build_killed_at_any_point_leaves_whole_files_and_the_next_one_mends(
    tmp_path: Path, event: str, count: int
) -> None:
    """At every step a killed build leaves each file old or new, never part of one; the next run leaves no trace."""
    program = textwrap.dedent(KILLED_AT).format(new=NEW, owned=OWNED)
    for left in range(count):
        root = tmp_path / str(left)
        lay(root, OLD)

        died = subprocess.run([sys.executable, "-c", program, str(root), event, str(left)], check=False)

        assert died.returncode == -signal.SIGKILL
        for path, text in tree(root).items():
            assert text in (OLD.get(path), NEW.get(path)), path
        assert OLD.keys() - {"golden/tools/gone/c.json"} <= tree(root).keys()
        assert list((root / ".placet").glob("writing-*"))

        write_files(root, NEW, OWNED)

        assert tree(root) == NEW
        assert not list((root / ".placet").glob("writing-*"))


def test_the_state_folder_asks_git_to_ignore_it(tmp_path: Path) -> None:
    """A build leaves nothing for a commit but its files."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)

    write_files(tmp_path, {"golden/a": "a"}, OWNED)

    said = subprocess.run(
        ["git", "-C", str(tmp_path), "status", "--porcelain", "-uall"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout.splitlines() == ["?? golden/a"]
