"""`placet coverage`: curated against available methods."""

from typing import Annotated

import typer

from placet_generator.cli.compiled import compiled_surface
from placet_generator.cli.project import one_surface, root_here
from placet_generator.coverage import coverage, coverage_json, coverage_text


def command(
    surface: Annotated[
        str | None, typer.Option(metavar="NAME", help="The surface, where there are several.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, with the names of uncurated methods.")
    ] = False,
) -> int:
    """Show how many of the SDK's methods are curated, service by service."""
    root = root_here()
    compiled = compiled_surface(root, one_surface(root, surface))
    table = coverage(compiled.catalogue.names(), compiled.surface)
    print(coverage_json(table) if as_json else coverage_text(table), end="")
    return 0
