"""Who may open an item, what is said about it, who read it, and who is told of changes."""

from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.drive.state import Comment, Drive, Item, Member
from placet.platforms.feishu.fake.paging import page_of
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_FILE = "/open-apis/drive/v1/files/:file_token"
_COMMENTS = f"{_FILE}/comments"
_MEMBERS = "/open-apis/drive/v1/permissions/:token/members"
_PUBLIC = "/open-apis/drive/v2/permissions/:token/public"


def handlers(drive: Drive) -> dict[tuple[str, str], Handler]:
    rights, comments, readers = _Rights(drive), _Comments(drive), _Readers(drive)
    return {
        ("GET", _MEMBERS): rights.list,
        ("POST", _MEMBERS): rights.add,
        ("PUT", f"{_MEMBERS}/:member_id"): rights.update,
        ("DELETE", f"{_MEMBERS}/:member_id"): rights.remove,
        ("POST", f"{_MEMBERS}/transfer_owner"): rights.transfer,
        ("GET", f"{_MEMBERS}/auth"): rights.check,
        ("GET", _PUBLIC): rights.public,
        ("PATCH", _PUBLIC): rights.change_public,
        ("GET", _COMMENTS): comments.list,
        ("POST", _COMMENTS): comments.create,
        ("GET", f"{_COMMENTS}/:comment_id"): comments.get,
        ("PATCH", f"{_COMMENTS}/:comment_id"): comments.solve,
        ("POST", f"{_COMMENTS}/:comment_id/replies"): comments.reply,
        ("DELETE", f"{_COMMENTS}/:comment_id/replies/:reply_id"): comments.delete_reply,
        ("GET", f"{_FILE}/statistics"): readers.statistics,
        ("GET", f"{_FILE}/view_records"): readers.viewers,
        ("GET", f"{_FILE}/versions"): readers.versions,
        ("POST", f"{_FILE}/versions"): readers.create_version,
        ("POST", f"{_FILE}/subscribe"): readers.subscribe,
        ("DELETE", f"{_FILE}/delete_subscribe"): readers.unsubscribe,
        ("GET", f"{_FILE}/get_subscribe"): readers.subscribed,
    }


class _Rights:
    def __init__(self, drive: Drive) -> None:
        self._drive = drive

    def _item(self, question: Question) -> Item:
        return self._drive.get(question.path["token"], question.query("type"), code=1063005)

    def _member(self, question: Question) -> Member:
        members = self._item(question).members
        found = next((one for one in members if one.member_id == question.path["member_id"]), None)
        if found is None:
            raise ApiError(1063004, "user has no share permission", status=403)
        return found

    def list(self, question: Question) -> Any:
        world = self._drive.world
        return {
            "items": [
                {**_right(one), "name": world.person(one.member_id)["name"], "type": "user"}
                for one in self._item(question).members
            ]
        }

    def add(self, question: Question) -> Any:
        body, members = question.body, self._item(question).members
        if any(one.member_id == body["member_id"] for one in members):
            raise ApiError(1063003, "invalid operation")
        made = Member(member_id=body["member_id"], member_type=body["member_type"], right=body["perm"])
        members.append(made)
        return {"member": _right(made)}

    def update(self, question: Question) -> Any:
        found = self._member(question)
        found.right = question.body["perm"]
        return {"member": _right(found)}

    def remove(self, question: Question) -> Any:
        self._item(question).members.remove(self._member(question))
        return {}

    def transfer(self, question: Question) -> Any:
        item, new = self._item(question), question.body["member_id"]
        kept = question.query("old_owner_perm") or "full_access"
        old = [one for one in item.members if one.member_id == item.owner]
        item.members = [one for one in item.members if one.member_id not in (item.owner, new)]
        if question.query("remove_old_owner") != "true":
            item.members += [
                Member(member_id=one.member_id, member_type=one.member_type, right=kept) for one in old
            ]
        item.members.append(
            Member(member_id=new, member_type=question.body["member_type"], right="full_access")
        )
        item.owner = new
        return {}

    def check(self, question: Question) -> Any:
        item, who = self._item(question), question.user or self._drive.world.app
        rights = {one.member_id: one.right for one in item.members}
        right = rights.get(who, "none")
        wanted = question.query("action")
        allowed = {"full_access": True, "edit": wanted not in ("manage_public",), "view": wanted == "view"}
        return {"auth_result": allowed.get(right, False)}

    def public(self, question: Question) -> Any:
        return {"permission_public": {**self._item(question).sharing, "lock_switch": False}}

    def change_public(self, question: Question) -> Any:
        sharing = self._item(question).sharing
        if question.body.get("link_share_entity", "").startswith("anyone"):
            outside = question.body.get("external_access_entity", sharing["external_access_entity"])
            if outside != "open":
                raise ApiError(1063003, "invalid operation")
        sharing.update(question.body)
        return {"permission_public": {**sharing, "lock_switch": True}}


