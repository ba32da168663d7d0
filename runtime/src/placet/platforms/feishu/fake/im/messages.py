"""The message routes over the state."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError, FileAnswer
from placet.platforms.feishu.fake.im.state import Im, Message
from placet.platforms.feishu.fake.paging import page_of
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_V1 = "/open-apis/im/v1"
_ONE = f"{_V1}/messages/:message_id"


def handlers(im: Im) -> Mapping[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    writing, reading, marks, files = _Writing(im), _Reading(im), _Marks(im), _Files(im)
    return {
        ("POST", f"{_V1}/messages"): writing.send,
        ("POST", f"{_ONE}/reply"): writing.reply,
        ("POST", f"{_ONE}/forward"): writing.forward,
        ("POST", f"{_V1}/messages/merge_forward"): writing.merge_forward,
        ("POST", f"{_V1}/threads/:thread_id/forward"): writing.forward_thread,
        ("PUT", _ONE): writing.edit,
        ("PATCH", _ONE): writing.edit,
        ("DELETE", _ONE): writing.recall,
        ("PATCH", f"{_ONE}/urgent_app"): writing.urge,
        ("POST", "/open-apis/message/v4/batch_send/"): writing.send_to_many,
        ("DELETE", f"{_V1}/batch_messages/:batch_message_id"): writing.recall_batch,
        ("GET", _ONE): reading.get,
        ("GET", f"{_V1}/messages"): reading.conversation,
        ("POST", f"{_V1}/messages/search"): reading.search,
        ("GET", f"{_ONE}/read_users"): reading.readers,
        ("GET", f"{_V1}/batch_messages/:batch_message_id/get_progress"): reading.progress,
        ("POST", f"{_ONE}/reactions"): marks.react,
        ("GET", f"{_ONE}/reactions"): marks.reactions,
        ("DELETE", f"{_ONE}/reactions/:reaction_id"): marks.unreact,
        ("POST", f"{_V1}/pins"): marks.pin,
        ("GET", f"{_V1}/pins"): marks.pins,
        ("DELETE", f"{_V1}/pins/:message_id"): marks.unpin,
        ("POST", f"{_V1}/images"): files.image,
        ("POST", f"{_V1}/files"): files.file,
        ("GET", f"{_ONE}/resources/:file_key"): files.resource,
    }


class _Domain:
    def __init__(self, im: Im) -> None:
        self._im, self._world = im, im.world

    def _named(self, question: Question) -> Message:
        return self._im.message(question.path["message_id"], self._im.actor(question))

    def _own(self, question: Question, code: int) -> Message:
        found = self._named(question)
        if found.sender_id != self._im.actor(question):
            raise ApiError(code, "the operator is not the sender of the message")
        return found

    def _shown(self, message: Message, upper: str = "") -> dict[str, Any]:
        name = self._world.names.get(message.sender_id, message.sender_id)
        shown = {
            "message_id": message.message_id,
            "msg_type": message.msg_type,
            "create_time": str(message.create_time),
            "updated": message.updated,
            "deleted": message.deleted,
            "chat_id": message.chat_id,
            "sender": {"id": message.sender_id, "sender_type": message.sender_type, "sender_name": name},
            "body": {"content": "" if message.deleted else message.content},
        }
        optional = {
            "thread_id": message.thread_id,
            "parent_id": message.parent_id,
            "upper_message_id": upper,
        }
        return shown | {key: value for key, value in optional.items() if value}


class _Writing(_Domain):
    def send(self, question: Question) -> Any:
        body = question.body

        def act() -> Any:
            who = self._im.actor(question)
            chat, thread = self._im.receiver(
                question.query("receive_id_type"), str(body.get("receive_id")), who
            )
            msg_type, content = _checked(body)
            return self._shown(self._im.post(chat, msg_type, content, sender=who, thread_id=thread))

        return self._world.once(question, body.get("uuid"), act)

    def reply(self, question: Question) -> Any:
        body = question.body

        def act() -> Any:
            answered = self._named(question)
            msg_type, content = _checked(body)
            if body.get("reply_in_thread") and not answered.thread_id:
                answered.thread_id = self._world.new_id("omt_")
            made = self._im.post(
                self._im.chat(answered.chat_id),
                msg_type,
                content,
                sender=self._im.actor(question),
                parent_id=answered.message_id,
                thread_id=answered.thread_id,
            )
            return self._shown(made)

        return self._world.once(question, body.get("uuid"), act)

    def forward(self, question: Question) -> Any:
        return self._pass_on(
            question, lambda: (self._named(question).msg_type, self._named(question).content, ())
        )

    def merge_forward(self, question: Question) -> Any:
        ids = tuple(question.body["message_id_list"])
        who = self._im.actor(question)
        return {
            "message": self._pass_on(
                question,
                lambda: (
                    "merge_forward",
                    "Merged",
                    tuple(self._im.message(one, who).message_id for one in ids),
                ),
            ),
            "invalid_message_id_list": [],
        }

    def forward_thread(self, question: Question) -> Any:
        thread = question.path["thread_id"]
        ids = tuple(one.message_id for one in self._im.messages.values() if one.thread_id == thread)
        return self._pass_on(question, lambda: ("merge_forward", "Merged", ids))

    def _pass_on(self, question: Question, what: Callable[[], tuple[str, str, tuple[str, ...]]]) -> Any:
        body, who = question.body, self._im.actor(question)

        def act() -> Any:
            msg_type, content, bundle = what()
            chat, thread = self._im.receiver(
                question.query("receive_id_type"), str(body.get("receive_id")), who
            )
            return self._shown(
                self._im.post(chat, msg_type, content, sender=who, thread_id=thread, bundle=bundle)
            )

        return self._world.once(question, question.query("uuid"), act)

    def edit(self, question: Question) -> Any:
        found = self._own(question, 230071)
        found.content, found.updated = str(question.body["content"]), True
        found.msg_type = question.body.get("msg_type", found.msg_type)
        return self._shown(found)

    def recall(self, question: Question) -> Any:
        who, found = self._im.actor(question), self._named(question)
        chat = self._im.chat(found.chat_id)
        if who not in (found.sender_id, chat.owner_id, *chat.managers):
            raise ApiError(230026, "no permission to recall this message")
        found.deleted = True
        return {}

    def urge(self, question: Question) -> Any:
        found = self._own(question, 230012)
        members = self._im.chat(found.chat_id).members
        asked = list(question.body["user_id_list"])
        found.urged += [one for one in asked if one in members]
        return {"invalid_user_id_list": [one for one in asked if one not in members]}

    def send_to_many(self, question: Question) -> Any:
        batch = self._world.new_id("bm-")
        people = tuple(question.body.get("open_ids", ()))
        self._im.batches[batch] = people
        return {"message_id": batch, "invalid_open_ids": [], "invalid_department_ids": []}

    def recall_batch(self, question: Question) -> Any:
        batch = question.path["batch_message_id"]
        if batch not in self._im.batches:
            raise ApiError(230030, "batch message not found")
        self._im.batches[batch] = None
        return {}


def _checked(body: dict[str, Any]) -> tuple[str, str]:
    """Type and content of a message.

    Raises:
        ApiError: the content is no JSON text of an object.
    """
    content = str(body.get("content"))
    try:
        is_object = isinstance(json.loads(content), dict)
    except ValueError:
        is_object = False
    if not is_object:
        raise ApiError(230001, "content is not a string in json format")
    return str(body.get("msg_type")), content


class _Reading(_Domain):
    def get(self, question: Question) -> Any:
        found = self._named(question)
        inside = [self._shown(self._im.messages[one], upper=found.message_id) for one in found.bundle]
        return {"items": [self._shown(found), *inside]}

    def conversation(self, question: Question) -> Any:
        container, who = question.query("container_id"), self._im.actor(question)
        if question.query("container_id_type") == "thread":
            found = [one for one in self._im.messages.values() if one.thread_id == container]
        else:
            chat = self._im.chat(container, code=230001)
            self._im.inside(chat, who, code=230002)
            since, until = (int(question.query(name) or 0) * 1000 for name in ("start_time", "end_time"))
            found = [
                one
                for one in self._im.messages.values()
                if one.chat_id == container
                and since <= one.create_time
                and (not until or one.create_time <= until)
            ]
        if question.query("sort_type") == "ByCreateTimeDesc":
            found.reverse()
        return page_of(question.request, [self._shown(one) for one in found], most=50)

    def search(self, question: Question) -> Any:
        body, who = question.body, self._im.actor(question)
        wanted = body.get("filter", {})
        found = [
            one
            for one in self._im.messages.values()
            if not one.deleted
            and str(body.get("query", "")) in one.content
            and one.chat_id in wanted.get("chat_ids", [one.chat_id])
            and one.sender_id in wanted.get("from_ids", [one.sender_id])
            and self._sees(one, who)
        ]
        return page_of(question.request, [self._found(one) for one in found], most=50)

    def _sees(self, message: Message, who: str) -> bool:
        chat = self._im.chats[message.chat_id]
        return not chat.is_dissolved and who in (*chat.members, *chat.bots)

    def _found(self, message: Message) -> dict[str, Any]:
        meta = {
            "message_id": message.message_id,
            "type": message.msg_type,
            "create_time": str(message.create_time),
            "chat_id": message.chat_id,
            "from_id": message.sender_id,
            "thread_id": message.thread_id,
            "is_p2p_chat": self._im.chats[message.chat_id].mode == "p2p",
        }
        return {"id": message.message_id, "display_info": message.content, "meta_data": meta}

    def readers(self, question: Question) -> Any:
        found = self._own(question, 230012)
        people = [
            {"user_id_type": "open_id", "user_id": who, "timestamp": str(at)}
            for who, at in found.readers.items()
        ]
        return page_of(question.request, people, most=100)

    def progress(self, question: Question) -> Any:
        batch = question.path["batch_message_id"]
        if batch not in self._im.batches:
            raise ApiError(230030, "batch message not found")
        people = self._im.batches[batch]
        count = len(people or ())
        return {
            "batch_message_send_progress": {
                "valid_user_ids_count": count,
                "success_user_ids_count": count,
                "read_user_ids_count": 0,
            },
            "batch_message_recall_progress": {"recall": people is None, "recall_count": 0},
        }


class _Marks(_Domain):
    def react(self, question: Question) -> Any:
        found, who = self._named(question), self._im.actor(question)
        reaction = {
            "reaction_id": self._world.new_id("re"),
            "operator": {"operator_id": who, "operator_type": "app" if who == self._world.app else "user"},
            "action_time": str(self._world.millis()),
            "reaction_type": {"emoji_type": question.body["reaction_type"]["emoji_type"]},
        }
        found.reactions[str(reaction["reaction_id"])] = reaction
        return reaction

    def reactions(self, question: Question) -> Any:
        emoji = question.query("reaction_type")
        found = [
            one
            for one in self._named(question).reactions.values()
            if emoji is None or one["reaction_type"]["emoji_type"] == emoji
        ]
        return page_of(question.request, found, most=50)

    def unreact(self, question: Question) -> Any:
        found = self._named(question).reactions.pop(question.path["reaction_id"], None)
        if found is None:
            raise ApiError(231010, "reaction not found")
        return found

    def pin(self, question: Question) -> Any:
        who = self._im.actor(question)
        message = self._im.message(question.body.get("message_id"), who)
        pin = {
            "message_id": message.message_id,
            "chat_id": message.chat_id,
            "operator_id": who,
            "create_time": str(self._world.millis()),
        }
        self._im.chat(message.chat_id).pins[message.message_id] = pin
        return {"pin": pin}

    def pins(self, question: Question) -> Any:
        chat = self._im.chat(question.query("chat_id"), code=230001)
        self._im.inside(chat, self._im.actor(question), code=230002)
        return page_of(question.request, list(chat.pins.values()), most=50)

    def unpin(self, question: Question) -> Any:
        message = self._named(question)
        self._im.chat(message.chat_id).pins.pop(message.message_id, None)
        return {}


class _Files(_Domain):
    def image(self, question: Question) -> Any:
        return {"image_key": self._kept(question, "img_", "image")}

    def file(self, question: Question) -> Any:
        return {"file_key": self._kept(question, "file_", "file")}

    def _kept(self, question: Question, prefix: str, name: str) -> str:
        part = next((one for one in question.request.parts if one.name == name and one.file_name), None)
        if part is None:
            raise ApiError(234001, f"the form has no {name}")
        key = self._world.new_id(prefix)
        self._im.uploads[key] = part.content
        return key

    def resource(self, question: Question) -> Any:
        key, message = question.path["file_key"], self._named(question)
        if key not in message.content or key not in self._im.uploads:
            raise ApiError(234003, "file not in message")
        return FileAnswer(name=key, content=self._im.uploads[key])
