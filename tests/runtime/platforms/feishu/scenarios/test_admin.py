"""A badge from its pictures to the people who get it, and a password, through the gate."""

import pytest

from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.office_desk import desk

pytestmark = pytest.mark.anyio

BADGES = "/open-apis/admin/v1/badges"


async def test_a_badge_is_made_found_given_and_taken_back() -> None:
    """Pictures become keys, the badge an id, the giving a list that can be revoked."""
    async with desk("admin") as office:
        picture = await office.stage(b"\x89PNG", "勋章.png")
        keys = [
            (await office.call("admin.upload_badge_image", {"file": picture, "kind": kind}))["image_key"]
            for kind in (1, 2)
        ]
        texts = {"name": "年度优秀员工", "detail_image": keys[0], "show_image": keys[1]}
        await office.call("admin.create_badge", texts)
        (badge, *_) = (await office.call("admin.list_badges", {"name": "年度"}))["items"]
        given = {
            "badge_id": badge["badge_id"],
            "name": "2026",
            "everybody": False,
            "open_ids": ["ou_x"],
            "since": "2026-12-01T00:00:00+08:00",
            "time_zone": "Asia/Shanghai",
        }
        grant = await office.call("admin.grant_badge", given)
        taken = {"badge_id": badge["badge_id"], "grant_id": grant["grant_id"]}
        await office.call("admin.revoke_badge_grant", taken)

    listed = office.sent(f"GET {BADGES}")
    assert {"name", "page_size"} <= dict(listed.query).keys()
    sent = office.sent(f"POST {BADGES}/{badge['badge_id']}/grants").json
    assert sent["rule_detail"] == {"effective_time": "1796054400"}
    assert (sent["user_ids"], sent["is_grant_all"], sent["grant_type"]) == (["ou_x"], False, 0)
    assert office.sent("DELETE *").path == f"{BADGES}/{badge['badge_id']}/grants/{grant['grant_id']}"


async def test_giving_a_badge_waits_for_a_person() -> None:
    """Colleagues are told at once, so nobody is before the yes."""
    given = {
        "badge_id": "b1", "name": "2026", "everybody": True, "since": "2026-12-01T00:00:00+08:00",
        "time_zone": "Asia/Shanghai",
    }  # fmt: skip
    async with desk("admin", unattended=False, authoriser=ask_for_writes) as office:
        held = await office.result("admin.grant_badge", given)

    assert (held.kind, office.fake.calls("POST *")) == ("pending", [])


async def test_use_is_read_for_a_department_or_for_one_person() -> None:
    """People's figures need to be asked for exactly: by department or by person, not by both."""
    may = {"start_date": "2026-05-01", "end_date": "2026-05-07"}
    async with desk("admin") as office:
        sums = await office.call(
            "admin.list_department_stats", {**may, "department_id": "0", "with_children": False}
        )
        both = await office.result("admin.list_user_stats", {**may, "department_id": "0", "open_id": "ou_x"})
        await office.call("admin.list_user_stats", {**may, "open_id": "ou_x"})

    assert {"date", "active", "active_rate"} <= sums["items"][0].keys()
    assert both.kind == "refused"
    asked = dict(office.sent("GET /open-apis/admin/v1/admin_user_stats").query)
    assert (asked["user_id"], asked["user_id_type"]) == ("ou_x", "open_id")
