"""When an event is and whom it invites: short forms for the model, the platform's objects on the wire.

Source: the platform's pages on calendar events and on their attendees, read 2026-11.
"""

import re
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair
from placet.platforms.feishu.codecs.times import TIME_INFO

__all__ = ["ATTENDEES", "EVENT_TIME"]

_KINDS = (
    (re.compile(r"ou_\S+\Z"), "user", "user_id"),
    (re.compile(r"oc_\S+\Z"), "chat", "chat_id"),
    (re.compile(r"omm_\S+\Z"), "resource", "room_id"),
    (re.compile(r"[^\s@]+@[^\s@]+\Z"), "third_party", "third_party_email"),
)
"""What an attendee's id looks like, their kind, and the member that takes the id."""


def _event_time(value: Any) -> tuple[dict[str, str], dict[str, str]]:
    """Start and end as two `TimeInfo`, both days or both moments, in that order."""
    if not isinstance(value, dict):
        raise ValueError("when is an object of start and end")
    start, end = (TIME_INFO.encode(value.get(name)) for name in ("start", "end"))
    if start.keys() != end.keys():
        raise ValueError("start and end are both days, for an all-day event, or both times with an offset")
    if "date" in start:
        if end["date"] < start["date"]:
            raise ValueError(f"the event ends on {end['date']}, before it starts")
        return start, end
    if int(end["timestamp"]) < int(start["timestamp"]):
        raise ValueError("the event ends before it starts")
    zone = {"timezone": value["time_zone"]} if value.get("time_zone") else {}
    return {**start, **zone}, {**end, **zone}


def _attendees(value: Any) -> list[dict[str, str]]:
    if not isinstance(value, list):
        raise ValueError("attendees are a list of ids and mail addresses")
    return [_attendee(one) for one in value]


def _attendee(value: Any) -> dict[str, str]:
    for pattern, kind, member in _KINDS:
        if isinstance(value, str) and pattern.match(value):
            return {"type": kind, member: value}
    raise ValueError(f"{value!r} is no ou_... (person), oc_... (chat), omm_... (room) and no mail address")


EVENT_TIME = Pair(encode=_event_time)
"""`calendar.event_time`: `{start, end, time_zone}`, as the slots of start and end."""

ATTENDEES = Pair(encode=_attendees)
"""`calendar.attendees`: ids and mail addresses, each as an attendee of its kind."""
