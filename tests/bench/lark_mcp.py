"""What a model pays for the same endpoints: our definitions beside those of lark-mcp, fetched from the npm registry."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.measuring import Failed, Row, at_most

__all__ = ["measure"]

PACKAGE = "@larksuiteoapi/lark-mcp@0.5.1"
TIMEOUT_S = 300


def measure(workspace: Path, folder: Path) -> list[Row]:
    """The ratio over the endpoints that both cover; where two of our tools share one, the larger counts.

    Raises:
        Failed: node or npm is missing, or the package cannot be fetched.
    """
    theirs = {_place(one): one["bytes"] for one in _definitions(folder)}
    ours: dict[tuple[str, str], int] = {}
    for path in sorted((workspace / "golden/feishu/tools").rglob("*.json")):
        tool = json.loads(path.read_text(encoding="utf-8"))
        calls = tool["binding"].get("calls") or []
        text = json.dumps(tool["wire"], ensure_ascii=False, separators=(",", ":"))
        for call in calls[:1]:
            ours[_place(call)] = max(ours.get(_place(call), 0), len(text.encode()))
    both = [(size, theirs[place]) for place, size in ours.items() if place in theirs]
    if not both:
        raise Failed("no endpoint is covered by both")
    whole = sum(size for size, _ in both) / sum(other for _, other in both)
    return [
        at_most(f"definitions of {len(both)} shared endpoints / lark-mcp 0.5.1", whole, 0.5),
        Row("the same, median of the ratios", f"{median(size / other for size, other in both):.3f} x"),
    ]


def _definitions(folder: Path) -> list[dict[str, Any]]:
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise Failed("node and npm are needed for the comparison with lark-mcp")
    home = folder / "lark-mcp"
    home.mkdir()
    script = home / "lark_mcp.cjs"
    shutil.copy(Path(__file__).with_name("lark_mcp.cjs"), script)
    # Without its scripts: they would compile a keychain that listing tools does not need.
    _run([npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE], home)
    return [json.loads(line) for line in _run([node, script.name], home).splitlines()]


def _run(command: list[str], folder: Path) -> str:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=True, timeout=TIMEOUT_S
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise Failed(f"{Path(command[0]).name} failed ({type(error).__name__})") from None
    return done.stdout


def _place(call: dict[str, Any]) -> tuple[str, str]:
    return call["http"], re.sub(r":\w+", ":x", call["route"]).rstrip("/")
