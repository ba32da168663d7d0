"""What must reach people: kept in the transaction that decided it, delivered until the channel has taken it.

A channel may see a message twice, under the same id: it de-duplicates by it, as chat platforms do.
"""

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from placet.contract.documents import Document, ListDocuments, SwapDocument
from placet.contract.stores import TruthStore
from placet.sealing import Sealer

__all__ = ["OutboundChannel", "Outbox", "Outgoing"]

KIND = "outgoing"
RETRY_S = 5.0
GIVE_UP = 20
"""Deliveries that are tried before a message is left for an operator, in the state `failed`."""


class Outgoing(Struct, frozen=True, kw_only=True):
    """One message to people.

    Attributes:
        id: The same for every attempt.
        kind: "reply" to the conversation, or "approval" that waits in it; `approval_id` says which.
    """

    id: str
    kind: Literal["reply", "approval"]
    app: str
    conversation: str
    run: str
    text: str = ""
    approval_id: str = ""


class OutboundChannel(Protocol):
    """Takes messages to where people are. Raising means that it was not taken."""

    async def deliver(self, message: Outgoing) -> None: ...


class _Kept(Struct, frozen=True):
    message: Outgoing
    tries: int = 0


class Outbox:
    """Messages in the truth store."""

    def __init__(
        self, store: TruthStore, sealer: Sealer, channel: OutboundChannel | None, *, now: Callable[[], float]
    ) -> None:
        self._store, self._sealer, self._channel, self._now = store, sealer, channel, now

    def post(self, message: Outgoing) -> SwapDocument:
        """The operation that keeps a message; the same id twice is one message."""
        document = self._document(_Kept(message), state="unsent", due_at=self._now(), version=1)
        return SwapDocument(kind=KIND, id=message.id, version=0, document=document)

    def withdraw(self, identifier: str) -> SwapDocument:
        """The operation that takes back a message nobody has tried to deliver yet."""
        return SwapDocument(kind=KIND, id=identifier, version=1, document=None)

    async def flush(self) -> int:
        """Deliver what is due; returns how many were taken."""
        if self._channel is None:
            return 0
        asked = ListDocuments(kind=KIND, states=("unsent",), due_by=self._now())
        (found,) = await self._store.apply(asked)
        taken = 0
        for document in found:
            taken += await self._deliver(document)
        return taken

    async def _deliver(self, document: Document) -> int:
        assert self._channel is not None
        kept = msgspec.json.decode(self._sealer.open(document.body, place=document.id), type=_Kept)
        try:
            await self._channel.deliver(kept.message)
        except Exception:
            kept = replace(kept, tries=kept.tries + 1)
            state = "failed" if kept.tries >= GIVE_UP else "unsent"
            due_at, taken = self._now() + RETRY_S * kept.tries, 0
        else:
            state, due_at, taken = "sent", self._now(), 1
        new = self._document(kept, state=state, due_at=due_at, version=document.version + 1)
        await self._store.apply(
            SwapDocument(kind=KIND, id=document.id, version=document.version, document=new)
        )
        return taken

    def _document(self, kept: _Kept, *, state: str, due_at: float, version: int) -> Document:
        message = kept.message
        return Document(
            kind=KIND,
            id=message.id,
            tenant=message.app,
            group=message.conversation,
            state=state,
            due_at=due_at,
            version=version,
            body=self._sealer.seal(msgspec.json.encode(kept), place=message.id),
        )
