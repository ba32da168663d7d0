"""What a code means: the command's answer and the page."""

from pathlib import Path

import pytest

from placet_generator.diagnostics import CODES, Code
from placet_generator.diagnostics.explain import UnknownCode, codes_page, explain


@pytest.mark.parametrize("code", Code)
def test_every_code_is_explained_with_a_remedy(code: Code) -> None:
    """A declared code has a purpose, a remedy and an answer to `placet explain`."""
    answer = explain(code)

    assert answer.startswith(f"{code} ")
    assert CODES[code].purpose in answer
    assert CODES[code].remedy in answer


def test_a_code_is_known_by_its_name_and_in_any_case() -> None:
    """People may type what they remember."""
    assert explain("rsk001") == explain("RISK_MISSING") == explain("risk-missing") == explain("RSK001")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        pytest.param("RSK01", "RSK001", id="digit-left-out"),
        pytest.param("risk_mising", "RISK_MISSING", id="misspelt-name"),
    ],
)
def test_an_unknown_code_names_the_nearest(name: str, nearest: str) -> None:
    """A typo gets the code that was meant."""
    with pytest.raises(UnknownCode) as caught:
        explain(name)

    assert caught.value.nearest[0] == nearest
    assert nearest in str(caught.value)


def test_a_name_like_no_code_gets_no_guess() -> None:
    """Nothing is suggested where nothing is near."""
    with pytest.raises(UnknownCode) as caught:
        explain("???")

    assert caught.value.nearest == ()


def test_the_page_has_a_line_for_every_code() -> None:
    """No code is left out of the page, and none is there twice."""
    rows = [line.split(" | ")[0] for line in codes_page().splitlines() if line.startswith("| ")]

    assert sorted(row for row in rows if row != "| code") == sorted(f"| {code}" for code in Code)


def test_the_committed_page_is_the_table_of_codes(workspace: Path) -> None:
    """docs/diagnostics.md says what the compiler says."""
    assert (workspace / "docs" / "diagnostics.md").read_text(encoding="utf-8") == codes_page()
