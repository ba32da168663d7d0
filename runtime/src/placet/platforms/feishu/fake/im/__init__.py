"""Chats and messages with a state: who is in a chat, what was said, and what stands on top."""

from placet.platforms.feishu.fake.im import announcements, chats, messages
from placet.platforms.feishu.fake.im.state import Chat, Im, Message
from placet.platforms.feishu.fake.world import Handler

__all__ = ["Chat", "Im", "Message", "handlers"]


def handlers(im: Im) -> dict[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    return {**messages.handlers(im), **chats.handlers(im), **announcements.handlers(im)}
