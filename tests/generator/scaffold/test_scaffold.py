"""What `placet init` and `placet new` write: drafts that compile, whatever a document holds."""

import json
import keyword
import re
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from placet.contract.names import PlatformNames
from placet.platforms.feishu.names import NAMES as FEISHU
from placet.platforms.http.names import NAMES as HTTP
from placet_generator.catalogue import Method, Node
from placet_generator.catalogue.model import SlotInfo
from placet_generator.catalogue.openapi import OpenApiCatalogue, read_document
from placet_generator.compile import Compilation, Sources, compile_surface
from placet_generator.curation.loader import SourceFile
from placet_generator.curation.models import ToolEntry
from placet_generator.curation.yaml_text import read_yaml
from placet_generator.diagnostics import any_errors
from placet_generator.scaffold import surface_files, tool_entry
from placet_generator.scaffold.yaml_text import comment, lines
from placet_generator.witness.model import EndpointFacts
from placet_generator.witness.reader import Witness

Json = dict[str, Any]
TEXT: Json = {"type": "string"}


def scaffold(source: Json) -> dict[str, str]:
    text = json.dumps(source)
    document, _ = read_document(text, "acme.json")
    assert document is not None
    return surface_files(document, text, "acme_tools", "acme")


def build(files: dict[str, str]) -> Compilation:
    """Compile scaffolded files as they would be read from disk."""
    folder = "curation/acme"
    sources = [
        SourceFile(path, PurePosixPath(path).relative_to(folder), text) for path, text in files.items()
    ]
    text = next(text for path, text in files.items() if PurePosixPath(path).stem == "openapi")
    document, found = read_document(text, f"{folder}/openapi.json")
    assert document is not None
    given_sources = Sources(
        catalogue=OpenApiCatalogue(document), supplements={}, witness=Witness(Path("nowhere")), names=HTTP
    )
    return compile_surface(sources, lambda _: (given_sources, found))


def tools_of(files: dict[str, str]) -> dict[str, Any]:
    """Every scaffolded tool by its canonical name, as written."""
    tools: dict[str, Any] = {}
    for path, text in files.items():
        if "/domains/" in path:
            document, found = read_yaml(text, path)
            assert document is not None and found == ()
            tools |= {
                f"{document.value['domain']}.{key}": one for key, one in document.value["tools"].items()
            }
    return tools


