"""The contracts of the import linter hold, and each of them can break."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BREACHES = {
    "generated tools know only the contract": ("placet_feishu/__init__.py", "import placet.surfaces"),
    "the runtime knows neither a tool pack nor the generator": ("placet/surfaces.py", "import placet_feishu"),
    "the rooms of the runtime look down only, and no neutral room knows a platform": (
        "placet/surfaces.py",
        "import placet.platforms.http.names",
    ),
    "sessions need no agents library": ("placet/session/keys.py", "import agents"),
    "a platform knows only the contract": ("placet/platforms/http/names.py", "import placet.surfaces"),
    "the contract needs msgspec and nothing else": ("placet/contract/words.py", "import typer"),
    "the generator looks down only": ("placet_generator/ir.py", "import placet_generator.compile"),
    "the emitter sees the resolved tools only": (
        "placet_generator/emit/names.py",
        "import placet_generator.curation",
    ),
}


@pytest.fixture
def copied(workspace: Path, tmp_path: Path) -> Path:
    """The packages of all three distributions, side by side, with the linter's settings."""
    for distribution in ("runtime", "generated", "generator"):
        shutil.copytree(
            workspace / distribution / "src",
            tmp_path,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns("*.pyc"),
        )
    shutil.copy(workspace / "pyproject.toml", tmp_path)
    return tmp_path


def broken_contracts(folder: Path) -> list[str]:
    """Names of the contracts that the packages in the folder break."""
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Contracts: " in done.stdout, done.stdout + done.stderr
    return [line.partition(" BROKEN")[0] for line in done.stdout.splitlines() if " BROKEN" in line]


def test_the_contracts_hold(copied: Path) -> None:
    """Imports look down only."""
    assert broken_contracts(copied) == []


@pytest.mark.parametrize("contract", BREACHES)
def test_a_contract_can_break(copied: Path, contract: str) -> None:
    """One import in the wrong direction breaks the contract that forbids it."""
    path, line = BREACHES[contract]
    with (copied / path).open("a", encoding="utf-8") as module:
        module.write(f"\n{line}\n")

    assert contract in broken_contracts(copied)


def test_every_contract_has_a_breach(workspace: Path) -> None:
    """A contract that no test has seen fail may forbid nothing."""
    lines = (workspace / "pyproject.toml").read_text(encoding="utf-8").splitlines()

    assert [line[8:-1] for line in lines if line.startswith('name = "')] == list(BREACHES)


def test_a_new_room_must_be_placed(copied: Path) -> None:
    """A room that stands in no layer is a fault, in the runtime and in the generator alike."""
    for package in ("placet", "placet_generator"):
        (copied / package / "unplaced.py").write_text('"""A room that nobody placed."""\n', encoding="utf-8")

    assert broken_contracts(copied) == [
        "the rooms of the runtime look down only, and no neutral room knows a platform",
        "the generator looks down only",
    ]
