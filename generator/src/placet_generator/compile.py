"""The compiler: curation text in, file contents out. Reads nothing, writes nothing, prints nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from placet.contract.names import PlatformNames
from placet_generator.budgets import check_budgets
from placet_generator.catalogue import Catalogue
from placet_generator.curation.loader import Curation, SourceFile, load_curation
from placet_generator.diagnostics import Diagnostic, any_errors, sort_diagnostics
from placet_generator.emit import emit_surface
from placet_generator.emit.wire import WireTool, wire_tools
from placet_generator.ir import SurfaceIR
from placet_generator.resolve.scope import Inputs
from placet_generator.resolve.surface import resolve
from placet_generator.witness.reader import Witness


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What a surface names and the disk holds: filled by the caller when it has seen surface.yaml."""

    catalogue: Catalogue
    supplements: Mapping[str, Catalogue]
    witness: Witness
    names: PlatformNames


Find = Callable[[Curation], tuple[Sources | None, tuple[Diagnostic, ...]]]
"""Finds what surface.yaml names, or says what is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compilation:
    """What a run gives.

    Attributes:
        files: Repository path to content; Python not yet formatted; empty when there is an error.
        curation: What was read, None when surface.yaml could not be.
    """

    diagnostics: tuple[Diagnostic, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    surface: SurfaceIR | None = None
    tools: Mapping[str, WireTool] = field(default_factory=dict)
    curation: Curation | None = None


def compile_surface(files: Sequence[SourceFile], find: Find) -> Compilation:
    """Compile one surface. Every fault is in the result; nothing is raised for what people wrote."""
    curation, found = load_curation(files)
    if curation is None:
        return Compilation(diagnostics=sort_diagnostics(found))
    sources, missing = find(curation)
    found += missing
    if sources is None:
        return Compilation(diagnostics=sort_diagnostics(found), curation=curation)
    inputs = Inputs(
        curation=curation,
        catalogue=sources.catalogue,
        supplements=sources.supplements,
        witness=sources.witness,
        names=sources.names,
    )
    surface, more = resolve(inputs)
    found += more
    if any_errors(found):
        return Compilation(diagnostics=sort_diagnostics(found), surface=surface, curation=curation)
    tools = wire_tools(surface)
    found += tuple(check_budgets(surface, tools, curation.surface))
    emitted = {} if any_errors(found) else emit_surface(surface, tools, sources.witness.methods())
    return Compilation(
        diagnostics=sort_diagnostics(found), files=emitted, surface=surface, tools=tools, curation=curation
    )
