"""The engine: a loop of `openai-agents` in front of the gate, turns that wait for people, and nothing done twice.

Needs the extra `engine`. The loop proposes; the boundary is the gate, the store and the desk.
"""

from placet.engine.engine import Engine
from placet.engine.history import SealedSession
from placet.engine.options import EngineOptions, Reply
from placet.engine.outbox import OutboundChannel, Outgoing
from placet.engine.runs import PendingCall, Run

__all__ = [
    "Engine",
    "EngineOptions",
    "OutboundChannel",
    "Outgoing",
    "PendingCall",
    "Reply",
    "Run",
    "SealedSession",
]
