"""The no-change path: fresh when nothing changed, never fresh when anything did."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import placet
import placet_generator

SUMMARY = "2 tools in 1 domain (2 read), no drift"
OUTPUTS = {"generated/pack/a.py": "a = 1\n", "golden/demo/manifest.tsv": "name\n"}

# A process of its own for each question, because that is how the check is asked, over copies that a test may edit.
STAMP = f"""
from pathlib import Path
from placet_generator.stamp import Stamp, reading_digest, write_stamp
stamp = Stamp(
    owned=("generated/pack", "golden/demo"), sdk="demo-sdk", names="placet.platforms.http.names", summary={SUMMARY!r}
)
before = reading_digest(Path.cwd(), "demo")
print(write_stamp(Path.cwd(), "demo", stamp, before=before, files={OUTPUTS!r}))
"""
CHECK = """
import sys
from placet_generator.cli.fast import fast_check
code = fast_check(sys.argv[1:])
heavy = {"pydantic", "openapi_pydantic", "jinja2", "yaml", "msgspec", "typer", "rich", "placet", "lark_oapi"}
print(code, *sorted(heavy & sys.modules.keys()))
"""


@dataclass(frozen=True)
class House:
    """A workspace with copies of our packages and an SDK that consists of its metadata."""

    root: Path
    packages: Path

    def run(self, program: str, *arguments: str, cwd: Path | None = None) -> list[str]:
        environment = {**os.environ, "PYTHONPATH": str(self.packages), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", program, *arguments]
        done = subprocess.run(
            command, cwd=cwd or self.root, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.splitlines()

    def is_fresh(self) -> bool:
        said = self.run(CHECK)
        assert said in (["None"], [SUMMARY, "0"])
        return said == [SUMMARY, "0"]

    @property
    def stamp(self) -> Path:
        return self.root / ".placet" / "demo.stamp.json"


def lay(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def house(tmp_path: Path) -> House:
    packages = tmp_path / "packages"
    for package in (placet, placet_generator):
        source = Path(next(iter(package.__path__)))
        shutil.copytree(source, packages / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    lay(packages / "demo_sdk-1.0.dist-info" / "RECORD", "demo_sdk/api.py,sha256=abc,10\n")
    root = tmp_path / "root"
    lay(root / "curation/demo/surface.yaml", "surface: demo\n")
    lay(root / "curation/demo/domains/things.yaml", "domain: things\n")
    lay(root / "curation/demo/witness/endpoints.jsonl", "{}\n")
    for path, text in OUTPUTS.items():
        lay(root / path, text)
    return House(root=root, packages=packages)


@pytest.fixture
def stamped(house: House) -> House:
    assert house.run(STAMP) == ["True"]
    return house


def test_a_clean_check_is_answered_from_the_stamp(stamped: House) -> None:
    """Nothing changed: the same summary line, success, and no heavy import."""
    assert stamped.run(CHECK) == [SUMMARY, "0"]


def test_the_root_is_found_from_a_folder_below(stamped: House) -> None:
    """The check answers wherever in the workspace it is asked."""
    assert stamped.run(CHECK, cwd=stamped.root / "generated" / "pack") == [SUMMARY, "0"]


@pytest.mark.parametrize(
    ("arguments", "answered"),
    [
        pytest.param(["--surface", "demo"], True, id="its-surface"),
        pytest.param(["--surface=demo", "--format", "text"], True, id="text"),
        pytest.param(["--surface", "other"], False, id="unknown-surface"),
        pytest.param(["--surface"], False, id="value-missing"),
        pytest.param(["--full"], False, id="full"),
        pytest.param(["--format", "json"], False, id="json"),
        pytest.param(["--surface", "demo", "--surface", "other"], False, id="twice"),
        pytest.param(["demo"], False, id="a-word"),
    ],
)
def test_only_the_plain_check_is_answered(stamped: House, arguments: list[str], answered: bool) -> None:
    """Whatever asks for more than the plain check gets the full one; `--full` trusts no stamp."""
    assert stamped.run(CHECK, *arguments) == ([SUMMARY, "0"] if answered else ["None"])


def test_one_stale_surface_wakes_the_whole_check(stamped: House) -> None:
    """A surface without a stamp is never hidden by one that has it."""
    lay(stamped.root / "curation/second/surface.yaml", "surface: second\n")

    assert stamped.run(CHECK) == ["None"]
    assert stamped.run(CHECK, "--surface", "demo") == [SUMMARY, "0"]


Edit = Callable[[House], object]


def written(path: str, text: str) -> Edit:
    return lambda house: lay(house.root / path, text)


def edited(path: str) -> Edit:
    """One character of one of our own sources."""

    def edit(house: House) -> None:
        with (house.packages / path).open("a", encoding="utf-8") as file:
            file.write("#")

    return edit


def same_size_and_time(house: House) -> None:
    path = house.root / "generated/pack/a.py"
    before = path.stat()
    path.write_text("a = 2\n", encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size


def linked(house: House) -> None:
    path = house.root / "curation/demo/domains/things.yaml"
    path.rename(house.root / "things.yaml")
    path.symlink_to(house.root / "things.yaml")


def piped(house: House) -> None:
    os.mkfifo(house.root / "curation/demo/pipe")


def stamp_edited(key: str, value: object) -> Edit:
    def edit(house: House) -> None:
        kept = json.loads(house.stamp.read_text(encoding="utf-8"))
        house.stamp.write_text(json.dumps({**kept, key: value}), encoding="utf-8")

    return edit


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(written("curation/demo/domains/things.yaml", "domain: thing\n"), id="curation-edited"),
        pytest.param(written("curation/demo/domains/more.yaml", ""), id="curation-file-added"),
        pytest.param(
            lambda h: (h.root / "curation/demo/domains/things.yaml").unlink(), id="curation-file-gone"
        ),
        pytest.param(written("curation/demo/surface.yaml", "surface: demo\n\n"), id="surface-edited"),
        pytest.param(written("curation/demo/witness/endpoints.jsonl", "{ }\n"), id="witness-edited"),
        pytest.param(written("generated/pack/a.py", "a = 1\n\n"), id="output-edited"),
        pytest.param(written("generated/pack/b.py", ""), id="output-extra"),
        pytest.param(lambda h: (h.root / "golden/demo/manifest.tsv").unlink(), id="output-missing"),
        pytest.param(same_size_and_time, id="output-edited-with-size-and-time-kept"),
        pytest.param(
            lambda h: (h.root / "generated/pack/a.py").rename(h.root / "generated/pack/c.py"), id="renamed"
        ),
        pytest.param(linked, id="curation-behind-a-link"),
        pytest.param(piped, id="a-pipe-in-the-curation"),
        pytest.param(edited("placet_generator/diagnostics/codes.py"), id="generator-edited"),
        pytest.param(edited("placet_generator/stamp.py"), id="stamp-edited"),
        pytest.param(edited("placet_generator/new.jinja"), id="template-added"),
        pytest.param(edited("placet/contract/binding.py"), id="contract-edited"),
        pytest.param(edited("placet/platforms/http/names.py"), id="platform-names-edited"),
        pytest.param(edited("demo_sdk-1.0.dist-info/RECORD"), id="sdk-record-edited"),
        pytest.param(lambda h: shutil.rmtree(h.packages / "demo_sdk-1.0.dist-info"), id="sdk-gone"),
        *(
            pytest.param(
                lambda h, name=name: (h.packages / f"{name}-0.0.1.dist-info").mkdir(), id=f"{name}-upgraded"
            )
            for name in (
                "jinja2",
                "PyYAML",
                "pydantic",
                "pydantic_core",
                "openapi_pydantic",
                "ruff",
                "msgspec",
            )
        ),
        pytest.param(edited("demo_sdk-1.0.dist-info/entry_points.txt"), id="entry-point-added"),
        pytest.param(lambda h: (h.packages / "unrelated-1.dist-info").mkdir(), id="any-package-installed"),
        pytest.param(
            lambda h: lay(h.packages / "sitecustomize.py", "import sys; sys.version += '!'"), id="python"
        ),
        pytest.param(lambda h: h.stamp.unlink(), id="no-stamp"),
        pytest.param(lambda h: h.stamp.write_text("{", encoding="utf-8"), id="broken-stamp"),
        pytest.param(stamp_edited("format", 0), id="old-format"),
        pytest.param(stamp_edited("parts", {}), id="stamp-without-parts"),
        pytest.param(stamp_edited("parts", None), id="stamp-of-another-shape"),
        pytest.param(stamp_edited("owned", ["../root/generated/pack"]), id="stamp-that-leaves-the-root"),
    ],
)
def test_a_change_of_any_part_wakes_the_check(stamped: House, edit: Edit) -> None:
    """Each thing that a check depends on is in the stamp: edit it, and the full check runs."""
    assert stamped.is_fresh()

    edit(stamped)

    assert not stamped.is_fresh()


def test_what_tools_leave_behind_does_not_wake_it(stamped: House) -> None:
    """Byte code beside generated modules is neither input nor output."""
    lay(stamped.root / "generated/pack/__pycache__/a.cpython-311.pyc", "x")
    lay(stamped.packages / "placet_generator/__pycache__/a.cpython-311.pyc", "x")

    assert stamped.is_fresh()


def test_undoing_an_edit_makes_it_fresh_again(stamped: House) -> None:
    """Contents decide, not times."""
    written("generated/pack/a.py", "other")(stamped)
    written("generated/pack/a.py", OUTPUTS["generated/pack/a.py"])(stamped)

    assert stamped.is_fresh()


@pytest.mark.parametrize(
    ("before", "edit"),
    [
        pytest.param(
            "reading_digest(Path.cwd(), 'demo')", written("generated/pack/a.py", "a = 2\n"), id="drift"
        ),
        pytest.param(
            "reading_digest(Path.cwd(), 'demo')", written("generated/pack/b.py", ""), id="extra-file"
        ),
        pytest.param("'what was read before an edit'", lambda h: None, id="edited-while-it-ran"),
        pytest.param("None", lambda h: None, id="unreadable-before"),
        pytest.param("reading_digest(Path.cwd(), 'demo')", linked, id="behind-a-link"),
    ],
)
def test_what_was_not_clean_is_not_stamped(house: House, before: str, edit: Edit) -> None:
    """A stamp says that this text was checked and these files are its result, or there is none."""
    edit(house)

    said = house.run(STAMP.replace('reading_digest(Path.cwd(), "demo")', before))

    assert said == ["False"]
    assert not house.stamp.exists()


def test_a_surface_over_a_document_needs_no_sdk(house: House) -> None:
    """Its document lies in the curation folder, so an edit of it wakes the check like any other."""
    lay(house.root / "curation/demo/api.json", "{}")
    shutil.rmtree(house.packages / "demo_sdk-1.0.dist-info")
    assert house.run(STAMP) == ["False"]
    assert house.run(STAMP.replace('sdk="demo-sdk"', "sdk=None")) == ["True"]
    assert house.is_fresh()

    lay(house.root / "curation/demo/api.json", "{ }")

    assert not house.is_fresh()


def test_without_a_curation_folder_nothing_is_answered(house: House, tmp_path: Path) -> None:
    """Outside a workspace the command itself says what is wrong."""
    assert house.run(CHECK, cwd=tmp_path) == ["None"]
