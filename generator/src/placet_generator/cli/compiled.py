"""A surface that compiles, for commands that only look at it."""

from dataclasses import dataclass
from pathlib import Path

import typer

from placet_generator.catalogue import Catalogue
from placet_generator.cli.project import FAULT, fail, report
from placet_generator.ir import SurfaceIR
from placet_generator.surface_folder import compile_folder, surface_sources
from placet_generator.workspace import UnsafePath


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    surface: SurfaceIR
    catalogue: Catalogue


def compiled_surface(root: Path, name: str) -> Compiled:
    """Compile a surface; ends the command with its findings when it has errors."""
    try:
        compilation = compile_folder(root, name)
    except (UnsafePath, OSError) as error:
        fail(str(error), FAULT)
    if report(compilation.diagnostics, "text", quiet=True) or compilation.surface is None:
        raise typer.Exit(FAULT)
    sources = surface_sources(root, name)
    if sources is None:
        raise typer.Exit(FAULT)
    return Compiled(surface=compilation.surface, catalogue=sources.catalogue)
