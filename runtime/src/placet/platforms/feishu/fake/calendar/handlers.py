"""The calendar routes over the state. A call acts as the person of its token, or as the app without one."""

from collections.abc import Mapping

from placet.platforms.feishu.fake.calendar.busy import BusyRoutes
from placet.platforms.feishu.fake.calendar.calendars import CalendarRoutes
from placet.platforms.feishu.fake.calendar.events import EventRoutes
from placet.platforms.feishu.fake.calendar.guests import GuestRoutes
from placet.platforms.feishu.fake.calendar.state import Calendars
from placet.platforms.feishu.fake.world import Handler

__all__ = ["handlers"]

_V4 = "/open-apis/calendar/v4"
_CALENDARS = f"{_V4}/calendars"
_ONE = f"{_CALENDARS}/:calendar_id"
_EVENTS = f"{_ONE}/events"
_EVENT = f"{_EVENTS}/:event_id"


def handlers(calendars: Calendars) -> Mapping[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    kept, events, guests, busy = (
        CalendarRoutes(calendars),
        EventRoutes(calendars),
        GuestRoutes(calendars),
        BusyRoutes(calendars),
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
