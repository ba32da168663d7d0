"""Rows, pages and visibility of a Spark app through the gate."""

import json

import pytest

from placet.contract.words import Identity
from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.office_desk import desk

pytestmark = pytest.mark.anyio

USER = Identity.USER
RECORDS = "/open-apis/spark/v1/apps/app_x/tables/tickets/records"
TABLE = {"app_id": "app_x", "table": "tickets"}
SEVEN = {**TABLE, "filter": "id=eq.7&status=neq.closed"}


async def test_rows_are_read_with_a_filter_and_changed_with_the_same() -> None:
    """Rows arrive as a list, and the filter stays one value."""
    async with desk("spark") as office:
        read = await office.call("spark.query_records", {**SEVEN, "limit": 50}, USER)
        await office.call("spark.update_records", {**SEVEN, "values": {"status": "closed"}}, USER)

    assert read["rows"][0]["id"] == "r1"
    assert {"total", "next_cursor"} <= read.keys()
    assert dict(office.sent(f"GET {RECORDS}").query)["page_size"] == "50"
    sent = office.sent(f"PATCH {RECORDS}")
    assert ("filter", "id=eq.7&status=neq.closed") in sent.query
    assert json.loads(sent.json["record"]) == {"status": "closed"}


async def test_who_decides_on_a_change_sees_the_rows_that_it_meets() -> None:
    """The read before it takes the change's own filter."""
    async with desk("spark", unattended=False, authoriser=ask_for_writes) as office:
        held = await office.result("spark.update_records", {**SEVEN, "values": {"status": "closed"}}, USER)

    assert held.kind == "pending"
    assert ("filter", "id=eq.7&status=neq.closed") in office.sent(f"GET {RECORDS}").query
    assert office.fake.calls("PATCH *") == []


async def test_rows_are_added_as_json_and_deleted_after_a_yes() -> None:
    """Deleting is held, and without a filter it is no request at all."""
    rows = [{"title": "投影仪", "reporter": "ou_x"}]
    async with desk("spark") as office:
        await office.call("spark.add_records", {**TABLE, "rows": rows}, USER)
        everything = await office.result("spark.delete_records", TABLE, USER)
    async with desk("spark", unattended=False, authoriser=ask_for_writes) as other:
        held = await other.result("spark.delete_records", SEVEN, USER)

    assert json.loads(office.sent(f"POST {RECORDS}").json["records"]) == rows
    assert (everything.kind, held.kind) == ("refused", "pending")
    assert other.fake.calls("DELETE *") == []


async def test_rows_change_one_by_one_as_json() -> None:
    """Each row goes by its key with values of its own, people by open ids."""
    rows = [{"_id": 7, "status": "done"}, {"_id": 8, "reporter": "ou_x"}]
    async with desk("spark") as office:
        await office.call("spark.change_records", {**TABLE, "rows": rows}, USER)

    sent = office.sent("PATCH *records_batch_update")
    assert json.loads(sent.json["records"]) == rows
    assert sent.first("user_identifier_type") == "open_id"


async def test_an_app_is_made_published_and_opened_to_the_company() -> None:
    """The tar travels as a form, and only what was said about visibility is sent."""
    async with desk("spark") as office:
        app = (await office.call("spark.create_app", {"name": "团建报名"}, USER))["app_id"]
        pages = await office.stage(b"tar", "pages.tar")
        await office.call("spark.publish_html", {"app_id": app, "file": pages}, USER)
        opened = {"app_id": app, "scope": "Tenant", "require_login": True}
        await office.call("spark.set_app_visibility", opened, USER)

    assert office.sent("POST /open-apis/spark/v1/apps").json == {"name": "团建报名", "app_type": "HTML"}
    (part,) = office.sent(f"POST /open-apis/spark/v1/apps/{app}/upload_and_release_html_code").parts
    assert part.content == b"tar"
    assert office.sent("PUT *").json == {"scope": "Tenant", "require_login": True}
