"""The reading of the SDK's sources: it agrees with the SDK itself, reads little, and fails loudly."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from placet_generator.catalogue.lark import LarkCatalogue, find_lark
from placet_generator.catalogue.methods import MethodEntry, MethodIndex
from placet_generator.catalogue.model import CatalogueError, Method, Node, SlotInfo
from placet_generator.witness import Witness

WITNESS = Path(__file__).parents[3] / "curation" / "feishu" / "witness"
ROOT = find_lark().root
RECORD = "bitable.v1.app_table_record.create"
UPLOAD = "drive.v1.file.upload_all"
DOWNLOAD = "drive.v1.file.download"
PERSON = "lark_oapi.api.bitable.v1.model.person.Person"

Walked = dict[str, dict[str, Any]]


def installed() -> LarkCatalogue:
    return LarkCatalogue(ROOT, Witness.load(WITNESS).methods())


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Walked:
    """What importing and walking the SDK says, from a process of its own."""
    written = tmp_path_factory.mktemp("walk") / "walk.json"
    subprocess.run([sys.executable, Path(__file__).with_name("import_walk.py"), written], check=True)
    found: Walked = json.loads(written.read_text())
    return found


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files of a few methods, copied to where they may be broken."""
    reader = installed()
    for name in (RECORD, UPLOAD, DOWNLOAD):
        assert reader.method(name) is not None
    for path in reader.read_files():
        target = tmp_path / "lark_oapi" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, target)
    return tmp_path / "lark_oapi"


def test_every_method_is_read_as_the_imported_sdk_has_it(walked: Walked) -> None:
    """Verb, route, tokens, slots, body tree, answer tree, upload and download agree for all methods of the SDK."""
    reader = installed()
    comparison = Comparison(walked["models"])

    differences = [
        f"{name}: {difference}"
        for name, theirs in walked["methods"].items()
        for difference in comparison.of_method(reader.method(name), theirs)
    ]

    assert not differences
    assert len(walked["methods"]) == 1642
    assert comparison.compared_nodes > 20_000


def test_the_witness_lists_exactly_the_sdks_methods(walked: Walked) -> None:
    """No method of the SDK is missing from the list, none is invented, and each is found by its verb and route."""
    listed = {entry.name: [entry.http, entry.route] for entry in Witness.load(WITNESS).methods()}
    reader = installed()

    assert listed == {name: [one["http"], one["route"]] for name, one in walked["methods"].items()}
    assert list(reader.names()) == sorted(listed)
    for name, (http, route) in listed.items():
        assert reader.by_route(http, route) == name


class Comparison:
    """Compares our nodes with the walk's types; models are compared once each."""

    def __init__(self, models: dict[str, Any]) -> None:
        self._models = models
        self._compared: set[tuple[int, str]] = set()
        self.compared_nodes = 0

    def of_method(self, ours: Method | None, theirs: dict[str, Any]) -> Iterator[str]:
        if ours is None:
            yield "not found"
            return
        plain = ours.http, ours.route, sorted(ours.tokens), ours.download
        if plain != (theirs["http"], theirs["route"], theirs["tokens"], theirs["download"]):
            yield f"{plain}"
        is_form = theirs["multipart"] and theirs["body"] is not None
        if ours.body_kind != ("multipart" if is_form else "json" if theirs["body"] else "none"):
            yield f"body kind {ours.body_kind}"
        yield from self._slots("path", ours.path, theirs["path"])
        yield from self._slots("query", ours.query, theirs["query"])
        yield from self._tree("body", ours.body, theirs["body"])
        yield from self._tree("response", ours.response, theirs["response"])

    def _slots(self, place: str, ours: tuple[SlotInfo, ...], theirs: list[Any]) -> Iterator[str]:
        if [slot.name for slot in ours] != [name for name, _ in theirs]:
            yield f"{place} {ours}"
            return
        for slot, (name, kind) in zip(ours, theirs, strict=True):
            yield from self._tree(f"{place}.{name}", slot.node, kind)

    def _tree(self, place: str, ours: Node | None, theirs: Any) -> Iterator[str]:
        self.compared_nodes += 1
        match theirs:
            case None:
                if ours is not None:
                    yield f"{place}: {ours} for nothing"
            case str():
                if ours is None or ours.kind != theirs or ours.fields or ours.item:
                    yield f"{place}: {ours} for {theirs}"
            case {"object": str(model)}:
                if ours is None or ours.kind != "object" or ours.model != model.rpartition(".")[2]:
                    yield f"{place}: {ours} for {model}"
                elif (id(ours), model) not in self._compared:
                    self._compared.add((id(ours), model))
                    yield from self._members(place, ours, self._models[model])
            case {"array": item} | {"map": item}:
                if ours is None or ours.kind != next(iter(theirs)):
                    yield f"{place}: {ours} for {theirs}"
                else:
                    yield from self._tree(f"{place}[]", ours.item, item)

    def _members(self, place: str, ours: Node, theirs: dict[str, Any]) -> Iterator[str]:
        if list(ours.fields) != list(theirs):
            yield f"{place}: members {list(ours.fields)}"
            return
        for name, kind in theirs.items():
            yield from self._tree(f"{place}.{name}", ours.fields[name], kind)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda one: one["methods"][RECORD].update(http="PUT"), id="verb"),
        pytest.param(lambda one: one["methods"][RECORD]["tokens"].pop(), id="token"),
        pytest.param(lambda one: one["methods"][RECORD]["query"].pop(), id="slot"),
        pytest.param(lambda one: one["methods"][UPLOAD].update(multipart=False), id="multipart"),
        pytest.param(lambda one: one["models"][PERSON].update(id="integer"), id="deep-type"),
        pytest.param(lambda one: one["models"][PERSON].pop("id"), id="deep-member"),
    ],
)
def test_the_comparison_sees_a_difference(change: Callable[[Walked], object], walked: Walked) -> None:
    """The comparison above is no rubber stamp: one changed fact is one or more differences."""
    altered: Walked = json.loads(json.dumps(walked))
    change(altered)
    comparison, reader = Comparison(altered["models"]), installed()

    assert any(
        list(comparison.of_method(reader.method(name), altered["methods"][name])) for name in (RECORD, UPLOAD)
    )


