"""`placet diff`: what changed for the model and the host since a revision."""

from typing import Annotated

import typer

from placet_generator.build import build_surface
from placet_generator.checking import golden_records
from placet_generator.cli.project import FAULT, fail, report, root_here, surfaces_of
from placet_generator.diff import Change, DiffFailed, changes_json, changes_text, compare, read_revision
from placet_generator.format import FormatFailed
from placet_generator.workspace import UnsafePath


def command(
    base: Annotated[str, typer.Option(metavar="REV", help="The git revision to compare with.")] = "HEAD",
    surface: Annotated[str | None, typer.Option(metavar="NAME", help="Only this surface.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Say in words what the curation as it stands changes since a revision: breaking, widening or text only."""
    root = root_here()
    changes: list[Change] = []
    try:
        for name in surfaces_of(root, surface):
            build = build_surface(root, name)
            if report(build.diagnostics, "text", quiet=True):
                return FAULT
            old = read_revision(root, base, f"golden/{name}/tools")
            changes += compare(old, golden_records(build))
    except (DiffFailed, FormatFailed, UnsafePath, OSError) as error:
        fail(f"placet diff: {error}", FAULT)
    print(changes_json(changes) if as_json else changes_text(changes), end="")
    return 0
