"""The schemas and texts that a tool pack ships beside its modules, read once per domain."""

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from placet.contract.tool import Surface, ToolEntry

__all__ = ["tool_record"]


def tool_record(surface: Surface, entry: ToolEntry) -> Mapping[str, Any]:
    """A tool's wire definitions (`wire`, `wire_zh` ...), `output_schema` and `errors` by locale."""
    record: Mapping[str, Any] = _domain(surface.package, entry.domain)[entry.name.partition(".")[2]]
    return record


@lru_cache(maxsize=256)
def _domain(package: str, domain: str) -> Mapping[str, Any]:
    text = files(package).joinpath("schemas", f"{domain}.json").read_text(encoding="utf-8")
    records: Mapping[str, Any] = json.loads(text)
    return records
