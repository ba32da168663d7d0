"""The one template environment. Templates lay out; a name they do not know fails the build."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["render"]

TEMPLATES = Path(__file__).parent / "templates"


@cache
def _environment() -> "Environment":
    # Imported here, so that a check which finds nothing changed never loads it.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # Nothing is HTML: texts are made inert for where they land by `literals`.
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def render(template: str, view: Any) -> str:
    """The text of one file; `view` has every line that the template places."""
    return _environment().get_template(template).render(view=view)