def pet_store() -> Json:
    """A document with one of everything that ordinary documents have."""
    pet: Json = {
        "type": "object",
        "required": ["id", "name"],
        "properties": {
            "id": {"type": "integer", "format": "int64", "readOnly": True},
            "name": {"type": "string", "minLength": 1, "maxLength": 40, "description": "What it is called."},
            "kind": {"type": "string", "enum": ["cat", "dog"], "default": "cat"},
            "owner": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": TEXT, "address": {"type": "object", "properties": {"city": TEXT}}},
            },
            "tags": {"type": "array", "maxItems": 5, "items": TEXT},
            "visits": {
                "type": "array",
                "items": {"properties": {"on": {"type": "string", "format": "date"}}},
            },
            "parents": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}},
            "extra": {"type": "object", "additionalProperties": True},
            "anything": {},
            "weight": {"type": "number", "minimum": 0, "exclusiveMinimum": True, "nullable": True},
        },
    }
    answer = {
        "200": {
            "description": "ok",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}},
        }
    }
    listed = {"type": "object", "properties": {"pets": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}},
                                               "next": TEXT}}  # fmt: skip
    write = {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}},
    }
    photo = {"type": "object", "required": ["photo"],
             "properties": {"photo": {"type": "string", "format": "binary"}, "caption": TEXT}}  # fmt: skip
    pet_id = {
        "name": "petId",
        "in": "path",
        "required": True,
        "schema": {"type": "integer", "format": "int64"},
    }
    return {
        "openapi": "3.0.3",
        "info": {"title": "Pet shop", "version": "1.2"},
        "paths": {
            "/pets": {
                "get": {
                    "operationId": "listPets",
                    "tags": ["Pets & Co"],
                    "summary": "List pets, newest first.",
                    "parameters": [
                        {
                            "name": "limit",
                            "in": "query",
                            "schema": {"type": "integer", "minimum": 1, "maximum": 100},
                        },
                        {"name": "page_token", "in": "query", "schema": TEXT},
                        {"name": "kinds", "in": "query", "schema": {"type": "array", "items": TEXT}},
                        {
                            "name": "ids",
                            "in": "query",
                            "explode": False,
                            "schema": {"type": "array", "items": TEXT},
                        },
                        {
                            "name": "where",
                            "in": "query",
                            "content": {"application/json": {"schema": {"type": "object"}}},
                        },
                    ],
                    "responses": {
                        "200": {"description": "ok", "content": {"application/json": {"schema": listed}}}
                    },
                },
                "post": {
                    "operationId": "create",
                    "tags": ["Pets & Co"],
                    "requestBody": write,
                    "responses": answer,
                },
            },
            "/pets/{petId}": {
                "parameters": [pet_id],
                "get": {"tags": ["Pets & Co"], "responses": answer},
                "patch": {
                    "operationId": "update",
                    "tags": ["Pets & Co"],
                    "requestBody": write,
                    "responses": answer,
                },
                "delete": {
                    "operationId": "import",
                    "tags": ["Pets & Co"],
                    "responses": {"204": {"description": "gone"}},
                },
                "head": {"tags": ["Pets & Co"], "responses": {}},
            },
            "/v1/photos/{petId}": {
                "parameters": [pet_id],
                "get": {
                    "operationId": "list",
                    "responses": {"200": {"description": "", "content": {"image/png": {}}}},
                },
                "put": {
                    "operationId": "uploadPhoto",
                    "requestBody": {"content": {"multipart/form-data": {"schema": photo}}},
                    "responses": {"200": {"description": ""}},
                },
                "post": {
                    "operationId": "raw",
                    "requestBody": {"required": True, "content": {"image/png": {}}},
                },
            },
        },
        "components": {"schemas": {"Pet": pet}},
    }


def test_an_ordinary_document_gives_a_surface_that_compiles() -> None:
    """Every operation a tool can send is one, with the risk of its verb, and nothing has to be mended first."""
    files = scaffold(pet_store())

    compiled = build(files)

    assert [one for one in compiled.diagnostics if one.severity.value == "error"] == []
    assert {name: (one["source"]["http"], one["risk"]) for name, one in tools_of(files).items()} == {
        "pets_co.create": ("POST", "write"),
        "pets_co.get_pets_pet_id": ("GET", "read"),
        "pets_co.import_pets_co": ("DELETE", "high-risk-write"),
        "pets_co.list_pets": ("GET", "read"),
        "pets_co.update": ("PATCH", "write"),
        "photos.list_photos": ("GET", "read"),
        "photos.upload_photo": ("PUT", "write"),
    }
    assert set(compiled.tools) == set(tools_of(files))
    assert "# - POST /v1/photos/{petId}" in files["curation/acme/domains/photos.yaml"]


def test_the_files_of_a_new_surface() -> None:
    """The document is copied as it is, every domain has its file and its page, and the platform is plain HTTP."""
    source = pet_store()
    files = scaffold(source)

    assert sorted(files) == [
        "curation/acme/domains/pets_co.yaml",
        "curation/acme/domains/photos.yaml",
        "curation/acme/guidance/en/pets_co.md",
        "curation/acme/guidance/en/photos.md",
        "curation/acme/openapi.json",
        "curation/acme/surface.yaml",
    ]
    assert files["curation/acme/openapi.json"] == json.dumps(source)
    surface = read_yaml(files["curation/acme/surface.yaml"], "surface.yaml")[0]
    assert surface is not None
    assert surface.value["platform"] == "http"
    assert surface.value["catalogue"] == {"provider": "openapi", "document": "openapi.json"}


