"""A meeting from the search for a time to its cancellation, under the token of the person who asks."""

from typing import Any

import pytest

from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.people import APP, ASKER, Host, hosted

pytestmark = pytest.mark.anyio

WRITES = tuple(
    f"calendar.{name}"
    for name in (
        "create_event",
        "update_event",
        "delete_event",
        "add_event_attendees",
        "remove_event_attendees",
        "reply_event",
        "create_calendar",
        "share_calendar",
        "unshare_calendar",
        "update_calendar",
        "subscribe_calendar",
        "unsubscribe_calendar",
        "delete_calendar",
    )
)
DAY = {"from_time": "2026-05-04T00:00:00+08:00", "to_time": "2026-05-05T00:00:00+08:00"}
TEN = {"start": "2026-05-04T10:00:00+08:00", "end": "2026-05-04T11:00:00+08:00"}
TWO = {"start": "2026-05-04T14:00:00+08:00", "end": "2026-05-04T15:00:00+08:00"}


class Desk:
    """张三's calendar as tools see it."""

    def __init__(self, host: Host, calendar_id: str) -> None:
        self.host, self.calendar_id = host, calendar_id

    @classmethod
    async def of(cls, host: Host) -> "Desk":
        found = await host.ask("calendar.get_primary_calendar", Identity.USER)
        return cls(host, found["items"][0]["calendar_id"])

    async def do(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return await self.host.ask(
            f"calendar.{tool}", Identity.USER, calendar_id=self.calendar_id, **arguments
        )

    async def add(self, title: str, when: dict[str, str], **more: Any) -> str:
        event_id = (await self.do("create_event", title=title, when=when, **more))["event_id"]
        assert isinstance(event_id, str)
        return event_id

    async def day(self) -> list[tuple[str, str]]:
        """Titles and starts of the day."""
        return [(one["title"], one["start"]) for one in (await self.do("list_events", **DAY))["items"]]


async def test_a_meeting_is_made_moved_read_back_and_called_off() -> None:
    """Create, find, change, read back, delete: each step sees what the one before it did."""
    async with hosted(writes=WRITES) as host:
        desk = await Desk.of(host)
        when = {**TEN, "time_zone": "Asia/Shanghai"}
        event = await desk.add("评审", when, location="3 楼", reminders=[15], video="vc")

        assert await desk.day() == [("评审", TEN["start"])]
        found = await desk.do("search_events", query="评审")
        assert [one["event_id"] for one in found["items"]] == [event]

        await desk.do("update_event", event_id=event, when={**TWO, "time_zone": "Asia/Shanghai"})
        read = await desk.do("get_event", event_id=event)
        assert read["when"] == {**TWO, "time_zone": "Asia/Shanghai"}
        assert (read["location"], read["reminders"], read["video"]) == ("3 楼", [15], "vc")

        await desk.do("delete_event", event_id=event)
        assert await desk.day() == []
        gone = await host.result(
            "calendar.get_event", {"calendar_id": desk.calendar_id, "event_id": event}, Identity.USER
        )
        assert gone.kind == "failed"


async def test_what_is_sent_is_the_platforms_form() -> None:
    """One `when` becomes two times with a zone; minutes become reminders."""
    async with hosted(writes=WRITES) as host:
        desk = await Desk.of(host)
        await desk.add("评审", {**TEN, "time_zone": "Asia/Shanghai"}, reminders=[15])

        body = host.last.json
        assert body["start_time"] == {"timestamp": "1777860000", "timezone": "Asia/Shanghai"}
        assert body["end_time"] == {"timestamp": "1777863600", "timezone": "Asia/Shanghai"}
        assert body["reminders"] == [{"minutes": 15}]
        assert 32 <= len(host.last.first("idempotency_key") or "") <= 128


async def test_guests_see_the_event_and_answer_it() -> None:
    """People, rooms and outsiders are told apart by their ids; what they answer is read back."""
    async with hosted(writes=WRITES) as host:
        desk = await Desk.of(host)
        event = await desk.add("评审", TEN)
        await desk.do("add_event_attendees", event_id=event, attendees=["ou_ls", "omm_1", "zhao@example.com"])

        calendars = host.fake.tenant(APP).calendar
        assert [one.event_id for one in calendars.seen_on(calendars.primary("ou_ls"))] == [event]
        guests = await desk.do("list_event_attendees", event_id=event)
        assert [(one["kind"], one["answer"]) for one in guests["items"]] == [
            ("user", "needs_action"),
            ("resource", "accept"),
            ("third_party", "needs_action"),
        ]

        await desk.do("remove_event_attendees", event_id=event, attendees=["omm_1"])
        guests = await desk.do("list_event_attendees", event_id=event)
        assert [one["kind"] for one in guests["items"]] == ["user", "third_party"]


async def test_an_invitation_is_answered_in_the_askers_name() -> None:
    """The answer stands at the asker's own entry, and an event declined blocks no time."""
    async with hosted(writes=WRITES) as host:
        desk = await Desk.of(host)
        calendars = host.fake.tenant(APP).calendar
        boss = calendars.add_event(
            calendars.primary("ou_boss"),
            {
                "summary": "周会",
                "start_time": {"timestamp": "1777860000"},
                "end_time": {"timestamp": "1777863600"},
            },
        )
        calendars.invite(boss, "user", ASKER)

        await desk.do("reply_event", event_id=boss.event_id, answer="decline")

        assert boss.attendees[ASKER].answer == "decline"
        busy = await host.ask("calendar.list_busy_times", Identity.USER, open_id=ASKER, **DAY)
        assert busy["items"] == []


async def test_busy_times_of_several_people_stand_side_by_side() -> None:
    """A free slot can be read off one answer."""
    async with hosted(writes=WRITES) as host:
        desk = await Desk.of(host)
        event = await desk.add("评审", TEN)
        await desk.do("add_event_attendees", event_id=event, attendees=["ou_ls"])
        await desk.add("牙医", TWO)

        found = await host.ask("calendar.compare_busy_times", Identity.USER, open_ids=[ASKER, "ou_ls"], **DAY)

        starts = {one["open_id"]: [busy["start"] for busy in one["busy"]] for one in found["items"]}
        assert starts == {
            ASKER: ["2026-05-04T02:00:00Z", "2026-05-04T06:00:00Z"],
            "ou_ls": ["2026-05-04T02:00:00Z"],
        }


async def test_a_series_shows_each_of_its_dates() -> None:
    """Dates have ids of their own and name their series, whose hour outlives summer time."""
    async with hosted(writes=WRITES) as host:
        desk = await Desk.of(host)
        first = {
            "start": "2026-10-19T10:00:00+02:00",
            "end": "2026-10-19T10:30:00+02:00",
            "time_zone": "Europe/Berlin",
        }
        series = await desk.add("例会", first, recurrence="FREQ=WEEKLY;COUNT=3")

        seen = await desk.do(
            "list_events", from_time="2026-10-18T00:00:00+02:00", to_time="2026-11-10T00:00:00+01:00"
        )

        assert [one["start"] for one in seen["items"]] == [
            "2026-10-19T10:00:00+02:00",
            "2026-10-26T10:00:00+01:00",
            "2026-11-02T10:00:00+01:00",
        ]
        assert {one["series_id"] for one in seen["items"]} == {series}
        assert len({one["event_id"] for one in seen["items"]}) == 3


async def test_an_all_day_event_has_days() -> None:
    """Days go out and come back as days."""
    async with hosted(writes=WRITES) as host:
        desk = await Desk.of(host)
        event = await desk.add("团建", {"start": "2026-05-04", "end": "2026-05-05"})

        read = await desk.do("get_event", event_id=event)

        assert {name: read["when"][name] for name in ("start", "end")} == {
            "start": "2026-05-04",
            "end": "2026-05-05",
        }


async def test_a_shared_calendar_is_made_opened_closed_and_deleted() -> None:
    """A new calendar is private; whoever is let in is listed and can be shut out again."""
    async with hosted(writes=WRITES) as host:
        made = await host.ask("calendar.create_calendar", Identity.USER, title="设计组")
        team = Desk(host, made["calendar_id"])
        assert made["openness"] == "private"

        await team.do("share_calendar", open_id="ou_ls", role="writer")
        (entry,) = (await team.do("list_calendar_access"))["items"]
        assert (entry["open_id"], entry["role"]) == ("ou_ls", "writer")
        await team.do("unshare_calendar", acl_id=entry["acl_id"])
        assert (await team.do("list_calendar_access"))["items"] == []

        await team.do("update_calendar", openness="public")
        assert (await team.do("get_calendar"))["openness"] == "public"
        await team.do("delete_calendar")
        listed = await host.ask("calendar.list_calendars", Identity.USER)
        assert team.calendar_id not in [one["calendar_id"] for one in listed["items"]]


async def test_only_the_organiser_moves_a_meeting() -> None:
    """A guest's attempt is refused by the platform, with advice on what a guest may do."""
    async with hosted(writes=WRITES) as host:
        desk = await Desk.of(host)
        calendars = host.fake.tenant(APP).calendar
        boss = calendars.add_event(
            calendars.primary("ou_boss"),
            {
                "summary": "周会",
                "start_time": {"timestamp": "1777860000"},
                "end_time": {"timestamp": "1777863600"},
            },
        )
        calendars.invite(boss, "user", ASKER)

        result = await host.result(
            "calendar.update_event",
            {"calendar_id": desk.calendar_id, "event_id": boss.event_id, "when": TWO},
            Identity.USER,
        )

        assert result.kind == "failed"
        assert boss.bounds == (1777860000, 1777863600)


async def test_the_app_alone_sees_a_calendar_of_its_own() -> None:
    """Without the person's token nothing of the person's calendar is seen."""
    async with hosted(writes=WRITES) as host:
        desk = await Desk.of(host)
        await desk.add("评审", TEN)

        own = await host.ask("calendar.get_primary_calendar", Identity.TENANT)
        seen = await host.ask("calendar.list_events", calendar_id=own["items"][0]["calendar_id"], **DAY)

        assert own["items"][0]["calendar_id"] != desk.calendar_id
        assert seen["items"] == []
