"""The workspace itself: one version, one licence, a lock without addresses, targets that explain themselves."""

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

DISTRIBUTIONS = ("runtime", "generated", "generator")
MADE_HERE = {
    ".git",
    ".venv",
    ".venv-bench",
    ".placet",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    "__pycache__",
}

# Written so that no pattern matches itself.
HOME = re.compile(r"(?<![\w.:/-])/(?:home|root|Users|work)/\w")
REGISTRY = re.compile(
    r"\b(?:py(?:pi|thonhosted)\.org|npm(?:js|mirror)\.\w+|golang\.org|debian\.org|rubygems\.org)"
)
PIN = re.compile(r"^(?P<name>[a-z0-9][a-z0-9._-]*)==(?P<version>[^\s;\\]+)(?P<rest>.*)$")


def project(workspace: Path, distribution: str) -> dict[str, Any]:
    return tomllib.loads((workspace / distribution / "pyproject.toml").read_text(encoding="utf-8"))


def texts(workspace: Path) -> Iterator[tuple[str, str]]:
    """Every text file of the repository, as (path, content)."""
    for folder, folders, files in os.walk(workspace):
        folders[:] = sorted(set(folders) - MADE_HERE)
        for name in sorted(files):
            path = Path(folder, name)
            try:
                yield path.relative_to(workspace).as_posix(), path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def pins(workspace: Path) -> dict[str, tuple[str, str]]:
    """Name to (version, the lines that follow the pin) of the lock."""
    found: dict[str, tuple[str, str]] = {}
    name = ""
    for line in (workspace / "requirements.lock").read_text(encoding="utf-8").splitlines():
        if match := PIN.match(line):
            name = match["name"]
            found[name] = (match["version"], match["rest"])
        else:
            found[name] = (found[name][0], found[name][1] + line)
    return found


def test_the_distributions_share_one_version_and_ask_for_it(workspace: Path) -> None:
    """Versions move in lockstep: each distribution has the same, and needs exactly that of its siblings."""
    projects = [project(workspace, distribution)["project"] for distribution in DISTRIBUTIONS]
    version = projects[0]["version"]
    siblings = {p["name"] for p in projects}
    needed = [Requirement(line) for p in projects for line in p["dependencies"]]

    assert {p["version"] for p in projects} == {version}
    assert {str(need.specifier) for need in needed if need.name in siblings} == {f"=={version}"}


@pytest.mark.parametrize("name", ["LICENSE", "NOTICE"])
def test_each_distribution_carries_the_licence(workspace: Path, name: str) -> None:
    """A wheel can only ship what lies in its folder, so each folder has a true copy."""
    text = (workspace / name).read_bytes()

    assert [(workspace / d / name).read_bytes() == text for d in DISTRIBUTIONS] == [True, True, True]


def test_the_root_is_no_distribution(workspace: Path) -> None:
    """The workspace root holds settings only; nothing can be installed from it."""
    assert "project" not in tomllib.loads((workspace / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_the_lock_has_what_a_distribution_and_its_build_need(workspace: Path, distribution: str) -> None:
    """Set-up installs distributions without dependencies or isolation, so the lock must satisfy both."""
    file = project(workspace, distribution)
    siblings = {project(workspace, d)["project"]["name"] for d in DISTRIBUTIONS}
    needs = [Requirement(line) for line in file["project"]["dependencies"] + file["build-system"]["requires"]]
    locked = pins(workspace)

    unmet = [
        str(need)
        for need in needs
        if need.name not in siblings
        and not need.specifier.contains(locked.get(canonicalize_name(need.name), ("0",))[0])
    ]
    assert unmet == []


def test_every_pin_of_the_lock_has_a_hash(workspace: Path) -> None:
    """pip can verify every file that it installs."""
    assert [name for name, (_, rest) in pins(workspace).items() if "--hash=sha256:" not in rest] == []


@pytest.mark.parametrize(
    "name",
    [
        "requirements.in",
        "requirements.lock",
        "requirements-bench.in",
        "requirements-bench.lock",
        "Makefile",
        ".ci/run",
        *(f"{d}/pyproject.toml" for d in DISTRIBUTIONS),
    ],
)
def test_set_up_names_no_address(workspace: Path, name: str) -> None:
    """Which index serves the packages is the machine's business."""
    text = (workspace / name).read_text(encoding="utf-8")

    assert re.findall(r"\w+://|--(?:extra-)?index-url|--find-links", text) == []


def test_no_file_names_a_machine_or_a_registry(workspace: Path) -> None:
    """Nothing that is committed depends on where it was made."""
    found = [
        f"{path}:{number}"
        for path, text in texts(workspace)
        for number, line in enumerate(text.splitlines(), start=1)
        if HOME.search(line) or REGISTRY.search(line)
    ]

    assert found == []


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        pytest.param("see " + "/home" + "/ada/placet", True, id="home"),
        pytest.param("'" + "/Users" + "/ada'", True, id="users"),
        pytest.param("https://files.python" + "hosted.org/x", True, id="registry"),
        pytest.param("/open-apis/approval/v4/instances", False, id="a-route"),
        pytest.param("https://example.com/home/page", False, id="a-web-page"),
    ],
)
def test_the_search_for_machines_and_registries_finds_them(line: str, is_found: bool) -> None:
    """The two patterns see what they are for, and leave routes alone."""
    assert bool(HOME.search(line) or REGISTRY.search(line)) is is_found


