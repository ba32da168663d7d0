"""A status beside people's names, through the gate."""

import pytest

from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.work_desk import desk

pytestmark = pytest.mark.anyio

STATUSES = "/open-apis/personal_settings/v1/system_statuses"


async def test_a_status_is_found_switched_on_and_off() -> None:
    """The end travels in seconds, the people by open_id."""
    async with desk("personal_settings", identities=(Identity.TENANT,)) as at:
        status = (await at.do("personal_settings.list_statuses"))["items"][0]["status_id"]
        until = "2026-05-08T18:00:00+08:00"

        on = await at.sent(
            "personal_settings.open_status", status_id=status, people=[{"open_id": "ou_li", "until": until}]
        )
        off = await at.sent("personal_settings.close_status", status_id=status, open_ids=["ou_li"])

        assert (on.path, on.first("user_id_type")) == (f"{STATUSES}/{status}/batch_open", "open_id")
        assert on.json == {"user_list": [{"user_id": "ou_li", "end_time": "1778234400"}]}
        assert (off.path, off.json) == (f"{STATUSES}/{status}/batch_close", {"user_list": ["ou_li"]})


async def test_a_change_names_the_members_that_count() -> None:
    """The platform changes only what is named."""
    async with desk("personal_settings", identities=(Identity.TENANT,)) as at:
        arrived = await at.sent(
            "personal_settings.update_status",
            status_id="7101",
            title="出差中",
            icon="GeneralBusinessTrip",
            color="GREEN",
            priority=3,
        )

        assert arrived.json == {
            "system_status": {
                "title": "出差中",
                "icon_key": "GeneralBusinessTrip",
                "color": "GREEN",
                "priority": 3,
            },
            "update_fields": ["TITLE", "ICON", "COLOR", "PRIORITY"],
        }
