"""The README and the guide: their commands do what the pages show, and their numbers and links are true.

A page is run from top to bottom in a folder of its own, each command in a process of its own. Fenced blocks mean:

- `console`: lines that begin with `$ ` are commands, the lines below one are what it prints on both streams. `...`
  stands for any text, alone on a line for any lines. A command that fails is followed by `$ echo $?`. One that ends
  with `&` goes on until the page ends.
- any kind with `file=PATH`: the file's new content; of kind `diff` with `file=PATH`: an edit, whose old text (lines
  with a space or `-`) stands once in the file.
- all others are only read.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from placet.config import config_schema

MAKE = {
    "make demo YES=1": "placet build && placet demo --yes",
    "make generate": "placet build",
    "make check": "placet check --full",
}
"""Targets that pages run, by the command behind them: a copy has neither the Makefile nor an environment of its own."""

COPIED = ("curation", "generated", "golden", "docs", ".gitignore")
"""What a page about this repository starts with; the others start in an empty folder."""

PAGES = {
    "README.md": COPIED,
    "docs/guide/curate-a-tool.md": COPIED,
    "docs/guide/bring-your-own-api.md": (),
    "docs/guide/what-leaves.md": (),
    "docs/guide/configure.md": (),
    "docs/guide/call-from-python.md": (),
    "docs/guide/run-an-agent.md": (),
    "docs/guide/sessions.md": (),
    "docs/guide/write-a-platform.md": (),
}

COMMAND_S = 120
"""Seconds for one command, on a machine that has other things to do."""

FENCE = re.compile(r"^```(?P<kind>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?P<target>[^)\s]+)\)")
PARTS = ["## Context", "## Choice", "## What it costs", "## What would change our mind"]


@dataclass(frozen=True)
class Step:
    """One thing a page does: a command with what it prints, a file to write, or an edit (old and new text)."""

    line: int
    command: str = ""
    printed: str = ""
    file: str = ""
    old: str = ""
    new: str = ""


def steps_of(text: str) -> Iterator[Step]:
    """The page's steps in order."""
    for block in FENCE.finditer(text):
        line = text.count("\n", 0, block.start()) + 2
        if block["kind"] == "console":
            for part in re.finditer(
                r"^\$ (?P<command>.*)\n(?P<printed>(?:(?!\$ ).*\n)*)", block["text"], re.MULTILINE
            ):
                at = line + block["text"].count("\n", 0, part.start())
                yield Step(at, command=part["command"], printed=part["printed"])
        elif block["file"] and block["kind"] == "diff":
            lines = block["text"].splitlines(keepends=True)
            old = "".join(one[1:] for one in lines if one[0] != "+")
            new = "".join(one[1:] for one in lines if one[0] != "-")
            yield Step(line, file=block["file"], old=old, new=new)
        elif block["file"]:
            yield Step(line, file=block["file"], new=block["text"])


def matches(shown: str, printed: str) -> bool:
    """True when what a page shows is what was printed, spaces at the ends of lines aside."""
    pattern = ""
    for line in shown.splitlines():
        if line == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(map(re.escape, line.rstrip().split("..."))) + "\n"
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed.splitlines())) is not None


def environment(folder: Path) -> dict[str, str]:
    """A plain one: this interpreter's commands first, git without anybody's settings, pip without an index.

    What a page builds is imported from its folder, and what it installs goes beside it.
    """
    beside = folder.parent / "installed"
    kept = {name: os.environ[name] for name in ("TMPDIR", "SYSTEMROOT") if name in os.environ}
    return kept | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(folder.parent),
        "LC_ALL": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join([str(beside), str(folder / "generated" / "src")]),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "user.name",
        "GIT_CONFIG_VALUE_0": "A curator",
        "GIT_CONFIG_KEY_1": "user.email",
        "GIT_CONFIG_VALUE_1": "curator@example.com",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip's odd spelling of --no-build-isolation
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_TARGET": str(beside),
    }


