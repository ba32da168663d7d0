"""A project on disk, driven through the executable as a person or a CI run drives it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PLACET = Path(sys.executable).with_name("placet")
PARTS = ("curation", "generated/src", "golden/feishu")
CACHES = shutil.ignore_patterns("__pycache__")


@dataclass(frozen=True, slots=True)
class Project:
    """A root with curation, generated code and golden files."""

    root: Path

    def run(self, *arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run `placet` here as a process of its own; `path` goes before everything else that Python imports from."""
        environment = {**os.environ, "NO_COLOR": "1"}
        if path is not None:
            environment["PYTHONPATH"] = os.fspath(path)
        return subprocess.run(
            [PLACET, *arguments], cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )

    def text(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text that stands in the file exactly once."""
        text = self.text(path)
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        (self.root / path).write_text(text.replace(old, new), encoding="utf-8")

    def files(self) -> Mapping[str, bytes]:
        """Every file but git's and the state folder's, by path."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
            and not {".git", ".placet", "__pycache__"} & set(path.relative_to(self.root).parts)
        }

    def copy(self, root: Path) -> "Project":
        return Project(shutil.copytree(self.root, root, ignore=CACHES))


def changed_files(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> set[str]:
    """Paths whose file came, went or changed."""
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
