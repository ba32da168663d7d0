"""The committed summary of a surface: one line a tool, one file a tool, and what the SDK was when it was built."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Raw

from placet.contract import Scopes
from placet_generator.emit.literals import comment_text, json_page
from placet_generator.emit.wire import WireTool, source_of
from placet_generator.ir import SurfaceIR

__all__ = ["manifest_text", "sdk_pin_text", "tool_record_text"]

COLUMNS = (
    "name",
    "wire_name",
    "risk",
    "identity",
    "scopes",
    "sdk",
    "http",
    "route",
    "idempotency",
    "digest",
    "text_digest",
)


def manifest_text(tools: Iterable[WireTool]) -> str:
    """Tab-separated, a header row, then one line a tool; lists by comma, `-` for nothing."""
    lines = (_manifest_row(one) for one in sorted(tools, key=lambda one: one.tool.name))
    return "".join("\t".join(map(comment_text, line)) + "\n" for line in (COLUMNS, *lines))


def _manifest_row(one: WireTool) -> list[str]:
    tool, source = one.tool, source_of(one.tool)
    return [
        tool.name,
        tool.wire_name,
        tool.risk.value,
        ",".join(tool.identity) or "-",
        _scopes(tool.scopes),
        source.sdk or "-",
        source.http or "-",
        source.route or "-",
        tool.idempotency,
        one.digest,
        one.text_digest,
    ]


def _scopes(scopes: Scopes) -> str:
    together = ["+".join(scopes.all_of)] if scopes.all_of else []
    return ",".join([*scopes.any_of, *together]) or "-"


def tool_record_text(one: WireTool, parts: Mapping[str, Raw]) -> str:
    """Everything a reviewer compares about one tool: the facts, what a model gets, what the gate reads."""
    tool = one.tool
    record: dict[str, Any] = {
        "name": tool.name,
        "aliases": tool.aliases,
        "risk": tool.risk,
        "identity": tool.identity,
        "scopes": _plain(tool.scopes),
        "sensitive": tool.sensitive,
        "idempotency": tool.idempotency,
        "digest": one.digest,
        "text_digest": one.text_digest,
        "obtain": {param.name: param.obtain for param in tool.params if param.obtain},
        **parts,
        "binding": _plain(tool.binding),
    }
    return json_page(record)


def _plain(value: msgspec.Struct) -> Any:
    """As JSON-like data, members in their declared order, mappings by key."""
    return msgspec.to_builtins(value, order="deterministic")


def sdk_pin_text(surface: SurfaceIR) -> str:
    """The SDK's version, the sha256 of every file read, and the signature of every used method."""
    files = dict(sorted(surface.sdk_files.items()))
    methods = dict(sorted(surface.signatures.items()))
    return json_page({"sdk": surface.sdk, "files": files, "methods": methods})
