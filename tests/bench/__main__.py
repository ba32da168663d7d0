"""`make bench`: run every measurement and print one table. Exit code 1 only when a measurement could not be made."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.bench import building, finding, gating, importing, lark_mcp, transport, wire_sizes
from tests.bench.measuring import Failed, Row, table

ROUNDS = 7


def main() -> int:
    """Measure, print, and say whether every measurement could be made. One argument: the number of rounds."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    workspace = Path(__file__).parent.parent.parent
    rows: list[Row] = []
    failed = False
    with tempfile.TemporaryDirectory(prefix="placet-bench-") as name:
        folder = Path(name)
        measurements: dict[str, Callable[[], list[Row]]] = {
            "building": lambda: building.measure(workspace, folder, rounds),
            "importing": lambda: importing.measure(folder, rounds),
            "transport": lambda: transport.measure(rounds),
            "gating": lambda: gating.measure(workspace, rounds),
            "finding": finding.measure,
            "lark-mcp": lambda: lark_mcp.measure(workspace, folder),
            "wire sizes": lambda: wire_sizes.measure(workspace),
        }
        for title, measure in measurements.items():
            try:
                rows += measure()
            except Failed as fault:
                failed = True
                print(f"{title} could not be measured: {fault}", file=sys.stderr)
    print(f"medians of {rounds} rounds")
    print(table(rows))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
