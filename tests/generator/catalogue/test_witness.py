"""The witness: its files are whole, and reading them is lazy, exact and loud about faults."""

import json
import re
from pathlib import Path

import pytest

from placet_generator.catalogue.model import CatalogueError
from placet_generator.witness import FieldFacts, NativeKey, Witness

FOLDER = Path(__file__).parents[3] / "curation" / "feishu" / "witness"
GOOD = '{"sdk":"a.v1.b.get","http":"GET","route":"/open-apis/a/v1/b/:id","tokens":["user"],"request":"R","path":[],"query":[],"source_flags":["has:node"]}\n'


@pytest.fixture(scope="module")
def witness() -> Witness:
    return Witness.load(FOLDER)


def test_every_line_of_the_witness_is_readable(witness: Witness) -> None:
    """Each method's line fits the form; those that no other source knows say so by being None."""
    unknown = [name for name in witness.methods().names() if witness.facts(name) is None]

    assert len(witness.methods()) == 1642
    assert {name.split(".")[0] for name in unknown} == {"unified_kms"}
    assert len(unknown) == 8


def test_the_files_hold_facts_and_no_text() -> None:
    """The files are sorted, ASCII, and no value is a sentence; pages add facts to methods that exist."""
    endpoints = [json.loads(line) for line in (FOLDER / "endpoints.jsonl").read_text("ascii").splitlines()]
    documents = [json.loads(line) for line in (FOLDER / "docs.jsonl").read_text("ascii").splitlines()]
    names = [line["sdk"] for line in endpoints]

    assert names == sorted(names)
    assert [line["sdk"] for line in documents] == sorted(line["sdk"] for line in documents)
    assert {line["sdk"] for line in documents} <= set(names)
    assert not [text for line in (*endpoints, *documents) for text in texts(line) if len(text.split()) > 3]
    assert (FOLDER / "docs.jsonl").stat().st_size < 600_000


def texts(value: object) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [text for one in value.values() for text in texts(one)]
        case list():
            return [text for one in value for text in texts(one)]
        case _:
            return []


def test_facts_of_one_endpoint_join_both_files(witness: Witness) -> None:
    """Scopes and tokens come from the one file, the native key and the limits from the other."""
    facts = witness.facts("bitable.v1.app_table_record.create")

    assert facts is not None
    assert (facts.http, facts.rate_tier) == ("POST", 9)
    assert facts.tokens == {"tenant", "user"}
    assert facts.scopes == ("base:record:create", "bitable:app")
    assert facts.sources == ("zod", "node", "explorer")
    assert facts.native == NativeKey(name="client_token", place="query", required=False)
    assert facts.native.slot == "query.client_token"
    assert facts.docs.limits["path.table_id"].max_len == 50
    assert 1254045 in facts.docs.errors
    assert facts.risk is None


@pytest.mark.parametrize(
    ("sdk", "slot", "known"),
    [
        pytest.param("bitable.v1.app_table_record.create", "body.created_by", {"sdk_only": True}, id="read-only"),
        pytest.param("bitable.v1.app_table_record.create", "query.user_id_type", {"enum": ("user_id", "union_id", "open_id")}, id="enum"),
        pytest.param("acs.v1.rule_external.create", "body.rule.name", {"required": False}, id="second-level"),
        pytest.param("approval.v4.instance.create", "body.i18n_resources[].locale", {"required": True}, id="list-items"),
        pytest.param("drive.v1.file.upload_all", "form.file", {"type": "file"}, id="form"),
        pytest.param("acs.v1.access_record.list", "query.from", {"setter": "from_", "required": True}, id="setter"),
        pytest.param("translation.v1.text.translate", "body.glossary.from_", {"wire": "from"}, id="wire-name"),
        pytest.param("lingo.v1.entity.get", "path.repo_id", {"not_in_route": True}, id="not-in-route"),
        pytest.param("acs.v1.access_record.list", "query.device_id", {"type": "int", "type_explorer": "str"}, id="wire-type"),
    ],
)  # fmt: skip
def test_a_slot_has_its_facts(sdk: str, slot: str, known: dict[str, object], witness: Witness) -> None:
    """Facts are found by the slot's name as curation writes it."""
    facts = witness.facts(sdk)
    found = facts.field(slot) if facts is not None else None

    assert isinstance(found, FieldFacts)
    assert {name: getattr(found, name) for name in known} == known


@pytest.mark.parametrize(
    "slot", ["path.nothing", "header.x", "body.rule.name.deeper", "body", "", "rule", "body.rule."]
)
def test_a_slot_nobody_knows_has_none(slot: str, witness: Witness) -> None:
    """A wrong or deeper slot is not an error."""
    facts = witness.facts("acs.v1.rule_external.create")

    assert facts is not None and facts.field(slot) is None


