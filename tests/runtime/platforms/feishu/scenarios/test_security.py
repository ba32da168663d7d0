"""An incident, and a device, through the gate."""

import pytest

from placet.contract.policy import Policy
from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.office_desk import desk

pytestmark = pytest.mark.anyio

DAY = {"after": "2026-05-06T00:00:00+08:00", "before": "2026-05-07T00:00:00+08:00"}


async def test_a_days_doings_of_one_person_are_read() -> None:
    """Moments travel as Unix seconds; addresses of machines stay behind."""
    who = {"operator_type": "user", "operator_id": "ou_x"}
    async with desk("security") as office:
        log = await office.call("security.query_audit_logs", {**DAY, **who})
        half = await office.result("security.query_audit_logs", {**DAY, "operator_id": "ou_x"})

    assert {"event_name", "time", "operator_id", "objects"} <= log["items"][0].keys()
    assert "ip" not in log["items"][0]
    assert half.kind == "refused"
    asked = dict(office.sent("GET /open-apis/admin/v1/audit_infos").query)
    assert (asked["oldest"], asked["latest"]) == ("1777996800", "1778083200")
    assert (asked["operator_value"], asked["user_id_type"]) == ("ou_x", "open_id")


async def test_logs_are_read_only_where_a_host_named_the_tool() -> None:
    """A policy that allows every read allows none of the logs."""
    async with desk("security", policy=Policy(reads=("*",))) as office:
        audit = await office.result("security.query_audit_logs", DAY)
        calls = await office.result("security.list_api_calls", {})

    assert (audit.kind, calls.kind, office.fake.calls()) == ("refused", "refused", [])


async def test_a_device_is_found_read_and_a_request_about_one_decided_after_a_yes() -> None:
    """The list's id leads to the device; a decision is held until a person makes it."""
    async with desk("security", unattended=False, authoriser=ask_for_writes) as office:
        (device, *_) = (await office.call("security.list_devices", {"open_id": "ou_x"}))["items"]
        read = await office.call("security.get_device", {"device_record_id": device["device_record_id"]})
        held = await office.result(
            "security.decide_device_request", {"request_id": "7088763625288187923", "approve": True}
        )

    assert {"name", "ownership", "status"} <= read.keys()
    assert "serial_number" not in read
    assert (held.kind, office.fake.calls("PUT *")) == ("pending", [])
