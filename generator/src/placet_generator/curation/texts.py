"""Which parts of a curation file a model reads, and their translations."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

TEXT_KEYS = frozenset({"title", "summary", "use_when", "avoid_when", "about"})
"""Keys whose value is a text; `errors` is a mapping of texts."""

Path = tuple[str, ...]


def texts_of(model: BaseModel, at: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every English text of a domain file with its place, in the file's order of keys."""
    for name, value in vars(model).items():
        if isinstance(value, str):
            if name in TEXT_KEYS:
                yield (*at, name), value
        elif name == "errors":
            yield from (((*at, name, code), text) for code, text in value.items())
        elif isinstance(value, dict):
            yield from _texts_in(value, _place(model, name, at))
        elif isinstance(value, BaseModel):
            yield from texts_of(value, _place(model, name, at))


def _place(model: BaseModel, name: str, at: Path) -> Path:
    return (*at, type(model).model_fields[name].alias or name)


def _texts_in(values: Mapping[str, Any], at: Path) -> Iterator[tuple[Path, str]]:
    for key, value in values.items():
        if isinstance(value, BaseModel):
            yield from texts_of(value, (*at, key))
        elif isinstance(value, dict):
            yield from _texts_in(value, (*at, key))


def leaves(value: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every leaf of an overlay file with its place; a list counts as a leaf."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*at, key))
    else:
        yield at, value
