"""The cold build of a large surface against its floors and its peer, the check with nothing to do, and memory."""

import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from tests.bench.floors import IMPORTS, PARTS
from tests.bench.large_surface import write_large_surface
from tests.bench.measuring import Contender, Row, at_most, interleaved, peak_mb, ratio, run, summed, timed
from tests.bench.peer import peer_command, write_document

COUNTED_TOO = ("imports", "witness", "writing")
IMPORT_SDK = "import lark_oapi"


def measure(workspace: Path, folder: Path, rounds: int) -> list[Row]:
    """The rows on building and checking.

    Args:
        folder: An empty folder to work in.
    """
    surface = folder / "surface"
    tools = write_large_surface(workspace / "curation" / "feishu", surface / "curation" / "feishu")
    run([sys.executable, "-m", "tests.bench.floors", "prepare", str(surface)], workspace)
    placet = os.fspath(Path(sys.executable).with_name("placet"))
    checked = _copy(surface, folder)
    run([placet, "build"], checked)
    document = folder / "openapi.json"
    write_document(document, tools)
    contenders: dict[str, Contender] = {
        "build": partial(_cold_build, placet, surface, folder),
        "peer": partial(_peer, peer_command(workspace), document, folder),
        "check": partial(timed, [placet, "check"], checked),
        "lark_oapi": partial(timed, [sys.executable, "-c", IMPORT_SDK], folder),
        "imports": partial(timed, [sys.executable, "-c", IMPORTS], folder),
        **{part: partial(_part, workspace, surface, part) for part in PARTS},
    }
    seconds = interleaved(contenders, rounds)
    return [*_ratios(seconds, tools), _memory(_copy(surface, folder), tools)]


def _copy(surface: Path, folder: Path) -> Path:
    """A new root with that surface's curation and nothing built.

    Nothing is removed while we measure: ext4 makes files slowly for some seconds after many were deleted.
    """
    root = Path(tempfile.mkdtemp(dir=folder))
    shutil.copytree(surface / "curation", root / "curation")
    return root


def _cold_build(placet: str, surface: Path, folder: Path) -> float:
    return timed([placet, "build"], _copy(surface, folder))


def _peer(command: Path, document: Path, folder: Path) -> float:
    target = Path(tempfile.mkdtemp(dir=folder)) / "client"
    generate = [str(command), "generate", "--path", str(document), "--output-path", str(target)]
    return timed(generate, folder, path=str(command.parent))


def _part(workspace: Path, root: Path, part: str) -> float:
    return float(run([sys.executable, "-m", "tests.bench.floors", part, str(root)], workspace).stdout)


def _ratios(seconds: Mapping[str, Sequence[float]], tools: int) -> list[Row]:
    floor = {name: seconds[name] for name in (*PARTS, "imports")}
    bare = [values for name, values in floor.items() if name not in COUNTED_TOO]
    build = seconds["build"]
    parts = ", ".join(f"{name} {median(values) * 1000:.0f}" for name, values in floor.items())
    without = ratio(build, summed(bare))
    return [
        at_most(
            f"cold build of {tools} tools / sum of its floors", ratio(build, summed(floor.values())), 2.2
        ),
        Row(f"  the floors without {', '.join(COUNTED_TOO)}", f"{without:.3f} x"),
        Row(f"  ms: {parts}", f"build {median(build) * 1000:.0f} ms"),
        at_most(
            f"cold build / openapi-python-client, {tools} operations", ratio(build, seconds["peer"]), 0.3
        ),
        at_most("no-change check / import lark_oapi", ratio(seconds["check"], seconds["lark_oapi"]), 0.1),
    ]


def _memory(root: Path, tools: int) -> Row:
    program = "from placet.cli.main import main\nmain(['build'])"
    return at_most(
        f"peak memory of the build of {tools} tools", peak_mb(sys.executable, program, root), 200, unit="MB"
    )
