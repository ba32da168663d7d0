"""What a long run of calls leaves behind in memory: reads, and a durable write after every third. Linux.

Prints the rows as JSON.
"""

import asyncio
import gc
import json
import re
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from tests.bench.answering import answering
from tests.bench.calling import Call, alone, together
from tests.bench.gates import READ, WRITE, calling, opened, storing
from tests.bench.measuring import Row, at_most
from tests.bench.samples import FIELD_ARGUMENTS, GET_ARGUMENTS

EARLY, LATE = 2_000, 10_000


def _resident_mb() -> float:
    gc.collect()
    found = re.search(r"VmRSS:\s*(\d+)", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) / 1024


async def _mixed(read: Call, write: Call, store: Call, count: int) -> None:
    """So many calls in all, half of them one at a time."""
    eighth = count // 8
    await alone(read, 3 * eighth)()
    await alone(write, eighth)()
    await together(read, 3 * eighth)()
    await together(write, eighth)()
    await store()


async def _measured() -> list[Row]:
    with answering() as base, tempfile.TemporaryDirectory(prefix="placet-soak-") as folder:
        async with opened(Path(folder), base) as gate:
            read, write = calling(gate, READ, GET_ARGUMENTS), calling(gate, WRITE, FIELD_ARGUMENTS)
            await _mixed(read, write, storing(gate), EARLY)
            early = _resident_mb()
            for _ in range(LATE // EARLY - 1):
                await _mixed(read, write, storing(gate), EARLY)
            late = _resident_mb()
    what = f"soak: MB after {LATE:,} calls above {EARLY:,} ({early:.0f} MB)"
    return [at_most(what, late - early, 3, unit="MB")]


def main() -> None:
    json.dump([asdict(row) for row in asyncio.run(_measured())], sys.stdout)


if __name__ == "__main__":
    main()
