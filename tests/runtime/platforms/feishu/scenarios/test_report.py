"""Reports of a week, through the gate."""

import pytest

from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.work_desk import desk

pytestmark = pytest.mark.anyio

WEEK = {"since": "2026-05-04T00:00:00+08:00", "until": "2026-05-10T23:59:59+08:00"}


async def test_a_kind_of_report_leads_to_what_was_handed_in() -> None:
    """The name gives the kind, the kind and a week give the reports."""
    async with desk("report", identities=(Identity.TENANT,)) as at:
        rule = (await at.do("report.find_rules", name="工作周报"))["items"][0]
        reports = await at.do("report.list_reports", rule_id=rule["rule_id"], **WEEK)

        assert reports["items"][0]["answers"]
        arrived = at.fake.calls()[-1]
        assert (arrived.method, arrived.path) == ("POST", "/open-apis/report/v1/tasks/query")
        assert arrived.json["rule_id"] == rule["rule_id"]
        assert (arrived.json["commit_start_time"], arrived.json["commit_end_time"]) == (
            1777824000,
            1778428799,
        )


async def test_a_board_is_taken_away_only_after_a_yes() -> None:
    """It concerns other people's screens."""
    async with desk("report", identities=(Identity.TENANT,), unattended=False) as at:
        asked = await at.gate.call("report.remove_boards", {"rule_id": "7301", "open_ids": ["ou_li"]}, at.ctx)

        assert asked.kind == "pending"
        assert at.fake.calls() == []
