"""From a meeting's number to an act in it, and what leaves of those who took part."""

import pytest

from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.people import ASKER, hosted

pytestmark = pytest.mark.anyio

DAY = {"from_time": "2026-05-04T00:00:00+08:00", "to_time": "2026-05-05T00:00:00+08:00"}


async def test_a_number_leads_to_the_meeting_and_the_meeting_to_its_people() -> None:
    """The nine digits give the meeting_id; host and participants come with their ids."""
    async with hosted() as host:
        await host.ask("vc.find_meetings_by_number", meeting_no="123456789", **DAY)

        assert host.last.path == "/open-apis/vc/v1/meetings/list_by_no"
        assert [host.last.first(name) for name in ("meeting_no", "start_time", "end_time")] == [
            "123456789",
            "1777824000",
            "1777910400",
        ]

        meeting = await host.ask("vc.get_meeting", meeting_id="691")
        assert (host.last.path, host.last.first("with_participants")) == (
            "/open-apis/vc/v1/meetings/691",
            "true",
        )
        assert meeting["participants"][0]["open_id"]
        assert meeting["start"].endswith("Z")


async def test_recording_starts_under_the_hosts_own_token() -> None:
    """Acts in a meeting are a person's, never the app's."""
    async with hosted(writes=("vc.start_recording",)) as host:
        await host.ask("vc.start_recording", Identity.USER, meeting_id="691", utc_offset=8)

        assert host.last.identity is Identity.USER
        assert (host.last.method, host.last.path) == (
            "PATCH",
            "/open-apis/vc/v1/meetings/691/recording/start",
        )
        assert host.last.json == {"timezone": 8}


async def test_ending_a_meeting_is_off_until_the_host_names_it() -> None:
    """Nothing that everybody feels at once is on by default."""
    async with hosted() as host:
        result = await host.result("vc.end_meeting", {"meeting_id": "691"}, Identity.USER)

        assert result.kind == "refused"
        assert host.fake.calls("PATCH *") == []


async def test_the_host_is_handed_over_only_from_the_one_that_was_seen() -> None:
    """The former host goes along, so that a change in between is noticed."""
    async with hosted(writes=("vc.set_host",)) as host:
        await host.ask(
            "vc.set_host", Identity.USER, meeting_id="691", open_id="ou_ls", current_host_open_id=ASKER
        )

        assert host.last.json == {
            "host_user": {"id": "ou_ls", "user_type": 1},
            "old_host_user": {"id": ASKER, "user_type": 1},
        }


async def test_a_reserved_meeting_belongs_to_whoever_asks() -> None:
    """The app's token needs an owner; it is the asker and no argument."""
    async with hosted(writes=("vc.reserve_meeting",)) as host:
        made = await host.ask(
            "vc.reserve_meeting", title="评审", expires="2026-05-08T18:00:00+08:00", host_open_ids=["ou_ls"]
        )

        assert host.last.json == {
            "owner_id": ASKER,
            "end_time": "1778234400",
            "meeting_settings": {
                "topic": "评审",
                "meeting_initial_type": 1,
                "assign_host_list": [{"id": "ou_ls", "user_type": 1}],
            },
        }
        assert {"meeting_no", "url"} <= set(made)
        assert "password" not in made


async def test_an_attendance_list_is_sensitive_and_holds_no_addresses() -> None:
    """It is on by name only, and of phones, networks and devices nothing leaves."""
    asked = {"meeting_no": "123456789", **DAY}
    async with hosted() as host:
        assert (await host.result("vc.list_participants", asked)).kind == "refused"

    async with hosted(reads=("vc.list_participants",)) as host:
        found = await host.ask("vc.list_participants", **asked)

        assert not {"phone", "email", "public_ip", "internal_ip", "device", "location"} & set(
            found["items"][0]
        )


async def test_rooms_are_searched_as_the_person_may_book_them() -> None:
    """The size of a page travels in the body here; a room's id is what a calendar event takes as an attendee."""
    async with hosted() as host:
        found = await host.ask("vc.search_rooms", Identity.USER, query="3 楼", page_size=2)

        assert host.last.identity is Identity.USER
        assert host.last.json == {"keyword": "3 楼", "search_level_name": True, "page_size": 2}
        assert found["items"][0]["room_id"]
