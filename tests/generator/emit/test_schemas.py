"""Schemas say what the structs accept, in the form that every provider takes."""

import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from placet.contract import Risk
from placet_generator.emit import wire_tools
from placet_generator.emit.schemas import SchemaWriter, Shapes, arguments_of
from placet_generator.ir import Limits, ListType, MemberIR, ObjectType, ScalarName, ScalarType, UnionType
from tests.generator.emit.sample import ALL_KINDS, member, output, sample_surface, surface_with, tool

DRAFT = "https://json-schema.org/draft/2020-12/schema"
WIRE = wire_tools(sample_surface())


def input_schema(*params: MemberIR, **more: Any) -> dict[str, Any]:
    """The input schema of a tool with these parameters."""
    one = tool("im.one", params=params, **more)
    return dict(wire_tools(surface_with(one))["im.one"].wire["en"]["inputSchema"])


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema within a schema, values of `properties` and `$defs` included, their names not."""
    yield schema
    for keyword in ("properties", "$defs"):
        for one in schema.get(keyword, {}).values():
            yield from subschemas(one)
    for keyword in ("oneOf", "anyOf"):
        for one in schema.get(keyword, ()):
            yield from subschemas(one)
    if "items" in schema:
        yield from subschemas(schema["items"])


ALL_SCHEMAS = [
    pytest.param(schema, id=f"{name}-{kind}")
    for name, one in WIRE.items()
    for kind, schema in (
        ("input", one.wire["en"]["inputSchema"]),
        ("input-zh", one.wire["zh"]["inputSchema"]),
        ("output", one.output_schema),
    )
]


@pytest.mark.parametrize("schema", ALL_SCHEMAS)
def test_every_schema_is_valid_and_plain_at_the_root(schema: dict[str, Any]) -> None:
    """Draft 2020-12, an object without combinators, closed, and references only into `$defs` (S01, S04, S07, S25, S31)."""
    jsonschema_rs.meta.validate({"$schema": DRAFT, **schema})

    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert not {"oneOf", "anyOf", "allOf", "not", "$ref", "enum", "if"} & schema.keys()
    for one in subschemas(schema):
        assert not {"nullable", "default", "title", "$schema", "allOf"} & one.keys()
        assert one.get("$ref", "#/$defs/").startswith("#/$defs/")
        if "properties" in one:
            assert one["additionalProperties"] is False


@pytest.mark.parametrize("schema", [one for one in ALL_SCHEMAS if "output" in str(one.id)])
def test_no_field_of_an_answer_is_required(schema: dict[str, Any]) -> None:
    """An answer that lacks a field still fits."""
    assert all("required" not in one for one in subschemas(schema))


@pytest.mark.parametrize(
    ("kind", "limits", "nullable", "expected"),
    [
        pytest.param("string", {}, False, {"type": "string"}, id="text"),
        pytest.param(
            "string",
            {"min_len": 1, "max_len": 9, "pattern": "a|b"},
            False,
            {"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^(?:a|b)$"},
            id="limited-text",
        ),
        pytest.param(
            "string", {"enum": ("a", "慢")}, False, {"type": "string", "enum": ["a", "慢"]}, id="enum"
        ),
        pytest.param(
            "string",
            {"enum": ("a",)},
            True,
            {"type": ["string", "null"], "enum": ["a", None]},
            id="nullable-enum",
        ),
        pytest.param(
            "integer",
            {"min": 0, "max": 5},
            False,
            {"type": "integer", "minimum": 0, "maximum": 5},
            id="integer",
        ),
        pytest.param(
            "int64", {"min": 0}, False, {"type": "string", "pattern": "^-?[0-9]{1,20}$"}, id="int64-is-text"
        ),
        pytest.param(
            "number", {"max": 0.5}, True, {"type": ["number", "null"], "maximum": 0.5}, id="nullable-number"
        ),
        pytest.param("boolean", {}, False, {"type": "boolean"}, id="boolean"),
        pytest.param("time", {}, False, {"type": "string", "format": "date-time"}, id="time"),
        pytest.param(
            "file", {"max_bytes": 9}, False, {"type": "string", "description": "At most 9 bytes."}, id="file"
        ),
        pytest.param("object", {}, False, {"type": "object"}, id="free-object"),
        pytest.param("any", {}, True, {}, id="any-takes-null-already"),
    ],
)
def test_a_scalar_is_written_as(
    kind: ScalarName, limits: dict[str, Any], nullable: bool, expected: dict[str, Any]
) -> None:
    """Each type and limit has one form."""
    one = member("x", ScalarType(name=kind), limits=Limits(**limits), nullable=nullable)

    assert input_schema(one)["properties"]["x"] == expected


def test_a_list_has_its_own_limits_and_those_of_its_items() -> None:
    """Limits of items are not those of the list."""
    one = member(
        "x", ListType(item=ScalarType(name="string"), limits=Limits(max_len=3)), limits=Limits(min_items=1)
    )

    assert input_schema(one)["properties"]["x"] == {
        "type": "array",
        "items": {"type": "string", "maxLength": 3},
        "minItems": 1,
    }


def test_parameters_may_have_the_names_of_keywords() -> None:
    """A property called `title` is a property (S27)."""
    names = ("default", "description", "enum", "properties", "title", "type")

    schema = input_schema(*(member(name, about=f"The {name}.", required=True) for name in names))

    assert tuple(schema["properties"]) == names == tuple(schema["required"])
    assert schema["properties"]["description"] == {"type": "string", "description": "The description."}


def test_a_description_beside_a_reference_survives() -> None:
    """A shared shape keeps the text of the argument that uses it (S26)."""
    message = WIRE["im.send_message"].wire["en"]["inputSchema"]["properties"]["message"]

    assert message == {"$ref": "#/$defs/Message", "description": "What to say."}


def test_a_nullable_shape_is_one_of_two() -> None:
    """Null stays valid beside a reference (S05)."""
    union = WIRE["im.all_kinds"].wire["en"]["inputSchema"]["properties"]["union"]

    assert union == {"anyOf": [{"$ref": "#/$defs/Message"}, {"type": "null"}]}


def test_a_shape_that_contains_itself_is_written_once() -> None:
    """Recursion ends at a reference (S01, S03)."""
    schema = WIRE["im.all_kinds"].wire["en"]["inputSchema"]

    assert schema["$defs"]["Department"]["properties"]["parts"]["items"] == {"$ref": "#/$defs/Department"}
    assert json.loads(json.dumps(schema)) == schema


def test_shapes_of_equal_names_from_two_domains_stay_apart() -> None:
    """A foreign shape carries its domain's name."""

    def shape(owner: str, inner: str) -> ObjectType:
        return ObjectType(name="Same", members=(member(inner),), shared=True, owner=owner)

    writer = SchemaWriter(Shapes(sample_surface()), None, home="im")
    writer.arguments(tool("im.one", params=(member("a", shape("im", "x")), member("b", shape("mail", "y")))))

    assert sorted(writer.defs) == ["Same", "mail_Same"]


