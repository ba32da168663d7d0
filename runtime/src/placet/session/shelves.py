"""Where rows lie: a dictionary, or sealed documents of a truth store. A row changes as one step or not at all."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from msgspec import Struct

from placet.contract.documents import Document, ListDocuments, LookUpDocument, SwapDocument
from placet.contract.stores import StoreError, TruthStore
from placet.sealing import Sealer

__all__ = ["DocumentShelf", "MemoryShelf", "Row", "Shelf", "Step"]

T = TypeVar("T")

TRIES = 100
"""How often a change begins anew because another one was quicker; of so many racers each has had its turn."""


class Row(Struct, frozen=True):
    """One row.

    Attributes:
        due_at: Unix seconds at which somebody should look at it; None for never.
    """

    body: bytes
    group: str = ""
    state: str = ""
    due_at: float | None = None


Step = Callable[[Row | None], tuple[T, Row | None]]
"""From the row as it is to (answer, row as it shall be): the same object for no change, None for no row."""


class Shelf(Protocol):
    """Rows of one kind and one tenant."""

    async def read(self, identifier: str) -> Row | None: ...

    async def change(self, identifier: str, step: Step[T]) -> T:
        """The answer of the step that was kept; it may be called several times.

        Raises:
            StoreError: the store is down, or the row never held still.
        """
        ...

    async def listed(
        self, *, group: str | None = None, states: tuple[str, ...] | None = None, due_by: float | None = None
    ) -> list[tuple[str, Row]]:
        """At most a hundred (identifier, row); with `due_by` those that are due, the oldest first."""
        ...


class MemoryShelf:
    """Rows of this process."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}

    async def read(self, identifier: str) -> Row | None:
        return self._rows.get(identifier)

    async def change(self, identifier: str, step: Step[T]) -> T:
        old = self._rows.get(identifier)
        answer, new = step(old)
        if new is None:
            self._rows.pop(identifier, None)
        else:
            self._rows[identifier] = new
        return answer

    async def listed(
        self, *, group: str | None = None, states: tuple[str, ...] | None = None, due_by: float | None = None
    ) -> list[tuple[str, Row]]:
        return [
            (identifier, row)
            for identifier, row in sorted(self._rows.items(), key=lambda one: one[1].due_at or 0.0)
            if group in (None, row.group)
            and (states is None or row.state in states)
            and (due_by is None or (row.due_at is not None and row.due_at <= due_by))
        ][:100]


class DocumentShelf:
    """Rows as documents.

    Args:
        kind: Of the documents.
        tenant: Whose they are; the same identifier of another tenant is another row.
    """

    def __init__(self, store: TruthStore, sealer: Sealer, *, kind: str, tenant: str) -> None:
        self._store, self._sealer, self._kind, self._tenant = store, sealer, kind, tenant
        self._prefix = tenant.replace("%", "%25").replace("|", "%7C") + "|"

    async def read(self, identifier: str) -> Row | None:
        found = await self._found(identifier)
        return None if found is None else self._row(found)

    async def change(self, identifier: str, step: Step[T]) -> T:
        for _ in range(TRIES):
            found = await self._found(identifier)
            old = None if found is None else self._row(found)
            answer, new = step(old)
            if new is old:
                return answer
            version = 0 if found is None else found.version
            document = None if new is None else self._document(identifier, new, version + 1)
            swap = SwapDocument(
                kind=self._kind, id=self._prefix + identifier, version=version, document=document
            )
            (done,) = await self._store.apply(swap)
            if done:
                return answer
        raise StoreError(f"a {self._kind} was changed by others {TRIES} times in a row")

    async def listed(
        self, *, group: str | None = None, states: tuple[str, ...] | None = None, due_by: float | None = None
    ) -> list[tuple[str, Row]]:
        asked = ListDocuments(
            kind=self._kind, tenant=self._tenant, group=group, states=states, due_by=due_by, most=100
        )
        (found,) = await self._store.apply(asked)
        return [(one.id.removeprefix(self._prefix), self._row(one)) for one in found]

    async def _found(self, identifier: str) -> Document | None:
        asked = LookUpDocument(kind=self._kind, id=self._prefix + identifier)
        found: Document | None
        (found,) = await self._store.apply(asked)
        return found

    def _document(self, identifier: str, row: Row, version: int) -> Document:
        place = self._prefix + identifier
        return Document(
            kind=self._kind,
            id=place,
            tenant=self._tenant,
            group=row.group,
            state=row.state,
            due_at=row.due_at,
            version=version,
            body=self._sealer.seal(row.body, place=f"{self._kind} {place}"),
        )

    def _row(self, document: Document) -> Row:
        body = self._sealer.open(document.body, place=f"{self._kind} {document.id}")
        return Row(body, document.group, document.state, document.due_at)
