"""Pay runs through the gate: found, read for named people, and sealed by a person."""

import pytest

from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.hr_desk import CTX, desk

pytestmark = pytest.mark.anyio

JUNE = {"paid_from": "2026-06-01", "paid_to": "2026-06-30"}


async def test_pay_is_read_for_named_people_in_a_period() -> None:
    """The runs of a month, then what certain employees were paid, page by page from the first."""
    async with desk("payroll") as (fake, gate):
        runs = (await gate.call("payroll.list_pay_runs", JUNE, CTX)).unwrap()["items"]
        asked = {"employee_ids": ["6893014062142064135"], **JUNE}
        pay = await gate.call("payroll.query_pay_details", asked, CTX)

    assert {"pay_run_id", "pay_date", "status"} <= runs[0].keys()
    assert pay.unwrap()["items"][0].keys() == {"employee_id", "pay_run_id", "pay"}
    (sent,) = fake.calls("POST /open-apis/payroll/v1/payment_detail/query")
    assert sent.json["employee_ids"] == asked["employee_ids"]
    assert (sent.json["page_index"], sent.json["page_size"]) == (1, 20)
    assert (sent.json["pay_period_start_date"], sent.json["pay_period_end_date"]) == tuple(JUNE.values())


async def test_pay_of_everybody_is_no_request() -> None:
    """Without people, or without period and run, nothing is sent."""
    async with desk("payroll") as (fake, gate):
        nobody = await gate.call("payroll.query_pay_details", JUNE, CTX)
        never = await gate.call("payroll.query_pay_details", {"employee_ids": ["1"]}, CTX)

    assert (nobody.kind, never.kind, fake.calls()) == ("refused", "refused", [])


async def test_a_pay_run_is_sealed_by_a_person_only() -> None:
    """Sealing waits; allowed, it sends the run's id digit by digit, as text."""
    run = {"pay_run_id": "7433255159377444875"}
    async with desk("payroll", unattended=False, authoriser=ask_for_writes) as (fake, gate):
        held = await gate.call("payroll.archive_pay_run", run, CTX)
        assert (held.kind, fake.calls("POST *")) == ("pending", [])
    async with desk("payroll") as (fake, gate):
        sealed = await gate.call("payroll.archive_pay_run", run, CTX)

    assert sealed.kind == "ok"
    (sent,) = fake.calls("POST /open-apis/payroll/v1/payment_activitys/archive")
    assert sent.json == {"activity_id": "7433255159377444875"}