def _right(member: Member) -> dict[str, Any]:
    return {
        "member_id": member.member_id,
        "member_type": member.member_type,
        "perm": member.right,
        "perm_type": "container",
        "type": "user",
    }


class _Comments:
    def __init__(self, drive: Drive) -> None:
        self._drive = drive

    def _item(self, question: Question) -> Item:
        return self._drive.get(question.path["file_token"], question.query("file_type"), code=1069307)

    def _comment(self, question: Question) -> Comment:
        found = self._item(question).comments.get(question.path["comment_id"])
        if found is None:
            raise ApiError(1069307, "not exist", status=404)
        return found

    def _said(self, question: Question, content: Any) -> dict[str, Any]:
        if not content.get("elements"):
            raise ApiError(1069302, "param error")
        now = self._drive.seconds()
        return {
            "reply_id": self._drive.world.new_number(),
            "user_id": question.user or self._drive.world.app,
            "content": content,
            "create_time": now,
            "update_time": now,
        }

    def list(self, question: Question) -> Any:
        wanted = question.query("is_solved")
        items = [
            _comment(one)
            for one in self._item(question).comments.values()
            if wanted is None or one.is_solved is (wanted == "true")
        ]
        return page_of(question.request, items, most=100, usual=50)

    def create(self, question: Question) -> Any:
        said = [self._said(question, one["content"]) for one in question.body["reply_list"]["replies"]]
        made = Comment(
            comment_id=self._drive.world.new_number(),
            open_id=question.user or self._drive.world.app,
            created=self._drive.seconds(),
            said=said,
        )
        self._item(question).comments[made.comment_id] = made
        return _comment(made)

    def get(self, question: Question) -> Any:
        return _comment(self._comment(question))

    def solve(self, question: Question) -> Any:
        self._comment(question).is_solved = question.body["is_solved"]
        return {}

    def reply(self, question: Question) -> Any:
        said = self._said(question, question.body["content"])
        self._comment(question).said.append(said)
        return said

    def delete_reply(self, question: Question) -> Any:
        comment = self._comment(question)
        comment.said = [one for one in comment.said if one["reply_id"] != question.path["reply_id"]]
        return {}


def _comment(comment: Comment) -> dict[str, Any]:
    return {
        "comment_id": comment.comment_id,
        "user_id": comment.open_id,
        "create_time": comment.created,
        "update_time": comment.created,
        "is_solved": comment.is_solved,
        "solver_user_id": "",
        "is_whole": True,
        "quote": "",
        "has_more": False,
        "reply_list": {"replies": comment.said},
    }


class _Readers:
    def __init__(self, drive: Drive) -> None:
        self._drive = drive

    def _item(self, question: Question, type_: str | None) -> Item:
        return self._drive.get(question.path["file_token"], type_, code=1069604)

    def statistics(self, question: Question) -> Any:
        item = self._item(question, question.query("file_type"))
        numbers = {"uv": len(item.viewers), "pv": len(item.viewers), "like_count": 0}
        today = {"uv_today": 0, "pv_today": 0, "like_count_today": 0}
        return {"file_token": item.token, "file_type": item.type, "statistics": {**numbers, **today}}

    def viewers(self, question: Question) -> Any:
        item = self._item(question, question.query("file_type"))
        items = [
            {
                "viewer_id": open_id,
                "name": self._drive.world.person(open_id)["name"],
                "avatar_url": "",
                "last_view_time": str(at),
            }
            for open_id, at in item.viewers.items()
        ]
        return page_of(question.request, items, most=50)

    def versions(self, question: Question) -> Any:
        return page_of(question.request, self._item(question, question.query("obj_type")).versions, most=100)

    def create_version(self, question: Question) -> Any:
        item = self._item(question, question.body.get("obj_type"))
        made = {
            "name": question.body["name"],
            "version": self._drive.world.new_id("vercn"),
            "creator_id": question.user or self._drive.world.app,
            "create_time": str(self._drive.seconds()),
            "status": "0",
        }
        item.versions.append(made)
        return made

    def subscribe(self, question: Question) -> Any:
        self._item(question, question.query("file_type")).is_watched = True
        return {}

    def unsubscribe(self, question: Question) -> Any:
        self._item(question, question.query("file_type")).is_watched = False
        return {}

    def subscribed(self, question: Question) -> Any:
        return {"is_subscribe": self._item(question, question.query("file_type")).is_watched}
