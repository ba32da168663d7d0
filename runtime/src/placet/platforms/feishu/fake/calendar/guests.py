"""Who takes part: invited, uninvited, and what they answered."""

from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.calendar.domain import Domain
from placet.platforms.feishu.fake.calendar.state import Attendee
from placet.platforms.feishu.fake.paging import invalid_field, page_of
from placet.platforms.feishu.fake.world import Question

__all__ = ["GuestRoutes"]


_MEMBER = {"user": "user_id", "chat": "chat_id", "resource": "room_id", "third_party": "third_party_email"}


class GuestRoutes(Domain):
    def list(self, question: Question) -> Any:
        event = self._event(question, self._calendar(question, "reader"))
        items = [self._shown(one) for one in event.attendees.values()]
        return page_of(question.request, items, most=100)

    def add(self, question: Question) -> Any:
        event = self._organised(question)
        invited = [self._calendars.invite(event, *_key(one)) for one in question.body["attendees"]]
        return {"attendees": [self._shown(one) for one in invited]}

    def remove(self, question: Question) -> Any:
        event = self._organised(question)
        keys = [_key(one)[1] for one in question.body.get("delete_ids") or ()]
        if not all(key in event.attendees for key in keys):
            raise ApiError(194000, "attendee not found", status=404)
        for key in keys:
            del event.attendees[key]
        return {}

    def reply(self, question: Question) -> Any:
        calendar = self._calendar(question, "writer")
        event = self._event(question, calendar)
        guest, answer = event.attendees.get(calendar.owner), question.body.get("rsvp_status")
        if guest is None:
            raise ApiError(193002, "no permission to operate event", status=403)
        if answer not in ("accept", "decline", "tentative"):
            raise invalid_field("rsvp_status", "is invalid")
        guest.answer = answer
        return {}

    def _shown(self, one: Attendee) -> dict[str, Any]:
        return {
            "type": one.kind,
            "attendee_id": one.attendee_id,
            "rsvp_status": one.answer,
            "is_optional": False,
            "is_organizer": False,
            "is_external": one.kind == "third_party",
            "display_name": self._world.person(one.key)["name"],
            _MEMBER[one.kind]: one.key,
        }


def _key(one: dict[str, Any]) -> tuple[str, str]:
    """Kind of an attendee and what names them."""
    kind = str(one.get("type"))
    if kind not in _MEMBER or not one.get(_MEMBER[kind]):
        raise ApiError(194004, "invalid attendee type")
    return kind, str(one[_MEMBER[kind]])
