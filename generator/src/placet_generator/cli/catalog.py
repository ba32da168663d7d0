"""`placet catalog`: what the SDK offers, before anything of it is curated."""

from typing import Annotated

import typer

from placet_generator.catalogue import CatalogueError
from placet_generator.catalogue.methods import MethodEntry, MethodIndex
from placet_generator.catalogue.nearest import nearest
from placet_generator.catalogue.show import listing, search, show
from placet_generator.cli.project import FAULT, fail, one_surface, root_here
from placet_generator.compile import Sources
from placet_generator.surface_folder import surface_sources

command = typer.Typer(help="Look into the SDK or the document behind a surface.", no_args_is_help=True)

SurfaceOption = Annotated[
    str | None, typer.Option("--surface", metavar="NAME", help="The surface, where there are several.")
]


def sources_here(surface: str | None) -> Sources:
    """What the surface names; ends the command when its surface.yaml cannot be used."""
    root = root_here()
    name = one_surface(root, surface)
    sources = surface_sources(root, name)
    if sources is None:
        fail(f"curation/{name} cannot be read; `placet check` says why", FAULT)
    return sources


@command.command("show")
def show_method(
    method: Annotated[str, typer.Argument(help="Dotted SDK path, or an operation id.")],
    surface: SurfaceOption = None,
) -> None:
    """Print a method's slots, body and answer trees, with what the witness knows."""
    sources = sources_here(surface)
    try:
        found = sources.catalogue.method(method)
    except CatalogueError as error:
        fail(f"the source of {method!r} cannot be read: {error}", FAULT)
    if found is None:
        close = nearest(method, sources.catalogue.names(), limit=3)
        fail(f"there is no method {method!r}; did you mean {' or '.join(map(repr, close))}?" if close else
             f"there is no method {method!r}; `placet catalog search` finds them")  # fmt: skip
    print(show(found, sources.witness.facts(found.name)), end="")


@command.command("search")
def search_methods(
    words: Annotated[list[str], typer.Argument(help="Words of a method's name or route.")],
    surface: SurfaceOption = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many to list at most.")] = 20,
) -> None:
    """List the methods whose names or routes have these words."""
    found = search(" ".join(words), method_index(sources_here(surface)), limit)
    if not found:
        fail(f"no method has {' '.join(words)!r} in its name or route; try fewer or other words", FAULT)
    print(listing(found), end="")


def method_index(sources: Sources) -> MethodIndex:
    """Every method of the catalogue: from the witness where it lists them, else from the catalogue itself."""
    listed = sources.witness.methods()
    if len(listed):
        return listed
    methods = (sources.catalogue.method(name) for name in sources.catalogue.names())
    return MethodIndex(MethodEntry(one.name, one.http, one.route) for one in methods if one is not None)
