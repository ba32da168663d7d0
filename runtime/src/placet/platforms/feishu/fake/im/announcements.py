"""The routes of a group's announcement: a document of blocks whose page has the group's id."""

from collections.abc import Mapping
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.im.state import Chat, Im
from placet.platforms.feishu.fake.paging import page_of
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_ONE = "/open-apis/docx/v1/chats/:chat_id/announcement"
_CHILDREN = f"{_ONE}/blocks/:block_id/children"
_PAGE = 1


def handlers(im: Im) -> Mapping[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    announcements = _Announcements(im)
    return {
        ("GET", _ONE): announcements.info,
        ("GET", f"{_ONE}/blocks"): announcements.blocks,
        ("GET", _CHILDREN): announcements.children,
        ("POST", _CHILDREN): announcements.write,
        ("DELETE", f"{_CHILDREN}/batch_delete"): announcements.delete,
    }


class _Announcements:
    def __init__(self, im: Im) -> None:
        self._im, self._world = im, im.world

    def _chat(self, question: Question) -> Chat:
        chat = self._im.chat(question.path["chat_id"], code=1770002)
        self._im.inside(chat, self._im.actor(question), code=1770032)
        if question.path.get("block_id", chat.chat_id) != chat.chat_id:
            raise ApiError(1770002, "not found")
        return chat

    def info(self, question: Question) -> Any:
        chat, now = self._chat(question), str(self._world.millis())
        return {
            "revision_id": len(chat.blocks) + 1,
            "owner_id": chat.owner_id,
            "modifier_id": chat.owner_id,
            "announcement_type": "docx",
            "create_time_v2": now,
            "update_time_v2": now,
        }

    def blocks(self, question: Question) -> Any:
        chat = self._chat(question)
        ids = [one["block_id"] for one in chat.blocks]
        page = {"block_id": chat.chat_id, "block_type": _PAGE, "children": ids, "page": {"elements": []}}
        return page_of(question.request, [page, *chat.blocks], most=500, usual=500)

    def children(self, question: Question) -> Any:
        return page_of(question.request, self._chat(question).blocks, most=500, usual=500)

    def write(self, question: Question) -> Any:
        chat, body = self._chat(question), question.body

        def act() -> Any:
            at = body.get("index", -1)
            place = len(chat.blocks) if at == -1 else at
            made = [
                {**one, "block_id": self._world.new_id("doxcn"), "parent_id": chat.chat_id}
                for one in body.get("children", ())
            ]
            chat.blocks[place:place] = made
            return {"children": made}

        return self._world.once(question, question.query("client_token"), act)

    def delete(self, question: Question) -> Any:
        chat, body = self._chat(question), question.body
        start, end = body.get("start_index", 0), body.get("end_index", 0)
        if not 0 <= start < end <= len(chat.blocks):
            raise ApiError(1770001, "invalid param")
        del chat.blocks[start:end]
        return {"revision_id": len(chat.blocks) + 1}
