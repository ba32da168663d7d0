"""Every golden case gives what lies in its folder. `make golden-update` writes the expected files anew."""

import os
from pathlib import Path, PurePosixPath

import pytest
from syrupy.assertion import SnapshotAssertion

from placet_generator.diagnostics.render import render
from tests.generator.emit.emitted import run_tool
from tests.generator.golden_cases import CASES, FORMS, case_names, expected_files, run_case


@pytest.mark.parametrize("case", case_names())
def test_golden_case(
    case: str, tmp_path: Path, snapshot: SnapshotAssertion, request: pytest.FixtureRequest
) -> None:
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


PASSING = [name for name in case_names() if (CASES / name / "emitted").is_dir()]
IMPORT_ALL = """
import importlib, pkgutil, sys
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for one in pkgutil.walk_packages(package.__path__, f"{name}."):
        importlib.import_module(one.name)
"""


@pytest.fixture(scope="module")
def emitted_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole package of every passing case, each under its case's name; the folder goes on the import path."""
    folder = tmp_path_factory.mktemp("packages")
    for case in PASSING:
        for path, text in run_case(CASES / case, tmp_path_factory.mktemp(case)).files.items():
            if path.startswith("generated/src/"):
                file = folder / path.removeprefix("generated/src/").replace("demo_tools", case)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text.replace("demo_tools", case), encoding="utf-8")
    return folder


def test_emitted_packages_import(emitted_packages: Path) -> None:
    """Every module of every passing case imports, with warnings as errors."""
    run = run_tool(
        "python",
        "-W",
        "error",
        "-c",
        IMPORT_ALL,
        *PASSING,
        cwd=emitted_packages,
        PYTHONPATH=str(emitted_packages),
    )

    assert run.returncode == 0, run.stderr


def test_emitted_packages_are_typed(emitted_packages: Path, workspace: Path) -> None:
    """`mypy --strict` finds nothing in the packages of the eight hard tools."""
    packages = [argument for name in PASSING if name.startswith("hard_") for argument in ("-p", name)]
    path = os.pathsep.join([str(emitted_packages), str(workspace / "runtime/src")])
    run = run_tool("mypy", "--strict", "--config-file=", *packages, cwd=emitted_packages, MYPYPATH=path)

    assert len(packages) == 16
    assert run.returncode == 0, run.stdout + run.stderr
