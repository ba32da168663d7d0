"""`placet build`: compile every surface and write what it gives."""

from typing import Annotated

import typer

from placet_generator.build import build_surface, summary_line, write_build
from placet_generator.cli.project import FAULT, fail, report, root_here, surfaces_of
from placet_generator.diagnostics.render import Format
from placet_generator.format import FormatFailed
from placet_generator.workspace import UnsafePath
from placet_generator.write import WriteFailed, WriteReport


def command(
    surface: Annotated[str | None, typer.Option(metavar="NAME", help="Only this surface.")] = None,
    form: Annotated[Format, typer.Option("--format", help="How findings are printed.")] = "text",
    notes: Annotated[
        bool, typer.Option("--notes", help="Print notes too, as endpoints without a witness.")
    ] = False,
) -> int:
    """Compile the curation and write the package, its golden files and the SDK pin.

    Nothing is written when there is an error; files that have not changed are not touched.
    """
    root = root_here()
    failed = False
    try:
        builds = [build_surface(root, name) for name in surfaces_of(root, surface)]
        failed = report((one for build in builds for one in build.diagnostics), form, quiet=not notes)
        if failed:
            return FAULT
        for build in builds:
            written = write_build(root, build)
            if form == "text" and build.compilation.surface is not None:
                print(_counts(written))
                print(summary_line(build.compilation.surface, build.diagnostics))
    except (FormatFailed, WriteFailed, UnsafePath, OSError) as error:
        fail(f"placet build: {error}", FAULT)
    return 0


def _counts(written: WriteReport) -> str:
    changed, removed, same = len(written.written), len(written.removed), len(written.unchanged)
    return f"{changed} files written, {removed} removed, {same} unchanged"