def test_a_write_says_what_a_repeat_does_and_what_it_replaces() -> None:
    """Writes have the ledger, updates a reason to be edited, reads neither."""
    tools = tools_of(scaffold(pet_store()))

    assert {name: ("idempotency" in one, "before" in one) for name, one in tools.items()} == {
        "pets_co.create": (True, False),
        "pets_co.get_pets_pet_id": (False, False),
        "pets_co.import_pets_co": (True, False),
        "pets_co.list_pets": (False, False),
        "pets_co.update": (True, True),
        "photos.list_photos": (False, False),
        "photos.upload_photo": (True, True),
    }


def test_parameters_say_where_they_go_and_in_which_form() -> None:
    """Reserved names step aside, lists and JSON in a query say how they are written, ids come from a person."""
    tools = tools_of(scaffold(pet_store()))
    listed = tools["pets_co.list_pets"]["parameters"]
    update = tools["pets_co.update"]["parameters"]

    assert {key: (one["to"], one["type"], one.get("wire")) for key, one in listed.items()} == {
        "limit": ("query.limit", "integer", None),
        "page_token_value": ("query.page_token", "string", None),
        "kinds": ("query.kinds", "list[string]", "repeat"),
        "ids": ("query.ids", "list[string]", "csv"),
        "where": ("query.where", "object", "json_text"),
    }
    assert (update["pet_id"]["obtain"], update["pet_id"]["type"]) == ("person", "int64")
    assert update["kind"]["enum"] == ["cat", "dog"]
    assert "id" not in update
    assert update["owner"]["fields"]["name"]["required"] is True
    assert update["name"]["about"] == "What it is called."
    assert (update["visits"]["items"]["on"]["type"], update["parents"]["type"]) == ("string", "list[object]")
    assert tools["photos.upload_photo"]["parameters"]["photo"]["type"] == "file"


def operation(**rest: Any) -> Json:
    return {"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": {"/x": {"get": rest}}}


HOSTILE = 'it\u202e\'s """ {{ x }} # : - [a] \\ \u0000\u2028\n---\n!!python/object \U000e0041 end'


def test_a_strangers_text_stays_text() -> None:
    """Quotes, template syntax, YAML syntax and invisible characters of a document decide nothing."""
    source = operation(
        operationId=HOSTILE,
        tags=[HOSTILE],
        summary=HOSTILE,
        parameters=[{"name": "q", "in": "query", "description": HOSTILE, "schema": TEXT}],
    )
    source["info"]["title"] = HOSTILE

    files = scaffold(source)

    assert not any_errors(build(files).diagnostics)
    ((name, tool),) = tools_of(files).items()
    assert name.replace(".", "").replace("_", "").isalnum() and name.isascii()
    assert tool["summary"] == tool["parameters"]["q"]["about"]
    assert tool["summary"].startswith('it\'s """ {{ x }} # : - [a] \\ ---')
    ours = "".join(text for path, text in files.items() if "openapi.json" not in path)
    assert not set(ours) & set("\u202e\u0000\u2028\U000e0041")


@pytest.mark.parametrize(
    "segment",
    [
        pytest.param("class", id="keyword"),
        pytest.param("surface", id="taken-by-the-package"),
        pytest.param("9lives", id="digit-first"),
        pytest.param("宠物", id="nothing-latin"),
        pytest.param("../../etc", id="path"),
        pytest.param("a_very_long_name_of_a_domain_that_never_ends", id="long"),
    ],
)
def test_a_domain_has_a_legal_name(segment: str) -> None:
    """Whatever a tag is called, its domain is an identifier and its file lies in the surface's folder."""
    files = scaffold(operation(tags=[segment], operationId="x"))

    assert not any_errors(build(files).diagnostics)
    (path,) = [path for path in files if "/domains/" in path]
    name = path.removeprefix("curation/acme/domains/").removesuffix(".yaml")
    assert name.isidentifier() and not keyword.iskeyword(name) and len(name) <= 24


