"""`placet search`: find tools by what somebody wants, as `tool_search` finds them for a model."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from placet.contract.tool import Surface
    from placet.meta import Hit

__all__ = ["command"]


def command(
    query: Annotated[str | None, typer.Argument(help="What is wanted, in English or Chinese.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many at most.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON array.")] = False,
    batch: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Queries, one a line; prints one JSON array a line."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The configuration that says what is enabled.")
    ] = None,
) -> int:
    """Find tools, best first; an empty array when nothing fits.

    Without a configuration `enabled` is what the default policy says: reads that are not sensitive.
    """
    if (query is None) == (batch is None):
        raise typer.BadParameter("give a query, or --batch FILE", param_hint="QUERY")
    from placet.surfaces import installed_surfaces

    surfaces = installed_surfaces()
    is_on = _enabled(config, surfaces)
    if batch is not None:
        for line in batch.read_text(encoding="utf-8").splitlines():
            print(json.dumps(_found(surfaces, line, limit, is_on), ensure_ascii=False))
        return 0
    assert query is not None
    found = _found(surfaces, query, limit, is_on)
    if as_json:
        print(json.dumps(found, ensure_ascii=False))
    elif not found:
        print("nothing fits")
    else:
        for one in found:
            print(f"{one['score']:8.2f}  {one['name']:<36} {one['risk']:<16} {one['summary']}")
    return 0


def _enabled(config: Path | None, surfaces: "tuple[Surface, ...]") -> Any:
    from placet.config import ConfigInvalid
    from placet.contract.policy import Policy
    from placet.policy import Rules

    entries = {entry.name: entry for surface in surfaces for entry in surface.tools}
    policy = Policy()
    try:
        from placet.assembly import configuration

        policy = configuration(config, surfaces).policy
    except ConfigInvalid:
        if config is not None:
            raise
    return Rules(policy, entries).is_on


def _found(surfaces: "tuple[Surface, ...]", query: str, limit: int, is_on: Any) -> list[dict[str, Any]]:
    from placet.meta import search

    hits: list[Hit] = [hit for surface in surfaces for hit in search(surface, query, limit=limit)]
    hits.sort(key=lambda hit: (-hit.score, hit.entry.name))
    return [
        {
            "name": hit.entry.name,
            "summary": hit.entry.summary,
            "score": hit.score,
            "domain": hit.entry.domain,
            "risk": hit.entry.risk.value,
            "enabled": is_on(hit.entry.name),
            "source": {
                "sdk": hit.entry.source.sdk,
                "http": hit.entry.source.http,
                "route": hit.entry.source.route,
            },
        }
        for hit in hits[:limit]
    ]
