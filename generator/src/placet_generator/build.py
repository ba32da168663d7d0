"""One run over one surface: compile, format, and either compare with the disk or write to it."""

import gc
from collections.abc import Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from placet_generator.compile import Compilation
from placet_generator.curation.schema import SCHEMA_PATHS, schema_files
from placet_generator.diagnostics import Diagnostic, Severity, any_errors
from placet_generator.ir import SurfaceIR
from placet_generator.stamp import Stamp, reading_digest, write_stamp
from placet_generator.surface_folder import compile_folder, names_module
from placet_generator.workspace import surface_names
from placet_generator.write import WriteReport, write_files


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """A compiled surface whose Python is formatted."""

    name: str
    compilation: Compilation
    files: dict[str, str]
    owned: tuple[str, ...]
    before: str | None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.compilation.diagnostics

    @property
    def failed(self) -> bool:
        return any_errors(self.diagnostics)


@contextmanager
def _without_cycle_search() -> Iterator[None]:
    """A build makes half a million objects, keeps them to its end, and hardly ties a cycle: no search for garbage
    pays. What was made is frozen, so that later searches, the one at the process' end too, pass it by."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


@_without_cycle_search()
def build_surface(root: Path, name: str) -> Build:
    """Compile and format `curation/<name>`, and make the editors' schemas; nothing is written."""
    from placet_generator.format import format_python

    before = reading_digest(root, name)
    compilation = compile_folder(root, name)
    files = dict(compilation.files)
    python = {path: text for path, text in files.items() if path.endswith(".py")}
    if python:
        files |= format_python(python) | schema_files()
    return Build(
        name=name, compilation=compilation, files=files, owned=owned_by(compilation, name), before=before
    )


def owned_by(compilation: Compilation, name: str) -> tuple[str, ...]:
    """Folders in which nothing but the build's files may be, and the schemas that all surfaces share."""
    package = compilation.surface.package if compilation.surface is not None else None
    golden = (f"golden/{name}",)
    return (f"generated/src/{package}", *golden, *SCHEMA_PATHS) if package is not None else golden


def write_build(root: Path, build: Build) -> WriteReport:
    """Write a build that has no errors, all or nothing, and stamp it."""
    report = write_files(root, build.files, build.owned)
    stamp_build(root, build)
    return report


def stamp_build(root: Path, build: Build) -> bool:
    """Record that the disk is what the build gives, so that the next check may be quick."""
    surface = build.compilation.surface
    if surface is None:
        return False
    module = names_module(surface.platform)
    curation = build.compilation.curation
    if module is None or curation is None:
        return False
    stamp = Stamp(
        owned=build.owned,
        sdk=curation.surface.model.catalogue.distribution,
        names=module,
        summary=summary_line(surface, build.diagnostics),
    )
    return write_stamp(root, build.name, stamp, before=build.before, files=build.files)


def summary_line(surface: SurfaceIR, found: tuple[Diagnostic, ...]) -> str:
    """`feishu: 45 tools in 3 domains (21 read, 12 write, 12 high-risk-write); no drift`."""
    tools = [tool for domain in surface.domains for tool in domain.tools]
    risks: dict[str, int] = {}
    for tool in tools:
        risks[tool.risk.value] = risks.get(tool.risk.value, 0) + 1
    counts = ", ".join(
        f"{risks[risk]} {risk}" for risk in ("read", "write", "high-risk-write") if risk in risks
    )
    unwitnessed = sum(one.severity is Severity.NOTE for one in found)
    notes = f"; {unwitnessed} notes" if unwitnessed else ""
    return f"{surface.name}: {_count(tools, 'tool')} in {_count(surface.domains, 'domain')} ({counts}){notes}; no drift"


def _count(things: Sized, word: str) -> str:
    number = len(things)
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def wanted_surfaces(root: Path, name: str | None) -> tuple[str, ...]:
    """Every surface below the root, or the one of that name when it is there."""
    names = surface_names(root)
    return names if name is None else tuple(one for one in names if one == name)
