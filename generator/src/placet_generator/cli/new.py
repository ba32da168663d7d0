"""`placet new`: the first draft of a tool's entry, from what SDK and witness know."""

from pathlib import Path
from typing import Annotated, Any

import typer

from placet_generator.catalogue import CatalogueError, Method
from placet_generator.catalogue.nearest import nearest
from placet_generator.cli.project import FAULT, fail, one_surface, root_here
from placet_generator.curation.yaml_text import read_yaml
from placet_generator.resolve.naming import fault_of
from placet_generator.scaffold import tool_entry
from placet_generator.surface_folder import surface_sources
from placet_generator.workspace import UnsafePath
from placet_generator.write import WriteFailed, write_files


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
    if fault := fault_of(owner):
        fail(f"the domain {owner!r} {fault}")
    place = f"curation/{name}/domains/{owner}.yaml"
    try:
        write_files(root, {place: _extended(root, place, owner, entry)}, ())
    except (WriteFailed, UnsafePath, OSError) as error:
        fail(f"placet new: {error}", FAULT)
    print(f"added to {place}; edit its texts, then run `placet check`")


def _extended(root: Path, place: str, domain: str, entry: str) -> str:
    """The domain file with the entry at its end; ends the command when it cannot stand there."""
    path = root / place
    if not path.exists():
        schema = "# yaml-language-server: $schema=../../schema/domain.schema.json\n"
        return f"{schema}domain: {domain}\ntitle: Describe {domain}.\ntools:\n{entry}"
    before = path.read_bytes().decode("utf-8", "replace")
    old, _ = read_yaml(before, place)
    text = before.rstrip("\n") + "\n" + entry
    new, faults = read_yaml(text, place)
    key = entry.split(":")[0].strip()
    if old is None or new is None or faults or not _is_added(old.value, new.value, key):
        fail(
            f"the entry cannot stand at the end of {place}: `tools:` must be its last key, in block style with two "
            f"spaces, and without {key!r}; print it without --append and put it in by hand",
            FAULT,
        )
    return text


def _is_added(old: Any, new: Any, key: str) -> bool:
    """True when the tools have exactly one more, and nothing else changed."""
    if not isinstance(old, dict) or not isinstance(new, dict) or not isinstance(new.get("tools"), dict):
        return False
    tools = {name: one for name, one in new["tools"].items() if name != key}
    return {**new, "tools": tools or None} == {**old, "tools": old.get("tools") or None} and key in new[
        "tools"
    ]
