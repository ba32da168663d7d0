"""`placet export`: forms of the surface that are built on request and not committed."""

import json
from pathlib import Path
from typing import Annotated

import typer

from placet_generator.cli.compiled import compiled_surface
from placet_generator.cli.project import one_surface, root_here
from placet_generator.emit import openapi_document

command = typer.Typer(help="Export the surface in other forms.", no_args_is_help=True, add_completion=False)


@command.callback()
def group() -> None:
    """Export the surface in other forms."""


@command.command("openapi")
def openapi(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file; standard output without it.")
    ] = None,
    surface: Annotated[
        str | None, typer.Option(metavar="NAME", help="The surface, where there are several.")
    ] = None,
) -> None:
    """An OpenAPI 3.1 document with one operation a tool."""
    root = root_here()
    document = openapi_document(compiled_surface(root, one_surface(root, surface)).surface)
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, encoding="utf-8")
        print(f"wrote {output}")