def test_long_and_colliding_names_stay_apart() -> None:
    """Operations whose ids agree in their first characters, or become equal across domains, are all callable."""
    stem = "application_record_permission_member_batch_create_for_department"
    paths = {f"/{one}": {"get": {"operationId": f"{stem}_{one}", "tags": ["a_b"]}} for one in "xyz"}
    paths |= {
        "/1": {"get": {"operationId": "b_c", "tags": ["a"]}},
        "/2": {"get": {"operationId": "c", "tags": ["a_b"]}},
    }
    files = scaffold({"openapi": "3.0.0", "info": {}, "paths": paths})

    compiled = build(files)

    assert not any_errors(compiled.diagnostics)
    assert len(compiled.tools) == 5
    assert all(len(name) <= 48 for name in tools_of(files))


def test_what_cannot_be_said_is_left_out_by_name() -> None:
    """An operation whose body is no object stands in a comment with the reason; the others are tools."""
    body = {"required": True, "content": {"application/json": {"schema": {"type": "array", "items": TEXT}}}}
    source = operation(operationId="fine")
    source["paths"]["/x"]["post"] = {"operationId": "bulk", "requestBody": body}

    files = scaffold(source)

    assert list(tools_of(files)) == ["x.fine"]
    assert (
        "# - POST /x: its body is list[string], not an object with named members"
        in files["curation/acme/domains/x.yaml"]
    )
    assert not any_errors(build(files).diagnostics)


@pytest.mark.parametrize(
    ("package", "surface"), [("acme tools", "acme"), ("acme", "../x"), ("class", "acme")]
)
def test_names_of_package_and_surface_are_identifiers(package: str, surface: str) -> None:
    """A name that could be a path or break an import is refused before anything is written."""
    document, _ = read_document(json.dumps(operation(operationId="x")), "a.json")
    assert document is not None

    with pytest.raises(ValueError, match="identifier"):
        surface_files(document, "{}", package, surface)


def test_a_document_without_a_usable_operation_gives_no_surface() -> None:
    """There is no surface without a tool."""
    document, _ = read_document('{"openapi": "3.1.0", "paths": {}}', "a.json")
    assert document is not None

    with pytest.raises(ValueError, match="no operation"):
        surface_files(document, "{}", "acme_tools", "acme")


FACTS_LINE: Json = {
    "sdk": "bitable.v1.app_table_record.update",
    "http": "PUT",
    "route": "/open-apis/bitable/v1/apps/:app_token/records/:record_id",
}


def feishu_method(**rest: Any) -> Method:
    settings: Json = {
        "name": "bitable.v1.app_table_record.update",
        "http": "PUT",
        "route": "/open-apis/bitable/v1/apps/:app_token/records/:record_id",
        "tokens": frozenset({"tenant", "user"}),
        "path": (
            SlotInfo(name="app_token", node=Node(kind="string")),
            SlotInfo(name="record_id", node=Node(kind="string")),
        ),
        "query": (
            SlotInfo(name="user_id_type", node=Node(kind="string")),
            SlotInfo(name="client_token", node=Node(kind="string")),
            SlotInfo(name="user_id", node=Node(kind="string")),
            SlotInfo(name="count", node=Node(kind="integer")),
        ),
        "body": Node(kind="object", fields={"fields": Node(kind="map"), "created_by": Node(kind="object")}),
        "body_kind": "json",
        "response": Node(
            kind="object", fields={"record": Node(kind="object", fields={"id": Node(kind="string")})}
        ),
    }
    return Method(**(settings | rest))


def facts(**rest: Any) -> EndpointFacts:
    import msgspec

    line: Json = FACTS_LINE | {
        "tokens": ["tenant", "user"],
        "request": "R",
        "path": [],
        "query": [{"name": "count", "type": "int", "type_explorer": "str", "required": True}],
        "source_flags": ["has:explorer"],
        "body": [
            {"name": "fields", "type": "map[str,any]", "required": True},
            {"name": "created_by", "type": "object<Person>", "sdk_only": True},
        ],
        "scopes": ["base:record:update", "bitable:app"],
    }
    return msgspec.convert(line | rest, EndpointFacts)


def entry_of(text: str) -> tuple[str, ToolEntry]:
    document, found = read_yaml("tools:\n" + text, "draft.yaml")
    assert document is not None and found == ()
    ((name, written),) = document.value["tools"].items()
    return name, ToolEntry.model_validate(written)


