"""The benchmarks' own parts: what they measure with must itself be right."""

from pathlib import Path

import pytest

from placet_generator.surface_folder import compile_folder
from tests.bench.large_surface import write_large_surface
from tests.bench.measuring import Failed, at_most, interleaved, ratio, run, table


def test_a_multiplied_surface_compiles(workspace: Path, tmp_path: Path) -> None:
    """Copies of the curated domains are a surface without a fault, with as many tools as were asked for."""
    target = tmp_path / "curation" / "feishu"
    count = write_large_surface(workspace / "curation" / "feishu", target, tools=100)

    compilation = compile_folder(tmp_path, "feishu")

    assert count >= 100
    assert [str(one) for one in compilation.diagnostics if one.severity == "error"] == []
    assert len(compilation.tools) == count


def test_every_contender_runs_once_a_round_and_the_first_round_is_not_counted() -> None:
    """Two contenders, three rounds: six counted runs, and each was warmed up once."""
    runs: list[str] = []

    def contender(name: str, seconds: float) -> float:
        runs.append(name)
        return seconds

    seconds = interleaved({"a": lambda: contender("a", 2.0), "b": lambda: contender("b", 4.0)}, 3)

    assert sorted(runs) == ["a"] * 4 + ["b"] * 4
    assert seconds == {"a": [2.0] * 3, "b": [4.0] * 3}
    assert ratio(seconds["a"], seconds["b"]) == 0.5


def test_the_table_says_what_is_met_and_what_is_missed() -> None:
    """A value at its goal is met, one above it is missed."""
    lines = table(
        [at_most("even", 2.0, 2.0), at_most("above", 2.1, 2.0), at_most("memory", 199, 200, unit="MB")]
    )

    assert [line.split()[-1] for line in lines.splitlines()[1:]] == ["ok", "MISSED", "ok"]


def test_a_process_that_fails_is_no_measurement(tmp_path: Path) -> None:
    """A contender that ends with a fault is told, not timed."""
    with pytest.raises(Failed, match="ended with 3"):
        run(["sh", "-c", "exit 3"], tmp_path)
