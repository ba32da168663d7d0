"""Faults of a configuration: each names its key, its line and the next move, and none shows a secret."""

from pathlib import Path

from msgspec import Struct

from placet.contract.errors import PlacetError

__all__ = ["ConfigFault", "ConfigInvalid"]


class ConfigFault(Struct, frozen=True, order=True):
    """One fault. `line` starts at 1 and is 0 when it has none; `place` is like `tenants[0].brand`."""

    line: int
    place: str
    message: str


class ConfigInvalid(PlacetError):
    """The configuration cannot be used. `faults` holds all of them, by line."""

    def __init__(self, path: Path | None, faults: tuple[ConfigFault, ...]) -> None:
        name = path.name if path is not None else "the configuration"
        super().__init__(
            "\n".join(["the configuration cannot be used:", *(f"  {_line(name, one)}" for one in faults)])
        )
        self.path, self.faults = path, faults


def _line(name: str, fault: ConfigFault) -> str:
    where = f"{name}:{fault.line}" if fault.line else name
    told = f"{where}: {fault.place}: {fault.message}" if fault.place else f"{where}: {fault.message}"
    # A key may hold anything, and this reaches a terminal.
    return "".join([one if one.isprintable() else f"\\u{ord(one):04x}" for one in told])
