"""How much the rules find, and how often they are wrong, on texts that they were not written against."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.runtime.sanitise.measured import (
    PARTS,
    benign_lines,
    injection_cases,
    is_flagged,
    leaked,
    secret_cases,
)

GUIDE = "docs/guide/what-leaves.md"
Report = Callable[[str], None]


def _recall(part: str, language: str) -> tuple[int, int]:
    cases = list(injection_cases(language, PARTS[part][1], PARTS[part][2]))
    return sum(is_flagged(case.value) for case in cases), len(cases)


def _false_alarms(part: str, language: str) -> tuple[int, int]:
    lines = benign_lines(language, part)
    return sum(is_flagged({"text": line}) for line in lines), len(lines)


def _rows() -> dict[str, tuple[int, int]]:
    """The evaluation's figures by what they are about: how many of how many."""
    cases = list(secret_cases(PARTS["evaluation"][0]))
    rows = {"secrets masked": (sum(not leaked(case) for case in cases), len(cases))}
    for language, name in (("en", "English"), ("zh", "Chinese")):
        rows[f"{name} injections found"] = _recall("evaluation", language)
        rows[f"{name} false alarms"] = _false_alarms("evaluation", language)
    return rows


@pytest.fixture(scope="module")
def rows() -> dict[str, tuple[int, int]]:
    return _rows()


def test_secrets_are_masked(rows: dict[str, tuple[int, int]]) -> None:
    """Of the secrets of the evaluation part at least 99 in 100 are masked."""
    masked, count = rows["secrets masked"]

    assert count > 2000
    assert masked / count >= 0.99


@pytest.mark.parametrize("name", ["English", "Chinese"])
def test_injections_are_found(name: str, rows: dict[str, tuple[int, int]]) -> None:
    """Of the injections of the evaluation part at least 9 in 10 are found, disguised ones included."""
    found, count = rows[f"{name} injections found"]

    assert count >= 2000
    assert found / count >= 0.9


@pytest.mark.parametrize("name", ["English", "Chinese"])
def test_harmless_texts_raise_few_alarms(name: str, rows: dict[str, tuple[int, int]]) -> None:
    """Of the harmless lines of the evaluation part at most 2 in 100 are marked."""
    alarms, count = rows[f"{name} false alarms"]

    assert count > 100
    assert alarms / count <= 0.02


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_harmless_line_is_masked(language: str) -> None:
    """Business texts about passwords and tokens hold no secret, and none is seen in them."""
    from placet.sanitise.outbound import mask
    from tests.runtime.sanitise.measured import RULES

    lines = benign_lines(language, "evaluation") + benign_lines(language, "development")

    assert [line for line in lines if mask(line, RULES)[1]] == []


def test_the_parts_share_no_text() -> None:
    """An evaluation on texts that the rules were written against would say nothing."""
    for one in ("ENGLISH", "CHINESE"):
        development, evaluation = (set(getattr(PARTS[part][1], one)) for part in PARTS)
        assert not development & evaluation
    for language in ("en", "zh"):
        assert not set(benign_lines(language, "development")) & set(benign_lines(language, "evaluation"))


def test_the_guide_prints_these_figures(rows: dict[str, tuple[int, int]], workspace: Path) -> None:
    """The published figures are those of this run."""
    page = (workspace / GUIDE).read_text(encoding="utf-8")

    for name, (some, count) in rows.items():
        assert f"| {name} | {some} of {count} | {100 * some / count:.1f} % |" in page
