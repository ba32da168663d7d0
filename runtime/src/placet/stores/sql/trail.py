"""The reading end of the chains in SQL."""

from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa

from placet.contract.stores import StoreError
from placet.stores.chain import Record
from placet.stores.sql.session import Connection, Statement
from placet.stores.sql.statements import TrailStatements

__all__ = ["SqlTrail"]

PAGE = 1000


class SqlTrail:
    """Reads chains over one connection, which `close` lets go."""

    def __init__(self, connect: Callable[[], Connection], dialect: sa.Dialect) -> None:
        self._sql = TrailStatements(dialect)
        self._connection = connect()

    def chains(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self._rows(self._sql.chains, {}))

    def records(self, chain: str, *, first: int = 1, last: int | None = None) -> Iterator[Record]:
        while True:
            count = PAGE if last is None else min(PAGE, last - first + 1)
            if count <= 0:
                return
            page = self._rows(self._sql.records, {"of": chain, "first": first, "count": count})
            for row in page:
                if last is not None and row[1] > last:
                    return
                yield Record(*row)
            if len(page) < count:
                return
            first = page[-1][1] + 1

    def head(self, chain: str) -> Record | None:
        found = self._rows(self._sql.head, {"of": chain, "count": 1})
        return Record(*found[0]) if found else None

    def latest(self, count: int) -> tuple[Record, ...]:
        found = self._rows(self._sql.latest, {"count": max(0, count)})
        return tuple(Record(*row) for row in reversed(found))

    def close(self) -> None:
        self._connection.close()

    def _rows(self, statement: Statement, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        try:
            return self._connection.rows(statement, values)
        except Exception as error:
            raise StoreError(self._connection.reason(error)) from None
