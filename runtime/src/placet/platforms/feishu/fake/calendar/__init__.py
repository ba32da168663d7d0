"""Calendars with a state: events and series, who is invited and what they answered, and who is busy when."""

from placet.platforms.feishu.fake.calendar.handlers import handlers
from placet.platforms.feishu.fake.calendar.state import APP, Attendee, Calendar, Calendars, Event

__all__ = ["APP", "Attendee", "Calendar", "Calendars", "Event", "handlers"]
