"""Differences between schemas: what narrows an argument breaks, what narrows an answer does not."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet_generator.diff import Change
from placet_generator.diff.schemas import Direction, Side, compare_schemas


def differences(old: dict[str, Any], new: dict[str, Any], direction: Direction = "in") -> list[Change]:
    side = Side(tool="a.b", direction=direction, noun="parameter" if direction == "in" else "output")
    return list(compare_schemas(old, new, side))


def root(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


TEXT = {"type": "string"}
NUMBER = {"type": "integer"}


@pytest.mark.parametrize(
    ("old", "new", "effect", "said"),
    [
        pytest.param(root(), root(("x",), x=TEXT), "breaking", "added, required", id="required-added"),
        pytest.param(root(), root(x=TEXT), "widening", "added, optional", id="optional-added"),
        pytest.param(root(x=TEXT), root(), "breaking", "is gone", id="removed"),
        pytest.param(root(x=TEXT), root(("x",), x=TEXT), "breaking", "became required", id="became-required"),
        pytest.param(root(("x",), x=TEXT), root(x=TEXT), "widening", "became optional", id="became-optional"),
        pytest.param(root(x=TEXT), root(x=NUMBER), "breaking", "type changed", id="type-changed"),
        pytest.param(
            root(x=NUMBER), root(x={"type": "number"}), "widening", "type widened", id="integer-to-number"
        ),
        pytest.param(
            root(x={"type": "number"}), root(x=NUMBER), "breaking", "type narrowed", id="number-to-integer"
        ),
        pytest.param(root(x={}), root(x=TEXT), "breaking", "type narrowed", id="any-to-text"),
        pytest.param(root(x=TEXT), root(x={}), "widening", "type widened", id="text-to-any"),
        pytest.param(
            root(x=TEXT), root(x={"type": ["string", "null"]}), "widening", "may be null", id="null-allowed"
        ),
        pytest.param(
            root(x={"anyOf": [TEXT, {"type": "null"}]}),
            root(x=TEXT),
            "breaking",
            "null is not allowed any more",
            id="null-gone",
        ),
        pytest.param(
            root(x={"enum": [1, 2]}),
            root(x={"enum": [1]}),
            "breaking",
            "enum narrowed by 2",
            id="enum-narrowed",
        ),
        pytest.param(
            root(x={"enum": [1]}),
            root(x={"enum": [1, 2]}),
            "widening",
            "enum widened by 2",
            id="enum-widened",
        ),
        pytest.param(
            root(x=TEXT), root(x={**TEXT, "enum": ["a"]}), "breaking", "is limited to values", id="enum-new"
        ),
        pytest.param(
            root(x={**TEXT, "enum": ["a"]}), root(x=TEXT), "widening", "takes any value", id="enum-dropped"
        ),
        pytest.param(
            root(x={"enum": [1, 2]}), root(x={"enum": [2, 1]}), "text", "order of enum", id="enum-order"
        ),
        pytest.param(
            root(x={"maxLength": 9}),
            root(x={"maxLength": 8}),
            "breaking",
            "maxLength narrowed",
            id="max-down",
        ),
        pytest.param(
            root(x={"maxLength": 8}), root(x={"maxLength": 9}), "widening", "maxLength widened", id="max-up"
        ),
        pytest.param(
            root(x={"minimum": 1}), root(x={"minimum": 2}), "breaking", "minimum narrowed", id="min-up"
        ),
        pytest.param(root(x={"minItems": 2}), root(x={}), "widening", "minItems widened", id="min-dropped"),
        pytest.param(root(x={}), root(x={"pattern": "a"}), "breaking", "pattern narrowed", id="pattern-new"),
        pytest.param(
            root(x={"pattern": "b"}),
            root(x={"pattern": "a"}),
            "breaking",
            "pattern narrowed",
            id="pattern-other",
        ),
        pytest.param(
            root(x={"format": "uuid"}), root(x={"format": "date"}), "breaking", "format narrowed", id="format"
        ),
        pytest.param(
            root(x={"minimum": 1}),
            root(x={"minimum": "1"}),
            "breaking",
            "minimum",
            id="limit-of-another-type",
        ),
        pytest.param(
            {**root(), "additionalProperties": True},
            root(),
            "breaking",
            "additionalProperties narrowed",
            id="closed",
        ),
        pytest.param(
            root(),
            {**root(), "additionalProperties": True},
            "widening",
            "additionalProperties widened",
            id="opened",
        ),
        pytest.param(root(x={"title": "a"}), root(x={"title": "b"}), "text", "title changed", id="text"),
        pytest.param(root(a={}, b={}), root(b={}, a={}), "text", "order of parameters", id="parameter-order"),
    ],
)
def test_an_argument_that_takes_less_breaks(
    old: dict[str, Any], new: dict[str, Any], effect: str, said: str
) -> None:
    """Each kind of change to a parameter has its words and its mark."""
    (change,) = differences(old, new)

    assert (change.effect, said in change.message) == (effect, True), change


@pytest.mark.parametrize(
    ("old", "new", "effect", "said"),
    [
        pytest.param(root(), root(x=TEXT), "widening", "added", id="added"),
        pytest.param(root(x=TEXT), root(), "breaking", "is gone", id="gone"),
        pytest.param(root(x=TEXT), root(x=NUMBER), "breaking", "type changed", id="type-changed"),
        pytest.param(
            root(x=NUMBER), root(x={"type": "number"}), "breaking", "type widened", id="integer-to-number"
        ),
        pytest.param(
            root(x={"enum": [1, 2]}), root(x={"enum": [1]}), "widening", "enum narrowed", id="enum-narrowed"
        ),
        pytest.param(
            root(x={"enum": [1]}), root(x={"enum": [1, 2]}), "breaking", "enum widened", id="enum-widened"
        ),
        pytest.param(
            root(x=TEXT), root(x={"type": ["string", "null"]}), "breaking", "may be null", id="null-allowed"
        ),
        pytest.param(root(x={"title": "a"}), root(x={"title": "b"}), "text", "title changed", id="text"),
    ],
)
def test_an_answer_that_may_be_more_breaks(
    old: dict[str, Any], new: dict[str, Any], effect: str, said: str
) -> None:
    """For what comes out, the host must be ready for every value, so widening breaks."""
    (change,) = differences(old, new, "out")

    assert (change.effect, said in change.message) == (effect, True), change


def nested(leaf: dict[str, Any]) -> dict[str, Any]:
    return {
        **root(rows={"type": "array", "items": {"$ref": "#/$defs/Row"}}, by={"additionalProperties": leaf}),
        "$defs": {
            "Row": root(cell={"anyOf": [{"$ref": "#/$defs/Cell"}, {"type": "null"}]}),
            "Cell": root(leaf=leaf),
        },
    }


def test_changes_are_found_however_deep_they_lie() -> None:
    """Lists, maps, shared definitions and nullable members are entered, and the place says where."""
    found = differences(nested(TEXT), nested(NUMBER))

    assert [one.place for one in found] == ["parameter 'rows[].cell.leaf'", "parameter 'by{}'"]


def test_moving_a_type_into_shared_definitions_is_no_change() -> None:
    """Where a definition stands is layout."""
    shared = {**root(x={"$ref": "#/$defs/X"}), "$defs": {"X": TEXT}}

    assert differences(root(x=TEXT), shared) == differences(shared, root(x=TEXT)) == []


def recursive(leaf: dict[str, Any]) -> dict[str, Any]:
    child = {"anyOf": [{"$ref": "#/$defs/Block"}, {"type": "null"}]}
    block = root(leaf=leaf, child=child, children={"type": "array", "items": {"$ref": "#/$defs/Block"}})
    return {**root(block={"$ref": "#/$defs/Block"}), "$defs": {"Block": block}}


def test_a_type_that_contains_itself_is_compared_once_a_path() -> None:
    """Recursion ends, and the change is named."""
    found = differences(recursive(TEXT), recursive(NUMBER))

    assert "parameter 'block.leaf'" in [one.place for one in found]
    assert len(found) < 10


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}},
        {"$ref": "#/$defs/none"},
        {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
    ],
)
def test_references_that_lead_nowhere_end(schema: dict[str, Any]) -> None:
    """A hostile old revision cannot hang the comparison."""
    assert isinstance(differences(schema, root(x=TEXT)), list)


def union(*variants: tuple[str, Any]) -> dict[str, Any]:
    return root(
        message={"oneOf": [root(("tag",), tag={"const": tag}, value=value) for tag, value in variants]}
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            union(("a", TEXT)), union(("a", TEXT), ("b", TEXT)), [("widening", "<b>", "added")], id="added"
        ),
        pytest.param(
            union(("a", TEXT), ("b", TEXT)),
            union(("b", TEXT)),
            [("breaking", "<a>", "is gone")],
            id="removed",
        ),
        pytest.param(
            union(("a", TEXT)), union(("a", NUMBER)), [("breaking", "<a>.value", "type changed")], id="inside"
        ),
        pytest.param(
            union(("a", TEXT), ("b", NUMBER)),
            union(("b", NUMBER), ("a", TEXT)),
            [("text", "", "order of variants changed")],
            id="order",
        ),
        pytest.param(
            union(("a", TEXT)),
            root(message={}),
            [("breaking", "", "is one form now")],
            id="no-union-any-more",
        ),
    ],
)
def test_variants_are_told_apart_by_their_tag(
    old: dict[str, Any], new: dict[str, Any], expected: list[tuple[str, str, str]]
) -> None:
    """A variant that moved is the same variant; one that is gone breaks."""
    found = [(str(one.effect), one.place, one.message) for one in differences(old, new)]

    assert found == [(effect, f"parameter 'message{place}'", message) for effect, place, message in expected]


def paths(schema: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a schema that holds a leaf."""
    if isinstance(schema, dict):
        return [path for key, one in schema.items() for path in paths(one, (*at, key))]
    if isinstance(schema, list):
        return [path for number, one in enumerate(schema) for path in paths(one, (*at, number))]
    return [at]


RICH = {
    **root(
        ("a",),
        a={"type": ["string", "null"], "maxLength": 9, "pattern": "x", "title": "A"},
        b={
            "type": "array",
            "items": {"type": "object", "properties": {"c": {"enum": [1, 2]}}},
            "minItems": 1,
        },
        d={"$ref": "#/$defs/D"},
        e={"oneOf": [root(("t",), t={"const": "x"}, v=TEXT), root(("t",), t={"const": "y"})]},
    ),
    "$defs": {"D": root(f={"type": "integer", "minimum": 1, "default": 2, "description": "F"})},
}


@given(path=st.sampled_from(paths(RICH)), value=st.sampled_from(["other", 77, True, None]))
def test_every_edit_of_a_schema_is_seen_both_ways(path: tuple[Any, ...], value: Any) -> None:
    """No keyword is overlooked: whatever leaf is edited, there is a change, and undoing it is one too."""
    edited = copy.deepcopy(RICH)
    place: Any = edited
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value

    for direction in ("in", "out"):
        assert differences(RICH, edited, direction)
        assert differences(edited, RICH, direction)
    assert differences(RICH, RICH) == []
