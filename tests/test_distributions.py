"""Each distribution is built, installed alone into an empty environment, and used there.

The environments have no access to the index and none to this workspace: they hold links to exactly the packages
that the distribution declares, so an undeclared dependency is an import that fails.
"""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

SOURCES = {"placet": "runtime", "placet-feishu": "generated", "placet-generator": "generator"}


@pytest.fixture(scope="module")
def wheels(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel of each distribution, built once."""
    folder = tmp_path_factory.mktemp("wheels")
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
    ]
    subprocess.run([*build, "-w", str(folder), *(str(workspace / s) for s in SOURCES.values())], check=True)
    return {name: next(folder.glob(f"{name.replace('-', '_')}-*.whl")) for name in SOURCES}


def needed(names: Iterable[str]) -> set[str]:
    """The names of all distributions that these need, and those in turn, without extras and without ours."""
    found: set[str] = set()
    waiting = [need for name in names for need in distribution(name).requires or ()]
    while waiting:
        need = Requirement(waiting.pop())
        if need.marker and not need.marker.evaluate({"extra": ""}):
            continue
        if need.name not in found:
            waiting += distribution(need.name).requires or ()
            found.add(need.name)
    return found - SOURCES.keys()


@pytest.fixture(scope="module")
def installed(
    wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[tuple[str, ...]], Path]:
    """Makes an environment with some of our wheels and what they declare; returns its folder of executables."""
    made: dict[tuple[str, ...], Path] = {}

    def install(names: tuple[str, ...]) -> Path:
        if names not in made:
            home = tmp_path_factory.mktemp("alone")
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
            site = next(home.glob("lib/python*/site-packages"))
            for package in needed(names):
                link(package, site)
            pip = [sys.executable, "-m", "pip", f"--python={home / 'bin/python'}", "install", "--quiet"]
            subprocess.run(
                [*pip, "--no-index", "--no-deps", "--no-compile", *(str(wheels[name]) for name in names)],
                check=True,
            )
            made[names] = home / "bin"
        return made[names]

    return install


def link(package: str, site: Path) -> None:
    """Link a package of this environment into another one."""
    found = distribution(package)
    for top in {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}:
        if not (site / top).exists():
            (site / top).symlink_to(Path(str(found.locate_file(top))))


FEISHU = "; ".join(
    [
        "import importlib, placet_feishu",
        "tools = placet_feishu.surface.tools",
        "[getattr(importlib.import_module(m), c) for m, _, c in (t.target.partition(':') for t in tools)]",
        "print('every tool is there' if tools else 'none')",
    ]
)


@pytest.mark.parametrize(
    ("names", "command", "shows"),
    [
        pytest.param(
            ("placet",), ["python", "-c", "import placet.contract; print('here')"], "here", id="contract"
        ),
        pytest.param(("placet",), ["placet", "--help"], "List the tools", id="executable"),
        pytest.param(("placet",), ["placet", "tools", "--help"], "--json", id="a-command"),
        pytest.param(
            ("placet", "placet-feishu"), ["python", "-c", FEISHU], "every tool is there", id="tools"
        ),
        pytest.param(
            ("placet", "placet-feishu"), ["placet", "tools", "--surface", "feishu"], "tools", id="listing"
        ),
        pytest.param(("placet", "placet-generator"), ["placet", "--help"], "build", id="generator"),
    ],
)
def test_a_distribution_works_alone(
    installed: Callable[[tuple[str, ...]], Path],
    tmp_path: Path,
    names: tuple[str, ...],
    command: list[str],
    shows: str,
) -> None:
    """With nothing but what it declares, a distribution imports and its commands answer."""
    place = installed(names)

    done = subprocess.run(
        [str(place / command[0]), *command[1:]],
        cwd=tmp_path,
        env={},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert shows in done.stdout
    assert "cannot be loaded" not in done.stdout


def test_without_a_tool_pack_the_next_move_is_named(
    installed: Callable[[tuple[str, ...]], Path], tmp_path: Path
) -> None:
    """`placet tools` with no surface installed fails and says what to do."""
    place = installed(("placet",))

    done = subprocess.run(
        [str(place / "placet"), "tools", "--json"],
        cwd=tmp_path,
        env={},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert done.stdout == ""
    assert "no tool surface is installed" in done.stderr
    assert "pip" in done.stderr


@pytest.mark.parametrize("name", SOURCES)
def test_a_wheel_holds_all_that_its_package_holds(
    workspace: Path, wheels: dict[str, Path], name: str
) -> None:
    """Nothing of a package's folder is left out of its wheel: modules, templates, schemas, skills, `py.typed`."""
    source = workspace / SOURCES[name] / "src"
    kept = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*")
        if path.is_file()
        and not any(part.startswith((".", "__pycache__")) for part in path.relative_to(source).parts)
    }

    shipped = {member for member in zipfile.ZipFile(wheels[name]).namelist() if ".dist-info/" not in member}

    assert shipped == kept
    assert f"{name.replace('-', '_')}/py.typed" in shipped


def test_the_tools_wheel_has_what_is_no_module(wheels: dict[str, Path]) -> None:
    """Schemas are JSON that parses, and each domain has its skill."""
    wheel = zipfile.ZipFile(wheels["placet-feishu"])
    schemas = [member for member in wheel.namelist() if member.endswith(".json")]
    skills = [member for member in wheel.namelist() if member.endswith("/SKILL.md")]

    assert all(json.loads(wheel.read(member)) is not None for member in schemas)
    assert schemas
    assert skills


@pytest.mark.parametrize("name", SOURCES)
def test_a_wheel_carries_the_licence_and_says_so(wheels: dict[str, Path], name: str) -> None:
    """The licence and the notice travel with every wheel."""
    wheel = zipfile.ZipFile(wheels[name])
    info = next(m for m in wheel.namelist() if m.endswith(".dist-info/METADATA")).removesuffix("METADATA")

    assert {f"{info}licenses/LICENSE", f"{info}licenses/NOTICE"} <= set(wheel.namelist())
    assert "License-Expression: Apache-2.0" in wheel.read(f"{info}METADATA").decode()
