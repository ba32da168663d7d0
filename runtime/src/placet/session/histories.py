"""The stores of conversations: one row each, replaced as one step."""

import json
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from placet.contract.stores import TruthStore
from placet.sealing import Sealer
from placet.session import messages as ours
from placet.session.messages import Message, message_of, plain_message
from placet.session.shelves import DocumentShelf, MemoryShelf, Row, Shelf

__all__ = ["MOST_MESSAGES", "DocumentSessionStore", "InMemorySessionStore"]

MOST_MESSAGES = 400


class _Sessions:
    """`SessionStore` over a shelf."""

    def __init__(
        self, shelf: Shelf, *, types: ModuleType, now: Callable[[], float], most_messages: int | None
    ) -> None:
        self._shelf, self._types, self._now, self._most = shelf, types, now, most_messages

    async def get(self, session_id: str) -> list[Message]:
        row = await self._shelf.read(session_id)
        return [] if row is None else [message_of(one, self._types) for one in _plain(row)]

    async def append(self, session_id: str, *messages: Message) -> None:
        added = [plain_message(one) for one in messages]
        if added:
            await self._write(session_id, lambda old: [*old, *added])

    async def set(self, session_id: str, messages: list[Message]) -> None:
        chosen = [plain_message(one) for one in messages]
        await self._write(session_id, lambda old: chosen)

    async def clear(self, session_id: str) -> None:
        await self._shelf.change(session_id, lambda old: (None, None))

    async def updated_at(self, session_id: str) -> float | None:
        row = await self._shelf.read(session_id)
        return None if row is None else float(json.loads(row.body)["at"])

    async def _write(self, session_id: str, change: Callable[[list[Any]], list[Any]]) -> None:
        def step(old: Row | None) -> tuple[None, Row | None]:
            kept = _newest(change([] if old is None else _plain(old)), self._most)
            return None, Row(json.dumps({"at": self._now(), "messages": kept}, allow_nan=False).encode())

        await self._shelf.change(session_id, step)


class InMemorySessionStore(_Sessions):
    """Conversations of this process.

    Args:
        types: What holds `Message` and its parts to answer with; a module with the same names, for an engine that
            brings its own.
        most_messages: That one conversation keeps; the oldest exchanges go first, and whole. None is all.
    """

    def __init__(
        self,
        *,
        types: ModuleType = ours,
        now: Callable[[], float] = time.time,
        most_messages: int | None = MOST_MESSAGES,
    ) -> None:
        super().__init__(MemoryShelf(), types=types, now=now, most_messages=most_messages)


class DocumentSessionStore(_Sessions):
    """Conversations in a truth store, sealed.

    Args:
        tenant: Whose they are; the same id of another tenant is another conversation.
        types, most_messages: As for `InMemorySessionStore`.
    """

    def __init__(
        self,
        store: TruthStore,
        sealer: Sealer,
        *,
        tenant: str,
        types: ModuleType = ours,
        now: Callable[[], float] = time.time,
        most_messages: int | None = MOST_MESSAGES,
    ) -> None:
        shelf = DocumentShelf(store, sealer, kind="conversation", tenant=tenant)
        super().__init__(shelf, types=types, now=now, most_messages=most_messages)


def _plain(row: Row) -> list[Any]:
    found: list[Any] = json.loads(row.body)["messages"]
    return found


def _newest(messages: list[Any], most: int | None) -> list[Any]:
    """The newest exchanges of at most so many messages; each begins with a person, so no call loses its result."""
    if most is None or len(messages) <= most:
        return messages
    starts = [at for at, one in enumerate(messages) if one["role"] == "user"]
    fitting = [at for at in starts if at >= len(messages) - most]
    if not starts:
        return messages
    return messages[fitting[0] if fitting else starts[-1] :]
