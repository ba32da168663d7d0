"""The dates of a series: the part of RRULE that calendars of people use."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo

from placet.platforms.feishu.fake.paging import invalid_field

__all__ = ["dates_of", "parsed_rule"]

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_KNOWN = frozenset({"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY"})
_MOST = 2000


def parsed_rule(text: str) -> dict[str, str]:
    """Parts of a rule by name.

    Raises:
        ApiError: it is no rule, has both ends, or has parts that this platform does not act out.
    """
    parts = dict(part.partition("=")[::2] for part in text.split(";"))
    days = [day for day in parts.get("BYDAY", "").split(",") if day]
    fits = (
        parts.get("FREQ") in ("DAILY", "WEEKLY")
        and parts.keys() <= _KNOWN
        and not {"COUNT", "UNTIL"} <= parts.keys()
        and all(day in _DAYS for day in days)
        and all(parts.get(name, "1").isdigit() for name in ("INTERVAL", "COUNT"))
    )
    if not fits:
        raise invalid_field("recurrence", "is invalid")
    return parts


def dates_of(rule: str, first: int, zone: tzinfo) -> Iterator[int]:
    """Start of each date in Unix seconds, the first one included; the clock's hour stays the same in the zone."""
    parts = parsed_rule(rule)
    days = [_DAYS.index(day) for day in parts.get("BYDAY", "").split(",") if day]
    interval, count = int(parts.get("INTERVAL", "1")), int(parts.get("COUNT", _MOST))
    until = _end(parts.get("UNTIL"))
    start = datetime.fromtimestamp(first, zone)
    monday = start - timedelta(days=start.weekday())
    given = 0
    for number in range(_MOST):
        day = start + timedelta(days=number)
        steps = (day - monday).days // 7 if parts["FREQ"] == "WEEKLY" else number
        wanted = days or ([start.weekday()] if parts["FREQ"] == "WEEKLY" else range(7))
        if steps % interval or day.weekday() not in wanted:
            continue
        moment = int(day.timestamp())
        given += 1
        if given > count or (until is not None and moment > until):
            return
        yield moment


def _end(text: str | None) -> int | None:
    if not text:
        return None
    try:
        return int(datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).timestamp())
    except ValueError:
        raise invalid_field("recurrence", "is invalid") from None
