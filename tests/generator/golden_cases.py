"""Golden cases: one feature in a folder of a few files, laid over a small base and compiled as a surface.

A case holds what differs from `_base`. Files are named for what they are (`curation.yaml` is the domain file,
`zh.yaml` its Chinese texts ...); what has no such name lies below `more/` at its place in the surface folder.
`disk.yaml` says what happens to the repository after a build: the case then shows what `placet check` finds.
Expected are `diagnostics.txt`, when there are findings, and the tools' modules and records in `emitted/`, when
there is no error.
"""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

from placet_generator.build import build_surface, write_build
from placet_generator.checking import check_build
from placet_generator.diagnostics import Diagnostic

CASES = Path(__file__).parents[2] / "golden" / "cases"
BASE = CASES / "_base"
SURFACE = "demo"
PLACES = {
    "surface.yaml": "surface.yaml",
    "curation.yaml": "domains/{domain}.yaml",
    "zh.yaml": "locales/zh/{domain}.yaml",
    "guidance.md": "guidance/en/{domain}.md",
    "guidance.zh.md": "guidance/zh/{domain}.md",
    "witness.jsonl": "witness/endpoints.jsonl",
    "documents.jsonl": "witness/docs.jsonl",
    "scopes.txt": "witness/scopes.txt",
    "openapi.json": "openapi.json",
    "supplement.yaml": "supplement/extra.yaml",
}
"""File of a case to its place in the surface folder."""

EXPECTED = ("diagnostics.txt", "emitted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a case gives: everything found, and the text of every file, formatted, by repository path."""

    diagnostics: tuple[Diagnostic, ...]
    files: Mapping[str, str]

    def emitted(self) -> dict[str, str]:
        """The tools' modules and records, by the name that they have below `emitted/`."""
        kept = {}
        for path, text in self.files.items():
            place = PurePosixPath(path)
            is_module = place.match("generated/src/*/*/_*.py") and place.parent.name != "index"
            if (is_module and place.name != "__init__.py") or place.match(f"golden/{SURFACE}/tools/*/*.json"):
                kept[place.name] = text
        return kept


def case_names() -> list[str]:
    return sorted(one.name for one in CASES.iterdir() if one.is_dir() and one != BASE)


def compose(case: Path, root: Path) -> Path:
    """Write the case, laid over the base, as the surface `demo` below `root`; returns its folder."""
    folder = root / "curation" / SURFACE
    given = {one.name: one for source in (BASE, case) for one in source.iterdir() if one.name in PLACES}
    written = re.search(
        r"(?m)^domain: ([a-z_0-9]+)$", given["curation.yaml"].read_text(encoding="utf-8", errors="replace")
    )
    domain = written[1] if written is not None else "sections"
    for name, source in given.items():
        target = folder / PLACES[name].format(domain=domain)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    if (case / "more").is_dir():
        shutil.copytree(case / "more", folder, dirs_exist_ok=True)
    return folder


def run_case(case: Path, root: Path) -> Outcome:
    """Compile a case in the empty folder `root`; with `disk.yaml`, build, change the disk, and check."""
    compose(case, root)
    build = build_surface(root, SURFACE)
    if not (case / "disk.yaml").is_file():
        return Outcome(diagnostics=build.diagnostics, files=build.files)
    write_build(root, build)
    _change(root, yaml.safe_load((case / "disk.yaml").read_text(encoding="utf-8")))
    checked = check_build(root, build_surface(root, SURFACE))
    return Outcome(diagnostics=checked.diagnostics, files={})


def _change(root: Path, changes: Mapping[str, Any]) -> None:
    """Carry out `remove` (paths), `write` (path to text) and `replace` (path to old text to new text)."""
    for path in changes.get("remove", ()):
        (root / path).unlink()
    for path, text in changes.get("write", {}).items():
        (root / path).write_text(text, encoding="utf-8")
    for path, pairs in changes.get("replace", {}).items():
        text = (root / path).read_text(encoding="utf-8")
        for old, new in pairs.items():
            assert old in text, f"{path} has no {old!r}"
            text = text.replace(old, new)
        (root / path).write_text(text, encoding="utf-8")


def expected_files(case: Path) -> set[str]:
    """The expected files that lie in a case's folder, by their names in it."""
    found = [one for name in EXPECTED for one in (case / name, *(case / name).rglob("*")) if one.is_file()]
    return {one.relative_to(case).as_posix() for one in found}


class _CaseFile(SingleFileSnapshotExtension):
    """An expected file in its case's folder, under the name the assertion gives it.

    Which files may lie there is for the test to say: syrupy looks for orphans beside tests only.
    """

    _write_mode = WriteMode.TEXT

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(CASES / _case_of(test_location))

    @classmethod
    def get_file_basename(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        return str(index)

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        return Path(snapshot_location).is_relative_to(CASES / _case_of(test_location))

    def discover_snapshots(
        self, *, test_location: PyTestLocation, ignore_extensions: list[str] | None = None
    ) -> SnapshotCollections:
        return SnapshotCollections()


def _case_of(location: PyTestLocation) -> str:
    return location.testname.partition("[")[2].removesuffix("]")


class TextFile(_CaseFile):
    file_extension = "txt"


class PythonFile(_CaseFile):
    file_extension = "py"


class JsonFile(_CaseFile):
    file_extension = "json"


FORMS: Mapping[str, type[_CaseFile]] = {".txt": TextFile, ".py": PythonFile, ".json": JsonFile}
"""File ending to the extension that keeps such a file."""
