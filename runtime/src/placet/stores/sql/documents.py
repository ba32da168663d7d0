"""Documents in SQL."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from msgspec.structs import asdict
from sqlalchemy import bindparam as value

from placet.contract.documents import Document, ListDocuments
from placet.stores.sql.schema import DOCUMENTS
from placet.stores.sql.session import Session, Statement, compiled
from placet.stores.sql.statements import insert_or_nothing, upsert

__all__ = ["DocumentStatements", "SqlDocuments"]

_FIELDS = ("kind", "id", "tenant", "body", "group", "state", "due_at", "version")


class DocumentStatements:
    """Statements of documents, compiled once for a dialect."""

    def __init__(self, dialect: sa.Dialect) -> None:
        row = DOCUMENTS.c
        is_it = (row.kind == value("of_kind"), row.id == value("at_id"))
        self._columns = tuple(row[name] for name in _FIELDS)
        self.insert = compiled(insert_or_nothing(DOCUMENTS, dialect, row.kind, row.id), dialect)
        self.replace = compiled(upsert(DOCUMENTS, dialect, row.kind, row.id), dialect)
        self.get = compiled(sa.select(*self._columns).where(*is_it).with_for_update(), dialect)
        self.drop = compiled(sa.delete(DOCUMENTS).where(*is_it), dialect)
        self._dialect = dialect
        self._listed: dict[tuple[bool, bool, int, bool], Statement] = {}

    def listed(self, asked: ListDocuments) -> Statement:
        """The listing for as many states, with or without each of its limits."""
        count = -1 if asked.states is None else len(asked.states)
        key = (asked.tenant is not None, asked.group is not None, count, asked.due_by is not None)
        if key not in self._listed:
            row = DOCUMENTS.c
            conditions: list[sa.ColumnElement[bool]] = [row.kind == value("of_kind")]
            if asked.tenant is not None:
                conditions.append(row.tenant == value("of_tenant"))
            if asked.group is not None:
                conditions.append(row.group == value("of_group"))
            if asked.states is not None:
                conditions.append(row.state.in_([value(f"state_{n}") for n in range(count)]))
            order: tuple[Any, ...] = (row.id,)
            if asked.due_by is not None:
                conditions.append(row.due_at <= value("due_by"))
                order = (row.due_at, row.id)
            self._listed[key] = compiled(
                sa.select(*self._columns).where(*conditions).order_by(*order).limit(value("most")),
                self._dialect,
            )
        return self._listed[key]


class SqlDocuments:
    """`DocumentTable` over a session."""

    def __init__(self, session: Session, sql: DocumentStatements) -> None:
        self._session, self._sql = session, sql

    def get(self, kind: str, identifier: str) -> Document | None:
        return next(iter(self._rows(self._sql.get, {"of_kind": kind, "at_id": identifier})), None)

    def listed(self, asked: ListDocuments) -> Sequence[Document]:
        if asked.states is not None and not asked.states:
            return ()
        states = {f"state_{n}": state for n, state in enumerate(asked.states or ())}
        wanted = {
            "of_kind": asked.kind,
            "of_tenant": asked.tenant,
            "of_group": asked.group,
            "due_by": asked.due_by,
            "most": asked.most,
        }
        return self._rows(self._sql.listed(asked), {**wanted, **states})

    def insert(self, document: Document) -> bool:
        return self._session.run(self._sql.insert, asdict(document)) == 1

    def replace(self, document: Document) -> None:
        self._session.run(self._sql.replace, asdict(document))

    def drop(self, kind: str, identifier: str) -> None:
        self._session.run(self._sql.drop, {"of_kind": kind, "at_id": identifier})

    def _rows(self, statement: Statement, values: dict[str, Any]) -> list[Document]:
        return [
            Document(**dict(zip(_FIELDS, row, strict=True))) for row in self._session.rows(statement, values)
        ]