def test_make_help_lists_every_target(workspace: Path) -> None:
    """Whoever can read `make help` knows all that can be done here."""
    targets = set(
        re.findall(r"^\.PHONY: ([\w-]+)$", (workspace / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )

    shown = subprocess.run(["make", "help"], cwd=workspace, capture_output=True, text=True, check=True).stdout

    assert {line.split()[0] for line in shown.splitlines()} == targets
    assert targets >= {
        "help", "setup", "generate", "check", "test", "lint", "types", "bench", "golden-update", "clean",
    }  # fmt: skip


@pytest.mark.parametrize("target", ["setup", "generate", "check", "test"])
def test_an_old_python_is_refused_with_the_next_move(workspace: Path, tmp_path: Path, target: str) -> None:
    """Each target that sets up says which Python it needs before it makes anything."""
    (tmp_path / "Makefile").write_bytes((workspace / "Makefile").read_bytes())
    (tmp_path / "requirements.lock").write_text("", encoding="utf-8")
    old = tmp_path / "old-python"
    old.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.1" && exit 0\nexit 1\n', encoding="utf-8"
    )
    old.chmod(0o755)
    for distribution in DISTRIBUTIONS:
        (tmp_path / distribution).mkdir()
        (tmp_path / distribution / "pyproject.toml").write_text("", encoding="utf-8")

    done = subprocess.run(
        ["make", target, f"PYTHON={old}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stderr
    assert "Python 3.9.1" in done.stderr
    assert "make setup PYTHON=" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_ci_runs_the_tests_and_then_the_full_check(workspace: Path) -> None:
    """CI calls the targets a person calls, and the check it calls trusts no stamp."""
    commands = [
        line
        for line in (workspace / ".ci/run").read_text(encoding="utf-8").splitlines()
        if line.startswith("make ")
    ]
    check = subprocess.run(
        ["make", "-n", "check"], cwd=workspace, capture_output=True, text=True, check=True
    ).stdout

    assert commands == ["make test", "make check"]
    assert os.access(workspace / ".ci/run", os.X_OK)
    for step in ("placet check --full", "lint-imports", "ruff check", "ruff format --check", "mypy"):
        assert step in check


KINDS = {"added", "changed", "fixed", "removed", "tools-added", "tools-renamed", "tools-removed"}


def test_changelog_fragments_say_what_kind_they_are(workspace: Path) -> None:
    """A release collects fragments by the last part of their names."""
    fragments = [path.name for path in (workspace / "changelog.d").glob("*.md") if path.name != "README.md"]

    assert [
        name for name in fragments if not re.fullmatch(rf"[a-z0-9-]+\.({'|'.join(sorted(KINDS))})\.md", name)
    ] == []


def test_decisions_have_their_four_parts(workspace: Path) -> None:
    """A decision says why, what, at what cost, and what would undo it."""
    parts = ["## Context", "## Choice", "## What it costs", "## What would change our mind"]
    pages = [path for path in (workspace / "docs/decisions").glob("*.md") if path.name != "README.md"]

    lacking = [
        page.name for page in pages if re.findall(r"^## .*$", page.read_text(encoding="utf-8"), re.M) != parts
    ]

    assert pages
    assert lacking == []
