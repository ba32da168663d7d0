"""The JSON Schema of `placet.toml`, for editors. One truth with the loader: the structs of `written`."""

from inspect import cleandoc
from typing import Any

import msgspec

from placet.config.written import ConfigFile

__all__ = ["config_schema"]


def config_schema() -> dict[str, Any]:
    """JSON Schema 2020-12; the root is a plain object and unknown keys are refused everywhere."""
    schema: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(ConfigFile)))
    sections = schema["$defs"]
    for section in sections.values():
        section["description"] = cleandoc(section["description"])
    root = sections.pop(ConfigFile.__name__)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **root,
        "title": "placet.toml",
        "$defs": sections,
    }
