"""`placet call`: one tool call from a terminal, through the same gate as every other."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from placet.cli.exits import exit_code
from placet.contract.words import Identity

__all__ = ["command"]


def command(
    tool: Annotated[str, typer.Argument(help="The tool's name, as domain.tool.")],
    arg: Annotated[
        list[str] | None,
        typer.Option("--arg", "-a", metavar="NAME=VALUE", help="An argument; VALUE is JSON, or else text."),
    ] = None,
    as_json: Annotated[
        str | None,
        typer.Option("--json", metavar="JSON", help="All arguments as one object; - reads them from input."),
    ] = None,
    app: Annotated[str | None, typer.Option(help="The app; may be left out when there is one only.")] = None,
    user: Annotated[str | None, typer.Option(help="The acting person's id on the platform.")] = None,
    identity: Annotated[Identity, typer.Option(help="Whose token is used.")] = Identity.TENANT,
    session: Annotated[
        str | None, typer.Option(help="The conversation that handles and proposals belong to.")
    ] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="The configuration.")] = None,
) -> int:
    """Call a tool and print its result as JSON.

    Exit code: 0 ok, 1 failed, 2 usage, 3 refused, 4 waits for a person, 5 outcome unknown.
    """
    import anyio

    from placet.assembly import configuration

    settings = configuration(config)
    if app is None:
        if len(settings.tenants) != 1:
            raise typer.BadParameter(f"name one of {', '.join(settings.tenants)}", param_hint="--app")
        (app,) = settings.tenants
    elif app not in settings.tenants:
        raise typer.BadParameter(
            f"there is no app {app!r}; there is {', '.join(settings.tenants)}", param_hint="--app"
        )
    arguments = _arguments(tool, arg or [], as_json)

    async def run() -> int:
        import msgspec

        from placet.assembly import open_gate
        from placet.contract.call import Actor, CallContext

        ctx = CallContext(app=app, identity=identity, actor=Actor(user=user), session=session)
        async with open_gate(settings) as gate:
            result = await gate.call(tool, arguments, ctx)
        shown = {"kind": result.kind, **msgspec.to_builtins(result)}
        print(json.dumps(shown, ensure_ascii=False, indent=2))
        return exit_code(result)

    return anyio.run(run)


def _arguments(tool: str, pairs: list[str], text: str | None) -> str:
    """The arguments as one JSON text, which the gate decodes and no other reader before it."""
    if text is not None:
        if pairs:
            raise typer.BadParameter("give --arg or --json, not both", param_hint="--json")
        return sys.stdin.read() if text == "-" else text
    texts = _texts(tool) if pairs else frozenset[str]()
    found: dict[str, str] = {}
    for pair in pairs:
        name, mark, value = pair.partition("=")
        if not mark or not name:
            raise typer.BadParameter(f"{pair!r} is not NAME=VALUE", param_hint="--arg")
        if name in found:
            raise typer.BadParameter(f"{name!r} stands twice", param_hint="--arg")
        found[name] = json.dumps(value) if name in texts else _value(value)
    return "{" + ",".join([f"{json.dumps(name)}:{value}" for name, value in found.items()]) + "}"


def _texts(tool: str) -> frozenset[str]:
    """Names of the tool's arguments that are texts, whatever their value looks like."""
    from placet.schemas import tool_record
    from placet.surfaces import installed_surfaces

    for surface in installed_surfaces():
        for entry in surface.tools:
            if tool in (entry.name, entry.wire_name, *entry.aliases):
                properties = tool_record(surface, entry)["wire"]["inputSchema"]["properties"]
                return frozenset(name for name, one in properties.items() if one.get("type") == "string")
    return frozenset()


def _value(text: str) -> str:
    """JSON as it stands where it is JSON, else the text as JSON: `--arg n=5` is a number, `--arg name=Ada` a text."""
    try:
        json.loads(text)
    except RecursionError:
        return text  # too deep for the gate as well, which says so
    except ValueError:
        return json.dumps(text)
    return text
