"""The neutral rooms know no vendor: everything that changes from one to the next lies under platforms/.

`testing` hands a platform's fake to users, so it may name one.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

VENDOR = re.compile(r"feishu|lark", re.IGNORECASE)


def test_no_neutral_room_holds_a_literal_of_a_vendor(workspace: Path) -> None:
    """Outside platforms/ and testing/ the runtime's sources do not name Feishu or Lark."""
    root = workspace / "runtime/src/placet"
    found = [
        f"{path.relative_to(root)}:{number}"
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and "__pycache__" not in path.parts
        and path.relative_to(root).parts[0] not in ("platforms", "testing")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if VENDOR.search(line)
    ]

    assert found == []


@pytest.mark.parametrize("words", [["--help"], ["tools", "--help"]], ids=" ".join)
def test_help_names_no_vendor(words: list[str]) -> None:
    """What the executable says about itself holds for any surface."""
    done = subprocess.run(
        [str(Path(sys.executable).with_name("placet")), *words], capture_output=True, text=True, check=True
    )

    assert VENDOR.findall(done.stdout) == []
