"""Conditions of a mail search: flat for the model, with a time range and the member `from` on the wire.

Source: the mail search of the platform's command line (larksuite/cli), read 2026-12.
"""

from collections.abc import Mapping
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["SEARCH_FILTER"]

_MEMBERS: Mapping[str, str] = {
    "senders": "from",
    "recipients": "to",
    "subject": "subject",
    "folders": "folder",
    "has_attachment": "has_attachment",
    "only_unread": "is_unread",
}
_TIMES: Mapping[str, str] = {"since": "start_time", "until": "end_time"}


def _encode(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not value or value.keys() - _MEMBERS.keys() - _TIMES.keys():
        raise ValueError(f"a filter has some of {', '.join((*_MEMBERS, *_TIMES))}")
    found = {wire: value[name] for name, wire in _MEMBERS.items() if name in value}
    times = {wire: value[name] for name, wire in _TIMES.items() if name in value}
    return {**found, "create_time": times} if times else found


SEARCH_FILTER = Pair(encode=_encode)
"""`mail.filter`."""
