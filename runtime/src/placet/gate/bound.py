"""A tool made ready to run: everything that can be worked out once for all its calls."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from placet.contract.binding import Project, Slot
from placet.contract.errors import PlacetError
from placet.contract.platform import Codec, Platform, Tenant
from placet.contract.tool import AnyTool, Surface, ToolEntry
from placet.contract.words import Identity
from placet.encoding import Encoder
from placet.inbound.validation import Validator
from placet.projection import ListDecoder, Projector
from placet.schemas import tool_record

__all__ = ["BoundTool", "Catalogue", "NameTaken"]


class BoundTool:
    """One tool with its validator, encoder and projector. `platform` is None for a tool that sends nothing."""

    def __init__(self, surface: Surface, entry: ToolEntry, platform: Platform | None) -> None:
        module, _, name = entry.target.partition(":")
        tool: AnyTool = getattr(import_module(module), name)
        self.surface, self.entry, self.tool, self.platform = surface, entry, tool, platform
        self.binding = tool.binding
        self.record: Mapping[str, Any] = tool_record(surface, entry)
        self.validator = Validator(tool, self.record["wire"]["inputSchema"])
        self.encoder = Encoder(
            tool.binding,
            platform.codec if platform else _no_codec,
            _derive(platform),
            identities=tool.identity,
        )
        self.projector = Projector(
            tool.binding.output if platform else (), platform.codec if platform else _no_codec
        )
        self.items_field = _items_field(tool)
        self.list_decoder = _list_decoder(tool)
        self.file_field = next((one.name for one in tool.binding.output if one.path == "$bytes"), "file")
        self.is_write = tool.risk.is_write
        self.standings: dict[tuple[str, Identity | None], Tenant] = {}
        """Apps and identities that may use it, once they were judged: nothing changes that they were judged by."""
        self.names = frozenset((*_names(tool.binding.output), *_arguments(tool.binding.slots)))


def _no_codec(name: str) -> Codec:
    raise LookupError(f"a tool that sends nothing has no codec {name!r}")


def _derive(platform: Platform | None) -> Callable[[str, Any], str]:
    return platform.derive if platform is not None else lambda name, value: str(_no_codec(name))


def _items_field(tool: AnyTool) -> str | None:
    """The output field that holds the paged list, or a value of each of its items."""
    paging = tool.binding.paging
    if paging is None:
        return None
    return next(
        (
            one.name
            for one in tool.binding.output
            if one.path == paging.items or one.path.startswith(f"{paging.items}[]")
        ),
        None,
    )


def _list_decoder(tool: AnyTool) -> ListDecoder | None:
    """Reads answers whose list is a plain member of the data, item by item; None where it is not."""
    paging = tool.binding.paging
    if paging is None or _first(paging.items) != paging.items:
        return None
    places = [one.path for one in tool.binding.output]
    if not all(map(_first, places)):
        return None
    places += [one for one in (paging.next, paging.more) if one is not None]
    return ListDecoder(paging.items, map(_first, places))


def _first(place: str) -> str:
    """The member in which a place begins: `items` of `items[].id`; empty for the data itself."""
    return "" if place.startswith("$") else place.partition(".")[0].partition("[")[0]


def _names(output: tuple[Project, ...]) -> Iterator[str]:
    for one in output:
        yield one.name
        yield from _names(one.fields)


def _arguments(slots: tuple[Slot, ...]) -> Iterator[str]:
    for slot in slots:
        yield slot.argument
        yield from _arguments(slot.fields)
        for members in slot.variants.values():
            yield from _arguments(members)


class NameTaken(PlacetError):
    """Two tools answer to one name. `name` is it, and `tools` the canonical names of both."""

    def __init__(self, name: str, tools: tuple[str, str]) -> None:
        super().__init__(
            f"the name {name!r} belongs to both {tools[0]!r} and {tools[1]!r}; leave one of their surfaces out"
        )
        self.name, self.tools = name, tools


class Catalogue:
    """The tools of all surfaces by name and alias, each bound when it is first called.

    Raises:
        NameTaken: of two tools nobody could say which one a call means.
    """

    def __init__(self, surfaces: tuple[Surface, ...], platforms: Mapping[str, Platform]) -> None:
        self._platforms = platforms
        self._owners: dict[str, tuple[Surface, ToolEntry]] = {}
        self._names: dict[str, ToolEntry] = {}
        for surface in surfaces:
            for tool in surface.tools:
                for name in sorted({tool.name, tool.wire_name, *tool.aliases}):
                    if name in self._names:
                        raise NameTaken(name, (self._names[name].name, tool.name))
                    self._names[name] = tool
                self._owners[tool.name] = (surface, tool)
        self._bound: dict[str, BoundTool] = {}
        self.entries = {name: tool for name, (_, tool) in self._owners.items()}

    def entry(self, name: str) -> ToolEntry | None:
        """The tool's line in the index, by canonical name, wire name or alias."""
        return self._names.get(name)

    def record(self, entry: ToolEntry) -> Mapping[str, Any]:
        """The tool's texts and schemas, as its surface ships them."""
        return tool_record(self._owners[entry.name][0], entry)

    def surface(self, entry: ToolEntry) -> Surface:
        """The pack that the tool comes from."""
        return self._owners[entry.name][0]

    def bind(self, entry: ToolEntry) -> BoundTool:
        found = self._bound.get(entry.name)
        if found is None:
            surface, _ = self._owners[entry.name]
            platform = self._platforms.get(surface.platform) if entry.source.http is not None else None
            found = self._bound[entry.name] = BoundTool(surface, entry, platform)
        return found