def test_reading_a_method_reads_its_chain_and_nothing_else() -> None:
    """One method costs the files on its way, each recorded with the sha256 of its content; asking again costs none."""
    reader = installed()

    assert reader.method("bitable.v1.app_table_record.delete") is not None

    models, read = "api/bitable/v1/model", reader.read_files()
    assert list(read) == [
        "api/bitable/service.py",
        f"{models}/delete_app_table_record_request.py",
        f"{models}/delete_app_table_record_response.py",
        f"{models}/delete_app_table_record_response_body.py",
        "api/bitable/v1/resource/app_table_record.py",
        "api/bitable/v1/version.py",
        "client.py",
    ]
    assert all(
        digest == hashlib.sha256((ROOT / path).read_bytes()).hexdigest() for path, digest in read.items()
    )


def test_finding_and_reading_import_nothing_of_the_sdk() -> None:
    """The generator never imports the SDK."""
    code = (
        "import sys; from placet_generator.catalogue.lark import LarkCatalogue, find_lark;"
        "sdk = find_lark(); reader = LarkCatalogue(sdk.root, None);"
        f"assert reader.method({RECORD!r}); assert reader.version == 'lark-oapi ' + sdk.version;"
        "assert not [name for name in sys.modules if name.startswith('lark_oapi')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("bitable.v1.app_table_record.creat", id="method"),
        pytest.param("bitable.v1.app_table_record.acreate", id="asynchronous-twin"),
        pytest.param("bitable.v1.app_table_record.__init__", id="constructor"),
        pytest.param("bitable.v1.record.create", id="resource"),
        pytest.param("bitable.v9.app_table_record.create", id="version"),
        pytest.param("bitabel.v1.app_table_record.create", id="service"),
        pytest.param("gray_test_open_sg.v1.moto.create", id="folder-without-client-attribute"),
        pytest.param("access_token.v1.x.y", id="client-attribute-that-is-no-service"),
        pytest.param("bitable.v1.create", id="too-short"),
        pytest.param("../..", id="path"),
        pytest.param("", id="empty"),
    ],
)
def test_a_name_the_sdk_does_not_have_is_none(name: str) -> None:
    """A wrong name is an answer, not an error."""
    assert installed().method(name) is None


def test_a_method_says_where_it_was_read_and_keeps_the_sdks_spelling() -> None:
    """The place is the line of the route, and an attribute the SDK sends wrongly stays as it is."""
    record, translate = installed().method(RECORD), installed().method("translation.v1.text.translate")

    assert record is not None and record.place is not None
    line = (ROOT.parent / record.place.path).read_text().splitlines()[record.place.line - 1]
    assert ".uri = " in line
    assert translate is not None and translate.body is not None
    glossary = translate.body.fields["glossary"]
    assert glossary.item is not None and "from_" in glossary.item.fields


def test_without_a_list_of_methods_there_are_no_names_and_no_routes() -> None:
    """Methods are readable by name all the same."""
    reader = LarkCatalogue(ROOT, None)

    assert list(reader.names()) == []
    assert reader.by_route("POST", "/open-apis/bitable/v1/apps") is None
    assert reader.method(RECORD) is not None


