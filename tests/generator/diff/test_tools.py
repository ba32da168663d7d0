"""Differences between golden tool files, in words and marked for whom they matter."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet_generator.diff import Change, changes_json, changes_text, compare

Golden = dict[str, Any]


def a_golden(name: str = "bitable.update_record", **parts: Any) -> Golden:
    """A golden tool file with every key, changed by dotted names (`binding.fixed`)."""
    properties = {"record_id": {"type": "string", "description": "The record."}, "fields": {"type": "object"}}
    schema = {
        "type": "object",
        "properties": properties,
        "required": ["record_id"],
        "additionalProperties": False,
    }
    tool: Golden = {
        "name": name,
        "wire": {"name": name.replace(".", "_"), "description": "Change a record.", "inputSchema": schema},
        "wire_zh": {
            "name": name.replace(".", "_"),
            "description": "改记录",
            "inputSchema": copy.deepcopy(schema),
        },
        "output_schema": {"type": "object", "properties": {"record_id": {"type": "string"}}},
        "binding": {
            "calls": [{"sdk": "bitable.v1.record.update", "http": "PUT", "route": "/r/:id", "body": "json"}],
            "slots": [
                {"argument": "record_id", "to": ["path.id"]},
                {"argument": "fields", "to": ["body.fields"]},
            ],
            "fixed": {"query.user_id_type": "open_id"},
            "context": {"body.user": "actor.open_id"},
            "output": [{"name": "record_id", "path": "record.record_id", "type": "string"}],
            "codecs": {"bitable.filter": 1},
            "rate_tier": 3,
        },
        "risk": "write",
        "identity": ["tenant", "user"],
        "scopes": {"any_of": ["base:record:update", "bitable:app"], "all_of": ["base:read"]},
        "idempotency": "ledger",
        "errors": {"en": {"1254045": "Call list_fields."}, "zh": {"1254045": "先查字段"}},
        "digest": "d1",
        "text_digest": "t1",
    }
    for place, value in parts.items():
        *above, last = place.split("__")
        at: Any = tool
        for part in above:
            at = at[part]
        at[last] = value
    return tool


def changes(**parts: Any) -> list[Change]:
    """What compare says when those parts of the tool have changed."""
    old, new = a_golden(), a_golden(**parts)
    return list(compare({old["name"]: old}, {new["name"]: new}))


SCOPES = {"any_of": ["base:record:update", "bitable:app"], "all_of": ["base:read"]}
CALL = {"sdk": "bitable.v1.record.update", "http": "PUT", "route": "/r/:id", "body": "json"}
SLOTS = [{"argument": "record_id", "to": ["path.id"]}, {"argument": "fields", "to": ["body.fields"]}]


@pytest.mark.parametrize(
    ("parts", "effect", "audience", "said"),
    [
        pytest.param({"risk": "high-risk-write"}, "breaking", "host", "risk raised", id="risk-raised"),
        pytest.param({"risk": "read"}, "widening", "host", "risk lowered", id="risk-lowered"),
        pytest.param({"risk": "odd"}, "breaking", "host", "changed", id="risk-unknown"),
        pytest.param({"sensitive": True}, "breaking", "host", "became sensitive", id="sensitive"),
        pytest.param({"identity": ["tenant"]}, "breaking", "host", "identity 'user' removed", id="identity-removed"),
        pytest.param({"identity": ["user", "tenant"]}, "breaking", "host", "used by default", id="identity-default"),
        pytest.param({"scopes": {**SCOPES, "any_of": [*SCOPES["any_of"], "x"]}}, "widening", "host", "suffices", id="scope-alternative"),
        pytest.param({"scopes": {**SCOPES, "any_of": ["bitable:app"]}}, "breaking", "host", "no longer suffices", id="scope-alternative-gone"),
        pytest.param({"scopes": {**SCOPES, "all_of": ["base:read", "x"]}}, "breaking", "host", "'x' needed besides", id="scope-needed"),
        pytest.param({"scopes": {**SCOPES, "all_of": []}}, "widening", "host", "not needed any more", id="scope-dropped"),
        pytest.param({"scopes": {**SCOPES, "any_of": SCOPES["any_of"][::-1]}}, "text", "host", "changed", id="scope-order"),
        pytest.param({"idempotency": "native"}, "widening", "host", "idempotency strengthened", id="idempotency-up"),
        pytest.param({"idempotency": "-"}, "breaking", "host", "idempotency weakened", id="idempotency-down"),
        pytest.param({"binding__calls": [{**CALL, "route": "/x"}]}, "breaking", "host", "route changed", id="route"),
        pytest.param({"binding__calls": [{**CALL, "http": "PATCH"}]}, "breaking", "host", "verb changed", id="verb"),
        pytest.param({"binding__calls": [{**CALL, "sdk": "x"}]}, "breaking", "host", "method changed", id="method"),
        pytest.param({"binding__calls": [CALL, {**CALL, "name": "two"}]}, "breaking", "host", "request added", id="call-added"),
        pytest.param({"binding__fixed": {}}, "breaking", "host", "removed", id="fixed-removed"),
        pytest.param({"binding__fixed": {"query.user_id_type": "user_id"}}, "breaking", "host", "changed", id="fixed-changed"),
        pytest.param({"binding__context": {"body.user": "actor.user"}}, "breaking", "host", "changed", id="context-changed"),
        pytest.param({"binding__codecs": {"bitable.filter": 2}}, "breaking", "host", "changed", id="codec-version"),
        pytest.param({"binding__slots": [{**SLOTS[0], "to": ["query.id"]}, SLOTS[1]]}, "breaking", "host", "to of its mapping changed", id="slot-moved"),
        pytest.param({"binding__output": [{"name": "record_id", "path": "id"}]}, "breaking", "host", "path of its mapping changed", id="answer-path"),
        pytest.param({"binding__preflight": ["bitable.known_fields"]}, "breaking", "both", "condition added", id="preflight-added"),
        pytest.param({"binding__rules": [{"kind": "exactly_one", "arguments": ["a", "b"]}]}, "breaking", "both", "condition added", id="rule-added"),
        pytest.param({"binding__native_key": {"slot": "query.k", "form": "uuid4"}}, "breaking", "host", "changed", id="native-key"),
        pytest.param({"binding__before": {"tool": "a.b"}}, "widening", "host", "changed", id="before"),
        pytest.param({"binding__rate_tier": 4}, "widening", "host", "changed", id="rate-tier"),
        pytest.param({"wire__description": "Change one."}, "text", "model", "changed", id="description"),
        pytest.param({"wire_zh__description": "改"}, "text", "model", "changed", id="description-zh"),
        pytest.param({"errors": {"en": {"1254045": "Other."}, "zh": {"1254045": "先查字段"}}}, "text", "model", "advice changed", id="advice"),
        pytest.param({"wire__name": "bt_update"}, "breaking", "model", "changed", id="wire-name"),
        pytest.param({"aliases": ["bitable.old"]}, "widening", "both", "alias added", id="alias"),
        pytest.param({"digest": "d2"}, "breaking", "both", "changed", id="digest-alone"),
        pytest.param({"text_digest": "t2"}, "text", "both", "changed", id="text-digest-alone"),
        pytest.param({"something_new": 1}, "breaking", "host", "changed", id="key-without-a-rule"),
    ],
)  # fmt: skip
def test_each_kind_of_change_has_its_words_and_its_mark(
    parts: dict[str, Any], effect: str, audience: str, said: str
) -> None:
    """One edit of a golden file is one change, for whom it matters and whether it breaks them."""
    (change,) = changes(**parts)

    assert (change.effect, change.audience, said in change.message) == (effect, audience, True), change


def test_a_text_edit_is_text_even_with_its_digest() -> None:
    """A summary edit changes description and text digest, and is nothing but text."""
    found = changes(wire__description="Change one.", text_digest="t2")

    assert [one.effect for one in found] == ["text"]


def test_a_contract_digest_that_no_rule_explains_is_never_hidden_by_text() -> None:
    """Text changes beside an unexplained contract change leave the contract change standing."""
    found = changes(wire__description="Change one.", digest="d2")

    assert {one.effect for one in found} == {"breaking", "text"}


def test_added_and_removed_tools_are_one_change_each() -> None:
    """A tool that comes widens the surface, one that goes breaks it."""
    one, two = a_golden("a.one", digest="d1"), a_golden("a.two", digest="d2")

    found = compare({"a.one": one}, {"a.two": two})

    assert [(c.tool, c.kind, c.effect) for c in found] == [
        ("a.one", "tool-removed", "breaking"),
        ("a.two", "tool-added", "widening"),
    ]


@pytest.mark.parametrize(
    ("aliases", "effect"),
    [pytest.param(["a.one"], "widening", id="alias-kept"), pytest.param([], "breaking", id="no-alias")],
)
def test_a_rename_is_seen_as_one(aliases: list[str], effect: str) -> None:
    """By its alias or by an equal contract, a renamed tool is no removal; without the alias the old name is gone."""
    old, new = a_golden("a.one"), a_golden("a.two", aliases=aliases)

    found = compare({"a.one": old}, {"a.two": new})

    assert {one.kind for one in found} == {"tool-renamed", "wire-name-changed"}
    assert {one.effect for one in found} == {effect}
    assert {one.tool for one in found} == {"a.two"}


def test_two_candidates_are_no_rename() -> None:
    """Where it is not clear which tool became which, nothing is claimed."""
    found = compare(
        {"a.one": a_golden("a.one")}, {"a.two": a_golden("a.two"), "a.three": a_golden("a.three")}
    )

    assert sorted(one.kind for one in found) == ["tool-added", "tool-added", "tool-removed"]


def test_schema_changes_reach_model_and_host() -> None:
    """Parameters, outputs and texts of both languages are compared with their own words."""
    new = a_golden()
    new["wire"]["inputSchema"]["required"].append("fields")
    new["wire"]["inputSchema"]["properties"]["record_id"]["description"] = "Which."
    new["wire_zh"]["inputSchema"]["properties"]["record_id"]["description"] = "哪条"
    new["wire_zh"]["inputSchema"]["required"].append("fields")
    new["output_schema"]["properties"] = {}

    found = compare({new["name"]: a_golden()}, {new["name"]: new})

    assert [(one.effect, one.audience, one.place, one.message) for one in found] == [
        ("breaking", "both", "output 'record_id'", "is gone"),
        ("breaking", "both", "parameter 'fields'", "became required"),
        ("text", "model", "parameter 'record_id'", "description changed"),
        ("text", "model", "parameter (zh) 'record_id'", "description changed"),
    ]


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a file, branches as well as leaves, without the file itself."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, one in inner for path in ((*at, key), *places(one, (*at, key)))]


@given(path=st.sampled_from(places(a_golden())), value=st.sampled_from(["other", 77, None, [3], {"x": 1}]))
def test_every_edit_of_a_golden_file_is_seen(path: tuple[Any, ...], value: Any) -> None:
    """Whatever place of the file is edited, to whatever nonsense, something is reported, in both directions."""
    old, new = a_golden(), a_golden()
    at: Any = new
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value

    assert compare({"t": old}, {"t": new})
    assert compare({"t": new}, {"t": old})
    assert compare({"t": new}, {"t": copy.deepcopy(new)}) == ()


def test_text_groups_by_tool_and_counts() -> None:
    """People read a block a tool, aligned, with the values, and the sums."""
    found = changes(risk="high-risk-write", wire__description="x" * 99 + "\x1b", identity=["tenant"])

    assert changes_text(found).splitlines() == [
        "bitable.update_record",
        "  breaking  host   identity 'user' removed (user)",
        "  breaking  host   risk raised (write -> high-risk-write)",
        f"  text      model  description: changed (Change a record. -> {'x' * 57}...)",
        "1 tool changed: 2 breaking, 0 widening, 1 text",
    ]
    assert changes_text(()) == "no change for the model or the host\n"


def test_json_has_the_values() -> None:
    """Tools get the old and the new value whole."""
    (row,) = json.loads(changes_json(changes(risk="read")))

    assert row == {
        "tool": "bitable.update_record",
        "kind": "risk-lowered",
        "effect": "widening",
        "audience": "host",
        "message": "risk lowered",
        "place": "",
        "old": "write",
        "new": "read",
    }
