"""The four meta tools through the gate: no tenant needed, nothing sent, and true about what is enabled."""

from pathlib import Path
from typing import Any

import pytest

import placet_feishu
from placet.contract.call import CallContext
from placet.contract.policy import Policy
from placet.contract.result import Ok
from placet.gate import Gate
from placet.meta.methods import methods_of
from placet.stores.memory import MemoryTruth

pytestmark = pytest.mark.anyio

CTX = CallContext(app="cli_none", result_chars=None)
UPDATE = "bitable.update_record"


async def ask(name: str, /, **arguments: Any) -> dict[str, Any]:
    async with Gate(
        surfaces=[placet_feishu.surface],
        tenants=[],
        store=MemoryTruth(),
        policy=Policy(write_allow=(UPDATE,)),
    ) as gate:
        result = await gate.call(f"feishu.{name}", arguments, CTX)
    assert isinstance(result, Ok), result
    assert result.drift == ()
    data: dict[str, Any] = result.data
    return data


async def test_search_names_the_tool_what_it_may_do_and_what_comes_first() -> None:
    """A hit says whether it is enabled, and which tools supply the ids it needs."""
    found = await ask("tool_search", query="change one record of a bitable", limit=10)
    update = next(one for one in found["items"] if one["name"] == "bitable_update_record")

    assert update["enabled"] is True
    assert update["risk"] == "write"
    assert update["source"]["http"] == "PUT"
    assert {one["enabled"] for one in found["items"] if one["risk"] == "high-risk-write"} == {False}


async def test_search_can_be_narrowed_and_says_when_nothing_fits() -> None:
    """By domain, risk and what is on."""
    domain = await ask("tool_search", query="list records", domain="bitable")
    on = await ask("tool_search", query="update record", enabled=True, risk="write")
    nothing = await ask("tool_search", query="pluck a chicken")

    assert {one["domain"] for one in domain["items"]} == {"bitable"}
    assert [one["name"] for one in on["items"]] == ["bitable_update_record"]
    assert nothing["items"] == []
    assert "Do not guess" in nothing["note"]


async def test_a_schema_is_read_by_tool_and_by_method() -> None:
    """The definition as a model would get it; a method with every place that a tool fills."""
    tool = await ask("schema_read", tool="bitable_update_record")
    same = await ask("schema_read", tool="bitable.update_record")
    method = await ask("schema_read", method="bitable.v1.app_table_record.update")
    unknown = await ask("schema_read", tool="bitable.no_such_tool")

    assert tool == same
    assert "fields" in tool["input_schema"]["properties"]
    assert tool["output_schema"]
    assert "body.fields" in [slot["name"] for slot in method["slots"]]
    assert "Do not guess" in unknown["summary"]


async def test_a_capability_names_the_tools_that_have_it() -> None:
    """By the method's exact name."""
    known = await ask("capability_lookup", method="bitable.v1.app_table_record.update")

    assert known["items"][0]["tools"] == ["bitable_update_record"]
    assert known["items"][0]["http"] == "PUT"
    assert "next_step" not in known


async def test_a_method_that_no_tool_uses_is_found_and_how_to_curate_it() -> None:
    """The platform's whole list is looked through, by name, by a slip of it, and by English words."""
    method = "moments.v1.post.get"
    assert all(entry.source.sdk != method for entry in placet_feishu.surface.tools)
    exact = await ask("capability_lookup", method=method)
    slip = await ask("capability_lookup", method="moments.v1.post.gte")
    words = await ask("capability_lookup", query="read a moments post")

    assert [one["method"] for one in exact["items"]] == [method]
    assert exact["items"][0]["tools"] == []
    assert exact["items"][0]["route"].startswith("/open-apis/moments/")
    assert "placet new" in exact["next_step"]
    assert method in [one["method"] for one in slip["items"]]
    assert method in [one["method"] for one in words["items"]]


async def test_what_the_platform_cannot_do_is_said() -> None:
    """Neither a made-up method nor a wish finds something."""
    unknown = await ask("capability_lookup", method="im.v9.nothing.do")
    wish = await ask("capability_lookup", query="pluck a chicken")

    assert (unknown["items"], wish["items"]) == ([], [])
    assert "no such method" in wish["note"]
    assert "placet new" in unknown["next_step"]


def test_the_list_has_every_method_of_the_sdk(workspace: Path) -> None:
    """As many lines as the witness has, each found by its own name."""
    listed = methods_of("placet_feishu")
    lines = (workspace / "curation/feishu/witness/endpoints.jsonl").read_text(encoding="utf-8").count("\n")

    assert len(listed.by_name) == lines
    assert len(listed.by_name) > 1600


async def test_guidance_is_read_page_by_page() -> None:
    """The first page lists its topics; a page that is not there says which are."""
    first = await ask("guidance_read", domain="bitable")
    topic = await ask("guidance_read", domain="bitable", topic="filters")
    missing = await ask("guidance_read", domain="bitable", topic="../secret")
    nowhere = await ask("guidance_read", domain="../../etc")

    assert "filters" in [one["topic"] for one in first["topics"]]
    assert topic["text"].startswith("#")
    assert "There is no such topic" in missing["text"]
    assert "There is no such domain" in nowhere["text"]
