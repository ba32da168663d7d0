"""Where things lie on disk: the root, its surfaces, safe relative paths, files of a folder, the state folder.

Standard library only, because the no-change path of `placet check` starts here.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

__all__ = [
    "UnsafePath",
    "below",
    "checked_path",
    "files_below",
    "find_root",
    "read_bytes",
    "state_folder",
    "surface_names",
]

CURATION = "curation"
STATE = ".placet"
SKIPPED_FOLDERS = frozenset({"__pycache__"})
"""Folders that tools leave behind among our files; they are neither inputs nor outputs."""


_ODD = re.compile(r"[\\:\x00-\x1f]")


class UnsafePath(ValueError):
    """A path that does not stay below the root: absolute, with `..`, or leading through a symbolic link."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path!r} {reason}")
        self.path, self.reason = path, reason


def find_root(start: Path) -> Path | None:
    """The nearest folder, from `start` upward, that holds a `curation` folder; None where there is none."""
    start = start.resolve()
    return next((one for one in (start, *start.parents) if (one / CURATION).is_dir()), None)


def surface_names(root: Path) -> tuple[str, ...]:
    """Names of the folders under curation/ that hold a surface.yaml, sorted."""
    folder = root / CURATION
    return tuple(sorted(one.name for one in folder.iterdir() if (one / "surface.yaml").is_file()))


def checked_path(path: str) -> str:
    """`path` itself, when it is a plain relative path with forward slashes.

    Raises:
        UnsafePath: it is empty or absolute, or has an empty, `.` or `..` part, a backslash, a colon or a
            control character.
    """
    if any(part in ("", ".", "..") for part in path.split("/")):
        raise UnsafePath(path, "is not a plain relative path")
    if _ODD.search(path):
        raise UnsafePath(path, "has a character that no generated path may have")
    return path


def files_below(root: Path, places: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Every file of the given files and folders, as (path relative to root, is a regular file), unsorted.

    Links, pipes and the like are named and not regular; links are never followed. What is not there yields
    nothing.

    Raises:
        UnsafePath: a place is no plain relative path, or is or lies behind a link.
    """
    top = os.fspath(root)
    for place in places:
        parts = checked_path(place).split("/")
        for depth in range(1, len(parts) + 1):
            if os.path.islink(os.path.join(top, *parts[:depth])):
                raise UnsafePath(place, f"leads through the link {'/'.join(parts[:depth])!r}")
        full = os.path.join(top, place)
        if os.path.isdir(full):
            yield from _walk(full, place)
        elif os.path.exists(full):
            yield place, os.path.isfile(full)


def _walk(folder: str, relative: str) -> Iterator[tuple[str, bool]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            path = f"{relative}/{entry.name}"
            if not entry.is_dir(follow_symlinks=False):
                yield path, entry.is_file(follow_symlinks=False)
            elif entry.name not in SKIPPED_FOLDERS:
                yield from _walk(entry.path, path)


def read_bytes(path: str) -> bytes:
    """A file's content; half the cost of `Path.read_bytes`, which counts over a thousand files."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        parts = []
        while part := os.read(handle, 1 << 20):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(handle)


def state_folder(root: Path) -> Path:
    """The folder of stamps and half-written files, made on first use; it tells git to ignore it.

    Raises:
        UnsafePath: it is a link.
        OSError: it cannot be made.
    """
    folder = root / STATE
    if folder.is_symlink():
        raise UnsafePath(STATE, "is a link")
    folder.mkdir(exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
    return folder


def below(path: str, places: Sequence[str]) -> bool:
    """True when `path` is one of the places or lies in one of them."""
    return any(path == place or path.startswith(f"{place}/") for place in places)
