"""Every code the compiler declares is shown by a golden case, and no other is."""

import re

from placet_generator.diagnostics import CODES, Code
from tests.generator.golden_cases import CASES, case_names

REPORTED = re.compile(r"(?m)^[^ ].*?: ([A-Z]{3}[0-9]{3}) ")


def reported_codes() -> set[str]:
    """Codes in the expected findings of all golden cases; that they are right, the cases' own test says."""
    found: set[str] = set()
    for name in case_names():
        expected = CASES / name / "diagnostics.txt"
        if expected.is_file():
            found.update(REPORTED.findall(expected.read_text(encoding="utf-8")))
    return found


def test_every_code_has_a_golden_case() -> None:
    """Declared codes are exactly those that golden cases report."""
    assert reported_codes() == {str(code) for code in Code}


def test_every_code_is_explained() -> None:
    """Each code has a purpose and a remedy, and none is explained that does not exist."""
    assert set(CODES) == set(Code)


def test_findings_have_a_place_and_a_next_move() -> None:
    """Each error of a golden case says where it is, what is wrong, and after a semicolon what to do."""
    form = re.compile(r"(curation|generated|golden)/[^:]+(:[1-9]\d*:[1-9]\d*)?: [A-Z]{3}\d{3} .+; .+")
    for name in case_names():
        expected = CASES / name / "diagnostics.txt"
        lines = expected.read_text(encoding="utf-8").splitlines()[:-1] if expected.is_file() else []
        for line in lines:
            assert form.fullmatch(line) or line.startswith("    see ") or " note: " in line, f"{name}: {line}"
