"""A roster, a day's attendance and a forgotten punch through the gate."""

import pytest

from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.office_desk import desk

pytestmark = pytest.mark.anyio

DAY = {
    "user_id": "3e3cf96b",
    "month": 202605,
    "day": 6,
    "shift_id": "6753520403404030215",
    "group_id": "6737202939523236110",
}


async def test_a_night_shift_is_defined_found_and_deleted() -> None:
    """Hours beyond midnight travel as they were written; the delete names the shift that was found."""
    hours = {
        "on": "22:00", "off": "30:00", "late_minutes": 5, "lack_minutes": 60, "on_advance_minutes": 60,
        "early_minutes": 5, "early_lack_minutes": 60, "off_delay_minutes": 300,
    }  # fmt: skip
    async with desk("attendance") as office:
        await office.call("attendance.create_shift", {"name": "夜班", "times": [hours]})
        found = await office.call("attendance.find_shift", {"name": "夜班"})
        await office.call("attendance.delete_shift", {"shift_id": found["shift_id"]})

    made = office.sent("POST /open-apis/attendance/v1/shifts").json
    assert made["shift_name"] == "夜班"
    assert (made["punch_time_rule"][0]["on_time"], made["punch_time_rule"][0]["off_time"]) == (
        "22:00",
        "30:00",
    )
    assert office.sent("POST /open-apis/attendance/v1/shifts/query").query == (("shift_name", "夜班"),)
    assert office.sent("DELETE *").path == f"/open-apis/attendance/v1/shifts/{found['shift_id']}"


async def test_a_roster_waits_for_a_person_and_names_who_scheduled() -> None:
    """Scheduling is held; allowed, the operator is the acting person and not an argument."""
    async with desk("attendance", unattended=False, authoriser=ask_for_writes) as office:
        held = await office.result("attendance.schedule_shifts", {"days": [DAY]})
        assert (held.kind, office.fake.calls("POST *")) == ("pending", [])
    async with desk("attendance") as office:
        await office.call("attendance.schedule_shifts", {"days": [DAY]})

    sent = office.sent("POST *").json
    assert sent["operator_id"] == "3e3cf96b"
    assert sent["user_daily_shifts"] == [{**{key: DAY[key] for key in DAY if key != "day"}, "day_no": 6}]


async def test_punches_are_asked_for_by_moment_and_absences_by_day() -> None:
    """Moments travel as Unix seconds in text, days as numbers; absences take open_ids."""
    week = {
        "user_ids": ["3e3cf96b"],
        "after": "2026-05-04T00:00:00+08:00",
        "before": "2026-05-05T00:00:00+08:00",
    }
    away = {"open_ids": ["ou_x"], "first_day": 20260504, "last_day": 20260508}
    async with desk("attendance") as office:
        punches = await office.call("attendance.query_flows", week)
        absences = await office.call("attendance.query_absences", away)

    asked = office.sent("POST /open-apis/attendance/v1/user_flows/query").json
    assert (asked["check_time_from"], asked["check_time_to"]) == ("1777824000", "1777910400")
    assert punches["items"][0].keys() == {
        "flow_id",
        "user_id",
        "time",
        "place",
        "is_field",
        "kind",
        "comment",
    }
    by_day = office.sent("POST /open-apis/attendance/v1/user_approvals/query")
    assert by_day.query == (("employee_type", "open_id"),)
    assert by_day.json["check_date_from"] == 20260504
    assert {"open_id", "day", "leaves"} <= absences["items"][0].keys()


async def test_a_person_corrects_only_a_punch_of_their_own() -> None:
    """Whose punch it is comes from the call; the model says which and why."""
    async with desk("attendance") as office:
        (first, *_) = (await office.call("attendance.list_correctable_punches", {"day": 20260506}))["items"]
        wish = {"day": 20260506, "punch_no": first["punch_no"], "work_type": 1, "time": "2026-05-06 09:00"}
        filed = await office.call("attendance.submit_remedy", {**wish, "reason": "忘记打卡"})
        named = await office.result("attendance.submit_remedy", {**wish, "reason": "x", "user_id": "other"})

    assert filed.keys() == {"approval_id", "status", "time"}
    assert named.kind == "refused"
    assert office.sent("POST /open-apis/attendance/v1/user_task_remedys").json["user_id"] == "3e3cf96b"
