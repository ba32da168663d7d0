"""What the calendar routes share: whose calendar it is, and what of it the caller may do."""

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.calendar.state import ROLES, Calendar, Calendars, Event
from placet.platforms.feishu.fake.world import Question

__all__ = ["Domain"]


class Domain:
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
