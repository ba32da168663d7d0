"""Each document operation over a table of rows, whatever keeps the table."""

from collections.abc import Sequence
from typing import Any, Protocol

from placet.contract.documents import Document, ListDocuments, LookUpDocument, SwapDocument
from placet.contract.stores import DocumentOperation

__all__ = ["DocumentTable", "MemoryDocuments", "answer_document"]


class DocumentTable(Protocol):
    """Rows inside one transaction. What `get` returned nobody else changes before it ends."""

    def get(self, kind: str, identifier: str) -> Document | None: ...

    def listed(self, asked: ListDocuments) -> Sequence[Document]: ...

    def insert(self, document: Document) -> bool:
        """False when there is one with its key."""
        ...

    def replace(self, document: Document) -> None: ...

    def drop(self, kind: str, identifier: str) -> None: ...


def answer_document(table: DocumentTable, operation: DocumentOperation) -> Any:
    """Apply one operation and say what its docstring promises."""
    match operation:
        case SwapDocument():
            return _swapped(table, operation)
        case LookUpDocument():
            return table.get(operation.kind, operation.id)
        case ListDocuments():
            return tuple(table.listed(operation))


def _swapped(table: DocumentTable, asked: SwapDocument) -> bool:
    if asked.version == 0:
        return asked.document is not None and table.insert(asked.document)
    kept = table.get(asked.kind, asked.id)
    if kept is None or kept.version != asked.version:
        return False
    if asked.document is None:
        table.drop(asked.kind, asked.id)
    else:
        table.replace(asked.document)
    return True


class MemoryDocuments:
    """Documents in a dictionary, seen through what one transaction has changed; `apply` makes it last."""

    def __init__(self, rows: dict[tuple[str, str], Document]) -> None:
        self._rows = rows
        self._changed: dict[tuple[str, str], Document | None] = {}

    def apply(self) -> None:
        for key, document in self._changed.items():
            if document is None:
                self._rows.pop(key, None)
            else:
                self._rows[key] = document

    def get(self, kind: str, identifier: str) -> Document | None:
        key = (kind, identifier)
        return self._changed[key] if key in self._changed else self._rows.get(key)

    def listed(self, asked: ListDocuments) -> list[Document]:
        found = [
            one
            for one in {**self._rows, **self._changed}.values()
            if one is not None
            and one.kind == asked.kind
            and asked.tenant in (None, one.tenant)
            and asked.group in (None, one.group)
            and (asked.states is None or one.state in asked.states)
            and (asked.due_by is None or (one.due_at is not None and one.due_at <= asked.due_by))
        ]
        found.sort(key=lambda one: ((one.due_at or 0.0) if asked.due_by is not None else 0.0, one.id))
        return found[: asked.most]

    def insert(self, document: Document) -> bool:
        if self.get(document.kind, document.id) is not None:
            return False
        self.replace(document)
        return True

    def replace(self, document: Document) -> None:
        self._changed[document.kind, document.id] = document

    def drop(self, kind: str, identifier: str) -> None:
        self._changed[kind, identifier] = None
