"""Calendars, the events on them, and whom they invite. An event is seen on its own calendar and on its guests'."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.calendar.series import dates_of, parsed_rule
from placet.platforms.feishu.fake.paging import invalid_field
from placet.platforms.feishu.fake.world import World

__all__ = ["APP", "Attendee", "Calendar", "Calendars", "Event", "Occurrence", "bounds"]

APP = ""
"""Who a call without a person is: the app itself, with a calendar of its own."""

ROLES = ("free_busy_reader", "reader", "writer", "owner")
_OPEN = {"public": "reader", "show_only_free_busy": "free_busy_reader"}
_DAY_S = 86_400


@dataclass(kw_only=True)
class Calendar:
    """A calendar. `shares` is entry to (open_id, role); `followers` have it in their list."""

    calendar_id: str
    owner: str
    title: str
    type: str = "shared"
    description: str = ""
    permissions: str = "private"
    shares: dict[str, tuple[str, str]] = field(default_factory=dict)
    followers: set[str] = field(default_factory=set)

    def role(self, who: str) -> str:
        """What somebody may do; empty for nothing."""
        if who == self.owner:
            return "owner"
        shared = [role for person, role in self.shares.values() if person == who]
        return max([*shared, _OPEN.get(self.permissions, "")], key=lambda role: ("", *ROLES).index(role))


@dataclass(kw_only=True)
class Attendee:
    """Somebody or something invited. `key` is the open_id, chat, room or mail address."""

    attendee_id: str
    kind: str
    key: str
    answer: str = "needs_action"


@dataclass(kw_only=True)
class Event:
    """An event or series; `fields` as the platform describes them."""

    event_id: str
    calendar: Calendar
    fields: dict[str, Any]
    created: int
    attendees: dict[str, Attendee] = field(default_factory=dict)
    is_deleted: bool = False

    @property
    def bounds(self) -> tuple[int, int]:
        """Start and end in Unix seconds; of a series, those of its first date."""
        return bounds(self.fields["start_time"], self.fields["end_time"])

    @property
    def zone(self) -> tzinfo:
        try:
            return ZoneInfo(self.fields["start_time"].get("timezone") or "Asia/Shanghai")
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return UTC


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """One date of an event."""

    event: Event
    start: int
    end: int

    @property
    def event_id(self) -> str:
        """A date of a series has an id of its own."""
        if not self.event.fields.get("recurrence"):
            return self.event.event_id
        return f"{self.event.event_id.rpartition('_')[0]}_{self.start}"


class Calendars:
    """A tenant's calendars. Everybody has a primary one from the first look at it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.calendars: dict[str, Calendar] = {}
        self.events: dict[str, Event] = {}

    def primary(self, who: str) -> Calendar:
        """Somebody's own calendar; `APP` is the app's."""
        for one in self.calendars.values():
            if one.owner == who and one.type == "primary":
                return one
        return self.add_calendar(who, self.world.names.get(who, who or "app"), type="primary")

    def add_calendar(self, owner: str, title: str, **more: Any) -> Calendar:
        calendar_id = f"feishu.cn_{self.world.new_id('C')}@group.calendar.feishu.cn"
        made = Calendar(calendar_id=calendar_id, owner=owner, title=title, followers={owner}, **more)
        self.calendars[made.calendar_id] = made
        return made

    def add_event(self, calendar: Calendar, fields: dict[str, Any]) -> Event:
        """Put an event on a calendar.

        Raises:
            ApiError: its times or its rule do not fit.
        """
        _check(fields)
        made = Event(
            event_id=f"{self.world.new_id('e')}_0",
            calendar=calendar,
            fields=dict(fields),
            created=self.world.millis() // 1000,
        )
        self.events[made.event_id] = made
        return made

    def change(self, event: Event, changes: dict[str, Any]) -> None:
        """Replace fields of an event; whoever has answered keeps the answer."""
        merged = {**event.fields, **changes}
        _check(merged)
        event.fields = merged

    def invite(self, event: Event, kind: str, key: str) -> Attendee:
        """Add an attendee. A room says at once whether it is free; the platform takes a moment for that."""
        answer = "needs_action"
        if kind == "resource":
            start, end = event.bounds
            taken = any(one.event is not event for one in self.busy(room=key, start=start, end=end))
            answer = "decline" if taken else "accept"
        made = Attendee(attendee_id=self.world.new_id(f"{kind}_"), kind=kind, key=key, answer=answer)
        return event.attendees.setdefault(key, made)

    def seen_on(self, calendar: Calendar) -> list[Event]:
        """Events of a calendar and, on a primary one, those its owner is invited to."""
        return [
            one
            for one in self.events.values()
            if not one.is_deleted
            and (one.calendar is calendar or (calendar.type == "primary" and calendar.owner in one.attendees))
        ]

    def occurrences(self, events: list[Event], start: int, end: int) -> list[Occurrence]:
        """Every date that touches the window, earliest first."""
        found = [one for event in events for one in _dates(event) if one.start < end and one.end > start]
        return sorted(found, key=lambda one: (one.start, one.event_id))

    def busy(self, *, start: int, end: int, who: str = "", room: str = "") -> list[Occurrence]:
        """When somebody or a room is taken."""
        if room:
            events = [one for one in self.events.values() if not one.is_deleted and room in one.attendees]
        else:
            events = self.seen_on(self.primary(who))
        key = room or who
        taken = [
            one
            for one in events
            if one.fields.get("free_busy_status") != "free"
            and not (key in one.attendees and one.attendees[key].answer == "decline")
        ]
        return self.occurrences(taken, start, end)


def bounds(start: dict[str, Any], end: dict[str, Any]) -> tuple[int, int]:
    """Unix seconds of a start and an end; days are whole, in UTC."""
    if "date" in start and "date" in end:
        return _day(start["date"]), _day(end["date"]) + _DAY_S
    return int(start["timestamp"]), int(end["timestamp"])


def _day(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def _check(fields: dict[str, Any]) -> None:
    try:
        start, end = bounds(fields["start_time"], fields["end_time"])
    except (KeyError, TypeError, ValueError):
        raise invalid_field("start_time", "is invalid") from None
    if end < start:
        raise ApiError(190002, "invalid parameters in request")
    if fields.get("recurrence"):
        parsed_rule(fields["recurrence"])


def _dates(event: Event) -> Iterator[Occurrence]:
    start, end = event.bounds
    rule = event.fields.get("recurrence")
    for moment in dates_of(rule, start, event.zone) if rule else (start,):
        yield Occurrence(event=event, start=moment, end=moment + end - start)
