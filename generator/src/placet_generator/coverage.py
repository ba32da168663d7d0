"""Curated methods against those the catalogue has, service by service."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from placet_generator.diagnostics.render import visible
from placet_generator.ir import SurfaceIR

__all__ = ["Coverage", "Service", "coverage", "coverage_json", "coverage_text"]

SUPPLEMENT = "supplement:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One service of the catalogue: the first part of its methods' names.

    Attributes:
        available: Methods the catalogue has.
        curated: Those of them that tools call.
        tools: Tools that call them.
        domains: The domains of these tools.
        uncurated: Names of the methods no tool calls.
    """

    name: str
    available: int
    curated: int
    tools: int
    domains: tuple[str, ...]
    uncurated: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """The whole table; `supplements` counts operations and `local` tools that no catalogue has."""

    services: tuple[Service, ...]
    available: int
    curated: int
    tools: int
    supplements: int
    local: int


def coverage(names: Iterable[str], surface: SurfaceIR) -> Coverage:
    """Count what is curated.

    Args:
        names: Every method of the catalogue, as `Catalogue.names()` gives them.
    """
    tools = [tool for domain in surface.domains for tool in domain.tools]
    users: dict[str, set[tuple[str, str]]] = {}
    for tool in tools:
        for call in tool.binding.calls:
            users.setdefault(call.sdk, set()).add((tool.domain, tool.name))
    available: dict[str, list[str]] = {}
    for name in sorted(set(names)):
        available.setdefault(_service(name, surface), []).append(name)
    services = tuple(_row(service, methods, users) for service, methods in sorted(available.items()))
    return Coverage(
        services=services,
        available=sum(one.available for one in services),
        curated=sum(one.curated for one in services),
        tools=len(tools),
        supplements=sum(one.startswith(SUPPLEMENT) for one in users),
        local=sum(not tool.binding.calls for tool in tools),
    )


def _service(name: str, surface: SurfaceIR) -> str:
    """The first part of a dotted name; operations of a document without dots form one service."""
    return name.partition(".")[0] if "." in name else surface.name


def _row(service: str, methods: list[str], users: dict[str, set[tuple[str, str]]]) -> Service:
    using = {one for name in methods for one in users.get(name, ())}
    return Service(
        name=service,
        available=len(methods),
        curated=sum(name in users for name in methods),
        tools=len(using),
        domains=tuple(sorted({domain for domain, _ in using})),
        uncurated=tuple(name for name in methods if name not in users),
    )


def coverage_text(table: Coverage) -> str:
    """Aligned columns, a line of totals, and what lies outside the catalogue."""
    head = ("service", "available", "curated", "share", "tools", "domains")
    rows = [
        (
            one.name,
            str(one.available),
            str(one.curated),
            _share(one),
            str(one.tools),
            ", ".join(one.domains) or "-",
        )
        for one in table.services
    ]
    total = ("total", str(table.available), str(table.curated), _share(table), str(table.tools), "")
    widths = [max(len(row[column]) for row in (head, *rows, total)) for column in range(len(head))]
    lines = [_line(row, widths) for row in (head, *rows, total)]
    lines.append(
        f"outside the catalogue: {table.supplements} supplement operations, {table.local} local tools"
    )
    return "".join(f"{visible(line)}\n" for line in lines)


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    """Names to the left, numbers to the right."""
    first, *numbers, last = row
    middle = "  ".join(cell.rjust(width) for cell, width in zip(numbers, widths[1:-1], strict=True))
    return f"{first.ljust(widths[0])}  {middle}  {last}".rstrip()


def _share(counted: Service | Coverage) -> str:
    return f"{100 * counted.curated // counted.available}%" if counted.available else "-"


def coverage_json(table: Coverage) -> str:
    """The table as one object, the names of uncurated methods included."""
    return json.dumps(asdict(table), ensure_ascii=False, indent=2) + "\n"
