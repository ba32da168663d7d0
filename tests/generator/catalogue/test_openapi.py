"""The OpenAPI provider: what sloppy, hostile and ordinary documents become."""

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from placet_generator.catalogue import CatalogueError, Method, Node
from placet_generator.catalogue.openapi import OpenApiCatalogue, read_document
from placet_generator.diagnostics import Code, Severity

Json = dict[str, Any]


def document(paths: Json, *, version: str = "3.0.3", **components: Any) -> Json:
    return {
        "openapi": version,
        "info": {"title": "Pets", "version": "1"},
        "paths": paths,
        "components": components,
    }


def catalogue(source: Json | str, **settings: str) -> OpenApiCatalogue:
    text = source if isinstance(source, str) else json.dumps(source)
    found, _ = read_document(text, "api.json")
    assert found is not None
    return OpenApiCatalogue(found, **settings)


def method(source: Json | str, name: str = "x", **settings: str) -> Method:
    found = catalogue(source, **settings).method(name)
    assert found is not None
    return found


def findings(source: Json | str) -> list[tuple[str, str]]:
    _, found = read_document(source if isinstance(source, str) else json.dumps(source), "api.json")
    return [(one.code.value, one.severity.value) for one in found]


def body_of(schema: Any, *, version: str = "3.0.3", media: str = "application/json", **schemas: Any) -> Node:
    operation = {"operationId": "x", "requestBody": {"content": {media: {"schema": schema}}}}
    body = method(document({"/x": {"post": operation}}, version=version, schemas=schemas)).body
    assert body is not None
    return body


def answer_of(schema: Any, *, version: str = "3.0.3", **schemas: Any) -> Node:
    content = {"application/json": {"schema": schema}}
    operation = {"operationId": "x", "responses": {"200": {"description": "ok", "content": content}}}
    response = method(document({"/x": {"get": operation}}, version=version, schemas=schemas)).response
    assert response is not None
    return response


def shape(node: Node) -> Any:
    """A tree in a form that fits on a line of a test."""
    if node.kind == "object":
        mark = "~" if node.recursive else ""
        return {
            f"{name}{'!' if name in node.required else ''}{mark}": shape(one)
            for name, one in node.fields.items()
        }
    if node.kind in ("array", "map"):
        return [node.kind, shape(node.item or Node(kind="any"))]
    return f"{node.kind}?" if node.nullable else node.kind


def ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


