"""The environment of the peers, `.venv-bench`: their packages, and the placet of this workspace beside them."""

import sys
from pathlib import Path

from tests.bench.measuring import run

LOCK = "requirements-bench.lock"
ENVIRONMENT = ".venv-bench"
DISTRIBUTIONS = ("runtime", "generated")


def peer_environment(workspace: Path) -> Path:
    """The folder with the environment's executables; made on first use and whenever what it is made of is newer."""
    place = workspace / ENVIRONMENT
    ready = place / ".ready"
    sources = [workspace / LOCK, *(workspace / one / "pyproject.toml" for one in DISTRIBUTIONS)]
    if not ready.exists() or ready.stat().st_mtime < max(one.stat().st_mtime for one in sources):
        print(f"setting up {ENVIRONMENT} (once)", file=sys.stderr)
        run([sys.executable, "-m", "venv", "--clear", str(place)], workspace)
        pip = [
            str(place / "bin" / "python"),
            "-m",
            "pip",
            "--disable-pip-version-check",
            "--no-input",
            "--quiet",
        ]
        run([*pip, "install", "--require-hashes", "--only-binary", ":all:", "-r", LOCK], workspace)
        own = [part for one in DISTRIBUTIONS for part in ("-e", one)]
        run([*pip, "install", "--no-deps", "--no-build-isolation", *own], workspace)
        ready.touch()
    return place / "bin"
