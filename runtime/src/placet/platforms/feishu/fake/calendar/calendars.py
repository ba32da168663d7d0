"""Calendars themselves: found, made, followed, shared and thrown away."""

from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.calendar.domain import Domain
from placet.platforms.feishu.fake.calendar.state import ROLES, Calendar
from placet.platforms.feishu.fake.paging import invalid_field, page_of
from placet.platforms.feishu.fake.world import Question

__all__ = ["CalendarRoutes"]


class CalendarRoutes(Domain):
    def primary(self, question: Question) -> Any:
        return {"calendars": [self._owned(question.user, question.user)]}

    def primaries(self, question: Question) -> Any:
        return {"calendars": [self._owned(one, question.user) for one in question.body["user_ids"]]}

    def _owned(self, owner: str, who: str) -> dict[str, Any]:
        return {"calendar": _calendar(self._calendars.primary(owner), who), "user_id": owner}

    def list(self, question: Question) -> Any:
        self._calendars.primary(question.user)
        items = [
            _calendar(one, question.user)
            for one in self._calendars.calendars.values()
            if question.user in one.followers
        ]
        return page_of(question.request, items, name="calendar_list", most=1000, usual=500)

    def search(self, question: Question) -> Any:
        text = str(question.body.get("query"))
        items = [
            _calendar(one, question.user)
            for one in self._calendars.calendars.values()
            if text in one.title and one.role(question.user)
        ]
        page = page_of(question.request, items, most=50)
        return {"items": page["items"], "page_token": page.get("page_token", "")}

    def create(self, question: Question) -> Any:
        body = question.body
        made = self._calendars.add_calendar(
            question.user,
            str(body.get("summary") or ""),
            description=str(body.get("description") or ""),
            permissions=body.get("permissions") or "private",
        )
        return {"calendar": _calendar(made, question.user)}

    def get(self, question: Question) -> Any:
        return _calendar(self._calendar(question, "free_busy_reader"), question.user)

    def change(self, question: Question) -> Any:
        calendar, body = self._calendar(question, "owner"), question.body
        calendar.title = body.get("summary", calendar.title)
        calendar.description = body.get("description", calendar.description)
        calendar.permissions = body.get("permissions", calendar.permissions)
        return {"calendar": _calendar(calendar, question.user)}

    def delete(self, question: Question) -> Any:
        calendar = self._calendar(question, "owner")
        if calendar.type == "primary":
            raise ApiError(191004, "invalid calendar type", status=403)
        for event in self._calendars.events.values():
            event.is_deleted |= event.calendar is calendar
        del self._calendars.calendars[calendar.calendar_id]
        return {}

    def follow(self, question: Question) -> Any:
        calendar = self._calendar(question, "free_busy_reader")
        calendar.followers.add(question.user)
        return {"calendar": _calendar(calendar, question.user)}

    def unfollow(self, question: Question) -> Any:
        calendar = self._calendar(question, "free_busy_reader")
        if calendar.type == "primary" and calendar.owner == question.user:
            raise ApiError(191008, "primary calendar can not be unsubscribed")
        if question.user not in calendar.followers:
            raise ApiError(191007, "target calendar is already unsubscribed")
        calendar.followers.discard(question.user)
        return {}

    def shares(self, question: Question) -> Any:
        calendar = self._calendar(question, "owner")
        items = [_share(acl_id, *entry) for acl_id, entry in calendar.shares.items()]
        return page_of(question.request, items, name="acls", most=50)

    def share(self, question: Question) -> Any:
        calendar, body = self._calendar(question, "owner"), question.body
        person, role = body["scope"]["user_id"], body["role"]
        if role not in ROLES:
            raise invalid_field("role", "is invalid")
        acl_id = f"user_{person}"
        calendar.shares[acl_id] = (person, role)
        return _share(acl_id, person, role)

    def unshare(self, question: Question) -> Any:
        calendar = self._calendar(question, "owner")
        if calendar.shares.pop(question.path["acl_id"], None) is None:
            raise ApiError(192000, "acl not found", status=404)
        return {}


def _calendar(calendar: Calendar, who: str) -> dict[str, Any]:
    return {
        "calendar_id": calendar.calendar_id,
        "summary": calendar.title,
        "description": calendar.description,
        "permissions": calendar.permissions,
        "type": calendar.type,
        "role": calendar.role(who) or "unknown",
        "is_deleted": False,
    }


def _share(acl_id: str, person: str, role: str) -> dict[str, Any]:
    return {"acl_id": acl_id, "role": role, "scope": {"type": "user", "user_id": person}}