def test_a_new_tool_is_an_entry_ready_to_edit() -> None:
    """The draft follows the format: slots that a model may fill, context, native key, scopes, risk with a reminder."""
    text = tool_entry(feishu_method(), facts(), "bitable", names=FEISHU)

    name, entry = entry_of(text)

    assert name == "update_app_table_record"
    assert "risk: write  # decide by effect" in text
    assert entry.source is not None and entry.source.sdk == "bitable.v1.app_table_record.update"
    assert entry.scopes is not None and entry.scopes.any_of == ["base:record:update", "bitable:app"]
    assert entry.identity == ["tenant", "user"]
    assert entry.context == {"query.user_id": "actor.user_id"}
    assert set(entry.parameters) == {"app_token", "record_id", "count", "fields"}
    count, fields = entry.parameters["count"], entry.parameters["fields"]
    assert count != "shared" and (count.type, count.required) == ("int64", True)
    assert fields != "shared" and (fields.type, fields.required) == ("object", True)
    assert entry.idempotency is not None and entry.idempotency != "ledger"
    assert entry.idempotency.native == "query.client_token"
    assert entry.before is not None and entry.before.because is not None
    assert set(entry.output) == {"record"}


PAGED = Node(
    kind="object",
    fields={
        "items": Node(kind="array", item=Node(kind="string")),
        "page_token": Node(kind="string"),
        "has_more": Node(kind="boolean"),
    },
)
PAGE_SLOTS = (
    SlotInfo(name="page_token", node=Node(kind="string")),
    SlotInfo(name="page_size", node=Node(kind="integer")),
)


@pytest.mark.parametrize(
    ("http", "risk", "expected"),
    [
        pytest.param("GET", None, "read", id="get-reads"),
        pytest.param("POST", None, "write", id="post-writes"),
        pytest.param("DELETE", None, "high-risk-write", id="delete-is-high-risk"),
        pytest.param("POST", "read", "read", id="the-witness-knows-better"),
    ],
)
def test_the_first_guess_of_a_risk(http: str, risk: str | None, expected: str) -> None:
    """The witness' risk is taken where it states one, else the verb's."""
    known = facts(**({"risk": risk} if risk else {}))

    _, entry = entry_of(tool_entry(feishu_method(http=http), known, "bitable"))

    assert entry.risk == expected


def test_a_list_that_pages_by_habit_leaves_paging_to_the_generator() -> None:
    """Token and size are no parameters, their answers no output, and `paging:` is derived."""
    method = feishu_method(http="GET", query=PAGE_SLOTS, body=None, body_kind="none", response=PAGED)

    _, entry = entry_of(tool_entry(method, None, "bitable"))

    assert set(entry.parameters) == {"app_token", "record_id"}
    assert (entry.paging, set(entry.output)) == (None, {"items"})


def test_a_list_of_another_habit_is_not_paged_by_guess() -> None:
    """Without a list in the answer the token is an ordinary parameter under a name that is not reserved."""
    method = feishu_method(http="GET", query=PAGE_SLOTS, body=None, body_kind="none", response=None)

    _, entry = entry_of(tool_entry(method, None, "bitable"))

    assert entry.paging == "none"
    assert {"page_token_value", "page_size_value"} <= set(entry.parameters)


@pytest.mark.parametrize(
    "method",
    [
        pytest.param(feishu_method(tokens=frozenset({"app"})), id="app-token-only"),
        pytest.param(feishu_method(body=Node(kind="array"), body_required=True), id="body-is-a-list"),
    ],
)
def test_a_method_that_can_be_no_tool_is_a_comment(method: Method) -> None:
    """What curation cannot say is said, not written half."""
    text = tool_entry(method, None, "bitable", names=PlatformNames(platform="x"))

    assert text.startswith("  # bitable.v1.app_table_record.update cannot be a tool: ")
    assert text.count("\n") == 1


TEXTS = st.text(max_size=12) | st.sampled_from(
    ["true", "no", "~", "0123", "12:30", "- a", "a: b", "&a", "*a", "!!x", "'"]
)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | TEXTS
    | st.lists(TEXTS | st.integers(0, 9), max_size=3),
    lambda inner: st.dictionaries(st.text(min_size=1, max_size=6), inner, max_size=3),
    max_leaves=12,
)


