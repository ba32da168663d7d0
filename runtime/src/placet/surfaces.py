"""Finds the tool packs that are installed and refuses one written against a contract we do not know.

A pack names its surface in the entry-point group `placet.surfaces`. Nothing here imports a pack by name.
"""

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

from placet.contract.errors import PlacetError
from placet.contract.tool import Surface
from placet.contract.words import CONTRACT

__all__ = ["GROUP", "BrokenSurface", "DuplicateSurface", "UnknownContract", "accept", "installed_surfaces"]

GROUP = "placet.surfaces"


class BrokenSurface(PlacetError):
    """An installed pack cannot be loaded, or what it names is not a surface. `entry` is `name = module:attribute`."""

    def __init__(self, entry: EntryPoint, reason: str) -> None:
        self.entry = f"{entry.name} = {entry.value}"
        self.reason = reason
        super().__init__(
            f"the surface {self.entry!r} cannot be used: {reason}; build or reinstall its package"
        )


class DuplicateSurface(PlacetError):
    """Two installed packs use one surface name."""

    def __init__(self, name: str, packages: tuple[str, str]) -> None:
        self.name = name
        self.packages = packages
        super().__init__(
            f"the surface {name!r} comes from both {packages[0]!r} and {packages[1]!r}; uninstall one"
        )


class UnknownContract(PlacetError):
    """A pack was generated for a contract that this runtime does not know."""

    def __init__(self, *, surface: str, contract: int) -> None:
        self.surface = surface
        self.contract = contract
        newer = contract > CONTRACT
        move = "upgrade placet" if newer else "generate the package again, or install a newer release of it"
        super().__init__(
            f"the surface {surface!r} is written for contract {contract!r}, and this is {CONTRACT}; {move}"
        )


def installed_surfaces() -> tuple[Surface, ...]:
    """Every installed surface, by name.

    Raises:
        BrokenSurface: a pack does not load, or names something else than a surface.
        DuplicateSurface: two packs use one name.
        UnknownContract: a pack was generated for another contract.
    """
    return accept(_load(entry) for entry in entry_points(group=GROUP))


def accept(surfaces: Iterable[Surface]) -> tuple[Surface, ...]:
    """The surfaces by name, once each is known to fit this runtime.

    Raises:
        DuplicateSurface: two share a name.
        UnknownContract: one was generated for another contract.
    """
    by_name: dict[str, Surface] = {}
    for surface in surfaces:
        if surface.contract != CONTRACT:
            raise UnknownContract(surface=surface.name, contract=surface.contract)
        other = by_name.setdefault(surface.name, surface)
        if other is not surface:
            raise DuplicateSurface(surface.name, (other.package, surface.package))
    return tuple(by_name[name] for name in sorted(by_name))


def _load(entry: EntryPoint) -> Surface:
    try:
        surface = entry.load()
    except Exception as error:
        raise BrokenSurface(entry, f"{type(error).__name__}: {error}") from error
    if not isinstance(surface, Surface):
        raise BrokenSurface(entry, f"it is of type {type(surface).__name__!r}, not a Surface")
    return surface
