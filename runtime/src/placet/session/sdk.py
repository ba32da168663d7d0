"""`SessionStore` over any session of the Agents SDK, so that two engines can read one conversation.

Sessions are taken as they come, by their methods; the SDK itself is not needed here. Their items are the SDK's: a
message becomes one item for its words and one for each call or result. Reasoning is not written, for an item of it
belongs to the server that made it; items that are neither words, calls nor results are left alone and not returned.
"""

import json
import struct
import time
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from placet.contract.stores import TruthStore
from placet.sealing import Sealer
from placet.session import messages as ours
from placet.session.keys import session_key
from placet.session.messages import Message
from placet.session.shelves import DocumentShelf, MemoryShelf, Row, Shelf

__all__ = ["SdkSessionStore"]


class SdkSessionStore:
    """Conversations in sessions of the Agents SDK.

    Only one writer of a conversation at a time, as the SDK wants it: `set` reads, clears and adds, and a process that
    dies in between has cleared. Where the new messages only go on from the stored ones, they are added.

    Args:
        sessions: Session id to session; asked for `session_key(tenant, session_id)`.
        times: A truth store and a sealer that remember when a conversation was written, which no session does; None
            remembers it in this process.
        types: As for `InMemorySessionStore`.
    """

    def __init__(
        self,
        sessions: Callable[[str], Any],
        *,
        tenant: str,
        times: tuple[TruthStore, Sealer] | None = None,
        types: ModuleType = ours,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._sessions, self._tenant, self._types, self._now = sessions, tenant, types, now
        self._times: Shelf = (
            MemoryShelf() if times is None else DocumentShelf(*times, kind="conversation time", tenant=tenant)
        )

    async def get(self, session_id: str) -> list[Message]:
        return messages_of(await self._session(session_id).get_items(), self._types)

    async def append(self, session_id: str, *messages: Message) -> None:
        items = items_of(messages)
        if items:
            await self._session(session_id).add_items(items)
            await self._touch(session_id)

    async def set(self, session_id: str, messages: list[Message]) -> None:
        session, items = self._session(session_id), items_of(messages)
        stored = items_of(await self.get(session_id))
        if items[: len(stored)] == stored:
            items = items[len(stored) :]
        else:
            await session.clear_session()
        if items:
            await session.add_items(items)
        await self._touch(session_id)

    async def clear(self, session_id: str) -> None:
        await self._session(session_id).clear_session()
        await self._times.change(session_id, lambda old: (None, None))

    async def updated_at(self, session_id: str) -> float | None:
        row = await self._times.read(session_id)
        return None if row is None else float(struct.unpack("!d", row.body)[0])

    def _session(self, session_id: str) -> Any:
        return self._sessions(session_key(self._tenant, session_id))

    async def _touch(self, session_id: str) -> None:
        await self._times.change(session_id, lambda old: (None, Row(struct.pack("!d", self._now()))))


def items_of(messages: Iterable[Any]) -> list[dict[str, Any]]:
    """Messages as input items of the SDK."""
    items: list[dict[str, Any]] = []
    for message in messages:
        words = [part.text for part in message.content if type(part).__name__ == "TextPart"]
        if words:
            items.append({"role": message.role, "content": _content(message.role, words)})
        for part in message.content:
            if type(part).__name__ == "ToolUsePart":
                arguments = json.dumps(part.arguments, ensure_ascii=False)
                items.append(
                    {"type": "function_call", "call_id": part.id, "name": part.name, "arguments": arguments}
                )
            elif type(part).__name__ == "ToolResultPart":
                output = {
                    "type": "function_call_output",
                    "call_id": part.tool_call_id,
                    "output": part.content,
                }
                items.append({**output, "status": "incomplete"} if part.is_error else output)
    return items


def messages_of(items: Iterable[Any], types: Any = ours) -> list[Any]:
    """Items of the SDK as messages; calls join the words before them, and neighbouring results one message."""
    found: list[Any] = []

    def add(role: str, parts: list[Any], joins: str) -> None:
        last = found[-1] if found else None
        if last is not None and last.role == role and type(last.content[-1]).__name__ in joins.split():
            last.content.extend(parts)
        else:
            found.append(types.Message(role=role, content=parts))

    for item in map(_mapping, items):
        kind = item.get("type", "message")
        if kind == "function_call":
            arguments = _arguments(item["arguments"])
            use = types.ToolUsePart(id=item["call_id"], name=item["name"], arguments=arguments)
            add("assistant", [use], "TextPart ToolUsePart")
        elif kind == "function_call_output":
            result = types.ToolResultPart(
                tool_call_id=item["call_id"],
                content=" ".join(_words(item["output"])),
                is_error=item.get("status") == "incomplete",
            )
            add("tool", [result], "ToolResultPart")
        elif kind == "message" and item.get("role") in ("user", "assistant"):
            parts = [types.TextPart(text=text) for text in _words(item["content"])]
            if parts:
                add(item["role"], parts, "")
    return found


def _mapping(item: Any) -> dict[str, Any]:
    """An item that is a model object of the SDK, as the mapping that it stands for."""
    found: dict[str, Any] = item if isinstance(item, dict) else item.model_dump(exclude_unset=True)
    return found


def _arguments(text: str) -> dict[str, Any]:
    """What a model wrote; none where that was no object."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _content(role: str, words: list[str]) -> Any:
    if len(words) == 1:
        return words[0]
    kind = "output_text" if role == "assistant" else "input_text"
    return [{"type": kind, "text": text} for text in words]


def _words(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [part.get("text") or part.get("refusal") or "" for part in content if isinstance(part, dict)]
