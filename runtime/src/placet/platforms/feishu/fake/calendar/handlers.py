"""The calendar routes over the state. A call acts as the person of its token, or as the app without one."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.calendar.state import (
    ROLES,
    Attendee,
    Calendar,
    Calendars,
    Event,
    Occurrence,
)
from placet.platforms.feishu.fake.paging import invalid_field, page_of
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_V4 = "/open-apis/calendar/v4"
_CALENDARS = f"{_V4}/calendars"
_ONE = f"{_CALENDARS}/:calendar_id"
_EVENTS = f"{_ONE}/events"
_EVENT = f"{_EVENTS}/:event_id"

_WINDOW_S = 40 * 86_400
_GUEST_FIELDS = frozenset({"free_busy_status", "visibility", "reminders", "color", "need_notification"})
"""What somebody who is only invited may change of an event: their own view of it."""

_MEMBER = {"user": "user_id", "chat": "chat_id", "resource": "room_id", "third_party": "third_party_email"}


def handlers(calendars: Calendars) -> Mapping[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    kept, events, guests, busy = (
        _Calendars(calendars),
        _Events(calendars),
        _Guests(calendars),
        _Busy(calendars),
    )
    return {
        ("POST", f"{_CALENDARS}/primary"): kept.primary,
        ("POST", f"{_CALENDARS}/primarys"): kept.primaries,
        ("GET", _CALENDARS): kept.list,
        ("POST", f"{_CALENDARS}/search"): kept.search,
        ("POST", _CALENDARS): kept.create,
        ("GET", _ONE): kept.get,
        ("PATCH", _ONE): kept.change,
        ("DELETE", _ONE): kept.delete,
        ("POST", f"{_ONE}/subscribe"): kept.follow,
        ("POST", f"{_ONE}/unsubscribe"): kept.unfollow,
        ("GET", f"{_ONE}/acls"): kept.shares,
        ("POST", f"{_ONE}/acls"): kept.share,
        ("DELETE", f"{_ONE}/acls/:acl_id"): kept.unshare,
        ("POST", _EVENTS): events.create,
        ("GET", _EVENTS): events.list,
        ("GET", f"{_EVENTS}/instance_view"): events.view,
        ("POST", f"{_EVENTS}/search"): events.search,
        ("GET", _EVENT): events.get,
        ("PATCH", _EVENT): events.change,
        ("DELETE", _EVENT): events.delete,
        ("GET", f"{_EVENT}/instances"): events.instances,
        ("POST", f"{_EVENT}/reply"): guests.reply,
        ("GET", f"{_EVENT}/attendees"): guests.list,
        ("POST", f"{_EVENT}/attendees"): guests.add,
        ("POST", f"{_EVENT}/attendees/batch_delete"): guests.remove,
        ("POST", f"{_V4}/freebusy/list"): busy.one,
        ("POST", f"{_V4}/freebusy/batch"): busy.many,
    }


class _Domain:
    def __init__(self, calendars: Calendars) -> None:
        self._calendars, self._world = calendars, calendars.world

    def _calendar(self, question: Question, least: str) -> Calendar:
        """The calendar of the path, if whoever calls has at least this role."""
        found = self._calendars.calendars.get(question.path["calendar_id"])
        if found is None:
            raise ApiError(191000, "calendar not found", status=404)
        role = found.role(question.user)
        if not role or ROLES.index(role) < ROLES.index(least):
            raise ApiError(191002, "no calendar access_role", status=403)
        return found

    def _event(self, question: Question, calendar: Calendar) -> Event:
        """The event of the path, as it is seen on this calendar; a date of a series stands for the series."""
        event_id = question.path["event_id"]
        found = self._calendars.events.get(event_id) or self._series(event_id)
        if found is None:
            raise ApiError(193001, "event not found", status=404)
        if found.is_deleted:
            raise ApiError(193003, "event is deleted", status=403)
        if found not in self._calendars.seen_on(calendar):
            raise ApiError(193001, "event not found", status=404)
        return found

    def _series(self, event_id: str) -> Event | None:
        return self._calendars.events.get(f"{event_id.rpartition('_')[0]}_0")

    def _organised(self, question: Question) -> Event:
        """The event of the path on its organiser's calendar; a single date of a series cannot be changed."""
        event = self._event(question, self._calendar(question, "writer"))
        if event.calendar.calendar_id != question.path["calendar_id"]:
            raise ApiError(193002, "no permission to operate event", status=403)
        if event.event_id != question.path["event_id"]:
            raise ApiError(193001, "event not found", status=404)
        return event