@given(
    value=st.dictionaries(st.text(min_size=1, max_size=6), PLAIN, min_size=1, max_size=4),
    remark=st.text(max_size=20),
)
def test_what_is_written_is_what_is_read(value: Json, remark: str) -> None:
    """Any text survives the writer and curation's own reader unchanged, remarks add nothing."""
    key = next(iter(value))
    text = "\n".join([comment(remark), *lines(value, 2, {(key,): remark})])

    document, found = read_yaml(text, "draft.yaml")

    assert found == ()
    assert document is not None and document.value == value
    assert isinstance(yaml.compose(text, Loader=yaml.CSafeLoader), yaml.MappingNode)


NAMES = st.sampled_from(
    ["id", "list", "class", "page_token", "a.b", "a b", "ids", "é", "名", "type", "from", "X-Y", ""]
)
SCHEMAS = st.recursive(
    st.sampled_from(
        [{}, {"type": "string"}, {"type": "integer", "format": "int64"}, {"type": "integer", "enum": [0, 1, 3]},
         {"type": "string", "enum": ["a", "b", "a"]}, {"type": "boolean", "default": True},
         {"type": "number", "minimum": 5, "maximum": 2}, {"type": "integer", "maximum": 2**63, "default": 7},
         {"type": "string", "minLength": 3, "default": "x"}, {"type": "string", "format": "binary"},
         {"type": "object"}, {"type": "array"}, {"$ref": "#/components/schemas/A"}, {"anyOf": [{}, {"type": "null"}]}]
    ),
    lambda inner: st.one_of(
        st.builds(lambda one: {"type": "array", "items": one}, inner),
        st.builds(
            lambda fields, required: {"type": "object", "properties": fields, "required": required},
            st.dictionaries(NAMES, inner, max_size=3),
            st.lists(NAMES, max_size=2),
        ),
    ),
    max_leaves=8,
)  # fmt: skip
PARAMETERS = st.builds(
    lambda name, place, schema, required: {"name": name, "in": place, "schema": schema, "required": required},
    NAMES, st.sampled_from(["query", "header", "path"]), SCHEMAS, st.booleans(),
)  # fmt: skip
OPERATIONS = st.builds(
    lambda name, tag, text, parameters, media, body, answer: {
        "operationId": name,
        "tags": tag,
        "summary": text,
        "parameters": parameters,
        "requestBody": {"content": {media: {"schema": body}}},
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": answer}}}},
    },
    NAMES, st.lists(NAMES, max_size=1), TEXTS, st.lists(PARAMETERS, max_size=4),
    st.sampled_from(["application/json", "multipart/form-data", "application/x-www-form-urlencoded", "text/xml"]),
    SCHEMAS, SCHEMAS,
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(
    paths=st.dictionaries(
        st.sampled_from(["/a", "/a/{id}", "/b/{x}/c", "/v1/class"]),
        st.dictionaries(
            st.sampled_from(["get", "post", "put", "patch", "delete"]), OPERATIONS, min_size=1, max_size=3
        ),
        min_size=1,
        max_size=3,
    ),
    shared=SCHEMAS,
)
def test_any_sound_document_gives_a_surface_that_compiles(paths: Json, shared: Json) -> None:
    """Every draft compiles at once: names legal, slots filled, types agreeing; what is left out is named."""
    source = {"openapi": "3.0.3", "info": {}, "paths": paths, "components": {"schemas": {"A": shared}}}
    text = json.dumps(source)
    document, _ = read_document(text, "acme.json")
    assert document is not None
    try:
        files = surface_files(document, text, "acme_tools", "acme")
    except ValueError:
        return

    compiled = build(files)

    assert [str(one) for one in compiled.diagnostics if one.severity.value == "error"] == []
    written = [line for text in files.values() for line in text.splitlines()]
    left_out = [line for line in written if re.match(r"# - [A-Z]+ /", line)]
    assert len(compiled.tools) + len(left_out) == len(document.operations)