TEXT: Json = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "schemas", "expected"),
    [
        pytest.param(
            {"properties": {"a": TEXT}, "required": ["a"]}, {}, {"a!": "string"}, id="object-without-type"
        ),
        pytest.param({"items": TEXT}, {}, ["array", "string"], id="array-without-type"),
        pytest.param({"type": "array"}, {}, ["array", "any"], id="array-of-anything"),
        pytest.param({"enum": ["a", "b"]}, {}, "string", id="enum-without-type"),
        pytest.param({}, {}, "any", id="nothing-said"),
        pytest.param({"type": "object"}, {}, ["map", "any"], id="free-form-object"),
        pytest.param({"type": "object", "additionalProperties": True}, {}, ["map", "any"], id="extra-true"),
        pytest.param(
            {"additionalProperties": {}}, {}, ["map", "any"], id="extra-empty-schema-means-anything"
        ),
        pytest.param(
            {"additionalProperties": {"type": "integer"}}, {}, ["map", "integer"], id="extra-schema"
        ),
        pytest.param({"type": "object", "additionalProperties": False}, {}, {}, id="extra-false-is-closed"),
        pytest.param(
            {"allOf": [ref("A"), {"properties": {"b": TEXT}, "required": ["b"]}]},
            {"A": {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}},
            {"a!": "string", "b!": "string"},
            id="all-of-merges",
        ),
        pytest.param(
            {"allOf": [{"properties": {"a": {}}}, {"properties": {"a": {"type": "integer"}}}]},
            {},
            {"a": "integer"},
            id="all-of-meets-a-field",
        ),
        pytest.param(
            {"allOf": [ref("A")], "nullable": True}, {"A": TEXT}, "string?", id="all-of-nullable-reference"
        ),
        pytest.param({"type": "string", "nullable": True}, {}, "string?", id="nullable"),
        pytest.param({"anyOf": [TEXT, {"type": "null"}]}, {}, "string?", id="any-of-null"),
        pytest.param(
            {"oneOf": [{"enum": [None]}, {"type": "integer"}]}, {}, "integer?", id="one-of-enum-null"
        ),
        pytest.param({"oneOf": [TEXT, {"type": "integer"}]}, {}, "any", id="one-of-several"),
        pytest.param({"anyOf": [{"type": "integer"}, {"type": "number"}]}, {}, "number", id="any-of-numbers"),
        pytest.param(
            {"properties": {"a": TEXT, "b": TEXT}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {},
            {"a": "string", "b": "string"},
            id="either-or-keeps-the-object",
        ),
        pytest.param(
            {
                "properties": dict.fromkeys(
                    ("title", "description", "default", "type", "enum", "properties"), TEXT
                )
            },
            {},
            dict.fromkeys(("title", "description", "default", "type", "enum", "properties"), "string"),
            id="fields-named-like-keywords",
        ),
        pytest.param(
            {"properties": {"id": {"type": "integer", "readOnly": True}, "a": TEXT}, "required": ["id", "a"]},
            {},
            {"a!": "string"},
            id="read-only-is-not-sent",
        ),
        pytest.param(
            {"properties": {"id": {"allOf": [ref("Id")], "readOnly": True}}},
            {"Id": TEXT},
            {},
            id="read-only-behind-all-of",
        ),
        pytest.param(
            ref("Dept"),
            {"Dept": {"properties": {"name": TEXT, "subs": {"items": ref("Dept")}}}},
            {"name": "string", "subs": ["array", {}]},
            id="recursion-is-cut",
        ),
        pytest.param(
            ref("A"),
            {"A": {"allOf": [ref("A"), {"properties": {"a": TEXT}}]}},
            {"a~": "string"},
            id="all-of-itself",
        ),
        pytest.param(ref("A"), {"A": ref("B"), "B": ref("A")}, "any", id="circle-of-references"),
        pytest.param(ref("A~1b~0%20c"), {"A/b~ c": TEXT}, "string", id="pointer-escapes"),
        pytest.param({"type": "strnig"}, {}, "any", id="unknown-type"),
        pytest.param({"properties": {"a": 7, "b": TEXT}}, {}, {"b": "string"}, id="field-that-is-no-schema"),
    ],
)
def test_a_schema_becomes_a_tree(schema: Json, schemas: Json, expected: Any) -> None:
    """What a schema means survives, however it is written."""
    assert shape(body_of(schema, **schemas)) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        pytest.param({"type": ["string", "null"]}, "string?", id="type-list"),
        pytest.param({"type": ["string", "integer"]}, "any", id="type-list-of-several"),
        pytest.param({"const": "a"}, "string", id="const"),
        pytest.param({"type": "array", "items": True}, ["array", "any"], id="boolean-schema"),
        pytest.param({"properties": {"a": True, "b": False}}, {"a": "any"}, id="boolean-fields"),
        pytest.param({"prefixItems": [TEXT, {"type": "integer"}]}, ["array", "any"], id="tuple"),
    ],
)
def test_schemas_of_3_1(schema: Json, expected: Any) -> None:
    """JSON Schema's own forms are understood in 3.1 documents."""
    assert shape(body_of(schema, version="3.1.0")) == expected


def test_constraints_defaults_and_siblings_are_kept() -> None:
    """Limits, formats, defaults and descriptions reach the node, numbers exactly."""
    big = 9223372036854775807
    schemas: Json = {"Id": {"type": "integer", "format": "int64", "maximum": big, "description": "Any id."}}
    node = body_of(
        {
            "allOf": [
                {"properties": {"id": {**ref("Id"), "description": "This id."}}, "required": ["id"]},
                {
                    "properties": {
                        "note": {"type": "string", "default": "无", "minLength": 1, "maxLength": 20.0}
                    }
                },
                {
                    "properties": {
                        "n": {"type": "number", "minimum": 0, "exclusiveMinimum": True, "enum": [1, 2, None]}
                    }
                },
            ]
        },
        **schemas,
    )

    assert node.fields["id"].about == "This id."
    assert node.fields["id"].constraints == {"format": "int64", "maximum": big}
    assert node.fields["note"].constraints == {"default": "无", "minLength": 1, "maxLength": 20}
    assert node.fields["n"].constraints == {"exclusiveMinimum": 0}
    assert (node.fields["n"].enum, node.fields["n"].nullable) == ((1, 2), True)


