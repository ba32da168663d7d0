"""The company and its seats through the gate."""

import pytest

from tests.runtime.platforms.feishu.scenarios.office_desk import desk

pytestmark = pytest.mark.anyio


async def test_the_company_and_its_seats_are_read_without_arguments() -> None:
    """Names and seats arrive; pictures and other counters do not."""
    async with desk("tenant") as office:
        company = await office.call("tenant.get_tenant", {})
        bought = await office.call("tenant.list_licences", {})

    assert company.keys() == {"name", "number", "tenant_key", "domain", "kind"}
    assert {"product", "seats", "assigned", "end"} <= bought["items"][0].keys()
    assert [one.path for one in office.fake.calls("GET *")] == [
        "/open-apis/tenant/v2/tenant/query",
        "/open-apis/tenant/v2/tenant/assign_info_list/query",
    ]
