"""When people and rooms are taken."""

from datetime import UTC, datetime
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.calendar.domain import Domain
from placet.platforms.feishu.fake.world import Question

__all__ = ["BusyRoutes"]


class BusyRoutes(Domain):
    def one(self, question: Question) -> Any:
        body = question.body
        found = self._taken(body, who=body.get("user_id") or "", room=body.get("room_id") or "")
        return {"freebusy_list": found}

    def many(self, question: Question) -> Any:
        body = question.body
        people = body["user_ids"]
        if not 1 <= len(people) <= 10:
            raise ApiError(198001, "the number of user IDs exceeds the limit")
        return {
            "freebusy_lists": [
                {"user_id": one, "freebusy_items": self._taken(body, who=one)} for one in people
            ]
        }

    def _taken(self, body: dict[str, Any], *, who: str = "", room: str = "") -> "list[dict[str, Any]]":
        try:
            start, end = (
                int(datetime.fromisoformat(body[name]).timestamp()) for name in ("time_min", "time_max")
            )
        except (KeyError, TypeError, ValueError):
            raise ApiError(198002, "the time format is illegal") from None
        return [
            {"start_time": _rfc3339(one.start), "end_time": _rfc3339(one.end)}
            for one in self._calendars.busy(start=start, end=end, who=who, room=room)
        ]


def _rfc3339(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z")
