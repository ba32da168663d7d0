"""A tool as its readers see it: wire definitions, output schema, error texts, and the two digests over them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import Raw

from placet.contract import Source, sha256_of
from placet_generator.emit.literals import json_raw
from placet_generator.emit.schemas import SchemaWriter, Shapes
from placet_generator.emit.texts import WireTexts, wire_names_of
from placet_generator.ir import SurfaceIR, ToolIR

__all__ = ["WireTool", "source_of", "wire_key", "wire_tools"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WireTool:
    """What of a tool leaves the package besides its code.

    Attributes:
        wire: Locale to the definition that a model gets: `name`, `description`, `inputSchema`.
        output_schema: In English.
        errors: Locale to platform code to text.
        digest: Over the contract: everything but texts.
        text_digest: Over every text in every language.
    """

    tool: ToolIR
    wire: Mapping[str, Mapping[str, Any]]
    output_schema: Mapping[str, Any]
    errors: Mapping[str, Mapping[str, str]]
    digest: str
    text_digest: str

    def parts(self) -> Mapping[str, Raw]:
        """What committed files say of the tool to its readers, as JSON: `wire`, `wire_zh`, schema and errors."""
        return {
            **{wire_key(locale): json_raw(definition) for locale, definition in self.wire.items()},
            "output_schema": json_raw(self.output_schema),
            "errors": json_raw(self.errors),
        }


def wire_tools(surface: SurfaceIR) -> Mapping[str, WireTool]:
    """Every tool of the surface by canonical name, in the order of names."""
    shapes = Shapes(surface)
    wire_names = wire_names_of(surface)
    texts = {locale: WireTexts(locale, wire_names) for locale in surface.locales}
    tools = (tool for domain in surface.domains for tool in domain.tools)
    return {tool.name: _wire_tool(tool, shapes, texts) for tool in sorted(tools, key=lambda one: one.name)}


def _wire_tool(tool: ToolIR, shapes: Shapes, texts: Mapping[str, WireTexts]) -> WireTool:
    wire: dict[str, dict[str, Any]] = {}
    outputs: dict[str, dict[str, Any]] = {}
    read: dict[str, Any] = {}
    errors = {
        locale: {code: one.plain(tool.errors[code]) for code in sorted(tool.errors)}
        for locale, one in texts.items()
    }
    for locale, one in texts.items():
        arguments = SchemaWriter(shapes, one, home=tool.domain)
        answer = SchemaWriter(shapes, one, home=tool.domain)
        description = one.description(tool)
        root = arguments.arguments(tool)
        wire[locale] = {
            "name": tool.wire_name,
            "description": description,
            "inputSchema": arguments.closed(root),
        }
        outputs[locale] = answer.output(tool)
        read[locale] = [description, arguments.texts, answer.texts, errors[locale]]
    return WireTool(
        tool=tool,
        wire=wire,
        output_schema=outputs["en"],
        errors=errors,
        digest=_contract_digest(tool, shapes),
        text_digest=sha256_of({"texts": read, "keywords": tool.keywords}),
    )


def _contract_digest(tool: ToolIR, shapes: Shapes) -> str:
    """Codec versions are part of the binding."""
    arguments = SchemaWriter(shapes, None, home=tool.domain)
    answer = SchemaWriter(shapes, None, home=tool.domain)
    return sha256_of(
        {
            "binding": tool.binding,
            "identity": tool.identity,
            "input": arguments.closed(arguments.arguments(tool)),
            "output": answer.output(tool),
            "risk": tool.risk,
            "scopes": tool.scopes,
            "sensitive": tool.sensitive,
        }
    )


def source_of(tool: ToolIR) -> Source:
    """Where a tool goes; for a routine, its first request."""
    if tool.source.http is not None or not tool.binding.calls:
        return tool.source
    first = tool.binding.calls[0]
    return Source(sdk=first.sdk, http=first.http, route=first.route)


def wire_key(locale: str) -> str:
    """The key of a wire definition in committed files: `wire` for English, else `wire_zh`."""
    return "wire" if locale == "en" else f"wire_{locale}"
