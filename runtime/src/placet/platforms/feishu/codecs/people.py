"""Lists of people: plain ids for the model, objects that repeat the kind of each on the wire.

Source: the platform's pages on members of user groups, on invitations to a meeting under way and on who may watch a
recording, read 2026-11.
"""

from collections.abc import Callable
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["GROUP_PEOPLE", "MEETING_PEOPLE", "VIEWERS"]

INSIDER = 1
"""A participant's kind at meetings: a person of the organisation or of Lark."""

MAY_WATCH = 1


def _each(entry: Callable[[str], dict[str, Any]]) -> Callable[[Any], list[dict[str, Any]]]:
    def encode(value: Any) -> list[dict[str, Any]]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise ValueError("people are a list of open_ids")
        return [entry(one) for one in value]

    return encode


def _viewers(value: Any) -> list[dict[str, Any]]:
    """The public is left out on purpose: a link that anybody may open is nothing for a tool."""
    if not isinstance(value, list):
        raise ValueError("viewers are a list")
    return [{**_viewer(one), "permission": MAY_WATCH} for one in value]


def _viewer(one: Any) -> dict[str, Any]:
    if one == "organisation":
        return {"type": 3}
    for prefix, kind in (("ou_", 1), ("oc_", 2)):
        if isinstance(one, str) and one.startswith(prefix):
            return {"type": kind, "id": one}
    raise ValueError(f"{one!r} is no ou_... (person), no oc_... (chat) and not 'organisation'")


GROUP_PEOPLE = Pair(
    encode=_each(lambda one: {"member_id": one, "member_type": "user", "member_id_type": "open_id"})
)
"""`contact.group_people`: open_ids as members of a user group."""

MEETING_PEOPLE = Pair(encode=_each(lambda one: {"id": one, "user_type": INSIDER}))
"""`vc.people`: open_ids as participants of a meeting."""

VIEWERS = Pair(encode=_viewers)
"""`vc.viewers`: who may watch a recording."""
