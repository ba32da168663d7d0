"""Lists of people: plain open_ids for the model, objects that repeat the kind of each on the wire.

Source: the platform's pages on members of user groups and on invitations to a meeting under way, read 2026-11.
"""

from collections.abc import Callable
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["GROUP_PEOPLE", "MEETING_PEOPLE"]

INSIDER = 1
"""A participant's kind at meetings: a person of the organisation or of Lark."""


def _each(entry: Callable[[str], dict[str, Any]]) -> Callable[[Any], list[dict[str, Any]]]:
    def encode(value: Any) -> list[dict[str, Any]]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise ValueError("people are a list of open_ids")
        return [entry(one) for one in value]

    return encode


GROUP_PEOPLE = Pair(
    encode=_each(lambda one: {"member_id": one, "member_type": "user", "member_id_type": "open_id"})
)
"""`contact.group_people`: open_ids as members of a user group."""

MEETING_PEOPLE = Pair(encode=_each(lambda one: {"id": one, "user_type": INSIDER}))
"""`vc.people`: open_ids as participants of a meeting."""
