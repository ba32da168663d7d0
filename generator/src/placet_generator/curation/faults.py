"""What a strict model says against a file, as findings: one for each slip, at its place, with the next move."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.models import SLOT_PATTERN, TYPE_PATTERN, UNION_TAGS
from placet_generator.curation.yaml_text import YamlDocument
from placet_generator.diagnostics import Code, Diagnostic

Path = tuple[str | int, ...]

COMBINATORS = frozenset({"oneOf", "anyOf", "allOf", "variants"})
"""JSON Schema's words, and ours, for a choice: providers refuse one at the root of a tool's arguments."""

_HINTS = {
    "bool_type": "write `true` or `false`",
    "dict_type": "write `name: value` lines below it",
    "float_type": "write a number",
    "greater_than": "correct the number",
    "greater_than_equal": "correct the number",
    "int_type": "write a whole number",
    "list_type": "write a list, as `[a, b]`",
    "model_type": "write `key: value` lines below it",
    "string_too_short": "write it, or remove the key",
    "string_type": "write text; quote it if it looks like something else",
    "too_short": "write more of them, or remove the key",
}
"""Kind of fault to the next move."""

_FORMS = {
    SLOT_PATTERN: ("is no slot", "write it as `path.x`, `query.x`, `header.x`, `form.x` or `body.a.b[].c`"),
    TYPE_PATTERN: (
        "is no type",
        "write string, integer, int64, number, boolean, object, file, time, any, or `list[...]` of one",
    ),
}
"""Pattern to what a text that does not match it lacks, and the next move."""


def findings_of(
    error: ValidationError, model: type[BaseModel], document: YamlDocument
) -> Iterator[tuple[Path, Diagnostic]]:
    """Every finding with the place it speaks of, which may be a key that is not there.

    A key that is missing because it was misspelt is told once, as the misspelling.
    """
    errors = error.errors(include_url=False)
    meant: set[Path] = set()
    told: set[Path] = set()
    for one in errors:
        if one["type"] == "extra_forbidden":
            at = _place(one["loc"], document)
            combined = _combined(at, document)
            close = nearest(str(at[-1]), _known_keys(model, at[:-1]), limit=1)
            meant.update((*at[:-1], key) for key in close)
            yield at, combined or _unknown(at, close, model, document)
    for one in errors:
        at = _place(one["loc"], document)
        combined = _combined(at, document)
        if combined is not None:
            if at[:4] not in told:
                told.add(at[:4])
                yield at, combined
        elif one["type"] == "missing":
            parent = at[:-1] if at and at[-1] == one["loc"][-1] else at
            if (*parent, one["loc"][-1]) not in meant:
                yield parent, _missing(str(one["loc"][-1]), parent, document)
        elif one["type"] != "extra_forbidden":
            yield at, _invalid(one, at, document)


def _unknown(at: Path, close: Sequence[str], model: type[BaseModel], document: YamlDocument) -> Diagnostic:
    hint = f"did you mean {close[0]!r}?" if close else f"known keys: {', '.join(_known_keys(model, at[:-1]))}"
    message = f"unknown key {str(at[-1])!r}{_inside(at[:-1])}"
    return Diagnostic(document.span(at, key=True), Code.KEY_UNKNOWN, message, hint)


def _missing(key: str, parent: Path, document: YamlDocument) -> Diagnostic:
    message = f"{key!r} is missing{_inside(parent)}"
    return Diagnostic(document.span(parent, key=True), Code.KEY_MISSING, message, f"add `{key}:`")


def _combined(at: Path, document: YamlDocument) -> Diagnostic | None:
    """The finding for a choice at the root of a tool's arguments; None for any other fault."""
    depth = 3 if at[2:3] != ("parameters",) else 4
    if at[:1] != ("tools",) or len(at) < depth or at[depth - 1] not in COMBINATORS:
        return None
    if depth == 4 and at[3] == "variants":
        return None
    return Diagnostic(
        document.span(at[:depth], key=True),
        Code.ROOT_COMBINATOR,
        f"{at[depth - 1]!r} at the root of the arguments of {at[1]!r}: providers refuse such a schema",
        "say which arguments exclude each other with `rules:`, or give one argument a shape with `tag:`",
    )


def _invalid(one: ErrorDetails, at: Path, document: YamlDocument) -> Diagnostic:
    kind, value, context = one["type"], one["input"], one.get("ctx", {})
    whole = isinstance(value, dict | list)
    shown = "" if whole else f", not {_short(value)}"
    message = re.sub(r"^Input should be", "the value should be", one["msg"].removeprefix("Value error, "))
    message = message.replace("a valid dictionary", "a mapping").replace("a valid string", "text")
    hint = _HINTS.get(kind, "write a value of that form")
    if kind == "string_pattern_mismatch" and context.get("pattern") in _FORMS:
        what, hint = _FORMS[context["pattern"]]
        message, shown = f"{_short(value)} {what}", ""
    elif kind == "literal_error":
        choices = re.findall(r"'([^']*)'", str(context.get("expected", "")))
        close = nearest(str(value), choices, limit=1)
        hint = f"did you mean {close[0]!r}?" if close else "write one of them"
    elif kind == "too_short":
        message = f"the list has {context['actual_length']} of at least {context['min_length']} items"
    elif kind in ("model_type", "model_attributes_type"):
        message, hint = "the value should be a mapping", _HINTS["model_type"]
    elif kind == "value_error" and "; " in message:
        message, hint = message.split("; ", 1)
        shown = ""
    span = document.span(at, key=whole)
    return Diagnostic(span, Code.VALUE_INVALID, f"{_dotted(at)}: {message}{shown}".removeprefix(": "), hint)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _dotted(at: Path) -> str:
    return repr(".".join(str(part) for part in at)) if at else ""


def _inside(at: Path) -> str:
    return f" in {_dotted(at)}" if at else ""


def _place(location: tuple[str | int, ...], document: YamlDocument) -> Path:
    """The part of a pydantic location that is in the file: union tags and key markers are left out."""
    at: Path = ()
    for part in location:
        if document.has((*at, part)):
            at = (*at, part)
        elif part not in UNION_TAGS and part != "[key]":
            return (*at, part)
    return at


def _known_keys(model: type[BaseModel], at: Path) -> list[str]:
    """The keys that the format has at a place."""
    candidates: list[Any] = [model]
    for part in at:
        candidates = [inner for one in candidates for inner in _below(one, part)]
    return sorted(
        {
            info.alias or name
            for one in candidates
            if isinstance(one, type) and issubclass(one, BaseModel)
            for name, info in one.model_fields.items()
        }
    )


def _below(kind: Any, part: str | int) -> Iterator[Any]:
    """The types that may stand at `part` of a value of type `kind`, with containers and unions opened."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, info in kind.model_fields.items():
            if (info.alias or name) == part:
                yield from _opened(info.annotation)
    elif getattr(kind, "__origin__", None) in (dict, list):
        yield from _opened(get_args(kind)[-1])


def _opened(annotation: Any) -> Iterator[Any]:
    if getattr(annotation, "__origin__", None) in (dict, list) or (
        isinstance(annotation, type) and issubclass(annotation, BaseModel)
    ):
        yield annotation
        return
    for inner in get_args(annotation):
        if not isinstance(inner, str):
            yield from _opened(inner)