@pytest.fixture
def running() -> Iterator[list[int]]:
    """Process groups of commands that have not ended; what a page leaves running is ended with it."""
    groups: list[int] = []
    yield groups
    for group in groups:
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_shows(page: str, workspace: Path, tmp_path: Path, running: list[int]) -> None:
    """Whoever follows the page from top to bottom sees what it shows."""
    folder = tmp_path / "here"
    folder.mkdir()
    env = environment(folder)
    for name in PAGES[page]:
        source = workspace / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    if PAGES[page]:
        subprocess.run(
            "git init -q && git add -A && git commit -qm copy", shell=True, cwd=folder, env=env, check=True
        )
    code = 0

    for step in steps_of((workspace / page).read_text(encoding="utf-8")):
        place = f"{page}:{step.line}"
        if step.file:
            target = folder / step.file
            if step.old:
                text = target.read_text(encoding="utf-8")
                assert text.count(step.old) == 1, f"{place}: the old text is not in {step.file} exactly once"
                target.write_text(text.replace(step.old, step.new), encoding="utf-8")
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(step.new, encoding="utf-8")
            continue
        if code and step.command != "echo $?":
            pytest.fail(
                f"{place}: the command above ended with {code}, and the page does not show it", pytrace=False
            )
        command = MAKE.get(step.command, step.command) if PAGES[page] else step.command
        # Into a file: a pipe stays open as long as what runs in the background.
        with (tmp_path / "printed").open("w+", encoding="utf-8") as output:
            run = subprocess.Popen(
                ["bash", "-c", f"(exit {code}); {command}"],
                cwd=folder,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            running.append(run.pid)
            code = run.wait(COMMAND_S)
            output.seek(0)
            printed = output.read()
        if not command.endswith("&"):
            running.remove(run.pid)
        if not matches(step.printed, printed):
            said = f"{place}: `{step.command}` printed\n{printed}\nwhere the page shows\n{step.printed}"
            pytest.fail(said, pytrace=False)
    assert code == 0


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        pytest.param("a\n", "a\n", True, id="equal"),
        pytest.param("a\n", "a\nb\n", False, id="a-line-more"),
        pytest.param("a\nb\n", "a\n", False, id="a-line-less"),
        pytest.param("a ... c\n", "a b c\n", True, id="any-text"),
        pytest.param("a ... c\n", "a b\nb c\n", False, id="any-text-of-one-line"),
        pytest.param("a\n...\nd\n", "a\nb\nc\nd\n", True, id="any-lines"),
        pytest.param("...\nd\n", "d\n", True, id="no-lines"),
        pytest.param("a\n", "a  \n", True, id="spaces-at-the-end"),
        pytest.param("", "a\n", False, id="nothing-shown"),
    ],
)
def test_the_comparison_sees_a_difference(shown: str, printed: str, same: bool) -> None:
    """Only `...` stands for something else than itself."""
    assert matches(shown, printed) is same


def pages(workspace: Path) -> list[str]:
    """Every page a person reads, below the workspace."""
    written = [
        *workspace.glob("*.md"),
        *(workspace / "docs").rglob("*.md"),
        *(workspace / "changelog.d").glob("*.md"),
    ]
    return sorted(path.relative_to(workspace).as_posix() for path in written)


def test_every_page_with_commands_is_run(workspace: Path) -> None:
    """A console block is either run or not written."""
    with_commands = [
        page for page in pages(workspace) if "```console" in (workspace / page).read_text(encoding="utf-8")
    ]

    assert with_commands == sorted(PAGES)


def test_links_lead_somewhere(workspace: Path) -> None:
    """Every link to a file of the repository has one."""
    broken = [
        f"{page}: {link['target']}"
        for page in pages(workspace)
        for link in LINK.finditer((workspace / page).read_text(encoding="utf-8"))
        if "://" not in link["target"]
        and not (workspace / page).parent.joinpath(link["target"].split("#")[0]).exists()
    ]

    assert broken == []


def test_the_readme_counts_right(workspace: Path) -> None:
    """The README's numbers of tools, domains and the SDK's version are those of what is committed."""
    rows = [
        row.split("\t")
        for row in (workspace / "golden/feishu/manifest.tsv").read_text("utf-8").splitlines()[1:]
    ]
    domains = {name.partition(".")[0] for name, *_ in rows}
    risks = [row[2] for row in rows]
    counts = ", ".join(f"{risks.count(risk)} {risk}" for risk in ("read", "write", "high-risk-write"))
    text = (workspace / "README.md").read_text(encoding="utf-8")
    sdk = re.search(
        r'"lark-oapi==([\d.]+)"', (workspace / "generator/pyproject.toml").read_text(encoding="utf-8")
    )

    assert set(re.findall(r"(\d+) tools in (\d+) domains", text)) == {(str(len(rows)), str(len(domains)))}
    assert set(re.findall(r"domains \((\d.*?)\)", text)) == {counts}
    assert sdk is not None and set(re.findall(r"`lark-oapi` ([\d.]+\d)", text)) == {sdk[1]}


def test_every_command_is_in_the_guide(workspace: Path) -> None:
    """Nobody has to guess that a command exists."""
    text = "\n".join((workspace / page).read_text(encoding="utf-8") for page in ("README.md", *PAGES))
    missing = [one.name for one in entry_points(group="placet.commands") if f"placet {one.name}" not in text]

    assert [name for name in missing if f"`{name}`" not in text] == []


def test_every_key_of_the_configuration_is_in_the_guide(workspace: Path) -> None:
    """Nobody has to read the schema to learn that a key exists."""
    text = (workspace / "docs/guide/configure.md").read_text(encoding="utf-8")
    schema = config_schema()
    sections = [schema, *schema["$defs"].values()]
    keys = {key for section in sections for key in section.get("properties", ())}
    told = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", FENCE.sub("", text)))))

    assert "result_chars" in keys
    assert sorted(keys - told) == []


def test_the_guide_lists_its_pages(workspace: Path) -> None:
    """A page of the guide is found from its index."""
    index = (workspace / "docs/guide/README.md").read_text(encoding="utf-8")

    assert [
        path.name for path in (workspace / "docs/guide").glob("*.md") if path.name not in f"README.md {index}"
    ] == []


def test_decisions_have_one_form(workspace: Path) -> None:
    """Decisions are numbered without gaps, and each says context, choice, cost and what would reopen it."""
    decisions = sorted((workspace / "docs/decisions").glob("[0-9]*.md"))
    headings = {
        path.name: [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("## ")]
        for path in decisions
    }

    assert [int(path.name[:4]) for path in decisions] == list(range(1, len(decisions) + 1))
    assert {name: found for name, found in headings.items() if found != PARTS} == {}
