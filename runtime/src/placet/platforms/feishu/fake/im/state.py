"""Chats, their people and settings, and the messages in them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from placet.contract.words import Identity
from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.world import Question, World

__all__ = ["Chat", "Im", "Message"]


@dataclass(kw_only=True)
class Message:
    """A message; `content` is JSON text, as sent. Times in Unix ms.

    Attributes:
        readers: open_id to when the person read it.
        reactions: Reaction id to what the platform tells of it.
        urged: Whom the app urged to read it.
    """

    message_id: str
    chat_id: str
    msg_type: str
    content: str
    sender_id: str
    sender_type: str
    create_time: int
    parent_id: str = ""
    thread_id: str = ""
    bundle: tuple[str, ...] = ()
    updated: bool = False
    deleted: bool = False
    readers: dict[str, int] = field(default_factory=dict)
    reactions: dict[str, dict[str, Any]] = field(default_factory=dict)
    urged: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class Chat:
    """A chat. `members` and `managers` are people, `bots` are apps; `settings` is what an update may change besides.

    Attributes:
        blocks: The announcement's blocks at its top level.
        pins: Message id to what the platform tells of the pin.
    """

    chat_id: str
    name: str
    owner_id: str
    members: list[str] = field(default_factory=list)
    bots: list[str] = field(default_factory=list)
    managers: list[str] = field(default_factory=list)
    description: str = ""
    mode: str = "group"
    is_dissolved: bool = False
    settings: dict[str, Any] = field(default_factory=dict)
    moderation: str = "all_members"
    speakers: list[str] = field(default_factory=list)
    tabs: list[dict[str, Any]] = field(default_factory=list)
    top_notice: dict[str, Any] | None = None
    blocks: list[dict[str, Any]] = field(default_factory=list)
    pins: dict[str, dict[str, Any]] = field(default_factory=dict)


class Im:
    """A tenant's chats.

    Attributes:
        uploads: Key to the bytes that were uploaded.
        batches: Id of a message to many to the people it went to; None after it was recalled.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.chats: dict[str, Chat] = {}
        self.messages: dict[str, Message] = {}
        self.uploads: dict[str, bytes] = {}
        self.batches: dict[str, tuple[str, ...] | None] = {}

    def add_chat(
        self,
        name: str,
        *,
        owner: str = "",
        members: Iterable[str] = (),
        with_bot: bool = True,
        mode: str = "group",
    ) -> Chat:
        """Add a chat; without an owner the app owns it."""
        made = Chat(
            chat_id=self.world.new_id("oc_"),
            name=name,
            owner_id=owner or self.world.app,
            members=list(dict.fromkeys([*([owner] if owner else []), *members])),
            bots=[self.world.app] if with_bot else [],
            mode=mode,
        )
        self.chats[made.chat_id] = made
        return made

    def say(self, chat: Chat, text: str, *, by: str = "") -> Message:
        """A text message of a person; of the app when nobody is named."""
        content = json.dumps({"text": text}, ensure_ascii=False)
        return self.post(chat, "text", content, sender=by or self.world.app)

    def post(self, chat: Chat, msg_type: str, content: str, *, sender: str, **more: Any) -> Message:
        made = Message(
            message_id=self.world.new_id("om_"),
            chat_id=chat.chat_id,
            msg_type=msg_type,
            content=content,
            sender_id=sender,
            sender_type="app" if sender == self.world.app else "user",
            create_time=self.world.millis(),
            **more,
        )
        self.messages[made.message_id] = made
        return made

    def actor(self, question: Question) -> str:
        """The person of a user token, else the app."""
        return question.user if question.identity is Identity.USER else self.world.app

    def chat(self, chat_id: Any, *, code: int = 232006) -> Chat:
        found = self.chats.get(str(chat_id))
        if found is None or found.is_dissolved:
            raise ApiError(code, "chat not found")
        return found

    def inside(self, chat: Chat, who: str, *, code: int = 232011) -> None:
        """Nobody acts in a chat from outside.

        Raises:
            ApiError: the person or app is not in it.
        """
        if who not in chat.members and who not in chat.bots:
            raise ApiError(code, "operator is out of the chat")

    def message(self, message_id: Any, who: str) -> Message:
        """A message that somebody can see.

        Raises:
            ApiError: there is none, it was recalled, or it is in a chat of others.
        """
        found = self.messages.get(str(message_id))
        if found is None:
            raise ApiError(230001, "invalid message_id")
        if found.deleted:
            raise ApiError(230110, "message was deleted")
        self.inside(self.chat(found.chat_id, code=230002), who, code=230050)
        return found

    def receiver(self, kind: str | None, receive_id: str, who: str) -> tuple[Chat, str]:
        """The chat, and the thread in it, that a message goes to; a private chat is made when there is none yet."""
        if kind == "chat_id":
            chat = self.chat(receive_id, code=230001)
            self.inside(chat, who, code=230002)
            return chat, ""
        if kind == "thread_id":
            within = next((one for one in self.messages.values() if one.thread_id == receive_id), None)
            if within is None:
                raise ApiError(230001, "invalid thread_id")
            return self.chat(within.chat_id), receive_id
        private = (
            one for one in self.chats.values() if one.mode == "p2p" and {receive_id, who} <= self._all(one)
        )
        found = next(private, None)
        return found or self.add_chat(
            "", members=[receive_id, *([who] if who != self.world.app else [])], mode="p2p"
        ), ""

    def _all(self, chat: Chat) -> set[str]:
        return {*chat.members, *chat.bots}