def test_a_union_says_what_it_is_one_of() -> None:
    """Several objects become `any`, and the text names them."""
    node = body_of(
        {"oneOf": [ref("Cat"), ref("Dog")], "discriminator": {"propertyName": "kind"}},
        Cat={"properties": {"a": TEXT}},
        Dog={"properties": {"b": TEXT}},
    )

    assert node.kind == "any"
    assert node.about == "(one of: object<Cat>, object<Dog>)"


def test_the_cut_of_a_recursion_says_so() -> None:
    """A tree is finite, and the place where it was cut is marked with the name of what goes on there."""
    node = answer_of(ref("Dept"), Dept={"properties": {"subs": {"items": ref("Dept")}}})

    cut = node.fields["subs"].item
    assert cut is not None
    assert (cut.recursive, cut.model, dict(cut.fields)) == (True, "Dept", {})


def test_write_only_fields_are_not_answered() -> None:
    """A password that is sent is no part of an answer."""
    node = answer_of({"properties": {"name": TEXT, "password": {"type": "string", "writeOnly": True}}})

    assert list(node.fields) == ["name"]


PARAMETERS: Json = {
    "/pets/{pet-id}/{b}": {
        "parameters": [
            {"name": "pet-id", "in": "path", "required": True, "schema": {"type": "integer"}},
            {"name": "limit", "in": "query", "description": "From the path.", "schema": {"type": "integer"}},
            {"$ref": "#/components/parameters/Trace"},
        ],
        "get": {
            "operationId": "x",
            "parameters": [
                {
                    "name": "limit",
                    "in": "query",
                    "required": True,
                    "description": "How many.",
                    "schema": TEXT,
                },
                {"name": "ids[]", "in": "query", "schema": {"type": "array", "items": TEXT}},
                {"name": "csv", "in": "query", "explode": False, "schema": {"type": "array", "items": TEXT}},
                {
                    "name": "json",
                    "in": "query",
                    "content": {"application/json": {"schema": {"type": "object"}}},
                },
                {"name": "who", "in": "query", "schema": {"properties": {"name": TEXT, "age": TEXT}}},
                {"name": "deep", "in": "query", "style": "deepObject", "schema": {"properties": {"a": TEXT}}},
                {"name": "Authorization", "in": "header", "schema": TEXT},
                {"name": "a\r\nX-Evil", "in": "header", "schema": TEXT},
                {"name": "sid", "in": "cookie", "schema": TEXT},
                {"name": "ghost", "in": "path", "required": True, "schema": TEXT},
                {"in": "query", "schema": TEXT},
                "nonsense",
            ],
        },
    }
}


def test_parameters_become_slots() -> None:
    """Parameters of path and operation are merged; what cannot be sent as a slot is no slot."""
    source = document(PARAMETERS, parameters={"Trace": {"name": "X-Trace", "in": "header", "schema": TEXT}})

    found = method(source)

    assert found.route == "/pets/:pet_id/:b"
    assert [(one.name, one.node.kind, one.required) for one in found.path] == [
        ("pet_id", "integer", True),
        ("b", "string", True),
    ]
    assert {one.name: one.node.kind for one in found.query} == {
        "limit": "string",
        "ids[]": "array",
        "csv": "string",
        "json": "string",
        "name": "string",
        "age": "string",
    }
    assert found.query[0].node.about == "How many."
    assert [one.name for one in found.header] == ["X-Trace"]


def test_what_a_method_leaves_out_is_said() -> None:
    """A parameter that no tool can send is a note at its operation, a malformed one a warning."""
    source = document(PARAMETERS, parameters={"Trace": {"name": "X-Trace", "in": "header", "schema": TEXT}})

    found = findings(source)

    assert found.count(("OAS003", "note")) == 3
    assert found.count(("OAS001", "warning")) == 2


