"""`placet explain CODE`: what a finding means and what to do about it."""

from typing import Annotated

import typer

from placet_generator.cli.project import fail
from placet_generator.diagnostics import CODES
from placet_generator.diagnostics.explain import UnknownCode, codes_page, explain


def command(
    code: Annotated[str | None, typer.Argument(help="A code, as CUR001; all of them without one.")] = None,
    page: Annotated[bool, typer.Option("--page", help="Print docs/diagnostics.md as it should be.")] = False,
) -> None:
    """Explain a diagnostic code."""
    if page:
        print(codes_page(), end="")
        return
    if code is None:
        for known, info in CODES.items():
            print(f"{known}  {info.purpose}")
        return
    try:
        print(explain(code), end="")
    except UnknownCode as error:
        fail(str(error))