@pytest.mark.parametrize(
    ("more", "added"),
    [
        pytest.param({}, [], id="read"),
        pytest.param({"risk": Risk.WRITE}, ["idempotency_key", "dry_run"], id="write"),
        pytest.param({"paged": True}, ["page_size", "page_token", "fetch_all", "max_items"], id="paged-read"),
    ],
)
def test_the_generator_adds_arguments_without_text(more: dict[str, Any], added: list[str]) -> None:
    """Writes and paged reads get theirs, bytes are not spent on saying what they are."""
    schema = input_schema(**more)

    assert list(schema["properties"]) == added == [one.name for one in arguments_of(tool("im.one", **more))]
    assert all("description" not in one for one in schema["properties"].values())


def test_a_page_size_has_the_platforms_bound() -> None:
    """`page_size` ends where the platform's ends."""
    size = input_schema(paged=True, page_size_max=50)["properties"]["page_size"]

    assert size == {"type": "integer", "minimum": 1, "maximum": 50}


def test_a_union_in_an_answer_is_any_object() -> None:
    """A variant that nobody declared does not spoil an answer."""
    one = tool("im.one", output=(output("x", ListType(item=UnionType(name="U", tag="t", variants=()))),))

    schema = wire_tools(surface_with(one))["im.one"].output_schema

    assert schema["properties"]["x"] == {"type": "array", "items": {"type": "object"}}


