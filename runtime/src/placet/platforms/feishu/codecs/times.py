"""Times: RFC 3339 text with an offset for the model; milliseconds, seconds or `TimeInfo` on the wire.

Source: the platform's pages on approval task search and on calendar events, read 2026-11.
"""

import re
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["MILLIS_TEXT", "SECONDS", "TIME_INFO", "millis_of", "rfc3339"]

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})\Z", re.ASCII)
_DIGITS = re.compile(r"-?\d{1,12}\Z", re.ASCII)


def moment_of(value: Any) -> datetime:
    """The moment that a text names.

    Raises:
        ValueError: it is no RFC 3339 time with an offset.
    """
    text = value.upper() if isinstance(value, str) else ""
    if _MOMENT.match(text):
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            pass
    raise ValueError(f"{value!r} is no time with an offset, such as 2026-05-01T09:00:00+08:00")


def millis_of(value: Any) -> int:
    """Unix milliseconds of an RFC 3339 text."""
    moment = moment_of(value)
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86400 + since.seconds) * 1000 + since.microseconds // 1000


def rfc3339(seconds: int, zone: tzinfo = UTC) -> str:
    """A moment as text, in a time zone.

    Raises:
        ValueError: the year is none that text can hold.
    """
    try:
        text = datetime.fromtimestamp(seconds, zone).isoformat()
    except (OverflowError, OSError) as error:
        raise ValueError(f"{seconds} s is no time") from error
    return text.replace("+00:00", "Z") if zone is UTC else text


def _time_info(value: Any) -> dict[str, str]:
    if isinstance(value, str) and _DAY.match(value):
        datetime.fromisoformat(value)
        return {"date": value}
    return {"timestamp": str(millis_of(value) // 1000)}


def _from_time_info(value: Any) -> str:
    """A day for an all-day event, else the moment in the event's own zone."""
    if not isinstance(value, dict):
        raise ValueError("a time is an object")
    day, seconds = value.get("date"), value.get("timestamp")
    if isinstance(day, str) and day:
        return day
    if not isinstance(seconds, str) or not _DIGITS.match(seconds):
        raise ValueError("a time has a day or a timestamp")
    return rfc3339(int(seconds), _zone(value.get("timezone")))


def _zone(name: Any) -> tzinfo:
    try:
        return ZoneInfo(name) if isinstance(name, str) and name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def _from_seconds(value: Any) -> str:
    """A moment of Unix seconds, as a number or as text; empty for 0 and for no text, which stand for none."""
    if isinstance(value, str) and _DIGITS.match(value):
        value = int(value)
    if value == "" or (type(value) is int and value == 0):
        return ""
    if type(value) is not int:
        raise ValueError("a time is a number of seconds")
    return rfc3339(value)


MILLIS_TEXT = Pair(encode=lambda value: str(millis_of(value)))
"""`time.millis_text`: Unix milliseconds as text."""

SECONDS = Pair(encode=lambda value: millis_of(value) // 1000, decode=_from_seconds)
"""`time.seconds`: Unix seconds as a number; answers may hold them as text."""

TIME_INFO = Pair(encode=_time_info, decode=_from_time_info)
"""`calendar.time_info`: a moment or, for an all-day event, a day; one text for the model, an object on the wire."""
