"""Laying out generated Python: one `ruff format` process for all files of a build."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["FormatFailed", "format_python"]

IN_MEMORY = "/dev/shm"
"""Where Linux keeps files without a disk: making and removing hundreds elsewhere can cost more than to format them."""
OPTIONS = ("format", "--isolated", "--no-cache", "--line-length", "110", "--target-version", "py311")


class FormatFailed(Exception):
    """Generated text is no Python, or the formatter could not run. `path` is the file at fault, if one is."""

    def __init__(self, reason: str, *, path: str = "") -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.reason, self.path = reason, path


def format_python(files: Mapping[str, str]) -> dict[str, str]:
    """The same files with every `.py` and `.pyi` text laid out; the others are returned as they are.

    Raises:
        FormatFailed: a text is no valid Python, or ruff is not installed.
    """
    paths = [path for path in files if path.endswith((".py", ".pyi"))]
    if not paths:
        return dict(files)
    in_memory = "TMPDIR" not in os.environ and os.access(IN_MEMORY, os.W_OK | os.X_OK)
    with tempfile.TemporaryDirectory(prefix="placet-format-", dir=IN_MEMORY if in_memory else None) as folder:
        # Numbers for names: a module called `build` or `dist` would be skipped by ruff's own exclusions.
        places = {f"{number:05}{Path(path).suffix}": path for number, path in enumerate(paths)}
        for name, path in places.items():
            Path(folder, name).write_bytes(_encoded(path, files[path]))
        _run(folder, places)
        return {
            **files,
            **{path: Path(folder, name).read_bytes().decode("utf-8") for name, path in places.items()},
        }


def _encoded(path: str, text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as fault:
        raise FormatFailed("its text is not valid Unicode", path=path) from fault


def _run(folder: str, places: Mapping[str, str]) -> None:
    # Settings of the caller's shell must not change our bytes, nor colour the message we read.
    calm = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("RUFF_", "FORCE_COLOR", "CLICOLOR"))
    }
    done = subprocess.run(
        [_ruff(), *OPTIONS, "."],
        cwd=folder,
        env=calm,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return
    for line in done.stderr.splitlines():
        if found := re.search(r"(\d{5}\.pyi?):(\d+:\d+.*)", line):
            raise FormatFailed(found[2], path=places.get(found[1], found[1]))
    raise FormatFailed(f"ruff format ended with {done.returncode}: {done.stderr.strip()[:300]}")


def _ruff() -> str:
    """The ruff of this environment: beside the interpreter, or where its package says."""
    beside = Path(sys.executable).with_name("ruff.exe" if os.name == "nt" else "ruff")
    if beside.is_file():
        return str(beside)
    try:
        module: Any = __import__("ruff")
        return str(module.find_ruff_bin())
    except (ImportError, AttributeError, FileNotFoundError) as fault:
        raise FormatFailed("ruff is not installed in this environment") from fault