@pytest.mark.parametrize(
    ("http", "route", "found"),
    [
        pytest.param("GET", "/open-apis/a/:x/b/:y", "a.b", id="as-written"),
        pytest.param("get", "/open-apis/a/:other/b/:names/", "a.b", id="placeholder-names-and-slash"),
        pytest.param("POST", "/open-apis/a/:x/b/:y", None, id="another-verb"),
        pytest.param("GET", "/open-apis/a/x/b/:y", None, id="a-word-is-no-placeholder"),
        pytest.param("GET", "/open-apis/a/:x/b", None, id="shorter"),
    ],
)
def test_routes_are_compared_without_placeholder_names(http: str, route: str, found: str | None) -> None:
    """A route finds its method whatever its placeholders are called."""
    index = MethodIndex([MethodEntry("a.b", "GET", "/open-apis/a/:x/b/:y")])

    assert LarkCatalogue(ROOT, index).by_route(http, route) == found


REQUEST = "api/bitable/v1/model/create_app_table_record_request.py"
RESPONSE = "api/bitable/v1/model/create_app_table_record_response.py"
MODEL = "api/bitable/v1/model/app_table_record.py"
RESOURCE = "api/bitable/v1/resource/app_table_record.py"
SERVICE = "api/bitable/service.py"


SENT = 'add_query("client_token", client_token)'
URI = ".uri = ("
BUILDER = "class CreateAppTableRecordRequestBuilder"
SETTER = "def client_token("
CREATE = "    def create("


@pytest.mark.parametrize(
    ("path", "old", "new", "at"),
    [
        pytest.param(REQUEST, "HttpMethod.POST", "HttpMethod.TRACE", "TRACE", id="verb-unknown"),
        pytest.param(REQUEST, "HttpMethod.POST", "pick()", "pick()", id="verb-computed"),
        pytest.param(REQUEST, '"/open-apis/bitable', 'BASE + "/open-apis/bitable', URI, id="route-computed"),
        pytest.param(REQUEST, '"/open-apis/bitable', '"/other/bitable', URI, id="route-elsewhere"),
        pytest.param(REQUEST, "AccessTokenType.USER", "AccessTokenType.ROOT", "token_types", id="token-unknown"),
        pytest.param(REQUEST, ".token_types", ".scopes", ".scopes", id="setting-unknown"),
        pytest.param(REQUEST, "= CreateAppTableRecordRequest()", "= cached()", "cached()", id="request-from-elsewhere"),
        pytest.param(REQUEST, SENT, "add_query(KEY, client_token)", SETTER, id="query-name-computed"),
        pytest.param(REQUEST, SENT, 'add_query("user_id_type", client_token)', SETTER, id="query-name-twice"),
        pytest.param(REQUEST, SENT, 'headers["X-Key"] = client_token', SETTER, id="header"),
        pytest.param(REQUEST, 'paths["table_id"]', 'paths["table"]', URI, id="placeholder-without-setter"),
        pytest.param(REQUEST, "request_body: AppTableRecord\n", "request_body: Dict[str, Any]\n", "def request_body(", id="body-untyped"),
        pytest.param(REQUEST, "from .app_table_record", "from elsewhere", BUILDER, id="body-from-elsewhere"),
        pytest.param(REQUEST, "self.client_token: Optional[str] = None", "pass", BUILDER, id="setter-without-attribute"),
        pytest.param(REQUEST, "Request(BaseRequest)", "Asking(BaseRequest)", "class ", id="request-renamed"),
        pytest.param(REQUEST, "RequestBuilder(object)", "RequestMaker(object)", "class ", id="no-builder"),
        pytest.param(REQUEST, "    def client_token(", "    key = 3\n\n    def client_token(", "key = 3", id="not-a-setter"),
        pytest.param(REQUEST, "HttpMethod.POST", "HttpMethod.POST POST", "POST POST", id="not-python"),
        pytest.param(RESPONSE, '"data":', '"items":', "class ", id="answer-attributes-differ"),
        pytest.param(RESPONSE, "data", "items", "class ", id="answer-member-unknown"),
        pytest.param(MODEL, '"record_id": str', '"record_id": Decimal', '"record_id"', id="type-not-imported"),
        pytest.param(MODEL, '"record_id": str', '"record_id": Union[str, int]', '"record_id"', id="type-unknown"),
        pytest.param(MODEL, '"fields": Dict[str, Any]', '"fields": Dict[int, Any]', '"fields"', id="map-with-other-keys"),
        pytest.param(MODEL, '"record_id": str', "KEY: str", "KEY", id="field-name-computed"),
        pytest.param(MODEL, '        "record_id": str,\n', "", "class ", id="attribute-without-type"),
        pytest.param(MODEL, "Record(object)", "Record(Base)", "class ", id="model-with-a-base"),
        pytest.param(MODEL, "    def __init__", "    def __new__", None, id="model-without-constructor"),
        pytest.param(RESOURCE, "Record(object)", "Records(object)", "class ", id="resource-renamed"),
        pytest.param(RESOURCE, "async def acreate(", "async def later(", CREATE, id="no-asynchronous-twin"),
        pytest.param(RESOURCE, "request: CreateAppTableRecordRequest", "request: Any", CREATE, id="request-not-a-model"),
        pytest.param(RESOURCE, CREATE + "\n        self,", CREATE + "\n        self, extra,", CREATE, id="signature"),
        pytest.param(RESOURCE, "from ..model.create_app", "from elsewhere", CREATE, id="request-not-imported"),
        pytest.param(SERVICE, "self.v1: V1 =", "self.v1 =", "self.v1", id="version-without-type"),
    ],
)  # fmt: skip
def test_a_form_that_is_not_known_is_an_error_with_its_place(
    path: str, old: str, new: str, at: str | None, copy: Path
) -> None:
    """The SDK's pattern is asserted while reading; what breaks it is named by file and line."""
    text = (copy / path).read_text()
    assert old in text
    text = text.replace(old, new)
    (copy / path).write_text(text)

    with pytest.raises(CatalogueError) as caught:
        LarkCatalogue(copy, None).method(RECORD)

    line = text.count("\n", 0, text.index(at)) + 1 if at is not None else 0
    assert (caught.value.path, caught.value.line) == (f"lark_oapi/{path}", line)


