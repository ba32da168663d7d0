"""The executable: how it finds commands, what it loads, what it says when there is none."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ACME = '''
"""A distribution that adds commands."""
import sys
import typer

def greet(name: str, loud: bool = False) -> None:
    """Greet [somebody].

    More about it.
    """
    print(f"hello {name}" + "!" * loud)

def fail() -> int:
    """End with a code of its own."""
    return 7

def stop() -> None:
    """Stop by way of typer."""
    raise typer.Exit(5)

group = typer.Typer(help="Things in a group.")

@group.command()
def only() -> None:
    """The only one."""
    print("only")
'''
QUICK = '''
"""The fast way of a command."""
import sys

def quick(arguments):
    print("quick" if "typer" not in sys.modules else "slow")
    return 3 if arguments == [] else None
'''
ENTRY_POINTS = """
[placet.commands]
greet = acme:greet
fail = acme:fail
stop = acme:stop
group = acme:group
broken = acme_is_not_here:command
twin = acme:greet

[placet.fast]
greet = acme_quick:quick
"""


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two installed distributions that add commands."""
    folder = tmp_path_factory.mktemp("acme")
    (folder / "acme.py").write_text(ACME, encoding="utf-8")
    (folder / "acme_quick.py").write_text(QUICK, encoding="utf-8")
    for name, entries in (("acme", ENTRY_POINTS), ("acme-two", "[placet.commands]\ntwin = acme:fail\n")):
        info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8"
        )
        (info / "entry_points.txt").write_text(entries, encoding="utf-8")
    return folder


def placet(*words: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The executable, in a process of its own; `path` is a folder with more distributions."""
    return subprocess.run(
        [str(Path(sys.executable).with_name("placet")), *words],
        env={**os.environ, "PYTHONPATH": str(path) if path else "", "COLUMNS": "100", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "code", "out", "err"),
    [
        pytest.param(["greet", "ada"], 0, "hello ada", "", id="a-function-is-a-command"),
        pytest.param(["greet", "ada", "--loud"], 0, "hello ada!", "", id="with-options"),
        pytest.param(["greet"], 3, "quick", "", id="the-fast-way-answers-without-typer"),
        pytest.param(["fail"], 7, "", "", id="a-returned-code-is-the-exit-code"),
        pytest.param(["stop"], 5, "", "", id="typer-exit-keeps-its-code"),
        pytest.param(["greet", "--help"], 0, "Greet [somebody].", "", id="brackets-in-help-are-text"),
        pytest.param(["group", "only"], 0, "only", "", id="a-typer-is-a-group"),
        pytest.param(["greet", "a", "b"], 2, "", "Usage: placet greet", id="too-many-words"),
        pytest.param(["gret"], 2, "", "did you mean 'greet'?", id="a-near-name-is-offered"),
        pytest.param(["zzzzzz"], 2, "", "`placet --help` lists them all", id="no-near-name"),
        pytest.param(["twin"], 2, "", "declared twice, by acme and acme-two", id="a-name-of-two-owners"),
        pytest.param(["--version"], 0, "placet 0.1.0", "", id="version"),
    ],
)
def test_one_word_chooses_the_command(acme: Path, words: list[str], code: int, out: str, err: str) -> None:
    """The first word picks exactly one command of any installed distribution, and its exit code is ours."""
    done = placet(*words, path=acme)

    assert done.returncode == code, done.stderr
    assert out in done.stdout
    assert err in done.stderr


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]], ids=["nothing", "--help", "-h"])
def test_help_lists_every_command_with_a_line(acme: Path, words: list[str]) -> None:
    """Help names each installed command in one line; one that cannot be loaded does not hide the others."""
    done = placet(*words, path=acme)

    assert done.returncode == 0
    told = re.sub(r"(?m)^  (\S+) +", r"\1: ", done.stdout)
    assert "greet: Greet [somebody].\n" in told
    assert "group: Things in a group.\n" in told
    assert "tools: List the tools of the installed surfaces.\n" in told
    assert "broken: (of acme; cannot be loaded: No module named 'acme_is_not_here')\n" in told


def test_a_command_loads_only_its_own_module(acme: Path) -> None:
    """Asking for one command imports neither another's module nor rich, and the fast way not even typer."""
    script = "import sys; from placet.cli.main import main; main(sys.argv[1:]); print(sorted(sys.modules))"

    done = subprocess.run(
        [sys.executable, "-c", script, "greet"],
        env={**os.environ, "PYTHONPATH": str(acme)},
        capture_output=True,
        text=True,
        check=True,
    )

    loaded = done.stdout.splitlines()[-1]
    assert "'acme_quick'" in loaded
    for module in ("acme", "msgspec", "typer", "rich", "placet.cli.tools", "placet_generator"):
        assert f"'{module}'" not in loaded


def test_every_command_of_the_workspace_loads() -> None:
    """No entry point of ours names something that is not there."""
    done = placet("--help")

    assert "cannot be loaded" not in done.stdout
    for command in (
        "build",
        "catalog",
        "check",
        "coverage",
        "diff",
        "explain",
        "export",
        "init",
        "new",
        "tools",
    ):
        assert f"\n  {command} " in done.stdout
