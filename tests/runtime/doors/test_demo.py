"""`placet demo`: the whole way of a call, shown on a platform of its own."""

import subprocess
import sys
from pathlib import Path


def test_the_demonstration_shows_every_step_and_ends_well(tmp_path: Path) -> None:
    """List, query, dry run, refused because not named, done once it is, delete impossible, audit verified."""
    done = subprocess.run(
        [Path(sys.executable).with_name("placet"), "demo"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    order = ["list tables", "待办", "dry run", "nobody enabled", "deleting it", "unattended", "chain: True"]
    places = [done.stdout.index(word) for word in order]
    assert places == sorted(places)
    assert "demo-secret" not in done.stdout
    assert list(tmp_path.iterdir()) == []