@pytest.mark.parametrize(
    ("content", "kind", "fields"),
    [
        pytest.param({"application/json; charset=utf-8": {}}, "json", {}, id="json-with-charset"),
        pytest.param({"text/xml": {}, "application/vnd.api+json": {}}, "json", {}, id="plus-json"),
        pytest.param(
            {"multipart/form-data": {"schema": {"properties": {
                "file": {"type": "string", "format": "binary"},
                "raw": {"type": "string", "contentMediaType": "image/png"},
                "name": TEXT,
                "meta": {"properties": {"a": TEXT}},
            }}}},
            "multipart",
            {"file": "file", "raw": "file", "name": "string", "meta": "string"},
            id="multipart",
        ),
        pytest.param(
            {"application/x-www-form-urlencoded": {"schema": {"properties": {"a": TEXT}}}},
            "urlencoded",
            {"a": "string"},
            id="urlencoded",
        ),
        pytest.param({"application/xml": {}}, "none", {}, id="xml-that-may-be-left-out"),
    ],
)  # fmt: skip
def test_bodies_travel_as_declared(content: Json, kind: str, fields: Json) -> None:
    """JSON, multipart and urlencoded bodies are told apart; binary members are files."""
    found = method(
        document({"/x": {"post": {"operationId": "x", "requestBody": {"content": content}}}}, version="3.1.0")
    )

    assert found.body_kind == kind
    assert {name: one.kind for name, one in (found.body.fields if found.body else {}).items()} == fields


def answers(**contents: Any) -> Json:
    responses = {
        code.removeprefix("c"): {"description": "", "content": one} for code, one in contents.items()
    }
    return document({"/x": {"get": {"operationId": "x", "responses": responses}}})


OBJECT: Json = {"application/json": {"schema": {"properties": {"a": TEXT}}}}


@pytest.mark.parametrize(
    ("source", "kind", "download"),
    [
        pytest.param(answers(c200=OBJECT, c201={}), "object", False, id="first-success"),
        pytest.param(answers(c204={}, c404=OBJECT), None, False, id="errors-are-no-answer"),
        pytest.param(answers(default=OBJECT), "object", False, id="default"),
        pytest.param(
            answers(c200={}, default=OBJECT), None, False, id="default-beside-a-success-is-the-error"
        ),
        pytest.param(answers(c2XX=OBJECT), "object", False, id="range"),
        pytest.param(answers(c200={"image/png": {}}), None, True, id="bytes"),
        pytest.param(
            answers(c200={"application/json": {"schema": {"type": "string", "format": "binary"}}}),
            None,
            True,
            id="binary-json",
        ),
    ],
)
def test_the_answer_is_the_first_success(source: Json, kind: str | None, download: bool) -> None:
    """The first successful JSON answer is typed; other bytes are a download."""
    found = method(source)

    assert (found.response.kind if found.response else None, found.download) == (kind, download)


def test_an_envelope_is_opened_where_there_is_one() -> None:
    """With an envelope named, the tree starts below it; an answer without it stays whole."""
    wrapped = answers(
        c200={"application/json": {"schema": {"properties": {"code": TEXT, "data": {"items": TEXT}}}}}
    )

    opened = method(wrapped, envelope="data").response
    whole = method(answers(c200=OBJECT), envelope="data").response

    assert opened is not None and opened.kind == "array"
    assert whole is not None and list(whole.fields) == ["a"]


SCHEMES: Json = {
    "Person": {"type": "http", "scheme": "bearer", "x-placet-identity": "user"},
    "App": {"type": "http", "scheme": "bearer", "x-placet-identity": "tenant"},
    "Key": {"type": "apiKey", "in": "header", "name": "X-Key"},
}


@pytest.mark.parametrize(
    ("own", "everywhere", "expected"),
    [
        pytest.param(None, None, {"tenant", "user"}, id="nothing-said"),
        pytest.param([{"Person": []}], None, {"user"}, id="person"),
        pytest.param([{"App": []}, {"Person": []}], None, {"tenant", "user"}, id="either"),
        pytest.param([{"Key": []}], None, {"tenant", "user"}, id="a-scheme-without-a-mark"),
        pytest.param(None, [{"App": []}], {"tenant"}, id="of-the-document"),
        pytest.param([], [{"App": []}], set(), id="switched-off"),
    ],
)
def test_tokens_follow_the_security_schemes(own: Any, everywhere: Any, expected: set[str]) -> None:
    """A scheme's mark says whose token it is; without one both will do, with security off none."""
    operation = {"operationId": "x"} | ({} if own is None else {"security": own})
    source = document({"/x": {"get": operation}}, securitySchemes=SCHEMES)
    source |= {} if everywhere is None else {"security": everywhere}

    assert method(source).tokens == expected


