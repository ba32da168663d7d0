"""Core HR through the gate: a transfer as of a day, somebody joining and somebody leaving."""

import pytest

from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.hr_desk import ACTOR, CTX, desk

pytestmark = pytest.mark.anyio

DAY = "2026-07-01"


async def test_an_employee_is_transferred_as_of_a_day() -> None:
    """Only what changes is sent, and the actor is who started it."""
    async with desk("corehr") as (fake, gate):
        found = await gate.call("corehr.search_employees", {"keyword": "张三"}, CTX)
        person = found.unwrap()["items"][0]["employment_id"]
        kinds = (await gate.call("corehr.list_transfer_types", {"active": True}, CTX)).unwrap()["items"]
        change = {
            "employment_id": person,
            "mode": 2,
            "transfer_type": kinds[0]["transfer_type"],
            "flow_id": kinds[0]["flow_id"],
            "effective": DAY,
            "department_id": "od-platform",
        }
        moved = await gate.call("corehr.create_job_change", change, CTX)

    assert moved.unwrap().keys() == {"job_change_id", "status", "effective"}
    (sent,) = fake.calls("POST /open-apis/corehr/v2/job_changes")
    assert sent.json == {
        "employment_id": person,
        "transfer_mode": 2,
        "transfer_type_unique_identifier": change["transfer_type"],
        "flow_id": change["flow_id"],
        "effective_date": DAY,
        "transfer_info": {"target_department": "od-platform"},
        "initiator_id": ACTOR,
    }
    assert dict(sent.query) == {"user_id_type": "open_id", "department_id_type": "open_department_id"}
    (search,) = fake.calls("POST /open-apis/corehr/v2/employees/search")
    assert "person_info.preferred_local_full_name" in search.json["fields"]
    assert search.first("page_size") == "20"  # the platform refuses the search without one


async def test_a_transfer_without_a_change_is_not_sent() -> None:
    """A kind and a day alone are no transfer."""
    async with desk("corehr") as (fake, gate):
        empty = {"employment_id": "ou_li", "mode": 1, "transfer_type": "t", "effective": DAY}
        refused = await gate.call("corehr.create_job_change", empty, CTX)

    assert refused.kind == "refused"
    assert fake.calls() == []


async def test_a_leaving_waits_for_a_person() -> None:
    """Ending an employment is proposed, with the employee's name read before, and not sent."""
    leaving = {"employment_id": "ou_li", "mode": 2, "leaves": "2026-06-30", "reason": "r1"}
    async with desk("corehr", unattended=False, authoriser=ask_for_writes) as (fake, gate):
        held = await gate.call("corehr.submit_offboarding", leaving, CTX)

    assert held.kind == "pending"
    assert fake.calls("POST /open-apis/corehr/v2/offboardings/submit_v2") == []
    assert len(fake.calls("POST /open-apis/corehr/v2/employees/batch_get")) == 1


async def test_a_leaving_is_found_and_taken_back() -> None:
    """The record's id leads from the search to the revocation, in the actor's name."""
    async with desk("corehr") as (fake, gate):
        found = await gate.call("corehr.search_offboardings", {"statuses": ["Approved"]}, CTX)
        record = found.unwrap()["items"][0]["offboarding_id"]
        done = await gate.call("corehr.revoke_offboarding", {"offboarding_id": record}, CTX)

    assert done.kind == "ok"
    (sent,) = fake.calls("POST /open-apis/corehr/v2/offboardings/revoke")
    assert sent.json == {"offboarding_id": record, "operator_id": ACTOR}


async def test_a_new_colleague_is_entered_and_joins() -> None:
    """Core HR's own number of the department comes from the conversion, and a repeat has the platform's key."""
    async with desk("corehr") as (fake, gate):
        asked = {"direction": 2, "kind": "department_id", "ids": ["od-1"]}
        number = (await gate.call("corehr.convert_ids", asked, CTX)).unwrap()["items"][0]["target_id"]
        colleague = {"full_name": "李雷", "starts": DAY, "department_id": number}
        entered = (await gate.call("corehr.create_pre_hire", colleague, CTX)).unwrap()["pre_hire_id"]
        joined = await gate.call("corehr.complete_pre_hire", {"pre_hire_id": entered}, CTX)

    assert joined.kind == "ok"
    (sent,) = fake.calls("POST /open-apis/corehr/v2/pre_hires")
    assert sent.json["basic_info"] == {"name": {"full_name": "李雷"}}
    assert sent.json["offer_info"] == {"onboarding_date": DAY, "department_id": number}
    assert len(sent.json["out_biz_id"]) == 36
    (completed,) = fake.calls("POST /open-apis/corehr/v2/pre_hires/*/complete")
    assert completed.path.split("/")[-2] == entered


async def test_leave_is_counted_for_named_employees() -> None:
    """Balances are asked for people by open_id, never for the whole company."""
    async with desk("corehr") as (fake, gate):
        balances = await gate.call("corehr.list_leave_balances", {"employment_ids": ["ou_li", "ou_han"]}, CTX)
        everybody = await gate.call("corehr.list_leave_balances", {}, CTX)

    assert {"left", "taken", "unit"} <= balances.unwrap()["items"][0]["balances"][0].keys()
    assert everybody.kind == "refused"
    (sent,) = fake.calls("GET /open-apis/corehr/v1/leaves/leave_balances")
    assert [value for name, value in sent.query if name == "employment_id_list"] == ["ou_li", "ou_han"]
