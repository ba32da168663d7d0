"""Our own session of the Agents SDK: a conversation's items in the truth store, each sealed.

Unlike the SDK's encrypted wrapper, a key that does not open an item is an error and never an empty history.
"""

import json
from typing import Any

from agents import SessionSettings

from placet.contract.documents import Document, ListDocuments, SwapDocument
from placet.contract.stores import StoreError, TruthStore
from placet.sealing import Sealer
from placet.session import session_key

__all__ = ["SealedSession", "session_key"]

KIND = "session item"
MOST = 100_000


class SealedSession:
    """`agents.memory.Session` over documents. Only one turn of a conversation writes at a time.

    Args:
        session_id: As `session_key` makes it.
        tenant: The app.
        session_settings: As for the SDK's own sessions.

    Raises:
        SealBroken: by any method that reads, when no configured key opens an item.
    """

    def __init__(
        self,
        store: TruthStore,
        sealer: Sealer,
        *,
        session_id: str,
        tenant: str,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self._store, self._sealer, self._tenant = store, sealer, tenant
        self.session_id, self.session_settings = session_id, session_settings

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """All items, or the last `limit`, in order; the settings' limit where none is asked for."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        documents = await self._documents()
        if limit is not None:
            documents = documents[max(0, len(documents) - limit) :]
        return [self._opened(one) for one in documents]

    async def add_items(self, items: list[Any]) -> None:
        """Append, all or none."""
        if not items:
            return
        documents = await self._documents()
        first = _number(documents[-1]) + 1 if documents else 0
        added = [self._sealed(first + at, item) for at, item in enumerate(items)]
        done = await self._store.apply(
            *[SwapDocument(kind=KIND, id=one.id, version=0, document=one) for one in added]
        )
        if not all(done):
            raise StoreError("another turn wrote to this conversation at the same time")

    async def pop_item(self) -> Any | None:
        """Remove and return the last item; None when there is none."""
        documents = await self._documents()
        if not documents:
            return None
        last = documents[-1]
        item = self._opened(last)
        await self._store.apply(SwapDocument(kind=KIND, id=last.id, version=last.version, document=None))
        return item

    async def clear_session(self) -> None:
        documents = await self._documents()
        await self._store.apply(
            *[SwapDocument(kind=KIND, id=one.id, version=one.version, document=None) for one in documents]
        )

    async def _documents(self) -> list[Document]:
        asked = ListDocuments(kind=KIND, tenant=self._tenant, group=self.session_id, most=MOST)
        (found,) = await self._store.apply(asked)
        return list(found)

    def _sealed(self, number: int, item: Any) -> Document:
        identifier = f"{self.session_id}#{number:010}"
        body = json.dumps(item, ensure_ascii=False, default=_plain).encode()
        return Document(
            kind=KIND,
            id=identifier,
            tenant=self._tenant,
            group=self.session_id,
            body=self._sealer.seal(body, place=identifier),
        )

    def _opened(self, document: Document) -> Any:
        return json.loads(self._sealer.open(document.body, place=document.id))


def _number(document: Document) -> int:
    return int(document.id.rpartition("#")[2])


def _plain(value: Any) -> Any:
    """An SDK item that is a model object and not yet a mapping."""
    return value.model_dump(exclude_unset=True)