class _Calendars(_Domain):
    def primary(self, question: Question) -> Any:
        return {"calendars": [self._owned(question.user, question.user)]}

    def primaries(self, question: Question) -> Any:
        return {"calendars": [self._owned(one, question.user) for one in question.body["user_ids"]]}

    def _owned(self, owner: str, who: str) -> dict[str, Any]:
        return {"calendar": _calendar(self._calendars.primary(owner), who), "user_id": owner}

    def list(self, question: Question) -> Any:
        self._calendars.primary(question.user)
        items = [
            _calendar(one, question.user)
            for one in self._calendars.calendars.values()
            if question.user in one.followers
        ]
        return page_of(question.request, items, name="calendar_list", most=1000, usual=500)

    def search(self, question: Question) -> Any:
        text = str(question.body.get("query"))
        items = [
            _calendar(one, question.user)
            for one in self._calendars.calendars.values()
            if text in one.title and one.role(question.user)
        ]
        page = page_of(question.request, items, most=50)
        return {"items": page["items"], "page_token": page.get("page_token", "")}

    def create(self, question: Question) -> Any:
        body = question.body
        made = self._calendars.add_calendar(
            question.user,
            str(body.get("summary") or ""),
            description=str(body.get("description") or ""),
            permissions=body.get("permissions") or "private",
        )
        return {"calendar": _calendar(made, question.user)}

    def get(self, question: Question) -> Any:
        return _calendar(self._calendar(question, "free_busy_reader"), question.user)

    def change(self, question: Question) -> Any:
        calendar, body = self._calendar(question, "owner"), question.body
        calendar.title = body.get("summary", calendar.title)
        calendar.description = body.get("description", calendar.description)
        calendar.permissions = body.get("permissions", calendar.permissions)
        return {"calendar": _calendar(calendar, question.user)}

    def delete(self, question: Question) -> Any:
        calendar = self._calendar(question, "owner")
        if calendar.type == "primary":
            raise ApiError(191004, "invalid calendar type", status=403)
        for event in self._calendars.events.values():
            event.is_deleted |= event.calendar is calendar
        del self._calendars.calendars[calendar.calendar_id]
        return {}

    def follow(self, question: Question) -> Any:
        calendar = self._calendar(question, "free_busy_reader")
        calendar.followers.add(question.user)
        return {"calendar": _calendar(calendar, question.user)}

    def unfollow(self, question: Question) -> Any:
        calendar = self._calendar(question, "free_busy_reader")
        if calendar.type == "primary" and calendar.owner == question.user:
            raise ApiError(191008, "primary calendar can not be unsubscribed")
        if question.user not in calendar.followers:
            raise ApiError(191007, "target calendar is already unsubscribed")
        calendar.followers.discard(question.user)
        return {}

    def shares(self, question: Question) -> Any:
        calendar = self._calendar(question, "owner")
        items = [_share(acl_id, *entry) for acl_id, entry in calendar.shares.items()]
        return page_of(question.request, items, name="acls", most=50)

    def share(self, question: Question) -> Any:
        calendar, body = self._calendar(question, "owner"), question.body
        person, role = body["scope"]["user_id"], body["role"]
        if role not in ROLES:
            raise invalid_field("role", "is invalid")
        acl_id = f"user_{person}"
        calendar.shares[acl_id] = (person, role)
        return _share(acl_id, person, role)

    def unshare(self, question: Question) -> Any:
        calendar = self._calendar(question, "owner")
        if calendar.shares.pop(question.path["acl_id"], None) is None:
            raise ApiError(192000, "acl not found", status=404)
        return {}


