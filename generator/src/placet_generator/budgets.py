"""Budgets: bytes that models pay for on every turn, so being over one fails the build.

Bytes are those of compact UTF-8 JSON of a wire definition (name, description, input schema), the form that every
door sends.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from placet_generator.curation.loader import Located
from placet_generator.curation.models import Budgets, SurfaceFile
from placet_generator.diagnostics import Code, Diagnostic, Span
from placet_generator.emit.wire import WireTool
from placet_generator.ir import DomainIR, SurfaceIR


def wire_bytes(definition: Mapping[str, Any]) -> int:
    """Bytes of a wire definition as compact UTF-8 JSON."""
    return len(msgspec.json.encode(definition))


def check_budgets(
    surface: SurfaceIR, tools: Mapping[str, WireTool], written: Located[SurfaceFile]
) -> Iterator[Diagnostic]:
    """Everything that is over one of the surface's budgets."""
    budgets = written.model.budgets
    sizes = {
        locale: {name: wire_bytes(tool.wire[locale]) for name, tool in tools.items()}
        for locale in surface.locales
    }
    english = sizes["en"]
    for name, tool in tools.items():
        yield from _check_tool(tool, english[name], budgets)
    for domain in surface.domains:
        total = sum(english[tool.name] for tool in domain.tools)
        if total > budgets.domain_bytes:
            message = (
                f"domain {domain.name!r} has {total} bytes of definitions, more than {budgets.domain_bytes}"
            )
            yield Diagnostic(Span(domain.path, 1, 1), Code.BUDGET_DOMAIN, message, "shorten texts")
        yield from _check_guidance(domain, budgets, written.document.path)
    place = written.span(("budgets",), key=True)
    if english and sum(english.values()) > budgets.mean_bytes * len(english):
        mean = sum(english.values()) / len(english)
        message = f"a definition has {mean:.0f} bytes on average, more than {budgets.mean_bytes}"
        yield Diagnostic(place, Code.BUDGET_DOMAIN, message, "shorten texts")
    for locale in surface.locales[1:]:
        ratio = sum(sizes[locale].values()) / max(1, sum(english.values()))
        if ratio > budgets.locale_ratio:
            most = budgets.locale_ratio
            message = f"{locale} definitions have {ratio:.2f} times the bytes of English, more than {most}"
            yield Diagnostic(place, Code.BUDGET_DOMAIN, message, f"shorten the {locale} texts")
    yield from _check_presets(surface, english, written)


def _check_tool(tool: WireTool, size: int, budgets: Budgets) -> Iterator[Diagnostic]:
    definition = tool.wire["en"]
    place, name = tool.tool.defined_at, tool.tool.name
    if size > budgets.tool_bytes:
        parts = ", ".join(f"{part} {count}" for part, count in _largest(definition["inputSchema"]))
        yield Diagnostic(
            place,
            Code.BUDGET_TOOL,
            f"the definition of {name!r} has {size} bytes, more than {budgets.tool_bytes}; its largest parts: {parts}",
            "shorten texts, or leave parameters out",
        )
    length = len(definition["description"])
    if length > budgets.description_chars:
        yield Diagnostic(
            place,
            Code.BUDGET_TEXT,
            f"the description of {name!r} has {length} characters, more than {budgets.description_chars}",
            "shorten summary, use_when and avoid_when",
        )


def _largest(schema: Mapping[str, Any]) -> list[tuple[str, int]]:
    parts = {f"$defs.{name}": wire_bytes(one) for name, one in schema.get("$defs", {}).items()}
    parts |= {name: wire_bytes(one) for name, one in schema.get("properties", {}).items()}
    return sorted(parts.items(), key=lambda one: (-one[1], one[0]))[:3]


def _check_guidance(domain: DomainIR, budgets: Budgets, surface_path: str) -> Iterator[Diagnostic]:
    folder = surface_path.rpartition("/")[0]
    for page in domain.guidance:
        for locale, text in page.text.items():
            size = len(text.encode("utf-8", "surrogatepass"))
            if not page.topic and size > budgets.guidance_bytes:
                path = f"{folder}/guidance/{locale}/{domain.name}.md"
                message = (
                    f"the first page of {domain.name!r} has {size} bytes, more than {budgets.guidance_bytes}"
                )
                yield Diagnostic(Span(path, 1, 1), Code.BUDGET_TEXT, message, "move detail to a topic page")


def _check_presets(
    surface: SurfaceIR, sizes: Mapping[str, int], written: Located[SurfaceFile]
) -> Iterator[Diagnostic]:
    budgets = written.model.budgets
    for preset, names in surface.presets.items():
        place = written.span(("presets", preset), key=True)
        total = sum(sizes.get(name, 0) for name in names)
        if total > budgets.preset_bytes:
            message = f"preset {preset!r} has {total} bytes of definitions, more than {budgets.preset_bytes}"
            yield Diagnostic(place, Code.BUDGET_PRESET, message, "take tools out")
        if len(names) > budgets.preset_tools:
            message = f"preset {preset!r} has {len(names)} tools, more than {budgets.preset_tools}"
            yield Diagnostic(place, Code.BUDGET_PRESET, message, "take tools out")
