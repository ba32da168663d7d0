"""`placet demo`: a conversation in which one write waits for a person, on a platform of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.doors.terminal import at_a_terminal


def test_the_demonstration_writes_what_was_approved_and_nothing_else(tmp_path: Path) -> None:
    """Read, propose, old and new, yes, one write, the answer, a delete that is not offered, audit verified."""
    done = subprocess.run(
        [Path(sys.executable).with_name("placet"), "demo", "--yes"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
        env={name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")},
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    order = [
        "哪些任务",
        "还有一项待办：写周报",
        "waits for a person",
        "->",
        "claimed",
        "已标为已完成",
        "没有删除",
        "chain: True",
    ]
    places = [done.stdout.index(word) for word in order]
    assert places == sorted(places)
    assert "writes that reached the platform: 1, deletions: 0" in done.stdout
    assert "demo-secret" not in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("typed", "writes", "word"), [("y\n", 1, "已标为已完成"), ("n\n", 0, "没有修改")], ids=["yes", "no"]
)
def test_a_person_at_the_terminal_decides(tmp_path: Path, typed: str, writes: int, word: str) -> None:
    """Either answer ends well; a no writes nothing."""
    code, screen = at_a_terminal(tmp_path, ["demo"], typed)

    assert code == 0
    assert f"platform: {writes}, deletions: 0" in screen
    assert word in screen
