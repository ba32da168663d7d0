"""Arguments from a tool's JSON Schema: valid ones, and the same with one thing changed."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

__all__ = ["mutated", "valid"]

Schema = Mapping[str, Any]

LONG_INTEGER = "^-?[0-9]{1,20}$"

_DIGITS = st.integers(-(10**19), 10**20 - 1).map(str)
_TIMES = st.builds(
    "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{}".format,
    st.integers(0, 9999),
    st.integers(1, 12),
    st.integers(1, 28),
    st.integers(0, 23),
    st.integers(0, 59),
    st.integers(0, 59),
    st.sampled_from(["", ".5", ".123456789"]),
    st.sampled_from(["Z", "+08:00", "-23:59", "+00:00"]),
)
BAD_TIMES = (
    "yesterday", "2025-01-01", "2025-01-01T00:00:00", "2025-01-01 00:00:00Z", "2025-01-01T00:00:00,5Z",
    "2025-13-01T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
    "2025-01-01T24:00:00Z", "2025-01-01T00:00:00+24:00", "2025-01-01T00:00:00+0800", "2025-01-01T00:00:00Z\n",
    "2024-12-31T23:59:60Z", "2024-12-31T18:59:60-05:00",
)  # fmt: skip
ODD_TIMES = ("2024-02-29T00:00:00Z", "2025-01-01t00:00:00z", "2025-01-01T00:00:00.1234567-00:00")
_ODD = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.sampled_from([0.5, -1.5, 1.0, 1e300])
    | st.text(max_size=4)
    | st.sampled_from(["9" * 20, "9" * 21, "-", "+1", "1\n", "", "٣"])
    | st.sampled_from(BAD_TIMES + ODD_TIMES)
    | st.lists(st.text(max_size=2), max_size=4)
    | st.dictionaries(st.text(max_size=3), st.text(max_size=2), max_size=2)
)


def valid(schema: Schema) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments that the schema allows."""
    definitions: Schema = schema.get("$defs", {})

    def values(node: Schema) -> st.SearchStrategy[Any]:
        if "$ref" in node:
            return values(definitions[node["$ref"].rpartition("/")[2]])
        if "enum" in node:
            return st.sampled_from(node["enum"])
        if isinstance(node.get("type"), list):
            return st.one_of([values({**node, "type": one}) for one in node["type"]])
        return makers[node["type"]](node) if "type" in node else _ODD

    def lists(node: Schema) -> st.SearchStrategy[Any]:
        least = node.get("minItems", 0)
        return st.lists(
            values(node["items"]), min_size=least, max_size=min(node.get("maxItems", 4), least + 3)
        )

    def objects(node: Schema) -> st.SearchStrategy[Any]:
        properties = node.get("properties", {})
        if not properties and node.get("additionalProperties") is not False:
            return st.dictionaries(st.text(max_size=4), _ODD, max_size=3)
        required = set(node.get("required", ()))
        return st.fixed_dictionaries(
            {name: values(one) for name, one in properties.items() if name in required},
            optional={name: values(one) for name, one in properties.items() if name not in required},
        )

    makers: dict[str, Callable[[Schema], st.SearchStrategy[Any]]] = {
        "string": _texts,
        "integer": _integers,
        "number": lambda node: _integers(node) | st.floats(
            node.get("minimum", -1e9), node.get("maximum", 1e9), allow_nan=False
        ),
        "boolean": lambda node: st.booleans(),
        "null": lambda node: st.none(),
        "array": lists,
        "object": objects,
    }  # fmt: skip
    return values(schema)


def _texts(node: Schema) -> st.SearchStrategy[Any]:
    pattern = node.get("pattern", "")
    if node.get("format") == "date-time":
        return _TIMES
    if pattern == LONG_INTEGER:
        return _DIGITS
    least, most = node.get("minLength", 0), node.get("maxLength", 40)
    if pattern:
        # Python's `$` takes a line feed at the end; JSON Schema's does not.
        fitting = st.from_regex(pattern.removesuffix("$") + r"\Z")
        return fitting.filter(lambda text: least <= len(text) <= most and text.isprintable())
    return st.text(st.characters(codec="utf-8"), min_size=least, max_size=min(most, least + 40))


def _integers(node: Schema) -> st.SearchStrategy[Any]:
    return st.integers(node.get("minimum", -1000), node.get("maximum", node.get("minimum", 0) + 1000))


@st.composite
def mutated(draw: st.DrawFn, arguments: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """Arguments with up to three places changed: a value, a member more or less, an item more, a bound passed."""
    found = copy.deepcopy(draw(arguments))
    for _ in range(draw(st.integers(1, 3))):
        owner, key = draw(st.sampled_from(_places(found)))
        match draw(st.sampled_from(["value", "drop", "add", "stretch"])):
            case "value":
                owner[key] = draw(_ODD)
            case "drop" if (isinstance(owner, dict) and owner is not found) or key in found:
                owner.pop(key, None) if isinstance(owner, dict) else owner.pop()
            case "add":
                target = owner[key] if isinstance(owner, dict) and isinstance(owner.get(key), dict) else found
                target[draw(st.sampled_from(["extra", "confirmed", "x", "页"]))] = draw(_ODD)
            case "stretch":
                owner[key] = _stretched(owner[key])
        if not found:
            break
    return found


def _places(value: dict[str, Any]) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = [({"": value}, "")] if not value else []

    def visit(node: Any) -> None:
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            found.append((node, key))
            if isinstance(node[key], dict | list):
                visit(node[key])

    visit(value)
    return found


def _stretched(value: Any) -> Any:
    if isinstance(value, str):
        return value * 200 + "x" * 200
    if isinstance(value, list):
        return value * 60
    if isinstance(value, bool) or value is None:
        return value
    return -value - 1 if isinstance(value, int | float) else value
