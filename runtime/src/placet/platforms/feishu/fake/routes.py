"""Which route a request is for, and what the installed tools expect of it."""

from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import entry_points

from msgspec import Struct

from placet.contract.binding import Call, Paging, Project
from placet.contract.tool import AnyTool, Surface
from placet.contract.words import Identity
from placet.platforms.feishu.fake.received import Received

__all__ = ["Route", "RouteTable", "curated_routes", "installed_tools"]


class Route(Struct, frozen=True, kw_only=True):
    """One verb and route.

    Attributes:
        takes: Kinds of token it accepts.
        output: What tools project from its answer.
        call: The first tool's request; None for a route that no tool has.
    """

    method: str
    route: str
    takes: frozenset[Identity] = frozenset(Identity)
    output: tuple[Project, ...] = ()
    paging: Paging | None = None
    call: Call | None = None


def installed_tools(platform: str = "feishu") -> tuple[AnyTool, ...]:
    """Every tool of every installed pack of the platform."""
    surfaces = [entry.load() for entry in entry_points(group="placet.surfaces")]
    return tuple(
        tool
        for surface in surfaces
        if isinstance(surface, Surface) and surface.platform == platform
        for tool in _tools(surface)
    )


def _tools(surface: Surface) -> Iterable[AnyTool]:
    for entry in surface.tools:
        module, _, name = entry.target.partition(":")
        yield getattr(import_module(module), name)


def curated_routes(tools: Iterable[AnyTool]) -> tuple[Route, ...]:
    """A route for each request that a tool may send; tools that share one add up."""
    found: dict[tuple[str, str], Route] = {}
    for tool in tools:
        for call in tool.binding.calls:
            key = (call.http, call.route)
            other = found.get(key)
            found[key] = Route(
                method=call.http,
                route=call.route,
                takes=frozenset(tool.identity) | (other.takes if other else frozenset()),
                output=tool.binding.output + (other.output if other else ()),
                paging=tool.binding.paging or (other.paging if other else None),
                call=call,
            )
    return tuple(found.values())


class RouteTable:
    """Finds the route of a request; a literal segment goes before a placeholder."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._by_shape: dict[tuple[str, int], list[tuple[tuple[str, ...], Route]]] = {}
        for route in routes:
            pattern = tuple(route.route.split("/")[1:])
            self._by_shape.setdefault((route.method, len(pattern)), []).append((pattern, route))
        for candidates in self._by_shape.values():
            candidates.sort(key=lambda one: sum(part.startswith(":") for part in one[0]))

    def find(self, request: Received) -> tuple[Route, dict[str, str]] | None:
        """The route and the values of its placeholders; None when the platform has none."""
        for pattern, route in self._by_shape.get((request.method, len(request.segments)), ()):
            values = _values(pattern, request.segments)
            if values is not None:
                return route, values
        return None


def _values(pattern: tuple[str, ...], segments: tuple[str, ...]) -> dict[str, str] | None:
    values = {}
    for part, segment in zip(pattern, segments, strict=True):
        if part.startswith(":"):
            if not segment:
                return None
            values[part[1:]] = segment
        elif part != segment:
            return None
    return values
