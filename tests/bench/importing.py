"""Importing the generated package and listing its tools, against importing the SDK."""

import sys
from functools import partial
from pathlib import Path

from tests.bench.measuring import Row, at_most, interleaved, peak_mb, ratio, timed

LIST = "import placet_feishu\nfor tool in placet_feishu.surface.tools: tool.name, tool.risk, tool.summary\n"


def measure(folder: Path, rounds: int) -> list[Row]:
    """The rows on the package's import."""
    seconds = interleaved(
        {
            "package": partial(timed, [sys.executable, "-c", LIST], folder),
            "lark_oapi": partial(timed, [sys.executable, "-c", "import lark_oapi"], folder),
        },
        rounds,
    )
    return [
        at_most(
            "import placet_feishu and list it / import lark_oapi",
            ratio(seconds["package"], seconds["lark_oapi"]),
            0.05,
        ),
        at_most("peak memory of that", peak_mb(sys.executable, LIST, folder), 35, unit="MB"),
    ]