class _Events(_Domain):
    def create(self, question: Question) -> Any:
        calendar = self._calendar(question, "writer")
        key = question.query("idempotency_key")
        if key is not None and not 32 <= len(key) <= 128:
            raise invalid_field("idempotency_key", "must have 32 to 128 characters")
        body = question.body
        return self._world.once(
            question, key, lambda: {"event": self._shown(self._calendars.add_event(calendar, body))}
        )

    def get(self, question: Question) -> Any:
        return {"event": self._shown(self._event(question, self._calendar(question, "reader")))}

    def list(self, question: Question) -> Any:
        events = self._calendars.seen_on(self._calendar(question, "reader"))
        start, end = question.query("start_time"), question.query("end_time")
        if start and end:
            touching = self._calendars.occurrences(events, int(start), int(end))
            events = [one for one in events if any(found.event is one for found in touching)]
        items = [self._shown(one) for one in events]
        return page_of(question.request, items, most=1000, usual=500)

    def view(self, question: Question) -> Any:
        calendar = self._calendar(question, "reader")
        start, end = _window(question)
        if end - start >= _WINDOW_S:
            raise ApiError(193103, "requested time exceeds the allowed range")
        found = self._calendars.occurrences(self._calendars.seen_on(calendar), start, end)
        return {"items": [self._date(one) for one in found]}

    def instances(self, question: Question) -> Any:
        event = self._event(question, self._calendar(question, "reader"))
        items = [self._date(one) for one in self._calendars.occurrences([event], *_window(question))]
        return page_of(question.request, items, most=500, usual=50)

    def search(self, question: Question) -> Any:
        calendar, body = self._calendar(question, "reader"), question.body
        text, wanted = str(body.get("query") or ""), body.get("filter") or {}
        keys = {one for name in ("user_ids", "room_ids", "chat_ids") for one in wanted.get(name) or ()}
        items = [
            self._shown(one)
            for one in self._calendars.seen_on(calendar)
            if text in f"{one.fields.get('summary', '')} {one.fields.get('description', '')}"
            and (not keys or keys & {*one.attendees, one.calendar.owner})
            and self._touches(one, wanted)
        ]
        page = page_of(question.request, items, most=100)
        return {"items": page["items"], "page_token": page.get("page_token", "")}

    def _touches(self, event: Event, wanted: dict[str, Any]) -> bool:
        if not wanted.get("start_time") or not wanted.get("end_time"):
            return True
        start, end = (int(wanted[name]["timestamp"]) for name in ("start_time", "end_time"))
        return bool(self._calendars.occurrences([event], start, end))

    def change(self, question: Question) -> Any:
        body = question.body
        calendar = self._calendar(question, "writer")
        event = self._event(question, calendar) if body.keys() <= _GUEST_FIELDS else self._organised(question)
        changes = {name: value for name, value in body.items() if name != "need_notification"}
        if ("start_time" in changes) != ("end_time" in changes):
            raise ApiError(190002, "invalid parameters in request")
        self._calendars.change(event, changes)
        return {"event": self._shown(event)}

    def delete(self, question: Question) -> Any:
        self._organised(question).is_deleted = True
        return {}

    def _shown(self, event: Event) -> dict[str, Any]:
        video = event.fields.get("vchat") or {}
        if video.get("vc_type") == "vc":
            video = {**video, "meeting_url": f"https://vc.feishu.cn/j/{event.event_id}"}
        owner = event.calendar.owner
        return {
            "visibility": "default",
            "free_busy_status": "busy",
            "attendee_ability": "can_see_others",
            "recurrence": "",
            **event.fields,
            "vchat": video,
            "event_id": event.event_id,
            "organizer_calendar_id": event.calendar.calendar_id,
            "event_organizer": {"user_id": owner, "display_name": self._world.person(owner)["name"]},
            "status": "confirmed",
            "is_exception": False,
            "create_time": str(event.created),
            "app_link": f"https://applink.feishu.cn/client/calendar/event/detail?eventId={event.event_id}",
        }

    def _date(self, one: Occurrence) -> dict[str, Any]:
        shown = self._shown(one.event)
        if not shown.pop("recurrence"):
            return shown
        times = {
            name: {**shown[name], "timestamp": str(moment)}
            if "timestamp" in shown[name]
            else _day(moment, back)
            for name, moment, back in (("start_time", one.start, 0), ("end_time", one.end, 1))
        }
        return {**shown, **times, "event_id": one.event_id, "recurring_event_id": one.event.event_id}


