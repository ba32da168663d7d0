"""`placet init`: a whole surface from an OpenAPI document, to be pruned and rewritten by people."""

import re
from pathlib import Path
from typing import Annotated

import typer

from placet_generator.catalogue.openapi import read_document
from placet_generator.cli.project import FAULT, fail, report
from placet_generator.diagnostics.render import Format
from placet_generator.scaffold import MAKEFILE, package_project, surface_files
from placet_generator.workspace import checked_path, find_root
from placet_generator.write import WriteFailed, write_files

LIMIT_BYTES = 20_000_000
PROJECT = "generated/pyproject.toml"


def command(
    openapi: Annotated[
        Path, typer.Option(metavar="FILE", help="An OpenAPI 3.0 or 3.1 document, JSON or YAML.")
    ],
    package: Annotated[str, typer.Option(metavar="NAME", help="Import name of the package, as acme_tools.")],
    surface: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the surface; from the package by default.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="How findings are printed.")] = "text",
) -> int:
    """Make a surface for another API: curation for each operation, ready for `placet build`.

    Works in the project around the current folder, or makes one here. Never overwrites a surface that is there.
    """
    name = surface or package.removesuffix("_tools")
    for word, value in (("package", package), ("surface", name)):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", value):
            fail(f"the {word} {value!r} is not of the form [a-z][a-z0-9_]*")
    root = find_root(Path.cwd()) or Path.cwd()
    if (root / "curation" / name).exists():
        fail(f"curation/{name} is already there; remove it, or choose another --surface")
    text = _read(openapi)
    document, found = read_document(text, str(openapi))
    if report(found, form) or document is None:
        return FAULT
    try:
        files = surface_files(document, text, package, name)
        has_project = (root / PROJECT).exists()
        if not has_project:
            files[PROJECT] = package_project(package, name)
        if not (root / "Makefile").exists():
            files["Makefile"] = MAKEFILE
        written = write_files(root, {checked_path(path): content for path, content in files.items()}, ())
    except (ValueError, WriteFailed) as error:
        fail(f"placet init: {error}", FAULT)
    print(f"{len(written.written)} files written; next: edit curation/{name}, then `placet build`")
    if has_project:
        print(
            f'{PROJECT} is yours: add the package src/{package} and the entry point {name} = "{package}:surface"'
        )
    return 0


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > LIMIT_BYTES:
            fail(f"{path} is larger than {LIMIT_BYTES} bytes", FAULT)
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        fail(f"{path} is not UTF-8", FAULT)
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}", FAULT)
