"""Types of fields in generated modules that say more than JSON's own types do.

Their JSON Schemas are written by the generator; both accept the same texts, which a test compares.
"""

from typing import Annotated, NewType

from msgspec import Meta

__all__ = ["FileHandle", "Int64", "Timestamp"]

Int64 = Annotated[str, Meta(pattern=r"\A-?[0-9]{1,20}\Z")]
"""A 64-bit integer in decimal digits. Text, because most JSON readers round numbers beyond 2**53."""

FileHandle = NewType("FileHandle", str)
"""Names a file that a host or a download handed out; never a path and never the bytes."""

_LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
_DATE = (
    "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    f"|{_LEAP_YEAR}-02-29)"
)
_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
_OFFSET = "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"

Timestamp = Annotated[str, Meta(pattern=rf"\A{_DATE}[Tt]{_CLOCK}{_OFFSET}\Z")]
"""A moment as RFC 3339 text with its offset, `2025-03-01T09:30:00+08:00`; the day exists in the calendar.

Leap seconds are refused: no platform that we send to can store one.
"""