@pytest.mark.parametrize(
    "path", [REQUEST, RESPONSE, MODEL, RESOURCE, "api/bitable/v1/version.py", SERVICE, "client.py"]
)
def test_a_file_that_cannot_be_read_is_an_error(path: str, copy: Path) -> None:
    """A missing file and a file in another encoding are named; a later method is read all the same."""
    (copy / path).write_bytes(b"\xff\xfe")
    with pytest.raises(CatalogueError, match="UTF-8"):
        LarkCatalogue(copy, None).method(RECORD)

    (copy / path).unlink()
    reader = LarkCatalogue(copy, None)
    for _ in range(2):
        with pytest.raises(CatalogueError) as caught:
            reader.method(RECORD)
        assert caught.value.path == f"lark_oapi/{path}"
    if path != "client.py":
        assert reader.method(DOWNLOAD) is not None


def test_a_download_and_its_answer_must_agree(copy: Path) -> None:
    """A method that keeps bytes while its answer has no file is not passed off as either."""
    resource = copy / "api/drive/v1/resource/file.py"
    resource.write_text(resource.read_text().replace("io.BytesIO(", "bytes("))

    with pytest.raises(CatalogueError, match="disagree"):
        LarkCatalogue(copy, None).method(DOWNLOAD)


def test_a_model_that_contains_itself_is_cut_where_it_comes_again(copy: Path) -> None:
    """The tree is finite, and the same whether or not the inner model was read before."""
    person = copy / "api/bitable/v1/model/person.py"
    person.write_text(
        person.read_text()
        .replace(
            "\n\n\nclass Person(object)",
            "\nfrom .app_table_record import AppTableRecord\n\n\nclass Person(object)",
        )
        .replace('"id": str', '"id": List[AppTableRecord]')
    )
    reader = LarkCatalogue(copy, None)

    method = reader.method(RECORD)

    assert method is not None and method.body is not None and method.response is not None
    again = method.body.fields["created_by"].fields["id"].item
    assert again == Node(kind="object", model="AppTableRecord", recursive=True)
    assert method.response.fields["record"] == method.body


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from([REQUEST, RESPONSE, MODEL, RESOURCE, SERVICE]),
    at=st.floats(0, 1),
    cut=st.integers(1, 40),
    put=st.text(max_size=8),
)
def test_a_damaged_file_never_gives_a_traceback(path: str, at: float, cut: int, put: str, copy: Path) -> None:
    """Whatever a file holds, the answer is a method, nothing, or an error with a place."""
    original = (ROOT / path).read_bytes()
    start = int(at * len(original))
    (copy / path).write_bytes(
        original[:start] + put.encode("utf-8", "surrogatepass") + original[start + cut :]
    )

    try:
        method = LarkCatalogue(copy, None).method(RECORD)
        place = "lark_oapi/" if method is None or method.name == RECORD else ""
    except CatalogueError as fault:
        place = fault.path
    finally:
        (copy / path).write_bytes(original)

    assert place.startswith("lark_oapi/")
