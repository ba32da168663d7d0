"""Every golden case gives what lies in its folder. `make golden-update` writes the expected files anew."""

from pathlib import Path, PurePosixPath

import pytest
from syrupy.assertion import SnapshotAssertion

from placet_generator.diagnostics.render import render

from tests.generator.golden_cases import CASES, FORMS, case_names, expected_files, run_case


@pytest.mark.parametrize("case", case_names())
def test_golden_case(case: str, tmp_path: Path, snapshot: SnapshotAssertion, request: pytest.FixtureRequest) -> None:
    """A case's findings, and the modules and records of its tools, are the ones in its folder and no others."""
    outcome = run_case(CASES / case, tmp_path)
    expected = {f"emitted/{name}": text for name, text in outcome.emitted().items()}
    if outcome.diagnostics:
        expected["diagnostics.txt"] = render(outcome.diagnostics, "text")

    assert expected, "the case shows nothing"
    if request.config.getoption("update_snapshots"):
        for name in expected_files(CASES / case) - expected.keys():
            (CASES / case / name).unlink()
    for name, text in sorted(expected.items()):
        place = PurePosixPath(name)
        assert text == snapshot(name=str(place.with_suffix("")), extension_class=FORMS[place.suffix])
    assert expected_files(CASES / case) == expected.keys()