def test_every_operation_has_a_name_of_its_own() -> None:
    """Missing, odd and doubled operation ids give names that are legal, unique and still found by the id."""
    paths = {
        "/pets/{id}": {"get": {}, "delete": {"operationId": "list"}},
        "/pets": {"get": {"operationId": "list"}, "post": {"operationId": "创建宠物"}},
        "/a": {"get": {"operationId": "repos/list-for org"}, "put": {"operationId": "Größe"}},
        "/b": {"get": {"operationId": "get_pets_id"}},
    }
    found = catalogue(document(paths))

    by_route = {one.name: (one.http, one.route) for name in found.names() if (one := found.method(name))}

    assert by_route == {
        "get_pets_id_2": ("GET", "/pets/:id"),
        "list_2": ("DELETE", "/pets/:id"),
        "list": ("GET", "/pets"),
        "post_pets": ("POST", "/pets"),
        "repos_list_for_org": ("GET", "/a"),
        "groe": ("PUT", "/a"),
        "get_pets_id": ("GET", "/b"),
    }
    by_id = found.method("创建宠物")
    assert by_id is not None and by_id.name == "post_pets"
    assert found.method("nothing") is None
    assert found.method("") is None


def test_names_do_not_depend_on_the_order_of_the_document() -> None:
    """The same operations in another order have the same names."""
    paths: Json = {f"/{one}/x": {"get": {"operationId": "同"}} for one in "abc"} | {"/a-x": {"get": {}}}
    turned = dict(reversed(paths.items()))

    one, other = catalogue(document(paths)), catalogue(document(turned))

    assert {n: m.route for n in one.names() if (m := one.method(n))} == {
        n: m.route for n in other.names() if (m := other.method(n))
    }


def test_a_route_finds_its_operation_whatever_its_placeholders_are_called() -> None:
    """Placeholder names do not count when a route is looked up, verb and text do."""
    found = catalogue(
        document({"/pets/{id}": {"get": {"operationId": "one"}}, "/pets": {"get": {"operationId": "all"}}})
    )

    assert found.by_route("GET", "/pets/:anything") == "one"
    assert found.by_route("GET", "/pets") == "all"
    assert found.by_route("POST", "/pets") is None


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/pets?kind=cat", id="query"),
        pytest.param("//evil.example/x", id="other-host"),
        pytest.param("/a/../b", id="upwards"),
        pytest.param("/pets/{id}:cancel", id="literal-colon"),
        pytest.param("/pets/{id}x", id="text-runs-into-placeholder"),
        pytest.param("/pets/{id}/{id}", id="placeholder-twice"),
        pytest.param("/a b", id="space"),
        pytest.param("/宠物", id="not-ascii"),
        pytest.param("/a\u202e", id="bidi"),
        pytest.param("pets", id="no-slash"),
    ],
)
def test_a_path_that_no_route_can_say_is_left_out(path: str) -> None:
    """The operation is reported at reading, refused when asked for, and harms no other."""
    source = document({path: {"get": {"operationId": "x"}}, "/fine": {"get": {"operationId": "fine"}}})

    assert ("OAS003", "warning") in findings(source)
    with pytest.raises(CatalogueError, match="route"):
        catalogue(source).method("x")
    assert method(source, "fine").route == "/fine"