VALUES = [
    ("ids", ["1", "-9223372036854775808", "18446744073709551615"], True),
    ("ids", ["1\n"], False),
    ("ids", ["١"], False),
    ("ids", ["1.0"], False),
    ("ids", [1], False),
    ("ids", [], True),
    ("ids", None, False),
    ("mode", 'say "hi"', True),
    ("mode", "FAST", False),
    ("any", None, True),
    ("any", {"a": [1, None]}, True),
    ("call", {"kind": "card"}, True),
    ("call", {"kind": "card", "id": "x"}, True),
    ("call", {}, False),
    ("call", {"kind": "other"}, False),
    ("count", 1, True),
    ("count", 9, True),
    ("count", 0, False),
    ("count", 10, False),
    ("count", True, False),
    ("count", "3", False),
    ("count", None, False),
    ("departments", [{"name": "a", "parts": [{"name": "b", "parts": []}]}], True),
    ("departments", [{"name": "a", "parts": [{"parts": []}]}], False),
    ("departments", [{"name": "a", "other": 1}], False),
    ("flag", None, True),
    ("flag", "true", False),
    ("flag", "null", False),
    ("level", 3, True),
    ("level", None, True),
    ("level", 2, False),
    ("matrix", [[0, 1], []], True),
    ("matrix", [[-1]], False),
    ("matrix", [0], False),
    ("names", ["abc"], True),
    ("names", [], False),
    ("names", ["abc\n"], False),
    ("names", ["xabc1"], False),
    ("ratio", 0.5, True),
    ("ratio", 1, True),
    ("ratio", 0.49, False),
    ("record_filter", None, True),
    ("record_filter", {"field_name": "a", "operator": "is"}, True),
    ("record_filter", {"field_name": "a", "operator": "is", "value": ["x"] * 10}, True),
    ("record_filter", {"field_name": "a", "operator": "is", "value": ["x"] * 11}, False),
    ("record_filter", {"field_name": "a", "operator": "has"}, False),
    ("record_filter", {"field_name": "a"}, False),
    ("start", "2025-03-01T09:30:00+08:00", True),
    ("start", "2025-03-01t09:30:00.123456789z", True),
    ("start", "2024-02-29T00:00:00Z", True),
    ("start", "2000-02-29T00:00:00Z", True),
    ("start", "2023-02-29T00:00:00Z", False),
    ("start", "1900-02-29T00:00:00Z", False),
    ("start", "2025-04-31T00:00:00Z", False),
    ("start", "2025-03-01T09:30:00", False),
    ("start", "2025-03-01 09:30:00Z", False),
    ("start", "2025-03-01T24:00:00Z", False),
    ("start", "2025-03-01T09:30:00+24:00", False),
    ("start", "2025-03-01T09:30:00Z\n", False),
    ("start", 1740792600, False),
    ("union", {"type": "text", "text": "x"}, True),
    ("union", {"type": "divider"}, True),
    ("union", {"type": "image", "image_key": "k"}, True),
    ("union", None, True),
    ("union", {"type": "text"}, False),
    ("union", {"type": "divider", "text": "x"}, False),
    ("union", {"type": "audio"}, False),
    ("union", {"text": "x"}, False),
    ("window", {}, True),
    ("window", {"open": "2025-03-01T09:30:00Z"}, True),
    ("window", None, False),
    ("unknown", 1, False),
]


def accepts(package: ModuleType, arguments: dict[str, Any]) -> tuple[bool, bool]:
    """Whether the struct and the schema of `im.all_kinds` take the arguments."""
    schema = WIRE["im.all_kinds"].wire["en"]["inputSchema"]
    by_schema = jsonschema_rs.Draft202012Validator(schema, validate_formats=True).is_valid(arguments)
    try:
        msgspec.convert(arguments, all_kinds_args(package))
    except msgspec.ValidationError:
        return False, by_schema
    return True, by_schema


def all_kinds_args(package: ModuleType) -> type:
    module = __import__(f"{package.__name__}.im", fromlist=["AllKindsArgs"])
    found: type = module.AllKindsArgs
    return found


@pytest.mark.parametrize(
    ("name", "value", "expected"), [pytest.param(*row, id=f"{row[0]}-{row[1]!r}"[:60]) for row in VALUES]
)
def test_struct_and_schema_agree_on(
    emitted_package: ModuleType, name: str, value: Any, expected: bool
) -> None:
    """Both take the value, or neither."""
    arguments = {"ids": [], "mode": "fast", name: value}

    assert accepts(emitted_package, arguments) == (expected, expected)


# Integral floats are left out: JSON Schema calls 1.0 an integer and msgspec does not.
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.just(0.75)
    | st.sampled_from(["", "a", "1", "text", "null"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["type", "text", "name", "kind", "parts"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    arguments=st.dictionaries(
        st.sampled_from([one.name for one in ALL_KINDS.params]), json_values, max_size=4
    )
)
def test_struct_and_schema_agree_on_anything(emitted_package: ModuleType, arguments: dict[str, Any]) -> None:
    """No arguments are good for one and bad for the other."""
    complete = {"ids": [], "mode": "fast", **arguments}

    by_struct, by_schema = accepts(emitted_package, complete)

    assert by_struct == by_schema
