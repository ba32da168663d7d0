"""A Feishu on loopback for tests: tokens, state, shapes and faults. `placet.testing` hands it to users."""

from placet.platforms.feishu.fake.approval import Approval, Definition, Instance, Node
from placet.platforms.feishu.fake.bitable import Base, Bitable, Table
from placet.platforms.feishu.fake.calendar import Calendar, Calendars, Event
from placet.platforms.feishu.fake.docx import Document, Docx
from placet.platforms.feishu.fake.drive import Drive, Item
from placet.platforms.feishu.fake.faults import Fault, Injection, rate_limit
from placet.platforms.feishu.fake.im import Chat, Im, Message
from placet.platforms.feishu.fake.received import Part, Received
from placet.platforms.feishu.fake.server import FakeFeishu, FakeTenant
from placet.platforms.feishu.fake.tokens import UserTokens
from placet.platforms.feishu.fake.wiki import Wiki

__all__ = [
    "Approval",
    "Base",
    "Bitable",
    "Calendar",
    "Calendars",
    "Chat",
    "Definition",
    "Document",
    "Docx",
    "Drive",
    "Event",
    "FakeFeishu",
    "FakeTenant",
    "Fault",
    "Im",
    "Injection",
    "Instance",
    "Item",
    "Message",
    "Node",
    "Part",
    "Received",
    "Table",
    "UserTokens",
    "Wiki",
    "rate_limit",
]
