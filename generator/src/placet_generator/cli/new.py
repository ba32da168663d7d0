"""`placet new`: the first draft of a tool's entry, from what SDK and witness know."""

from pathlib import Path
from typing import Annotated

import typer

from placet_generator.catalogue import CatalogueError, Method
from placet_generator.catalogue.nearest import nearest
from placet_generator.cli.project import FAULT, fail, one_surface, root_here
from placet_generator.scaffold import tool_entry
from placet_generator.surface_folder import surface_sources


def command(
    method: Annotated[str, typer.Argument(help="Dotted SDK path, as bitable.v1.app_table_record.update.")],
    domain: Annotated[
        str | None, typer.Option(metavar="NAME", help="The domain; the SDK's service by default.")
    ] = None,
    append: Annotated[bool, typer.Option("--append", help="Add the entry to the domain's file.")] = False,
    surface: Annotated[
        str | None, typer.Option(metavar="NAME", help="The surface, where there are several.")
    ] = None,
) -> None:
    """Write a ready-to-edit tool entry for a method: printed, or appended to the domain's file."""
    root = root_here()
    name = one_surface(root, surface)
    sources = surface_sources(root, name)
    if sources is None:
        fail(f"curation/{name} cannot be read; `placet check` says why", FAULT)
    found: Method | None
    try:
        found = sources.catalogue.method(method)
    except CatalogueError as error:
        fail(f"the source of {method!r} cannot be read: {error}", FAULT)
    if found is None:
        close = nearest(method, sources.catalogue.names(), limit=3)
        hint = (
            f"did you mean {' or '.join(map(repr, close))}?"
            if close
            else "`placet catalog search` finds them"
        )
        fail(f"there is no method {method!r}; {hint}")
    owner = domain or method.partition(".")[0]
    entry = tool_entry(found, sources.witness.facts(found.name), owner, names=sources.names)
    if not append:
        print(entry, end="")
        return
    path = root / "curation" / name / "domains" / f"{owner}.yaml"
    _append(path, owner, entry)
    print(f"added to {path.relative_to(root)}; edit its texts, then run `placet check`")


def _append(path: Path, domain: str, entry: str) -> None:
    """`tools:` is a domain file's last key, so an entry may stand at the end; a new file gets its head first."""
    if path.exists():
        head = path.read_text(encoding="utf-8").rstrip("\n") + "\n"
    else:
        schema = "# yaml-language-server: $schema=../../schema/domain.schema.json\n"
        head = f"{schema}domain: {domain}\ntitle: Describe {domain}.\ntools:\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + entry, encoding="utf-8")
