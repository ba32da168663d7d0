"""`placet check`: fail when curation, SDK, generated code and golden files do not agree."""

import sys
from typing import Annotated

import typer

from placet_generator.build import build_surface, stamp_build, summary_line
from placet_generator.checking import check_build, drift_lines, leftovers
from placet_generator.cli.project import FAULT, fail, report, root_here, surfaces_of
from placet_generator.diagnostics import Diagnostic, any_errors
from placet_generator.diagnostics.render import Format
from placet_generator.drift import drift_report
from placet_generator.format import FormatFailed
from placet_generator.stamp import fresh_summary
from placet_generator.workspace import UnsafePath


def command(
    full: Annotated[bool, typer.Option("--full", help="Trust no stamp: compile everything.")] = False,
    surface: Annotated[str | None, typer.Option(metavar="NAME", help="Only this surface.")] = None,
    form: Annotated[Format, typer.Option("--format", help="How findings are printed.")] = "text",
    diff: Annotated[bool, typer.Option("--diff", help="Show the differing lines of changed files.")] = False,
    notes: Annotated[
        bool, typer.Option("--notes", help="Print notes too, as endpoints without a witness.")
    ] = False,
) -> int:
    """Check curation, SDK, generated code and golden files against each other; exit code 1 when they disagree."""
    root = root_here()
    found: list[Diagnostic] = []
    lines: list[str] = []
    summaries: list[str] = []
    owned: list[str] = []
    try:
        for name in surfaces_of(root, surface):
            fresh = None if full else fresh_summary(root, name)
            if fresh is not None:
                summaries.append(fresh)
                continue
            build = build_surface(root, name)
            checked = check_build(root, build)
            found += checked.diagnostics
            lines += drift_lines(checked.drift)
            owned += build.owned
            if diff and checked.drift is not None:
                lines.append(drift_report(checked.drift, build.files).rstrip("\n"))
            if not any_errors(checked.diagnostics) and build.compilation.surface is not None:
                stamp_build(root, build)
                summaries.append(summary_line(build.compilation.surface, build.diagnostics))
        if full and surface is None and not any_errors(found):
            found += leftovers(root, owned)
    except (FormatFailed, UnsafePath, OSError) as error:
        fail(f"placet check: {error}", FAULT)
    failed = report(found, form, quiet=not notes)
    if form == "text":
        for line in (*lines, *(() if failed else summaries)):
            print(line, file=sys.stderr if failed else sys.stdout)
    return FAULT if failed else 0
