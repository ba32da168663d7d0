"""The door of the executable: one word chooses a command, and only that command's module is loaded.

A distribution adds a command by an entry point of the group `placet.commands` that names a function with typer
annotations (a command; it may return an exit code) or a `typer.Typer` (a group). In the group `placet.fast` it may
name, for the same word, a function `(arguments) -> int | None` that is asked first and answers with an exit code,
or None to leave the matter to the command; it exists so that a check with nothing to do need not load typer.
"""

import gc
import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from importlib.metadata import EntryPoint, EntryPoints, entry_points, version
from typing import Any, cast

__all__ = ["COMMANDS", "FAST", "main"]

COMMANDS = "placet.commands"
FAST = "placet.fast"

_USAGE_FAULT = 2
_FAULT = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a typer command ends by SystemExit with it.

    Args:
        arguments: Words after the program's name; None takes them from the process.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] in ("--help", "-h"):
        print(_help())
        return 0
    if words[0] == "--version":
        print(f"placet {version('placet')}")
        return 0
    try:
        return _run(words[0], words[1:])
    except BrokenPipeError:
        # Whoever read our output has left; nothing can be said to them, and Python must not try at exit.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # lives as long as the process
        return _FAULT
    except OSError as error:
        print(f"placet {words[0]}: {error.strerror or error}", file=sys.stderr)
        return _FAULT
    except Exception as error:
        # Imported late: the contract brings msgspec, which the fast way does without.
        from placet.contract.errors import PlacetError

        if not isinstance(error, PlacetError):
            raise
        print(f"placet {words[0]}: {error}", file=sys.stderr)
        return _FAULT


def _run(name: str, rest: list[str]) -> int:
    installed = entry_points()
    for entry in installed.select(group=FAST, name=name):
        fast = cast("Callable[[list[str]], int | None]", entry.load())
        code = fast(rest)
        if code is not None:
            return code
    commands = installed.select(group=COMMANDS)
    found = list(commands.select(name=name))
    if not found:
        return _unknown(name, commands)
    if len(found) > 1:
        owners = " and ".join(sorted(_owner(entry) for entry in found))
        print(f"placet: the command {name!r} is declared twice, by {owners}; uninstall one", file=sys.stderr)
        return _USAGE_FAULT
    return _invoke(name, _load(found[0]), rest)


def _load(entry: EntryPoint) -> Any:
    """Load a command. Modules stay, so a search for garbage among them, a tenth of the time, finds none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return entry.load()
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def _invoke(name: str, target: Any, rest: list[str]) -> int:
    import typer
    from typer.main import get_command, get_group

    if isinstance(target, typer.Typer):
        target.rich_markup_mode = None
        command = cast("Callable[..., int | None]", get_group(target))
    else:
        # Docstrings are plain text: a square bracket in one is not markup.
        app = typer.Typer(add_completion=False, rich_markup_mode=None)

        @wraps(target)
        def run(*positional: Any, **named: Any) -> None:
            # Typer drops what a function returns, and a dropped 1 would be a fault that looks like success.
            raise typer.Exit(target(*positional, **named) or 0)

        app.command()(run)
        command = cast("Callable[..., int | None]", get_command(app))
    return command(args=rest, prog_name=f"placet {name}") or 0


def _unknown(name: str, commands: EntryPoints) -> int:
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(commands.names), n=1)
    hint = f"did you mean {near[0]!r}?" if near else "`placet --help` lists them all"
    print(f"placet: there is no command {name!r}; {hint}", file=sys.stderr)
    return _USAGE_FAULT


def _help() -> str:
    commands = sorted(entry_points(group=COMMANDS), key=lambda entry: (entry.name, _owner(entry)))
    width = max((len(entry.name) for entry in commands), default=0)
    listed = [f"  {entry.name:<{width}}  {_summary(entry)}" for entry in commands]
    return "\n".join(
        [
            "usage: placet COMMAND [ARGUMENTS]",
            "",
            "A curated tool surface, and the gate through which every call passes.",
            "",
            "commands:",
            *listed,
            "",
            "`placet COMMAND --help` tells more; `placet --version` prints the version.",
        ]
    )


def _summary(entry: EntryPoint) -> str:
    """The first line of the command's help; a command that cannot be loaded says why instead of hiding the rest."""
    try:
        target = entry.load()
    except Exception as error:
        return f"(of {_owner(entry)}; cannot be loaded: {error})"
    text = getattr(getattr(target, "info", None), "help", None) or getattr(target, "__doc__", None)
    return text.strip().splitlines()[0] if isinstance(text, str) and text.strip() else ""


def _owner(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value
