"""`placet doctor`: is this installation well, and if not, what to do."""

import json
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["command"]


def command(
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="The configuration.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> int:
    """Check configuration, store, clock, credentials and tools; exit code 1 when something is wrong."""
    import anyio
    import msgspec

    from placet.doctor import examine

    async def run() -> bool:
        well = True
        async for finding in examine(config):
            well = well and finding.is_well
            if as_json:
                print(json.dumps(msgspec.to_builtins(finding), ensure_ascii=False), flush=True)
                continue
            print(f"{'ok   ' if finding.is_well else 'FAULT'} {finding.check}: {finding.seen}", flush=True)
            if not finding.is_well and finding.move:
                print(f"      next: {finding.move}", flush=True)
        return well

    return 0 if anyio.run(run) else 1
