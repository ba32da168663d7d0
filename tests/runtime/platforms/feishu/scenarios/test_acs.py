"""Doors, passages and a visitor through the gate."""

import pytest

from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.office_desk import desk

pytestmark = pytest.mark.anyio

SUNDAY = {"after": "2026-05-10T00:00:00+08:00", "before": "2026-05-11T00:00:00+08:00"}


async def test_passages_of_a_door_are_listed_and_a_photo_becomes_a_file() -> None:
    """The period travels as Unix seconds, the photo arrives as a handle and not as bytes."""
    door = {"device_id": "7091146989218002577"}
    async with desk("acs") as office:
        await office.call("acs.list_devices", {})
        (passage, *_) = (await office.call("acs.list_access_records", {**SUNDAY, **door}))["items"]
        photo = await office.call("acs.get_access_photo", {"access_record_id": passage["access_record_id"]})

    asked = dict(office.sent("GET /open-apis/acs/v1/access_records").query)
    assert (asked["from"], asked["to"], asked["device_id"]) == ("1778342400", "1778428800", door["device_id"])
    assert str(photo["file"]).startswith("file_") or photo["file"]["handle"].startswith("file_")


async def test_a_visitor_is_registered_and_removed_by_the_person() -> None:
    """Both run under the person's token; the number of the registration is what is removed."""
    async with desk("acs") as office:
        guest = {"name": "李四", "phone": "13500000000"}
        visitor = await office.call("acs.add_visitor", guest, Identity.USER)
        await office.call("acs.remove_visitor", visitor, Identity.USER)

    added = office.sent("POST *")
    assert added.json == {"user": {"user_type": 11, "user_name": "李四", "phone_num": "13500000000"}}
    assert added.identity is Identity.USER
    assert office.sent("DELETE *").path == f"/open-apis/acs/v1/visitors/{visitor['visitor_id']}"
