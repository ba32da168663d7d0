"""JSON Schemas of the curation files, for editors; made from the models that the loader validates with.

They are 2020-12, and use no keyword that means something else in draft-07, which older YAML language servers read
them as. What only the loader can know, as which slots a method has, is not in them.
"""

import json
from functools import cache
from typing import Any

from pydantic import BaseModel

from placet_generator.curation.models import DomainFile, SurfaceFile
from placet_generator.curation.texts import TEXT_KEYS

__all__ = ["SCHEMA_PATHS", "domain_schema", "locale_schema", "schema_files", "surface_schema"]

SCHEMA_PATHS = tuple(f"curation/schema/{name}.schema.json" for name in ("domain", "locale", "surface"))
"""Where the build writes them, relative to the root; all surfaces share them."""

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TEXT: Schema = {"type": "string", "minLength": 1}
_NAME = "^[a-z][a-z0-9_]*$"
_NAMED = frozenset({"tools", "shapes", "parameters", "fields", "items", "output"})
"""Keys whose members are named by the curator: identifiers, as the resolver demands."""


def surface_schema() -> Schema:
    """Of surface.yaml."""
    return _of_model(SurfaceFile, "The surface of a tool package")


def domain_schema() -> Schema:
    """Of domains/<domain>.yaml."""
    return _of_model(DomainFile, "A domain of curated tools")


def locale_schema() -> Schema:
    """Of locales/<locale>/<domain>.yaml: the keys of a domain file that lead to texts, and the texts."""
    domain = domain_schema()
    made: Schema = {}
    root = _overlay(domain, domain["$defs"], made) or {}
    root["properties"]["domain"] = {"type": "string", "description": "May repeat the file's name."}
    title = "The texts of a domain in another language"
    return {"$schema": _DIALECT, "title": title, "$defs": dict(sorted(made.items())), **root}


def schema_files() -> dict[str, str]:
    """Path relative to the root to text, for each of the three."""
    made = (domain_schema(), locale_schema(), surface_schema())
    texts = (json.dumps(one, ensure_ascii=False, indent=2) + "\n" for one in made)
    return dict(zip(SCHEMA_PATHS, texts, strict=True))


def _of_model(model: type[BaseModel], title: str) -> Schema:
    return {"$schema": _DIALECT, "title": title, **_tidied(_made(model))}


@cache
def _made(model: type[BaseModel]) -> Schema:
    return model.model_json_schema(by_alias=True)


def _tidied(schema: Any) -> Any:
    """Without pydantic's derived titles and nulls, and with names of members checked.

    The loader takes a key without a value as one that is not there; an editor should show it.
    """
    if not isinstance(schema, dict):
        return schema
    tidy: Schema = {}
    for key, value in schema.items():
        if key == "title" or (key == "default" and value is None):
            continue
        if key in ("properties", "$defs", "patternProperties"):
            tidy[key] = {name: _tidied(inner) for name, inner in value.items()}
        elif key in ("anyOf", "oneOf"):
            tidy |= _choice(key, [_tidied(one) for one in value if one != {"type": "null"}])
        else:
            tidy[key] = _tidied(value)
    if "patternProperties" in tidy:
        tidy["additionalProperties"] = False
    for name, inner in tidy.get("properties", {}).items():
        if name in _NAMED and isinstance(inner.get("additionalProperties"), dict):
            inner["propertyNames"] = {"pattern": _NAME}
    return tidy


def _choice(key: str, branches: list[Schema]) -> Schema:
    return branches[0] if len(branches) == 1 else {key: branches}


def _overlay(schema: Schema, definitions: Schema, made: Schema) -> Schema | None:
    """What an overlay has of a schema: its texts and what leads to them; None when it has none.

    Args:
        made: The overlay's own definitions; grows.
    """
    reference = schema.get("$ref")
    if reference is not None:
        name = reference.rpartition("/")[2]
        if name not in made:
            made[name] = {}  # holds the place of a definition that contains itself
            made[name] = _overlay(definitions[name], definitions, made)
        if made[name] is None:
            del made[name]
            return None
        return {"$ref": reference}
    for key in ("anyOf", "oneOf"):
        kept = [found for one in schema.get(key, ()) if (found := _overlay(one, definitions, made))]
        if kept:
            return _choice(key, kept)
    if "properties" in schema:
        texts = {
            key: _text_or_below(key, one, definitions, made) for key, one in schema["properties"].items()
        }
        kept_texts = {key: one for key, one in texts.items() if one is not None}
        if not kept_texts:
            return None
        return {"type": "object", "properties": kept_texts, "additionalProperties": False}
    inner = schema.get("additionalProperties")
    below = _overlay(inner, definitions, made) if isinstance(inner, dict) else None
    return None if below is None else {"type": "object", "additionalProperties": below}


def _text_or_below(key: str, schema: Schema, definitions: Schema, made: Schema) -> Schema | None:
    if key in TEXT_KEYS:
        return _TEXT
    if key == "errors":
        return {"type": "object", "additionalProperties": _TEXT}
    return _overlay(schema, definitions, made)
