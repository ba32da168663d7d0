"""`placet tools`: what the installed surfaces offer."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PACK = '''
"""A pack of two tools."""
from placet.contract import Identity, Risk, Scopes, Source, Surface, ToolEntry

def entry(name, risk, sdk, summary, **rest):
    source = Source(sdk=sdk, http="GET", route="/notes/:id") if sdk else Source()
    return ToolEntry(
        name=name, wire_name=name.replace(".", "_"), domain=name.split(".")[0], risk=risk, source=source,
        identity=(Identity.TENANT, Identity.USER) if sdk else (), summary=summary, target="acme_pack:X",
        scopes=Scopes(any_of=("a", "b"), all_of=("c",)) if sdk else Scopes(), digest="0" * 64, **rest,
    )

surface = Surface(
    name="acme", package="acme_pack", platform="http", title="Acme",
    tools=(
        entry("notes.wipe", Risk.HIGH_RISK_WRITE, "notes.wipe", "Wipe [bold]every[/bold] note 全部. " + "long " * 40),
        entry("notes.get", Risk.READ, "notes.get", "Read one note.", sensitive=True),
        entry("acme.schema_read", Risk.READ, None, "Read a schema."),
    ),
)
'''


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed tool pack."""
    folder = tmp_path_factory.mktemp("pack")
    info = folder / "acme_pack-1.0.dist-info"
    info.mkdir()
    (folder / "acme_pack.py").write_text(PACK, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-pack\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[placet.surfaces]\nacme = acme_pack:surface\n", encoding="utf-8")
    return folder


def tools(pack: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("placet")), "tools", *words],
        env={**os.environ, "PYTHONPATH": str(pack), "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )


def rows(pack: Path, *words: str) -> list[dict[str, Any]]:
    done = tools(pack, "--json", *words)
    assert done.returncode == 0, done.stderr
    parsed: list[dict[str, Any]] = json.loads(done.stdout)
    return parsed


def test_json_says_all_there_is_to_know(pack: Path) -> None:
    """Each tool is an object with its names, its risk, whose token it takes, its scopes and its source triple."""
    shown = {row["name"]: row for row in rows(pack, "--surface", "acme")}

    assert list(shown) == ["acme.schema_read", "notes.get", "notes.wipe"]
    assert shown["notes.get"] == {
        "name": "notes.get",
        "wire_name": "notes_get",
        "surface": "acme",
        "domain": "notes",
        "risk": "read",
        "identity": ["tenant", "user"],
        "sensitive": True,
        "scopes": {"any_of": ["a", "b"], "all_of": ["c"]},
        "source": {"sdk": "notes.get", "http": "GET", "route": "/notes/:id"},
        "summary": "Read one note.",
    }
    assert shown["acme.schema_read"]["source"] == {"sdk": None, "http": None, "route": None}


@pytest.mark.parametrize(
    ("words", "names"),
    [
        pytest.param(["--domain", "notes"], ["notes.get", "notes.wipe"], id="domain"),
        pytest.param(["--risk", "read"], ["acme.schema_read", "notes.get"], id="risk"),
        pytest.param(["--risk", "read", "--domain", "notes"], ["notes.get"], id="both"),
        pytest.param(["--risk", "write"], [], id="none"),
        pytest.param(
            ["--risk", "read", "--risk", "high-risk-write"],
            ["acme.schema_read", "notes.get", "notes.wipe"],
            id="two-risks",
        ),
    ],
)
def test_filters_narrow_the_list(pack: Path, words: list[str], names: list[str]) -> None:
    """Filters of one kind add up, filters of different kinds narrow."""
    assert [row["name"] for row in rows(pack, "--surface", "acme", *words)] == names


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        pytest.param(["--domain", "note"], "did you mean 'notes'?", id="domain"),
        pytest.param(["--surface", "acmee"], "did you mean 'acme'?", id="surface"),
        pytest.param(["--risk", "reed"], "read", id="risk"),
    ],
)
def test_an_unknown_filter_is_a_fault_of_use(pack: Path, words: list[str], hint: str) -> None:
    """A misspelt filter is not an empty list."""
    done = tools(pack, *words)

    assert done.returncode == 2
    assert hint in done.stderr


def test_the_table_is_whole_in_a_pipe(pack: Path) -> None:
    """Without a terminal each tool is one line with its whole summary, brackets included, and no colour."""
    done = tools(pack, "--surface", "acme")

    lines = [line for line in done.stdout.splitlines() if "notes.wipe" in line]
    assert len(lines) == 1
    assert "high-risk-write" in lines[0]
    assert "Wipe [bold]every[/bold] note 全部. " + "long " * 39 in lines[0]
    assert "\x1b" not in done.stdout
    assert "3 tools" in done.stdout
