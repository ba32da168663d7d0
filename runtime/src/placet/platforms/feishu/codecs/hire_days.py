"""Days in an offer: YYYY-MM-DD for the model, a JSON object in a text on the wire.

Source: the platform's page on creating an offer, read 2026-12. Answers name the day plainly.
"""

import json
import re
from datetime import date
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["DAY"]

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)


def _day(value: Any) -> str:
    if isinstance(value, str) and _DAY.match(value):
        try:
            return json.dumps({"date": date.fromisoformat(value).isoformat()})
        except ValueError:
            pass
    raise ValueError(f"{value!r} is no day, such as 2026-06-01")


DAY = Pair(encode=_day)
"""`hire.day`."""
