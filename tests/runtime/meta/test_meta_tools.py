"""The four meta tools through the gate: no tenant needed, nothing sent, and true about what is enabled."""

from typing import Any

import pytest

import placet_feishu
from placet.contract.call import CallContext
from placet.contract.policy import Policy
from placet.contract.result import Ok
from placet.gate import Gate
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
    assert [one["enabled"] for one in found["items"] if one["risk"] == "high-risk-write"][:1] in ([], [False])


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
    """And how somebody else makes a tool of what none has."""
    known = await ask("capability_lookup", method="bitable.v1.app_table_record.update")
    unknown = await ask("capability_lookup", method="im.v9.nothing.do")

    assert known["items"][0]["tools"] == ["bitable_update_record"]
    assert unknown["items"] == []
    assert "placet new" in unknown["next_step"]


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
