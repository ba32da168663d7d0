"""The list of all methods of a catalogue: name, verb and route, without any tree.

The witness brings it, so that a name can be looked up, searched or counted without reading the SDK.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_PLACEHOLDER = re.compile(r":[^/]+")


class MethodEntry(NamedTuple):
    """One method: its dotted name, verb, and route with `:name` placeholders."""

    name: str
    http: str
    route: str


class MethodIndex:
    """All methods, by name and by route. Names are unique; the order given is kept."""

    def __init__(self, entries: Iterable[MethodEntry] = ()) -> None:
        self._by_name = {entry.name: entry for entry in entries}
        self._by_route: dict[tuple[str, str], str] | None = None

    def __len__(self) -> int:
        return len(self._by_name)

    def __iter__(self) -> Iterator[MethodEntry]:
        return iter(self._by_name.values())

    def names(self) -> Iterator[str]:
        return iter(self._by_name)

    def by_route(self, http: str, route: str) -> str | None:
        """The method with that verb and route; placeholder names and a trailing slash do not count."""
        if self._by_route is None:
            self._by_route = {}
            for entry in self:
                self._by_route.setdefault(_route_key(entry.http, entry.route), entry.name)
        return self._by_route.get(_route_key(http, route))


def _route_key(http: str, route: str) -> tuple[str, str]:
    return http.upper(), _PLACEHOLDER.sub(":", route.rstrip("/"))
