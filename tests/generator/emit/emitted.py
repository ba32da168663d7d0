"""An emitted package on disk, and the characters that hostile text is made of."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from hypothesis import strategies as st

from placet_generator.emit import emit_surface
from placet_generator.format import format_python
from placet_generator.ir import SurfaceIR

HOSTILE = [
    '"""',
    "'''",
    "\\",
    "\\N{BULLET}",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "{# x #}",
    "\n",
    "\r",
    "\t",
    "\x00",
    "\x1b[31m",
    "\x85",
    "\u2028",
    "\u202e",
    "\u2066",
    "\u200b",
    "\ufeff",
    "\U000e0041",
    "|",
    "`",
    "```",
    "<script>",
    "&lt;",
    "---",
    "# x",
    "${x}",
    "%s",
    "$ref",
    "'",
    '"',
    "表",
    "\U0001f600",
]
"""Texts that end strings, open templates, break lines, or hide."""

hostile_texts = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=5), min_size=1, max_size=8).map("".join)


def write_package(surface: SurfaceIR, folder: Path) -> Path:
    """Emits, lays out and writes a surface; returns the folder to put on the import path."""
    for path, text in format_python(emit_surface(surface)).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return folder / "generated/src"


def run_tool(
    name: str, *arguments: str | Path, cwd: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs a command of this environment, with more in its environment."""
    beside = Path(sys.executable).with_name(name)
    command = str(beside) if beside.is_file() else shutil.which(name)
    assert command is not None, f"{name} is not installed"
    return subprocess.run(
        [command, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
