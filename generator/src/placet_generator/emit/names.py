"""Names in generated Python: of classes and constants, the order they are listed in, and parts of output paths.

Curated names are `[a-z][a-z0-9_]*` and no keywords when they come here; the resolver sees to it.
"""

import re
from functools import lru_cache

from placet import contract

__all__ = ["class_name", "constant_name", "export_order", "module_order", "pascal", "path_part"]

_TAKEN_CLASSES = frozenset(
    {*contract.__all__, "Annotated", "Any", "False", "Literal", "Meta", "None", "Struct", "True", "UnsetType"}
)
_TAKEN_CONSTANTS = frozenset({"UNSET"})
_DIGITS = re.compile(r"([0-9]+)")
_PATH_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


def pascal(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def class_name(name: str) -> str:
    """A type's Pascal-case name, moved aside where a generated module imports that very name."""
    return f"{name}Type" if name in _TAKEN_CLASSES else name


def constant_name(key: str) -> str:
    name = key.upper()
    return f"{name}_TOOL" if name in _TAKEN_CONSTANTS else name


@lru_cache(maxsize=4096)
def export_order(name: str) -> tuple[int, tuple[str | int, ...]]:
    """Sort key of names in an import and in `__all__`: constants, classes, functions, digits by value."""
    rank = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return rank, _natural(name)


def module_order(name: str) -> tuple[str | int, ...]:
    """Sort key of module names, digits by value."""
    return _natural(name)


def _natural(name: str) -> tuple[str | int, ...]:
    parts: list[str | int] = list(_DIGITS.split(name))
    parts[1::2] = [int(part) for part in parts[1::2]]
    return tuple(parts)


def path_part(name: str) -> str:
    """`name`, fit to be one part of an output path.

    Raises:
        ValueError: it is empty, starts with a dot, or holds a separator or anything else unusual.
    """
    if not _PATH_PART.fullmatch(name):
        raise ValueError(f"{name!r} cannot be part of a path")
    return name
