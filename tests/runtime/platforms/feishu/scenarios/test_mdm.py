"""Countries found by name and read by code, through the gate."""

import pytest

from tests.runtime.platforms.feishu.scenarios.office_desk import desk

pytestmark = pytest.mark.anyio

WANTED = {"fields": ["name", "global_code"], "languages": ["zh-CN"]}


async def test_a_country_is_found_by_name_and_read_by_its_code() -> None:
    """Lists of a query travel as one pair an item; the condition is a body of a GET; the code leads on."""
    condition = {"field": "name", "operator": "0", "text": "日本"}
    async with desk("mdm") as office:
        found = await office.call("mdm.list_countries", {**WANTED, "conditions": [condition], "match": "0"})
        code = found["items"][0]["code"]
        read = await office.call("mdm.get_countries", {**WANTED, "codes": [code]})

    asked = office.sent("GET /open-apis/mdm/v3/country_regions")
    assert [value for name, value in asked.query if name == "fields"] == ["name", "global_code"]
    assert asked.json["filter"] == {
        "logic": "0",
        "expressions": [{"field": "name", "operator": "0", "value": {"string_value": "日本"}}],
    }
    assert ("ids", code) in office.sent("GET /open-apis/mdm/v3/batch_country_region").query
    assert {"names", "dial_code"} <= read["items"][0].keys()


async def test_a_condition_says_how_it_is_joined() -> None:
    """Conditions without match are no request."""
    condition = {"field": "name", "operator": "11"}
    async with desk("mdm") as office:
        refused = await office.result("mdm.list_countries", {**WANTED, "conditions": [condition]})

    assert (refused.kind, office.fake.calls()) == ("refused", [])
