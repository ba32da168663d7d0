"""Reading golden tool files, from a folder or from a git revision."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

__all__ = ["DiffFailed", "read_folder", "read_revision"]


class DiffFailed(Exception):
    """One of the two sides cannot be read; the message says which and why."""


def read_folder(folder: Path) -> dict[str, Mapping[str, Any]]:
    """Tool name to content of every JSON file below a folder; empty when the folder is not there.

    Raises:
        DiffFailed: a file is no golden tool file.
    """
    try:
        files = [(str(path), path.read_bytes()) for path in sorted(folder.rglob("*.json")) if path.is_file()]
    except OSError as fault:
        raise DiffFailed(f"{fault.filename}: {fault.strerror}") from fault
    return dict(_tool(path, content) for path, content in files)


def read_revision(root: Path, revision: str, folder: str) -> dict[str, Mapping[str, Any]]:
    """The same as it was at a git revision; two git processes, whatever the number of files.

    Args:
        root: A folder of the work tree.
        revision: Anything that git takes for a commit, as `HEAD~1` or `v1.2.0`.
        folder: The golden tools' folder, relative to `root`, with forward slashes.
    Raises:
        DiffFailed: git is missing, `root` is in no repository, the revision is unknown, or a file is no
            golden tool file.
    """
    if not revision or revision.startswith("-") or not revision.isprintable():
        raise DiffFailed(f"{revision!r} is no git revision")
    commit = _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", what=revision)
    listing = _git(root, "ls-tree", "-r", "-z", commit.decode().strip(), "--", f"{folder}/", what=revision)
    blobs: list[tuple[str, str]] = []
    for line in listing.decode("utf-8", "surrogateescape").split("\0"):
        kind, _, path = line.partition("\t")
        if path.endswith(".json") and kind.split()[1] == "blob":
            blobs.append((path, kind.split()[2]))
    if not blobs:
        return {}
    asked = "".join(f"{blob}\n" for _, blob in blobs).encode()
    answer = _git(root, "cat-file", "--batch", what=revision, given=asked)
    return dict(_tool(f"{revision}:{path}", content) for path, content in _contents(blobs, answer))


def _git(root: Path, *arguments: str, what: str, given: bytes = b"") -> bytes:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, input=given, capture_output=True, check=False)
    except OSError as fault:
        raise DiffFailed(f"git cannot be run: {fault.strerror}") from fault
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise DiffFailed(f"git does not know {what!r}" + (f": {said[0]}" if said else ""))
    return done.stdout


def _contents(blobs: list[tuple[str, str]], answer: bytes) -> Iterator[tuple[str, bytes]]:
    """Split what `cat-file --batch` prints: a header line with the size, that many bytes, a newline."""
    at = 0
    for path, _ in blobs:
        end = answer.index(b"\n", at)
        size = int(answer[at:end].split()[2])
        yield path, answer[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def _tool(path: str, content: bytes) -> tuple[str, Mapping[str, Any]]:
    try:
        tool = json.loads(content)
    except (ValueError, RecursionError) as fault:
        raise DiffFailed(f"{path} is no JSON") from fault
    if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
        raise DiffFailed(f"{path} is no golden tool file: it has no name")
    return tool["name"], tool
