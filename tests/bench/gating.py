"""The gate beside its peers. It runs in the peers' environment, where both can be imported."""

import json
from pathlib import Path

from tests.bench.environment import peer_environment
from tests.bench.measuring import Row, run


def measure(workspace: Path, rounds: int) -> list[Row]:
    """The rows on reads, writes, lists, stalls and memory."""
    python = str(peer_environment(workspace) / "python")
    calls = run([python, "-m", "tests.bench.gated_calls", str(rounds)], workspace)
    soak = run([python, "-m", "tests.bench.soaking"], workspace)
    return [Row(**row) for done in (calls, soak) for row in json.loads(done.stdout)]
