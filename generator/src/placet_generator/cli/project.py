"""What every command needs: the root, the surfaces asked for, and one way to say that something is not there."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import typer

from placet_generator.catalogue.nearest import nearest
from placet_generator.diagnostics import Diagnostic, any_errors
from placet_generator.diagnostics.render import Format, render
from placet_generator.workspace import find_root, surface_names

USAGE = 2
FAULT = 1


def fail(message: str, code: int = USAGE) -> NoReturn:
    """Say why a command cannot go on, and end it with an exit code."""
    print(message, file=sys.stderr)
    raise typer.Exit(code)


def root_here() -> Path:
    """The root of the project the command was called in."""
    root = find_root(Path.cwd())
    if root is None:
        fail("there is no `curation` folder here or above; `placet init` makes one from an OpenAPI document")
    return root


def surfaces_of(root: Path, wanted: str | None) -> tuple[str, ...]:
    """Every surface of the project, or the one that is wanted."""
    names = surface_names(root)
    if wanted is None:
        if not names:
            fail(
                "no folder under curation/ has a surface.yaml; `placet init` makes one from an OpenAPI document"
            )
        return names
    if wanted not in names:
        close = nearest(wanted, names, limit=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there is {', '.join(names) or 'none'}"
        fail(f"there is no surface {wanted!r}; {hint}")
    return (wanted,)


def one_surface(root: Path, wanted: str | None) -> str:
    """The surface that is wanted; without a wish, the only one."""
    names = surfaces_of(root, wanted)
    if len(names) > 1:
        fail(f"there are several surfaces; name one with --surface: {', '.join(names)}")
    return names[0]


def report(found: Iterable[Diagnostic], form: Format, *, quiet: bool = False) -> bool:
    """Print findings in the form asked for; True when one of them is an error.

    In text, findings go to the error stream. Notes are left out when `quiet`.
    """
    listed = tuple(one for one in found if not (quiet and one.severity == "note"))
    print(render(listed, form), end="", file=sys.stderr if form == "text" else sys.stdout)
    return any_errors(listed)
