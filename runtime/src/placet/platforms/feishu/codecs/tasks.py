"""Tasks: dates as one text, changes as one object.

Source: the platform's pages on creating and updating tasks, read 2026-11: an all-day date is the day of its timestamp
in UTC; an update names the members that count, and a named one that is not given is cleared.
"""

import re
from datetime import UTC, datetime
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair
from placet.platforms.feishu.codecs.times import millis_of, rfc3339

__all__ = ["CHANGES", "TIME"]

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_DIGITS = re.compile(r"-?\d{1,15}\Z", re.ASCII)
_TIMES = frozenset({"due", "start"})
_PLAIN = frozenset({"summary", "description", "repeat_rule", "is_milestone"})
_CLEARED = frozenset({"description", "due", "start", "repeat_rule"})


def _time(value: Any) -> dict[str, Any]:
    if isinstance(value, str) and _DAY.match(value):
        midnight = datetime.fromisoformat(value).replace(tzinfo=UTC)
        return {"timestamp": str(round(midnight.timestamp()) * 1000), "is_all_day": True}
    return {"timestamp": str(millis_of(value)), "is_all_day": False}


def _from_time(value: Any) -> str | None:
    """A day for an all-day date, else the moment in UTC; None where there is no date."""
    if not isinstance(value, dict):
        raise ValueError("a date of a task is an object")
    millis = str(value.get("timestamp") or "0")
    if not _DIGITS.match(millis):
        raise ValueError("a date of a task has a timestamp")
    if int(millis) == 0:
        return None
    text = rfc3339(int(millis) // 1000)
    return text[:10] if value.get("is_all_day") else text


def _changes(value: Any) -> tuple[dict[str, Any], list[str]]:
    """The members with their new values, and the names of all that change; one that is cleared is only named."""
    if not isinstance(value, dict) or not value:
        raise ValueError("changes name at least one member")
    if unknown := sorted(value.keys() - _TIMES - _PLAIN):
        raise ValueError(f"a task has no {', '.join(unknown)} to change")
    if kept := sorted(name for name, one in value.items() if one is None and name not in _CLEARED):
        raise ValueError(f"{', '.join(kept)} cannot be cleared")
    task = {name: _time(one) if name in _TIMES else one for name, one in value.items() if one is not None}
    return task, sorted(value)


TIME = Pair(encode=_time, decode=_from_time)
"""`task.time`: a day or a moment; one text for the model, a timestamp and whether it is a whole day on the wire."""

CHANGES = Pair(encode=_changes)
"""`task.changes`: what changes for the model; a task and the names that count on the wire."""
