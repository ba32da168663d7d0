"""Linked companies through the gate, walked from the top by open ids."""

import pytest

from tests.runtime.platforms.feishu.scenarios.hr_desk import CTX, desk

pytestmark = pytest.mark.anyio


async def test_a_partner_is_walked_from_the_top() -> None:
    """Company, its top level, and one of its departments, by open ids throughout."""
    async with desk("trust_party") as (fake, gate):
        company = (await gate.call("trust_party.list_tenants", {}, CTX)).unwrap()["items"][0]
        place = {"tenant_key": company["tenant_key"]}
        top = await gate.call("trust_party.list_members", {**place, "department_id": "0"}, CTX)
        below = {**place, "department_id": top.unwrap()["items"][0]["department_id"]}
        department = await gate.call("trust_party.get_department", below, CTX)
        unclear = await gate.call("trust_party.list_members", place, CTX)

    assert {"name", "leaders"} <= department.unwrap().keys()
    assert unclear.kind == "refused"
    (listed,) = fake.calls("GET /open-apis/trust_party/v1/collaboration_tenants/*/visible_organization")
    assert listed.first("department_id_type") == "open_department_id"
    assert listed.first("target_department_id") == "0"
