"""The schemas of the pack, from its structs: what `pack/schemas/shop.json` must say."""

from typing import Any

import msgspec

from tests.runtime.gate.pack import shop

__all__ = ["records"]


def records() -> dict[str, Any]:
    """Tool to its record, as a generated pack ships them."""
    return {
        tool.name.partition(".")[2]: _record(tool) for tool in (getattr(shop, name) for name in shop.TOOLS)
    }


def _record(tool: Any) -> dict[str, Any]:
    (schema,), definitions = msgspec.json.schema_components([tool.args], ref_template="#/$defs/{name}")
    root = definitions.pop(tool.args.__name__)
    root.pop("title", None)
    root["additionalProperties"] = False
    schema = _portable({**root, **({"$defs": definitions} if definitions else {})})
    return {
        "wire": {"name": tool.wire_name, "description": tool.name, "inputSchema": schema},
        "output_schema": {"type": "object"},
        "errors": {},
    }


def _portable(node: Any) -> Any:
    """Patterns in the syntax of JSON Schema and times as a format, as the generator writes them."""
    if isinstance(node, dict):
        if "[Tt]" in node.get("pattern", ""):
            return {"type": "string", "format": "date-time"}
        return {
            key: value.replace(r"\A", "^").replace(r"\Z", "$") if key == "pattern" else _portable(value)
            for key, value in node.items()
        }
    return [_portable(one) for one in node] if isinstance(node, list) else node
