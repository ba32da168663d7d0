"""Names of operations, and routes as the catalogue writes them."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from placet_generator.catalogue.openapi.text import is_clean

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]{0,99}")
_BRACES = re.compile(r"\{([^{}]*)\}")
_PLACEHOLDER = re.compile(r":([A-Za-z_][A-Za-z0-9_]*)")
_WORD = re.compile(r"[a-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
SLUG_MAX = 60


def slug(text: str) -> str:
    """`text` in `[a-z0-9_]`: accents dropped, camel case opened; empty when nothing Latin is left."""
    ascii_only = unicodedata.normalize("NFKD", text[:400]).encode("ascii", "ignore").decode()
    return "_".join(_WORD.findall(_HUMP.sub("_", ascii_only).lower()))[:SLUG_MAX].strip("_")


def unique(name: str, taken: Mapping[str, object] | set[str]) -> str:
    """`name`, or `name_2`, `name_3` ... when it is taken."""
    if name not in taken:
        return name
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def name_operations(operations: Sequence[tuple[str, str, str]]) -> list[str]:
    """A name for each (operation id, verb, route), in their order.

    An id that is a plain word stays as it is and goes before every name that had to be made; what is made does
    not depend on the order of the document.
    """
    names: dict[int, str] = {}
    taken: dict[str, int] = {}
    counters: dict[str, int] = {}
    order = sorted(range(len(operations)), key=lambda one: (operations[one][2], operations[one][1], one))
    for index in order:
        wanted = operations[index][0]
        if _PLAIN.fullmatch(wanted) and wanted not in taken:
            names[index], taken[wanted] = wanted, index
    for index in order:
        if index not in names:
            wanted, verb, route = operations[index]
            base = slug(wanted) or slug(f"{verb} {route}") or verb.lower()
            name, counters[base] = _numbered(base, taken, counters.get(base, 1))
            names[index], taken[name] = name, index
    return [names[index] for index in range(len(operations))]


def _numbered(base: str, taken: Mapping[str, int], number: int) -> tuple[str, int]:
    name = base if number == 1 else f"{base}_{number}"
    while name in taken:
        number += 1
        name = f"{base}_{number}"
    return name, number


def route_of(path: str) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """A path template as a route with `:name` placeholders, and (name in document, name in route) of each.

    Placeholder names never travel, so odd ones are replaced. None for a path no route can say: a query part,
    a literal colon, a step upwards, spaces, text that runs into a placeholder.
    """
    if not path.startswith("/") or path.startswith("//") or not is_clean(path) or not path.isascii():
        return None
    literal = _BRACES.sub("", path)
    if any(one in literal for one in ':?#{}\\%" ') or any(part in (".", "..") for part in path.split("/")):
        return None
    renamed: dict[str, str] = {}
    pairs: list[tuple[str, str]] = []

    def write(match: re.Match[str]) -> str:
        original = match.group(1)
        name = original if _PLACEHOLDER.fullmatch(f":{original}") else slug(original)
        if not name or name[0].isdigit():
            name = f"p_{name}".rstrip("_")
        name = unique(name, renamed)
        renamed[name] = original
        pairs.append((original, name))
        return f":{name}"

    route = _BRACES.sub(write, path)
    if _PLACEHOLDER.findall(route) != [name for _, name in pairs] or len(set(pairs)) != len(pairs):
        return None
    if len({original for original, _ in pairs}) != len(pairs):
        return None
    return route, tuple(pairs)


def route_key(route: str) -> str:
    """A route without its placeholders' names."""
    return _PLACEHOLDER.sub(":", route)
