"""The end of a badge's award: a time or `permanent` for the model, Unix seconds in a text on the wire, 0 for no end.

Source: the platform's page on badge grants, read 2026-12.
"""

import re
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair
from placet.platforms.feishu.codecs.times import millis_of, rfc3339

__all__ = ["BADGE_END"]

_PERMANENT = "permanent"
_SECONDS = re.compile(r"\d{1,12}\Z", re.ASCII)


def _seconds(value: Any) -> str:
    return "0" if value == _PERMANENT else str(millis_of(value) // 1000)


def _end(value: Any) -> str:
    """The end as text; empty where an award has none, as that of an anniversary."""
    text = str(value) if type(value) is int else value
    if text == "":
        return ""
    if not isinstance(text, str) or not _SECONDS.match(text):
        raise ValueError("an end is a number of seconds")
    return rfc3339(int(text)) if int(text) else _PERMANENT


BADGE_END = Pair(encode=_seconds, decode=_end)
"""`admin.badge_end`."""
