"""Every method of the platform behind a surface, whether or not a tool uses it: names, verbs and routes."""

import math
from collections import Counter
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from placet.meta.words import near, words

__all__ = ["Method", "Methods", "methods_of"]


class Method(NamedTuple):
    """One line of the pack's `methods.tsv`."""

    name: str
    http: str
    route: str


class Methods:
    """The list, by name and by the words of names and routes."""

    def __init__(self, methods: list[Method]) -> None:
        self.by_name = {one.name: one for one in methods}
        self._words = {one.name: frozenset(_words(one)) for one in methods}
        self._among = Counter(word for found in self._words.values() for word in found)
        self._known = frozenset(self._among)

    def named(self, name: str) -> list[Method]:
        """The method of that name; else those whose names are nearest, the nearest first."""
        if name in self.by_name:
            return [self.by_name[name]]
        return [self.by_name[one] for one in get_close_matches(name, self.by_name, n=3, cutoff=0.8)]

    def about(self, query: str, *, limit: int) -> list[Method]:
        """Methods that most of the query's words stand in, best first; none when fewer do.

        Names are English: a query in another language finds nothing here.
        """
        asked = {word if word in self._known else near(word, self._known) or word for word in words(query)}
        if not asked:
            return []
        scored = []
        for name, own in self._words.items():
            said = asked & own
            if 2 * len(said) > len(asked):
                rare = sum(math.log(len(self._words) / self._among[word]) for word in said)
                scored.append((-rare / math.sqrt(len(own)), name))
        return [self.by_name[name] for _, name in sorted(scored)[:limit]]


@lru_cache(maxsize=8)
def methods_of(package: str) -> Methods:
    """The list that a pack ships; an empty one where it ships none."""
    place = files(package).joinpath("methods.tsv")
    if not place.is_file():
        return Methods([])
    lines = place.read_text(encoding="utf-8").splitlines()
    return Methods([Method(*line.split("\t")) for line in lines])


def _words(method: Method) -> list[str]:
    # A verb of the protocol says what its name may not: a DELETE deletes.
    plain = f"{method.name} {method.route}".replace("_", " ").replace(":", " ").replace("-", " ")
    return [*words(plain), *words({"DELETE": "delete remove", "POST": "create add"}.get(method.http, ""))]