def test_a_body_that_cannot_be_sent_refuses_the_operation() -> None:
    """A required body of a foreign media type is an error of its operation only."""
    request = {"required": True, "content": {"application/xml": {}}}
    source = document({"/x": {"post": {"operationId": "x", "requestBody": request}}})

    assert findings(source) == [("OAS003", "warning")]
    with pytest.raises(CatalogueError, match="application/xml"):
        catalogue(source).method("x")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        pytest.param("file:///etc/hostname", ("OAS002", "error"), id="file"),
        pytest.param("http://127.0.0.1:1/x", ("OAS002", "error"), id="url"),
        pytest.param("other.yaml#/Pet", ("OAS002", "error"), id="relative-file"),
        pytest.param("//127.0.0.1:1/x", ("OAS002", "error"), id="network-path"),
        pytest.param("#/components/schemas/Nobody", ("OAS002", "warning"), id="nothing"),
        pytest.param("#anchor", ("OAS002", "warning"), id="anchor"),
        pytest.param("#/paths/0/~2", ("OAS002", "warning"), id="odd-pointer"),
    ],
)
def test_references_never_leave_the_document(
    target: str, expected: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reference to a file or an address is an error, one to nothing a warning, and nothing is opened for either."""
    opened: list[object] = []
    monkeypatch.setattr("builtins.open", lambda *args, **_: opened.append(args))
    monkeypatch.setattr("socket.socket", lambda *args, **_: opened.append(args))
    monkeypatch.setattr(Path, "open", lambda *args, **_: opened.append(args))
    source = document({"/x": {"post": {"operationId": "x", "requestBody": {"content": {"application/json": {
        "schema": {"properties": {"a": {"$ref": target}, "b": TEXT}}}}}}}})  # fmt: skip

    found = findings(source)
    body = method(source).body

    assert found == [expected]
    assert body is not None and shape(body) == {"a": "any", "b": "string"}
    assert opened == []


def test_values_are_no_references() -> None:
    """`$ref` inside an example, a default or an extension is data; under a field called default it is one."""
    value = {"$ref": "file:///etc/hostname"}
    harmless = {"type": "object", "example": value, "default": value, "x-note": value}
    meant = {"properties": {"default": value}}

    assert findings(document({}, schemas={"A": harmless})) == []
    assert findings(document({}, schemas={"A": meant})) == [("OAS002", "error")]


@pytest.mark.parametrize(
    ("text", "line", "column", "code"),
    [
        pytest.param('{"openapi": "3.0.0",\n "paths": {},}', 2, 14, "OAS001", id="json-syntax"),
        pytest.param('{\n "openapi": "2.0",\n "paths": {}\n}', 2, 2, "OAS001", id="version"),
        pytest.param('{"swagger": "2.0"}', 1, 1, "OAS001", id="swagger"),
        pytest.param('{"openapi": "3.0.0",\n  "paths": []}', 2, 3, "OAS001", id="paths-is-a-list"),
        pytest.param("[1]", 1, 1, "OAS001", id="list"),
        pytest.param('{"openapi": "3.0.0", "paths": {}, "paths": {}}', 0, 0, "OAS001", id="key-twice"),
        pytest.param('{"openapi": NaN}', 0, 0, "OAS001", id="nan"),
        pytest.param("openapi: 3.0.0\npaths: &p {}\n", 2, 8, "YML002", id="anchor"),
        pytest.param("openapi: 3.0.0\npaths: {\n", 3, 1, "YML001", id="yaml-syntax"),
        pytest.param("", 1, 1, "YML001", id="empty"),
        pytest.param("openapi: 3.9\npaths: {}\n", 1, 1, "OAS001", id="yaml-version"),
    ],
)
def test_an_unusable_document_is_one_finding_at_its_place(
    text: str, line: int, column: int, code: str
) -> None:
    """What is no OpenAPI 3.0 or 3.1 document gives no document and an error that says where."""
    found, diagnostics = read_document(text, "api.json")

    assert found is None
    assert [(one.code.value, one.span.line, one.span.column) for one in diagnostics] == [(code, line, column)]
    assert diagnostics[0].severity is Severity.ERROR


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 10_000 + "]" * 10_000, id="lists"),
        pytest.param('{"openapi":"3.0.0","paths":' + '{"a":' * 10_000 + "1" + "}" * 10_001, id="mappings"),
        pytest.param('{"openapi":"3.0.0","paths":' + '{"a":' * 101 + "1" + "}" * 102, id="just-too-deep"),
        pytest.param("a: " + "[" * 10_000 + "]" * 10_000, id="yaml"),
        pytest.param('{"openapi":"3.0.0","x":' + "9" * 5_000 + "}", id="long-number"),
        pytest.param('{"openapi":"3.0.0","paths":{},"x":"' + "x" * 20_000_000 + '"}', id="large"),
    ],
)
def test_a_hostile_text_is_refused(text: str) -> None:
    """Depth, size and numbers without end give an error, no crash."""
    found, diagnostics = read_document(text, "api.json")

    assert found is None
    assert any(one.severity is Severity.ERROR for one in diagnostics)


FAN_OUT: dict[str, dict[str, Any]] = {
    "all-of": {f"A{i}": {"allOf": [ref(f"A{i + 1}")] * 10} for i in range(20)},
    "any-of": {f"A{i}": {"anyOf": [ref(f"A{i + 1}")] * 10} for i in range(20)},
    "fields": {f"A{i}": {"properties": {one: ref(f"A{i + 1}") for one in "abcdef"}} for i in range(20)},
    "chain": {f"A{i}": {"properties": {"a": ref(f"A{i + 1}")}} for i in range(2_000)},
    "wide": {"A0": {"properties": {f"p{i}": TEXT for i in range(30_000)}}},
}


@pytest.mark.parametrize("schemas", FAN_OUT.values(), ids=FAN_OUT.keys())
def test_a_tree_without_end_is_refused_in_a_body_and_cut_in_an_answer(schemas: dict[str, Any]) -> None:
    """A schema that unfolds into millions of nodes costs one operation, never the build."""
    content = {"application/json": {"schema": ref("A0")}}
    paths = {
        "/x": {"post": {"operationId": "x", "requestBody": {"content": content}}},
        "/y": {"get": {"operationId": "y", "responses": {"200": {"description": "", "content": content}}}},
    }
    source = document(paths, schemas={**schemas, f"A{len(schemas)}": TEXT})

    with pytest.raises(CatalogueError, match="too large"):
        catalogue(source).method("x")
    assert method(source, "y").response is not None


def test_a_sloppy_value_costs_one_detail() -> None:
    """Malformed keywords are warnings at their place and everything else is read."""
    text = json.dumps(
        document(
            {
                "/x": {
                    "post": {
                        "operationId": "x",
                        "summary": ["no", "text"],
                        "requestBody": {
                            "content": {
                                "application/json": {
                                    "schema": {
                                        "required": True,
                                        "properties": {"a": {"type": "strnig", "maxLength": 5}},
                                    }
                                }
                            }
                        },
                        "responses": {"200": {}},
                    }
                }
            }
        ),
        indent=1,
    )
    found, diagnostics = read_document(text, "api.json")

    assert found is not None
    lines = text.splitlines()
    places = [(lines[one.span.line - 1].strip().split(":")[0], one.code) for one in diagnostics]
    assert places == [
        ('"summary"', Code.OPENAPI_UNREADABLE),
        ('"required"', Code.OPENAPI_UNREADABLE),
        ('"type"', Code.OPENAPI_UNREADABLE),
    ]
    body = method(text).body
    assert body is not None and body.fields["a"].constraints == {"maxLength": 5}


YAML_DOCUMENT = """\
openapi: 3.0.3
info:
  title: Sheets
  version: "2"
paths:
  /sheets/{token}/values:
    get:
      operationId: getValues
      summary: |
        Read
        values.
      parameters:
        - {name: token, in: path, required: true, schema: {type: string}}
        - {name: range, in: query, required: true, schema: {$ref: "#/components/schemas/Range"}}
      responses:
        200:
          description: ok
          content:
            application/json:
              schema: {type: object, properties: {values: {type: array, items: {}}}}
components:
  schemas:
    Range: {type: string, pattern: "[A-Z]+"}
"""


def test_yaml_documents_are_read_like_json() -> None:
    """YAML gives the same method, with the line of its operation, numbers as response codes included."""
    found, diagnostics = read_document(YAML_DOCUMENT, "sheets.yaml")
    assert found is not None
    one = OpenApiCatalogue(found).method("getValues")

    assert diagnostics == ()
    assert one is not None and one.response is not None
    assert shape(one.response) == {"values": ["array", "any"]}
    assert (one.route, one.summary, one.query[0].node.constraints) == (
        "/sheets/:token/values",
        "Read values.",
        {"pattern": "[A-Z]+"},
    )
    assert one.place is not None and (one.place.path, one.place.line) == ("sheets.yaml", 7)


def test_the_catalogue_says_what_it_read() -> None:
    """Version line, digest and operation lines are those of the document, text made safe to show."""
    source = document({"/x": {"get": {"operationId": "x", "summary": "Evil\u202e\u0007\ntext"}}})
    source["info"]["title"] = "Pe\u200bts\n2"
    text = json.dumps(source, indent=1)
    found = catalogue(text)

    one = found.method("x")

    assert found.version == "OpenAPI 3.0 Pets 2 1"
    assert found.read_files() == {"api.json": hashlib.sha256(text.encode()).hexdigest()}
    assert one is not None and one.place is not None
    assert (one.summary, text.splitlines()[one.place.line - 1].strip()) == ("Evil text", '"get": {')


def test_a_path_item_may_be_a_reference() -> None:
    """A path item that stands elsewhere in the document is read from there."""
    source = document(
        {"/x": {"$ref": "#/components/pathItems/X"}},
        version="3.1.0",
        pathItems={"X": {"get": {"operationId": "x", "parameters": [{"name": "q", "in": "query"}]}}},
    )

    assert [one.name for one in method(source).query] == ["q"]


def test_a_document_without_paths_is_one_in_3_1() -> None:
    """A 3.1 document of webhooks only has no operations, and nothing is wrong with it."""
    text = '{"openapi": "3.1.0", "info": {}, "webhooks": {}}'

    assert findings(text) == []
    assert list(catalogue(text).names()) == []


KEYWORDS = st.sampled_from(
    ["type", "properties", "items", "allOf", "anyOf", "oneOf", "$ref", "enum", "required", "nullable", "default",
     "additionalProperties", "minimum", "maxLength", "format", "readOnly", "description", "const", "a", "prefixItems",
     "in", "name", "schema", "content", "style", "explode", "security", "parameters", "requestBody", "responses"]
)  # fmt: skip
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(
        ["string", "object", "array", "null", "query", "path", "form", "application/json", "#/components/schemas/A",
         "#/components/schemas/B", "#", "#/paths", "http://x/", "\u202e", "\ud800", "\x00", ""]
    ),
    st.text(max_size=5),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(KEYWORDS, st.text(max_size=4)), inner, max_size=5),
    ),
    max_leaves=25,
)
CONTENT = st.dictionaries(
    st.sampled_from(["application/json", "multipart/form-data", "text/plain", "*/*"]),
    st.one_of(VALUES, st.fixed_dictionaries({"schema": VALUES})),
    max_size=2,
)
PARAMETER = st.one_of(
    VALUES,
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["id", "q", "ids[]", "é", ""]),
            "in": st.sampled_from(["path", "query", "header"]),
        },
        optional={"schema": VALUES, "required": VALUES, "style": VALUES, "content": VALUES},
    ),
)
OPERATION = st.one_of(
    VALUES,
    st.fixed_dictionaries(
        {},
        optional={
            "operationId": st.one_of(VALUES, st.sampled_from(["list", "同", "a b"])),
            "tags": VALUES,
            "summary": VALUES,
            "parameters": st.one_of(VALUES, st.lists(PARAMETER, max_size=4)),
            "requestBody": st.one_of(VALUES, st.fixed_dictionaries({"content": CONTENT, "required": VALUES})),
            "responses": st.one_of(
                VALUES,
                st.dictionaries(
                    st.sampled_from(["200", "2XX", "default"]), st.fixed_dictionaries({"content": CONTENT})
                ),
            ),
            "security": VALUES,
        },
    ),
)
DOCUMENTS = st.fixed_dictionaries(
    {
        "openapi": st.sampled_from(["3.0.3", "3.1.0"]),
        "paths": st.dictionaries(
            st.sampled_from(["/a", "/a/{id}", "/b/{id}/{x-y}", "/?", "//x", "x-no"]),
            st.one_of(
                VALUES,
                st.dictionaries(st.sampled_from(["get", "post", "put", "head", "parameters"]), OPERATION),
            ),
            max_size=3,
        ),
    },
    optional={
        "info": VALUES,
        "security": VALUES,
        "components": st.one_of(
            VALUES,
            st.fixed_dictionaries(
                {},
                optional={
                    "schemas": st.dictionaries(st.sampled_from("AB"), VALUES),
                    "securitySchemes": VALUES,
                },
            ),
        ),
    },
)


@settings(max_examples=200, deadline=None)
@given(source=DOCUMENTS)
def test_any_document_gives_findings_and_methods_or_reasons(source: Json) -> None:
    """Whatever a document says, reading it raises nothing, and a method is there or its operation says why not."""
    found, diagnostics = read_document(json.dumps(source), "api.json")

    assert diagnostics == read_document(json.dumps(source), "api.json")[1]
    if found is None:
        assert any(one.severity is Severity.ERROR for one in diagnostics)
        return
    methods = OpenApiCatalogue(found)
    names = list(methods.names())
    assert len(set(names)) == len(names)
    for name in names:
        with suppress(CatalogueError):
            one = methods.method(name)
            assert one is not None and one.route.startswith("/")


@settings(max_examples=150, deadline=None)
@given(text=st.one_of(st.text(max_size=60), VALUES.map(lambda one: json.dumps(one))))
def test_any_text_gives_findings(text: str) -> None:
    """A text that is no document is an error and no exception."""
    found, diagnostics = read_document(text, "api.yaml")

    assert found is not None or any(one.severity is Severity.ERROR for one in diagnostics)