class _Guests(_Domain):
    def list(self, question: Question) -> Any:
        event = self._event(question, self._calendar(question, "reader"))
        items = [self._shown(one) for one in event.attendees.values()]
        return page_of(question.request, items, most=100)

    def add(self, question: Question) -> Any:
        event = self._organised(question)
        invited = [self._calendars.invite(event, *_key(one)) for one in question.body["attendees"]]
        return {"attendees": [self._shown(one) for one in invited]}

    def remove(self, question: Question) -> Any:
        event = self._organised(question)
        keys = [_key(one)[1] for one in question.body.get("delete_ids") or ()]
        if not all(key in event.attendees for key in keys):
            raise ApiError(194000, "attendee not found", status=404)
        for key in keys:
            del event.attendees[key]
        return {}

    def reply(self, question: Question) -> Any:
        calendar = self._calendar(question, "writer")
        event = self._event(question, calendar)
        guest, answer = event.attendees.get(calendar.owner), question.body.get("rsvp_status")
        if guest is None:
            raise ApiError(193002, "no permission to operate event", status=403)
        if answer not in ("accept", "decline", "tentative"):
            raise invalid_field("rsvp_status", "is invalid")
        guest.answer = answer
        return {}

    def _shown(self, one: Attendee) -> dict[str, Any]:
        return {
            "type": one.kind,
            "attendee_id": one.attendee_id,
            "rsvp_status": one.answer,
            "is_optional": False,
            "is_organizer": False,
            "is_external": one.kind == "third_party",
            "display_name": self._world.person(one.key)["name"],
            _MEMBER[one.kind]: one.key,
        }


class _Busy(_Domain):
    def one(self, question: Question) -> Any:
        body = question.body
        found = self._taken(body, who=body.get("user_id") or "", room=body.get("room_id") or "")
        return {"freebusy_list": found}

    def many(self, question: Question) -> Any:
        body = question.body
        people = body["user_ids"]
        if not 1 <= len(people) <= 10:
            raise ApiError(198001, "the number of user IDs exceeds the limit")
        return {
            "freebusy_lists": [
                {"user_id": one, "freebusy_items": self._taken(body, who=one)} for one in people
            ]
        }

    def _taken(self, body: dict[str, Any], *, who: str = "", room: str = "") -> "list[dict[str, Any]]":
        try:
            start, end = (
                int(datetime.fromisoformat(body[name]).timestamp()) for name in ("time_min", "time_max")
            )
        except (KeyError, TypeError, ValueError):
            raise ApiError(198002, "the time format is illegal") from None
        return [
            {"start_time": _rfc3339(one.start), "end_time": _rfc3339(one.end)}
            for one in self._calendars.busy(start=start, end=end, who=who, room=room)
        ]


def _window(question: Question) -> tuple[int, int]:
    try:
        start, end = (int(question.query(name) or "") for name in ("start_time", "end_time"))
    except ValueError:
        raise ApiError(190002, "invalid parameters in request") from None
    return start, end


def _key(one: dict[str, Any]) -> tuple[str, str]:
    """Kind of an attendee and what names them."""
    kind = str(one.get("type"))
    if kind not in _MEMBER or not one.get(_MEMBER[kind]):
        raise ApiError(194004, "invalid attendee type")
    return kind, str(one[_MEMBER[kind]])


def _calendar(calendar: Calendar, who: str) -> dict[str, Any]:
    return {
        "calendar_id": calendar.calendar_id,
        "summary": calendar.title,
        "description": calendar.description,
        "permissions": calendar.permissions,
        "type": calendar.type,
        "role": calendar.role(who) or "unknown",
        "is_deleted": False,
    }


def _share(acl_id: str, person: str, role: str) -> dict[str, Any]:
    return {"acl_id": acl_id, "role": role, "scope": {"type": "user", "user_id": person}}


def _rfc3339(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z")


def _day(moment: int, back: int) -> dict[str, str]:
    return {"date": datetime.fromtimestamp(moment - back, UTC).date().isoformat()}
