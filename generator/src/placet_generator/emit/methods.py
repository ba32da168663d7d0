"""The list of all methods behind a surface, for its tool that looks capabilities up."""

from collections.abc import Iterable

from placet_generator.ir import SurfaceIR

__all__ = ["LOOKS_UP", "looks_up", "methods_text"]

LOOKS_UP = "capability_lookup"
"""The behaviour of a local tool that answers from the list."""


def looks_up(surface: SurfaceIR) -> bool:
    """Whether the surface has a tool that needs the list."""
    return any(tool.binding.local == LOOKS_UP for domain in surface.domains for tool in domain.tools)


def methods_text(methods: Iterable[tuple[str, str, str]]) -> str:
    """One method a line, sorted: its name, its verb and its route, with tabs between."""
    return "".join(f"{name}\t{http}\t{route}\n" for name, http, route in sorted(methods))
