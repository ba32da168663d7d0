"""Every fault of arguments against their JSON Schema, in sentences a model can act on."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Any

import msgspec

from placet.contract.types import Timestamp
from placet.inbound.faults import MOST_FAULTS, Fault

__all__ = ["complete_validator", "explain"]

_MOST_ERRORS = 200
_NAME_MOST = 64
_NO_MOMENT = (
    "is no moment; give date, time and offset such as 2025-03-01T09:30:00+08:00, on a day that exists, "
    "seconds 00 to 59"
)


def complete_validator(schema: Mapping[str, Any]) -> Any:
    """A Draft 2020-12 validator that asserts formats.

    Moments are checked by the type of the generated classes: RFC 3339 has leap seconds, our platforms have not.
    """
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(dict(schema), validate_formats=True, formats={"date-time": _is_moment})


def _is_moment(text: str) -> bool:
    try:
        msgspec.convert(text, Timestamp, strict=True)
    except msgspec.ValidationError:
        return False
    return True


def explain(validator: Any, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Fault]:
    """Each fault with its place; did-you-mean for unknown members."""
    for error in islice(validator.iter_errors(dict(arguments)), _MOST_ERRORS):
        yield from _faults(error, schema)


def _faults(error: Any, schema: Mapping[str, Any]) -> Iterator[Fault]:
    path = _dotted(error.instance_path)
    kind = error.kind
    name = type(kind).__name__.rpartition("_")[2]
    match name:
        case "Required":
            about = _about(schema, kind.property) if not path else ""
            yield Fault(_joined(path, kind.property), f"is required{about}")
        case "AdditionalProperties":
            known = _members(error, schema)
            for unexpected in sorted(kind.unexpected)[: MOST_FAULTS + 1]:
                close = get_close_matches(unexpected[:_NAME_MOST], known, n=1)
                hint = (
                    f"did you mean {close[0]!r}?"
                    if close
                    else f"its members are {', '.join(known) or 'none'}"
                )
                yield Fault(_joined(path, unexpected), f"there is no such member; {hint}")
        case "Format" if kind.format == "date-time":
            yield Fault(path, f"{error.instance!r} {_NO_MOMENT}")
        case _:
            yield Fault(path, error.message)


def _members(error: Any, schema: Mapping[str, Any]) -> list[str]:
    """The members of the object at fault, read off the schema path."""
    node: Any = schema
    for part in list(error.schema_path)[:-1]:
        if isinstance(node, Mapping) and "$ref" in node:
            node = schema.get("$defs", {}).get(node["$ref"].rpartition("/")[2], {})
        if part == "$ref":
            continue
        node = (
            node[part] if isinstance(node, list) else node.get(part, {}) if isinstance(node, Mapping) else {}
        )
    if isinstance(node, Mapping) and "$ref" in node:
        node = schema.get("$defs", {}).get(node["$ref"].rpartition("/")[2], {})
    return list(node.get("properties", {})) if isinstance(node, Mapping) else []


def _about(schema: Mapping[str, Any], name: str) -> str:
    text = schema.get("properties", {}).get(name, {}).get("description", "")
    return f" ({text})" if text else ""


def _dotted(parts: Any) -> str:
    path = ""
    for part in parts:
        path = f"{path}[{part}]" if isinstance(part, int) else _joined(path, str(part))
    return path


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
