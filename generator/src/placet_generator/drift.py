"""Drift: how the disk differs from what the curation gives, as lists, with the command that mends it."""

import difflib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from placet_generator.diagnostics import Code, Diagnostic, Span
from placet_generator.diagnostics.render import visible
from placet_generator.workspace import below, checked_path, files_below, read_bytes

__all__ = ["Drift", "compare_outputs", "drift_report", "find_drift", "read_pin"]

COMMAND = "make generate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Paths relative to the root, sorted.

    Attributes:
        changed: Path to the bytes on disk, None for a link or a special file.
    """

    missing: tuple[str, ...]
    changed: Mapping[str, bytes | None]
    extra: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.missing or self.changed or self.extra)


def find_drift(root: Path, files: Mapping[str, str], owned: Sequence[str]) -> Drift:
    """Compare the disk with a build's files.

    Raises:
        UnsafePath: an owned place is or lies behind a link.
        OSError: a file cannot be read.
    """
    regular = dict(
        files_below(root, [*owned, *(one for one in files if not below(checked_path(one), owned))])
    )
    changed: dict[str, bytes | None] = {}
    for path in sorted(files):
        if path in regular:
            content = read_bytes(os.fspath(root / path)) if regular[path] else None
            if content != files[path].encode("utf-8"):
                changed[path] = content
    return Drift(
        missing=tuple(sorted(files.keys() - regular.keys())),
        changed=changed,
        extra=tuple(sorted(regular.keys() - files.keys())),
    )


def compare_outputs(
    root: Path, files: Mapping[str, str], owned: Sequence[str], *, command: str = COMMAND
) -> tuple[Diagnostic, ...]:
    """Drift as diagnostics: DRF001 missing, DRF002 changed (at the first line that differs), DRF003 extra.

    Args:
        files: What the build gives, by path relative to the root.
        owned: Files and folders in which nothing else may be.
        command: What mends it.
    """
    drift = find_drift(root, files, owned)
    found = [
        Diagnostic(Span(path), Code.DRIFT_MISSING, f"{path!r} is not there", f"run `{command}` and commit it")
        for path in drift.missing
    ]
    for path, content in drift.changed.items():
        text = f"{path!r} is not what the curation gives"
        hint = f"run `{command}`; generated files are never edited"
        found.append(
            Diagnostic(_first_difference(path, content, files[path]), Code.DRIFT_CHANGED, text, hint)
        )
    found += [
        Diagnostic(
            Span(path), Code.DRIFT_EXTRA, f"{path!r} comes from no curation", f"run `{command}` to remove it"
        )
        for path in drift.extra
    ]
    return tuple(found)


def _first_difference(path: str, content: bytes | None, text: str) -> Span:
    if content is None:
        return Span(path)
    pairs = zip(content.splitlines(), text.encode("utf-8").splitlines(), strict=False)
    same = 0
    for old, new in pairs:
        if old != new:
            break
        same += 1
    return Span(path, same + 1, 1)


def drift_report(
    drift: Drift,
    files: Mapping[str, str],
    *,
    command: str = COMMAND,
    lines_per_file: int = 30,
    lines_in_all: int = 200,
) -> str:
    """The three lists and a unified diff of the changed files, disk to curation; empty without drift.

    A file's diff has at most `lines_per_file` lines, all of them together at most `lines_in_all`.
    """
    lines: list[str] = []
    for title, paths in (
        ("missing", drift.missing),
        ("changed", tuple(drift.changed)),
        ("extra", drift.extra),
    ):
        if paths:
            lines.append(f"{title} ({len(paths)}), mended by `{command}`:")
            lines.extend(f"  {visible(path)}" for path in paths)
    left = lines_in_all
    for path, content in drift.changed.items():
        diff = [visible(line, keep="\t") for line in _diff(path, content, files[path])]
        shown = diff[: min(lines_per_file, left)]
        left -= len(shown)
        lines.extend(shown)
        if len(shown) < len(diff):
            lines.append(f"... {len(diff) - len(shown)} more lines of {visible(path)}")
    return "".join(f"{line}\n" for line in lines)


def _diff(path: str, content: bytes | None, text: str) -> Iterator[str]:
    old = [] if content is None else content.decode("utf-8", "replace").splitlines()
    return difflib.unified_diff(
        old, text.splitlines(), f"{path} (on disk)", f"{path} (from curation)", lineterm=""
    )


def read_pin(root: Path, path: str) -> Mapping[str, Any] | None:
    """The committed pin; None when it is missing or no JSON object, which drift reports by itself."""
    try:
        pin = json.loads(read_bytes(os.fspath(root / checked_path(path))))
    except (OSError, ValueError, RecursionError):
        return None
    return pin if isinstance(pin, dict) else None
