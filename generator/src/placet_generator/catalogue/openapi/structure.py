"""The structure of a document, checked piece by piece with the models of `openapi-pydantic`.

A value that does not fit its keyword is taken out and reported, so that one sloppy line costs one detail and not
the document. What readers of the tree see afterwards has the types the models promise.
"""

from collections.abc import Iterator
from typing import Any

from placet_generator.catalogue.openapi.positions import Path
from placet_generator.catalogue.openapi.text import one_line, shown

_UNUSED = frozenset(
    {
        "example", "examples", "externalDocs", "xml", "deprecated", "links", "callbacks", "servers",
        "headers", "encoding", "discriminator", "title", "allowEmptyValue", "allowReserved",
        "dependentRequired", "contentSchema",
    }
)  # fmt: skip
"""Keywords nobody reads here: what is wrong below them needs no word."""

_TYPES = frozenset({"array", "boolean", "file", "integer", "null", "number", "object", "string"})
_COMPONENTS = {
    "schemas": "Schema",
    "parameters": "Parameter",
    "requestBodies": "RequestBody",
    "responses": "Response",
    "securitySchemes": "SecurityScheme",
}
_FAULTS_MAX = 2000


def mend(root: dict[str, Any], version: str) -> Iterator[tuple[Path, str]]:
    """Take what is malformed out of the document, in place; yields the place and the message of each.

    Args:
        version: "3.0" or "3.1".
    """
    from openapi_pydantic.v3 import v3_0, v3_1

    models: Any = v3_0 if version == "3.0" else v3_1
    for path, model, value in _pieces(root, models):
        yield from _mend_piece(root, path, model, value)


def _pieces(root: dict[str, Any], models: Any) -> Iterator[tuple[Path, Any, Any]]:
    paths = root.get("paths", {})
    for key in list(paths):
        if not key.startswith("x-"):
            yield ("paths", key), models.PathItem, paths[key]
    components = root.get("components")
    if not isinstance(components, dict):
        return
    for section, model in _COMPONENTS.items():
        entries = components.get(section)
        if isinstance(entries, dict):
            for key, entry in list(entries.items()):
                if not (isinstance(entry, dict) and isinstance(entry.get("$ref"), str)):
                    yield ("components", section, key), getattr(models, model), entry


def _mend_piece(root: Any, path: Path, model: Any, value: Any) -> Iterator[tuple[Path, str]]:
    from pydantic import ValidationError

    if isinstance(value, bool) and path[:2] == ("components", "schemas"):
        return
    try:
        model.model_validate(value)
        return
    except ValidationError as error:
        failed = error
    except RecursionError:
        _take_out(root, path)
        yield path, "is nested too deeply"
        return
    if failed.error_count() > _FAULTS_MAX:
        _take_out(root, path)
        yield path, f"has {failed.error_count()} faults and is left out"
        return
    gone: set[Path] = set()
    for one in failed.errors(include_url=False, include_context=False, include_input=False):
        place = _place(value, one["loc"], one["type"])
        if place is None or (*path, *place) in gone:
            continue
        gone.add((*path, *place))
        found = _at(value, place)
        if _tolerated(place, found, one["type"]):
            continue
        if not set(place) & _UNUSED and one["type"] != "too_short":
            yield (*path, *place), f"{shown(found)} is left out: {one_line(one['msg'], 120)}"
        _take_out(root, (*path, *place))


def _place(value: Any, loc: tuple[int | str, ...], kind: str) -> Path | None:
    """A model's error location as a path into the data.

    Locations also name the member of a union that was tried; those are no keys. None for an error that says
    nothing: a reference was tried where there is none, or a member is missing that nobody needs (only a
    parameter is useless without its name and place).
    """
    place: list[str | int] = []
    for part in loc:
        if _has(value, part):
            value = value[part]
            place.append(part)
        elif part == "Reference" and not (isinstance(value, dict) and "$ref" in value):
            return None
    if kind == "missing":
        return tuple(place) if loc[-1] in ("name", "in") else None
    return tuple(place)


def _has(value: Any, part: int | str) -> bool:
    if isinstance(value, dict):
        return part in value
    return isinstance(value, list) and isinstance(part, int) and part < len(value)


def _tolerated(place: Path, value: Any, kind: str) -> bool:
    """Forms that one version forbids and the reader understands in both."""
    last = place[-1] if place else ""
    if any(isinstance(one, str) and one.startswith("x-") for one in place):
        return True
    if isinstance(value, bool):
        return kind == "model_type"
    if last == "type":
        named = value if isinstance(value, list) else [value]
        return all(isinstance(one, str) and one in _TYPES for one in named)
    return last in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, int | float)


def _at(value: Any, place: Path) -> Any:
    for part in place:
        value = value[part]
    return value


def _take_out(root: Any, path: Path) -> None:
    """Remove a member; an item of a list becomes None, so that its neighbours keep their places."""
    parent: Any = root
    for part in path[:-1]:
        if not _has(parent, part):
            return
        parent = parent[part]
    if isinstance(parent, dict):
        parent.pop(path[-1], None)
    elif _has(parent, path[-1]):
        parent[path[-1]] = None
