"""`placet tools`: what the installed surfaces offer, as a table for people or as JSON for programs."""

import json
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Annotated, Any

import typer

from placet.contract.tool import Surface, ToolEntry
from placet.contract.words import Risk
from placet.surfaces import installed_surfaces

__all__ = ["command", "tool_row"]

_NO_WIDTH = 1_000_000


def command(
    as_json: Annotated[bool, typer.Option("--json", help="Print an array of objects, one a tool.")] = False,
    surface: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this surface; may be repeated.")
    ] = None,
    domain: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this domain; may be repeated.")
    ] = None,
    risk: Annotated[
        list[Risk] | None,
        typer.Option(metavar="RISK", help="Only read, write or high-risk-write; may be repeated."),
    ] = None,
) -> None:
    """List the tools of the installed surfaces."""
    surfaces = installed_surfaces()
    if not surfaces:
        print(
            "no tool surface is installed; install a tool pack with pip, or make your own with `placet init`",
            file=sys.stderr,
        )
        raise typer.Exit(1)
    _require_known("--surface", surface, (s.name for s in surfaces))
    _require_known("--domain", domain, (t.domain for s in surfaces for t in s.tools))
    chosen = [
        (s, tool)
        for s in surfaces
        for tool in sorted(s.tools, key=lambda t: t.name)
        if (not surface or s.name in surface)
        and (not domain or tool.domain in domain)
        and (not risk or tool.risk in risk)
    ]
    if as_json:
        print(json.dumps([tool_row(s, tool) for s, tool in chosen], ensure_ascii=False, indent=2))
    else:
        _print_table(chosen)


def tool_row(surface: Surface, tool: ToolEntry) -> dict[str, Any]:
    """One tool as JSON-like data; `source` is null in all its members for a tool that sends nothing."""
    return {
        "name": tool.name,
        "wire_name": tool.wire_name,
        "surface": surface.name,
        "domain": tool.domain,
        "risk": tool.risk.value,
        "identity": [identity.value for identity in tool.identity],
        "sensitive": tool.sensitive,
        "scopes": {"any_of": list(tool.scopes.any_of), "all_of": list(tool.scopes.all_of)},
        "source": {"sdk": tool.source.sdk, "http": tool.source.http, "route": tool.source.route},
        "summary": tool.summary,
    }


def _require_known(option: str, given: Sequence[str] | None, known: Iterable[str]) -> None:
    names = sorted(set(known))
    for value in given or ():
        if value not in names:
            near = get_close_matches(value, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(names)}"
            raise typer.BadParameter(f"{value!r} is not known; {hint}", param_hint=option)


def _print_table(chosen: Sequence[tuple[Surface, ToolEntry]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title, grows in (("domain", False), ("name", False), ("risk", False), ("summary", True)):
        table.add_column(title, no_wrap=not grows, overflow="fold")
    for _, tool in chosen:
        # Text, not str: a bracket in a summary is not markup.
        table.add_row(*(Text(cell) for cell in (tool.domain, tool.name, tool.risk.value, tool.summary)))
    console = Console()
    if not console.is_terminal:
        # A pipe has no width: one tool is one line, so that grep finds all of it.
        console.width = console.measure(table, options=console.options.update(max_width=_NO_WIDTH)).maximum
    console.print(table)
    console.print(f"{len(chosen)} tools", highlight=False)
