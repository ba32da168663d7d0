"""The surface as an OpenAPI 3.1 document: one POST a tool, the typed results as its answers."""

from typing import Any

from placet.contract import CONTRACT
from placet_generator.emit.schemas import SchemaWriter, Shapes
from placet_generator.emit.texts import WireTexts, wire_names_of
from placet_generator.ir import SurfaceIR, ToolIR

__all__ = ["openapi_document"]

Schema = dict[str, Any]

_COMPONENTS = "#/components/schemas/"
_TEXT: Schema = {"type": "string"}


def _closed(kind: str, properties: Schema, required: tuple[str, ...]) -> Schema:
    return {
        "type": "object",
        "properties": {"kind": {"const": kind}, **properties},
        "required": ["kind", *required],
        "additionalProperties": False,
    }


_RESULTS: dict[str, Schema] = {
    "Refused": _closed("refused", {"code": _TEXT, "reason": _TEXT, "hint": _TEXT}, ("code", "reason")),
    "Pending": _closed(
        "pending",
        {"id": _TEXT, "needs": {"enum": ["approval", "authorisation"]}, "view": {"type": "object"}},
        ("id", "needs"),
    ),
    "Failed": _closed(
        "failed",
        {
            "code": _TEXT,
            "category": _TEXT,
            "message": _TEXT,
            "retryable": {"type": "boolean"},
            "retry_after_s": {"type": ["number", "null"]},
            "log_id": {"type": ["string", "null"]},
            "missing_scopes": {"type": "array", "items": _TEXT},
            "grant_url": {"type": ["string", "null"]},
            "violations": {"type": "object", "additionalProperties": _TEXT},
        },
        ("code", "category"),
    ),
    "Unknown": _closed("unknown", {"id": _TEXT, "reason": _TEXT}, ("id", "reason")),
}
"""Every result but `ok`, as `placet.contract` defines them."""


def openapi_document(surface: SurfaceIR) -> Schema:
    """A document in English; shared shapes and results are components, tools are in the order of names."""
    texts = WireTexts("en", wire_names_of(surface))
    # No domain is home here, so every component carries its domain's name.
    writer = SchemaWriter(Shapes(surface), texts, home="-", refs=_COMPONENTS)
    domains = sorted(surface.domains, key=lambda one: one.name)
    tools = sorted((tool for domain in domains for tool in domain.tools), key=lambda one: one.name)
    paths = {f"/tools/{tool.wire_name}": {"post": _operation(tool, texts, writer)} for tool in tools}
    return {
        "openapi": "3.1.0",
        "info": {"title": surface.title, "version": str(CONTRACT)},
        "tags": [{"name": domain.name, "description": texts.plain(domain.title)} for domain in domains],
        "paths": paths,
        "components": {"schemas": {**_RESULTS, **{key: writer.defs[key] for key in sorted(writer.defs)}}},
    }


def _operation(tool: ToolIR, texts: WireTexts, writer: SchemaWriter) -> Schema:
    return {
        "operationId": tool.wire_name,
        "tags": [tool.domain],
        "summary": texts.plain(tool.summary),
        "description": texts.description(tool),
        "x-risk": tool.risk.value,
        "x-identity": [one.value for one in tool.identity],
        "requestBody": {"required": True, "content": _json(writer.arguments(tool))},
        "responses": {"200": {"description": "The result.", "content": _json(_result(tool, writer))}},
    }


def _result(tool: ToolIR, writer: SchemaWriter) -> Schema:
    properties = {
        "data": writer.output(tool),
        "page": {
            "type": ["object", "null"],
            "properties": {"next": {"type": ["string", "null"]}},
            "additionalProperties": False,
        },
        "truncated": {"type": "boolean"},
        "replayed": {"type": "boolean"},
        "dry_run": {"type": "boolean"},
        "drift": {"type": "array", "items": _TEXT},
        "withheld": {"type": ["string", "null"]},
    }
    refs = [{"$ref": f"{_COMPONENTS}{name}"} for name in _RESULTS]
    return {"oneOf": [_closed("ok", properties, ("data",)), *refs]}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}
