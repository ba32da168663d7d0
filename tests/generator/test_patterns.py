"""Patterns that a long text cannot make slow."""

import pytest

from placet_generator.resolve.patterns import matches, pattern_fault


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"(a+)+$", id="repeat-in-repeat"),
        pytest.param(r"(?:ab|a)*c", id="alternatives-in-repeat"),
        pytest.param(r"(?:a{1,2})+", id="bounded-repeat-in-repeat"),
        pytest.param(r"(?:x?y?){70,900}", id="long-counted-repeat"),
        pytest.param(r"(?i)abc", id="inline-flag"),
        pytest.param(r"(", id="broken"),
    ],
)
def test_a_pattern_that_runs_away_or_reads_differently_is_refused(pattern: str) -> None:
    """What doubles with every character, or is read in two ways, never reaches a host."""
    assert pattern_fault(pattern) is not None


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"[A-Za-z0-9]+!([A-Z]+[0-9]+)?(:[A-Z]+[0-9]+)?", id="a-sheet-range"),
        pytest.param(r"(?:mp4|mov)", id="alternatives-once"),
        pytest.param(r"\d{4}-\d{2}-\d{2}", id="a-date"),
        pytest.param(r"(?:ab){2,8}", id="counted"),
    ],
)
def test_a_plain_pattern_is_accepted(pattern: str) -> None:
    """Ranges, choices and counts stay possible."""
    assert pattern_fault(pattern) is None


def test_a_refused_pattern_is_never_run() -> None:
    """An example against a runaway pattern ends at once; the pattern's own fault is told elsewhere."""
    assert matches(r"(a+)+$", "a" * 5000 + "!")