def test_scopes_are_those_of_every_endpoint(witness: Witness) -> None:
    """Scopes of endpoints, of fields and of endpoints outside the SDK count, and nothing else looks like one."""
    scopes = witness.scopes()

    assert {"bitable:app", "contact:user.employee_id:readonly", "offline_access"} <= scopes
    assert not [one for one in scopes if not re.fullmatch(r"[a-z0-9_.]+(:[A-Za-z0-9_.\-]+)*", one)]
    for name in witness.methods().names():
        facts = witness.facts(name)
        if facts is not None:
            assert {
                *facts.scopes,
                *facts.scopes_all_of,
                *facts.scopes_registry,
                *facts.field_scopes,
            } <= scopes


def test_a_method_is_found_by_its_route(witness: Witness) -> None:
    """Placeholder names and a trailing slash do not count."""
    route = "/open-apis/bitable/v1/apps/:base/tables/:table/records/"

    assert witness.by_route("POST", route) == "bitable.v1.app_table_record.create"
    assert witness.by_route("PUT", route) is None


def test_a_missing_folder_is_an_empty_witness(tmp_path: Path) -> None:
    """A surface without a witness knows nothing and fails at nothing."""
    empty = Witness.load(tmp_path / "nothing")

    assert len(empty.methods()) == 0
    assert empty.facts("bitable.v1.app.create") is None
    assert empty.scopes() == frozenset()
    assert empty.by_route("GET", "/") is None


def test_endpoints_alone_are_enough(tmp_path: Path) -> None:
    """Without pages and without a final line feed the facts are those of the endpoints' file."""
    (tmp_path / "endpoints.jsonl").write_text(GOOD.rstrip("\n"))

    facts = Witness.load(tmp_path).facts("a.v1.b.get")

    assert facts is not None
    assert (facts.sources, facts.docs.limits, facts.native) == (("node",), {}, None)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("", id="empty"),
        pytest.param("not json", id="not-json"),
        pytest.param('{"http":"GET","sdk":"c.v1.d.get"}', id="keys-in-another-order"),
        pytest.param('["c.v1.d.get"]', id="not-an-object"),
        pytest.param(GOOD.strip(), id="a-second-time"),
    ],
)
def test_a_line_without_its_name_stops_the_load(line: str, tmp_path: Path) -> None:
    """The fault is reported with the file and the line."""
    (tmp_path / "endpoints.jsonl").write_text(f"{GOOD}{line}\n")

    with pytest.raises(CatalogueError) as caught:
        Witness.load(tmp_path)

    assert (Path(caught.value.path).name, caught.value.line) == ("endpoints.jsonl", 2)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('["user"]', '"user"', id="wrong-type"),
        pytest.param('"request":"R"', '"request":7', id="number-for-text"),
        pytest.param('"request":"R",', "", id="key-missing"),
        pytest.param('"path":[]', '"path":[{"name":"x"}]', id="field-without-type"),
        pytest.param('"path":[]', '"path":[{"name":"x","type":"str","rquired":true}]', id="unknown-key"),
        pytest.param('"path":[]', '"path":[', id="cut-off"),
        pytest.param('"request":"R"', '"request":"\ud800"', id="not-unicode"),
        pytest.param('"path":[]', '"path":' + '[{"name":"x","type":"str","fields":' * 9000, id="deep"),
    ],
)
def test_a_line_of_another_form_is_an_error_when_it_is_used(old: str, new: str, tmp_path: Path) -> None:
    """A broken line is named by file and line, never a traceback, and hurts no other line."""
    broken = GOOD.replace("a.v1.b.get", "c.v1.d.get").replace(old, new)
    (tmp_path / "endpoints.jsonl").write_bytes((GOOD + broken).encode("utf-8", "surrogatepass"))
    witness = Witness.load(tmp_path)

    with pytest.raises(CatalogueError) as caught:
        witness.facts("c.v1.d.get")

    assert (Path(caught.value.path).name, caught.value.line) == ("endpoints.jsonl", 2)
    assert witness.facts("a.v1.b.get") is not None


def test_a_broken_page_is_an_error(tmp_path: Path) -> None:
    """The second file is checked as the first is."""
    (tmp_path / "endpoints.jsonl").write_text(GOOD)
    (tmp_path / "docs.jsonl").write_text('{"sdk":"a.v1.b.get","limits":{"query.x":{"maximum":3}}}\n')

    with pytest.raises(CatalogueError) as caught:
        Witness.load(tmp_path).facts("a.v1.b.get")

    assert (Path(caught.value.path).name, caught.value.line) == ("docs.jsonl", 1)


def test_a_folder_in_place_of_a_file_is_an_error(tmp_path: Path) -> None:
    """What cannot be read is named."""
    (tmp_path / "endpoints.jsonl").mkdir()

    with pytest.raises(CatalogueError, match="cannot be read"):
        Witness.load(tmp_path)
