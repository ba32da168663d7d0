"""A raise through the gate: the record read, the change proposed, and sent once, in the actor's name."""

import pytest

from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.hr_desk import ACTOR, CTX, desk

pytestmark = pytest.mark.anyio

RAISE = {
    "open_id": "ou_li",
    "effective": "2026-07-01",
    "plan_id": "p1",
    "plan_tid": "t1",
    "currency_id": "c1",
    "change_reason_id": "r1",
    "pay": [{"item_id": "i1", "value": "22000.00"}],
}


async def test_a_raise_waits_for_a_person_who_sees_the_old_pay() -> None:
    """Nothing is written; the employee's record was read for the proposal."""
    async with desk("compensation", unattended=False, authoriser=ask_for_writes) as (fake, gate):
        held = await gate.call("compensation.create_archive", RAISE, CTX)

    assert (held.kind, fake.calls("POST /open-apis/compensation/v1/archives")) == ("pending", [])
    (read,) = fake.calls("POST /open-apis/compensation/v1/archives/query")
    assert read.json == {"user_id_list": ["ou_li"]}


async def test_a_raise_is_sent_in_the_actors_name_with_the_platforms_key() -> None:
    """Amounts stay text, the employee is who was named, and a repeat can be told by the key."""
    async with desk("compensation") as (fake, gate):
        plan = (await gate.call("compensation.list_plans", {}, CTX)).unwrap()["items"][0]
        done = await gate.call("compensation.create_archive", RAISE, CTX)

    assert {"plan_id", "plan_tid", "currency_id", "items"} <= plan.keys()
    assert done.unwrap().keys() == {"archive_tid"}
    (sent,) = fake.calls("POST /open-apis/compensation/v1/archives")
    assert sent.json["item_value_lists"] == [{"item_id": "i1", "item_value": "22000.00"}]
    assert (sent.json["user_id"], sent.json["operator_id"]) == ("ou_li", ACTOR)
    assert len(sent.json["unique_id"]) == 36
    assert dict(sent.query) == {"user_id_type": "open_id"}
