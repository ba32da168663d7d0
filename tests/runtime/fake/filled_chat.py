"""A chat in which every id of the message and group routes exists."""

from typing import Any

from msgspec import Struct

from placet.platforms.feishu.fake import Im

__all__ = ["FilledChat", "filled_chat"]


class FilledChat(Struct, frozen=True, kw_only=True):
    """Placeholder to an id, tool to a body that is accepted, and a query that every list takes."""

    path: dict[str, str]
    bodies: dict[str, Any]
    query: str


def filled_chat(im: Im) -> FilledChat:
    """Fill a tenant's chats: one group with a message of the app in a thread, pinned, reacted to and read."""
    chat = im.add_chat("群", members=["ou_zw"])
    chat.settings["chat_type"] = "public"
    chat.tabs.append(
        {"tab_id": "1", "tab_name": "文档", "tab_type": "url", "tab_content": {"url": "x", "doc": ""}}
    )
    chat.speakers.append("ou_zw")
    chat.blocks.append({"block_id": "b1", "block_type": 2, "text": {"elements": []}})
    message = im.say(chat, "好")
    message.thread_id = "omt_1"
    message.readers["ou_zw"] = 1
    operator = {"operator_id": "ou_zw", "operator_type": "user"}
    message.reactions["re1"] = {
        "reaction_id": "re1",
        "operator": operator,
        "action_time": "1",
        "reaction_type": {"emoji_type": "OK"},
    }
    chat.pins[message.message_id] = {
        "message_id": message.message_id,
        "operator_id": "ou_zw",
        "create_time": "1",
    }
    im.batches["bm-1"] = ("ou_zw",)
    text = {"msg_type": "text", "content": '{"text": "好"}'}
    people = {"id_list": ["ou_zw"]}
    return FilledChat(
        path={
            "chat_id": chat.chat_id,
            "block_id": chat.chat_id,
            "message_id": message.message_id,
            "thread_id": "omt_1",
            "reaction_id": "re1",
            "batch_message_id": "bm-1",
        },
        bodies={
            "im.send_message": {"receive_id": chat.chat_id, **text},
            "im.reply_message": text,
            "im.forward_message": {"receive_id": chat.chat_id},
            "im.forward_thread": {"receive_id": chat.chat_id},
            "im.merge_forward": {"receive_id": chat.chat_id, "message_id_list": [message.message_id]},
            "im.edit_message": text,
            "im.edit_card_message": text,
            "im.urge_by_app": {"user_id_list": ["ou_zw"]},
            "im.send_to_many": {"open_ids": ["ou_zw"]},
            "im.add_reaction": {"reaction_type": {"emoji_type": "OK"}},
            "im.pin_message": {"message_id": message.message_id},
            "chat.add_members": people,
            "chat.add_bot": people,
            "chat.remove_members": people,
            "chat.set_top_notice": {"chat_top_notice": [{"action_type": "2"}]},
        },
        query=f"receive_id_type=chat_id&container_id_type=chat&container_id={chat.chat_id}&chat_id={chat.chat_id}",
    )
