"""Events and their occurrences: made, found, changed and called off."""

from datetime import UTC, datetime
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.calendar.domain import Domain
from placet.platforms.feishu.fake.calendar.state import (
    Event,
    Occurrence,
)
from placet.platforms.feishu.fake.paging import invalid_field, page_of
from placet.platforms.feishu.fake.world import Question

__all__ = ["EventRoutes"]


_WINDOW_S = 40 * 86_400
_GUEST_FIELDS = frozenset({"free_busy_status", "visibility", "reminders", "color", "need_notification"})
"""What somebody who is only invited may change of an event: their own view of it."""


class EventRoutes(Domain):
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


def _window(question: Question) -> tuple[int, int]:
    try:
        start, end = (int(question.query(name) or "") for name in ("start_time", "end_time"))
    except ValueError:
        raise ApiError(190002, "invalid parameters in request") from None
    return start, end


def _day(moment: int, back: int) -> dict[str, str]:
    return {"date": datetime.fromtimestamp(moment - back, UTC).date().isoformat()}
