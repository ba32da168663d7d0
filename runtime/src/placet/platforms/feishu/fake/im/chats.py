"""The group routes over the state."""

from collections.abc import Mapping
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.im.state import Chat, Im
from placet.platforms.feishu.fake.paging import page_of
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_CHATS = "/open-apis/im/v1/chats"
_ONE = f"{_CHATS}/:chat_id"
_SETTINGS = (
    "add_member_permission",
    "share_card_permission",
    "at_all_permission",
    "edit_permission",
    "membership_approval",
    "chat_type",
    "avatar",
)
_MANAGERS_MOST = 10


def handlers(im: Im) -> Mapping[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    chats, people, top = _Chats(im), _People(im), _Top(im)
    return {
        ("GET", _CHATS): chats.mine,
        ("GET", f"{_CHATS}/search"): chats.search,
        ("POST", _CHATS): chats.create,
        ("GET", _ONE): chats.get,
        ("PUT", _ONE): chats.update,
        ("DELETE", _ONE): chats.dissolve,
        ("POST", f"{_ONE}/link"): chats.link,
        ("GET", f"{_ONE}/moderation"): chats.moderation,
        ("PUT", f"{_ONE}/moderation"): chats.moderate,
        ("GET", f"{_ONE}/members"): people.everybody,
        ("POST", f"{_ONE}/members"): people.add,
        ("DELETE", f"{_ONE}/members"): people.remove,
        ("GET", f"{_ONE}/members/is_in_chat"): people.is_inside,
        ("PATCH", f"{_ONE}/members/me_join"): people.join,
        ("POST", f"{_ONE}/managers/add_managers"): people.promote,
        ("POST", f"{_ONE}/managers/delete_managers"): people.demote,
        ("GET", f"{_ONE}/chat_tabs/list_tabs"): top.tabs,
        ("POST", f"{_ONE}/chat_tabs"): top.add_tabs,
        ("POST", f"{_ONE}/chat_tabs/update_tabs"): top.update_tabs,
        ("DELETE", f"{_ONE}/chat_tabs/delete_tabs"): top.remove_tabs,
        ("POST", f"{_ONE}/top_notice/put_top_notice"): top.put_notice,
        ("POST", f"{_ONE}/top_notice/delete_top_notice"): top.clear_notice,
    }


class _Domain:
    def __init__(self, im: Im) -> None:
        self._im, self._world = im, im.world

    def _chat(self, question: Question) -> Chat:
        return self._im.chat(question.path["chat_id"])

    def _entered(self, question: Question) -> Chat:
        chat = self._chat(question)
        self._im.inside(chat, self._im.actor(question))
        return chat

    def _led(self, question: Question) -> Chat:
        """The group, for somebody who runs it."""
        chat = self._entered(question)
        if self._im.actor(question) not in (chat.owner_id, *chat.managers):
            raise ApiError(232017, "the operator is not the owner")
        return chat


class _Chats(_Domain):
    def mine(self, question: Question) -> Any:
        who = self._im.actor(question)
        mine = [one for one in self._groups() if who in (*one.members, *one.bots)]
        return page_of(question.request, [_row(one) for one in mine], most=100)

    def search(self, question: Question) -> Any:
        words, who = question.query("query") or "", self._im.actor(question)
        found = [one for one in self._groups() if words in one.name and who in (*one.members, *one.bots)]
        return page_of(question.request, [_row(one) for one in found], most=100)

    def _groups(self) -> list[Chat]:
        return [one for one in self._im.chats.values() if one.mode != "p2p" and not one.is_dissolved]

    def create(self, question: Question) -> Any:
        body = question.body

        def act() -> Any:
            made = self._im.add_chat(
                str(body.get("name", "")),
                owner=str(body.get("owner_id") or question.user),
                members=body.get("user_id_list", ()),
            )
            made.description = str(body.get("description", ""))
            made.managers = [self._world.app]
            made.settings["chat_type"] = body.get("chat_type", "private")
            return {"chat_id": made.chat_id, "name": made.name, "owner_id": made.owner_id}

        return self._world.once(question, question.query("uuid"), act)

    def get(self, question: Question) -> Any:
        chat = self._entered(question)
        return {
            **_row(chat),
            "user_manager_id_list": [one for one in chat.managers if one != self._world.app],
            "user_count": str(len(chat.members)),
            "bot_count": str(len(chat.bots)),
            "chat_mode": chat.mode,
            "moderation_permission": chat.moderation,
            **{name: chat.settings.get(name, "all_members") for name in _SETTINGS},
        }

    def update(self, question: Question) -> Any:
        chat, body = self._led(question), question.body
        if "owner_id" in body and body["owner_id"] not in chat.members:
            raise ApiError(232012, "the new owner is not in the chat")
        chat.name = body.get("name", chat.name)
        chat.description = body.get("description", chat.description)
        chat.owner_id = body.get("owner_id", chat.owner_id)
        chat.settings |= {name: body[name] for name in _SETTINGS if name in body}
        return {}

    def dissolve(self, question: Question) -> Any:
        self._led(question).is_dissolved = True
        return {}

    def link(self, question: Question) -> Any:
        chat = self._entered(question)
        is_permanent = question.body.get("validity_period") == "permanently"
        expires = {} if is_permanent else {"expire_time": str(self._world.millis() // 1000 + 604800)}
        return {"share_link": f"https://fake.invalid/{chat.chat_id}", "is_permanent": is_permanent, **expires}

    def moderation(self, question: Question) -> Any:
        chat = self._entered(question)
        speakers = [{"user_id_type": "open_id", "user_id": one} for one in chat.speakers]
        return {"moderation_setting": chat.moderation, **page_of(question.request, speakers, most=100)}

    def moderate(self, question: Question) -> Any:
        chat, body = self._led(question), question.body
        chat.moderation = body.get("moderation_setting", chat.moderation)
        gone = body.get("moderator_removed_list", ())
        kept = [one for one in chat.speakers if one not in gone]
        chat.speakers = list(dict.fromkeys([*kept, *body.get("moderator_added_list", ())]))
        return {}


def _row(chat: Chat) -> dict[str, Any]:
    return {
        "chat_id": chat.chat_id,
        "name": chat.name,
        "description": chat.description,
        "owner_id": chat.owner_id,
        "owner_id_type": "open_id",
        "external": False,
        "chat_status": "dissolved" if chat.is_dissolved else "normal",
    }


class _People(_Domain):
    def everybody(self, question: Question) -> Any:
        people = [
            {"member_id_type": "open_id", "member_id": one, "name": self._world.names.get(one, one)}
            for one in self._entered(question).members
        ]
        return page_of(question.request, people, most=100)

    def add(self, question: Question) -> Any:
        chat, ids = self._entered(question), question.body.get("id_list", ())
        is_app = question.query("member_id_type") == "app_id"
        group = chat.bots if is_app else chat.members
        known = [one for one in ids if is_app or one in self._world.names]
        group += [one for one in known if one not in group]
        unknown = [one for one in ids if one not in known]
        return {"invalid_id_list": [], "not_existed_id_list": unknown, "pending_approval_id_list": []}

    def remove(self, question: Question) -> Any:
        chat, ids = self._led(question), question.body.get("id_list", ())
        if chat.owner_id in ids:
            raise ApiError(232029, "the owner can not be removed")
        missing = [one for one in ids if one not in chat.members]
        chat.members = [one for one in chat.members if one not in ids]
        chat.managers = [one for one in chat.managers if one not in ids]
        return {"invalid_id_list": missing}

    def is_inside(self, question: Question) -> Any:
        chat, who = self._chat(question), self._im.actor(question)
        return {"is_in_chat": who in (*chat.members, *chat.bots)}

    def join(self, question: Question) -> Any:
        chat, who = self._chat(question), self._im.actor(question)
        if chat.settings.get("chat_type") != "public":
            raise ApiError(232075, "only public chats can be joined")
        group = chat.bots if who == self._world.app else chat.members
        group += [who] if who not in group else []
        return {}

    def promote(self, question: Question) -> Any:
        chat = self._led(question)
        chat.managers = list(dict.fromkeys([*chat.managers, *question.body.get("manager_ids", ())]))
        return self._managers(chat)

    def demote(self, question: Question) -> Any:
        chat, gone = self._led(question), question.body.get("manager_ids", ())
        chat.managers = [one for one in chat.managers if one not in gone]
        return self._managers(chat)

    def _managers(self, chat: Chat) -> dict[str, Any]:
        people = [one for one in chat.managers if one != self._world.app]
        if len(people) > _MANAGERS_MOST:
            raise ApiError(232040, "too many managers")
        return {"chat_managers": people, "chat_bot_managers": []}


class _Top(_Domain):
    def tabs(self, question: Question) -> Any:
        return {"chat_tabs": self._entered(question).tabs}

    def add_tabs(self, question: Question) -> Any:
        chat = self._entered(question)
        chat.tabs += [
            {"tab_id": self._world.new_number(), **one} for one in question.body.get("chat_tabs", ())
        ]
        return {"chat_tabs": chat.tabs}

    def update_tabs(self, question: Question) -> Any:
        chat = self._entered(question)
        changed = {one.get("tab_id"): one for one in question.body.get("chat_tabs", ())}
        chat.tabs = [changed.get(one["tab_id"], one) for one in chat.tabs]
        return {"chat_tabs": chat.tabs}

    def remove_tabs(self, question: Question) -> Any:
        chat = self._entered(question)
        chat.tabs = [one for one in chat.tabs if one["tab_id"] not in question.body.get("tab_ids", ())]
        return {"chat_tabs": chat.tabs}

    def put_notice(self, question: Question) -> Any:
        chat = self._entered(question)
        (chat.top_notice,) = question.body["chat_top_notice"]
        return {}

    def clear_notice(self, question: Question) -> Any:
        self._entered(question).top_notice = None
        return {}
