"""Writing a build's files: all or, as far as a file system allows, nothing.

Every new text is first written below the state folder, which lies on the same file system; only when all of
them are there are they renamed into place. A build killed at any point therefore leaves each file whole, old
or new, and the next run clears what it left behind. Files of owned folders that the build did not make go.
"""

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from placet_generator.workspace import (
    SKIPPED_FOLDERS,
    UnsafePath,
    below,
    checked_path,
    files_below,
    read_bytes,
    state_folder,
)

if sys.platform != "win32":
    import fcntl

__all__ = ["WriteFailed", "WriteReport", "write_files"]

STAGING = "writing-"


class WriteFailed(Exception):
    """Files could not be written. `path` is the one at fault, empty when none is."""

    def __init__(self, reason: str, *, path: str = "") -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.reason, self.path = reason, path


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteReport:
    """What a run did, as paths relative to the root, sorted."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]


def write_files(root: Path, files: Mapping[str, str], owned: Sequence[str]) -> WriteReport:
    """Make the disk hold exactly `files` within the owned places, and `files` elsewhere.

    Files whose bytes are already right are not touched.

    Args:
        root: The folder that all paths are relative to.
        files: Path, with forward slashes, to text, which is written as UTF-8 just as it is.
        owned: Files and folders in which all that is not in `files` is removed; links go, not their targets.
    Raises:
        WriteFailed: a path leaves the root or leads through a link, two paths exclude each other, or the disk
            refuses. Nothing was changed unless the disk refused a rename or a removal.
    """
    root = root.resolve()
    try:
        state = state_folder(root)
        with _alone(state):
            _clear_staging(state)
            plan = _plan(root, files, owned)
            if plan.contents or plan.obsolete:
                _carry_out(root, state, plan, owned)
    except UnsafePath as fault:
        raise WriteFailed(fault.reason, path=fault.path) from fault
    except OSError as fault:
        raise WriteFailed(fault.strerror or str(fault), path=str(fault.filename or "")) from fault
    return WriteReport(
        written=tuple(sorted(plan.contents)),
        removed=plan.obsolete,
        unchanged=tuple(sorted(set(files) - set(plan.contents))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    contents: Mapping[str, bytes]
    obsolete: tuple[str, ...]


def _plan(root: Path, files: Mapping[str, str], owned: Sequence[str]) -> _Plan:
    obsolete = {path for path, _ in files_below(root, owned)} - set(files)
    folders = {parent for path in files for parent in _parents(checked_path(path))}
    for path in sorted(folders & set(files)):
        raise WriteFailed("is both a file and a folder of other files", path=path)
    for folder in sorted(folders - obsolete):
        kind = _kind(root, folder)
        if kind == stat.S_IFLNK:
            raise WriteFailed("is a link; files are not written through links", path=folder)
        if kind not in (None, stat.S_IFDIR):
            raise WriteFailed("is a file where a folder is needed", path=folder)
    contents = {}
    for path in sorted(files):
        content = _encoded(path, files[path])
        replaced = any(parent in obsolete for parent in _parents(path))
        if replaced or not _has(root, path, content, obsolete):
            contents[path] = content
    return _Plan(contents=contents, obsolete=tuple(sorted(obsolete)))


def _encoded(path: str, text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as fault:
        raise WriteFailed("its text is not valid Unicode", path=path) from fault


def _has(root: Path, path: str, content: bytes, obsolete: Set[str]) -> bool:
    """True when the file has that content already.

    Raises:
        WriteFailed: a folder with files that are not ours stands in its place.
    """
    kind = _kind(root, path)
    if kind == stat.S_IFDIR and any(one not in obsolete for one, _ in files_below(root, [path])):
        raise WriteFailed("is a folder where a file is needed", path=path)
    return kind == stat.S_IFREG and read_bytes(f"{root}/{path}") == content


def _kind(root: Path, path: str) -> int | None:
    """What stands at a path, as `stat.S_IFREG` and its like, links not followed; None when nothing does."""
    try:
        return stat.S_IFMT(os.lstat(f"{root}/{path}").st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _carry_out(root: Path, state: Path, plan: _Plan, owned: Sequence[str]) -> None:
    staging = Path(tempfile.mkdtemp(prefix=STAGING, dir=state))
    try:
        staged = {path: f"{staging}/{number}" for number, path in enumerate(sorted(plan.contents))}
        for path, place in staged.items():
            with open(place, "wb") as file:
                file.write(plan.contents[path])
        in_the_way = [one for one in plan.obsolete if _excludes(one, plan.contents)]
        for path in in_the_way:
            _remove(root, path, owned)
        for folder in {path.rpartition("/")[0] for path in staged}:
            os.makedirs(f"{root}/{folder}", exist_ok=True)
        for path, place in staged.items():
            if _kind(root, path) == stat.S_IFDIR:
                shutil.rmtree(f"{root}/{path}")  # nothing but empty folders and caches, as the plan made sure
            os.replace(place, f"{root}/{path}")
        for path in plan.obsolete:
            if path not in in_the_way:
                _remove(root, path, owned)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _excludes(old: str, contents: Mapping[str, bytes]) -> bool:
    """True when an old file stands where a new folder goes, or below where a new file goes."""
    return any(parent in contents for parent in _parents(old)) or any(
        path.startswith(f"{old}/") for path in contents
    )


def _remove(root: Path, path: str, owned: Sequence[str]) -> None:
    """Remove a file or link, then the folders that it leaves empty, never above the owned place."""
    (root / path).unlink(missing_ok=True)
    for folder in _parents(path):
        if not below(folder, owned):
            return
        place = root / folder
        left = {one.name for one in place.iterdir()} if place.is_dir() else set()
        if left - SKIPPED_FOLDERS:
            return
        for name in left:
            shutil.rmtree(place / name, ignore_errors=True)
        with contextlib.suppress(FileNotFoundError):
            place.rmdir()


def _parents(path: str) -> tuple[str, ...]:
    """Folders above a path, the nearest first, without the root."""
    parts = path.split("/")
    return tuple("/".join(parts[:depth]) for depth in range(len(parts) - 1, 0, -1))


def _clear_staging(state: Path) -> None:
    for one in state.glob(f"{STAGING}*"):
        shutil.rmtree(one, ignore_errors=True)


@contextlib.contextmanager
def _alone(state: Path) -> Iterator[None]:
    """Hold the lock that keeps two builds of one root apart; the system drops it when a build is killed."""
    with (state / "write.lock").open("w") as handle:
        if sys.platform != "win32":
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
