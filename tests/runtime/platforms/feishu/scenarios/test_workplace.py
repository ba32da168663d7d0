"""Visits of the workplace through the gate."""

import pytest

from tests.runtime.platforms.feishu.scenarios.office_desk import desk

pytestmark = pytest.mark.anyio

WEEK = {"from_date": "2026-05-04", "to_date": "2026-05-10"}


async def test_a_weeks_visits_are_read_as_a_whole_by_page_and_by_block() -> None:
    """A POST that reads is a read; the platform always gets the size of page that it demands."""
    async with desk("workplace") as office:
        whole = await office.call("workplace.list_visits", WEEK)
        page = (await office.call("workplace.list_custom_visits", WEEK))["items"][0]["workplace_id"]
        await office.call("workplace.list_custom_visits", {**WEEK, "workplace_id": page})
        await office.call("workplace.list_block_visits", WEEK)

    assert whole["items"][0].keys() == {"date", "visits", "people", "default_visits", "default_people"}
    asked = dict(office.sent("POST /open-apis/workplace/v1/workplace_access_data/search").query)
    assert (asked["from_date"], asked["to_date"]) == ("2026-05-04", "2026-05-10")
    assert int(asked["page_size"]) >= 1
    (_, narrowed) = office.fake.calls("POST /open-apis/workplace/v1/custom_workplace_access_data/search")
    assert ("custom_workplace_id", page) in narrowed.query
