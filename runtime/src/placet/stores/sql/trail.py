"""The reading end of the chains in SQL."""

from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa

from placet.contract.stores import StoreError
from placet.stores.chain import Misfit, Record
from placet.stores.sql.session import Connection, Statement
from placet.stores.sql.statements import TrailStatements

__all__ = ["SqlTrail"]

PAGE, ALL = 1000, 2**31 - 1


class SqlTrail:
    """Reads chains over one connection, which `close` lets go."""

    def __init__(self, connect: Callable[[], Connection], dialect: sa.Dialect) -> None:
        self._sql = TrailStatements(dialect)
        self._connection = connect()
        self._odd: dict[str, Any] = {}

    def chains(self) -> tuple[str, ...]:
        found = [row[0] for row in self._rows(self._sql.chains, {})]
        self._odd = {_shown(one): one for one in found if not isinstance(one, str)}
        return tuple(sorted({_shown(one) for one in found}))

    def records(self, chain: str, *, first: int = 1, last: int | None = None) -> Iterator[Record | Misfit]:
        of = self._odd.get(chain, chain)
        while True:
            count = PAGE if last is None else min(PAGE, last - first + 1)
            if count <= 0:
                return
            page = self._rows(self._sql.records, {"of": of, "first": first, "count": count})
            if len(page) == count and not all(type(row[1]) is int for row in page):
                # Without numbers there are no pages.
                page = self._rows(self._sql.records, {"of": of, "first": first, "count": ALL})
            for row in page:
                if last is not None and (type(row[1]) is not int or row[1] > last):
                    return
                yield _record(row)
            if len(page) != count:
                return
            first = page[-1][1] + 1

    def head(self, chain: str) -> Record | None:
        found = self._rows(self._sql.head, {"of": self._odd.get(chain, chain), "count": 1})
        last = _record(found[0]) if found else None
        if not isinstance(last, Misfit):
            return last
        whole = [one for one in self.records(chain) if isinstance(one, Record)]
        return whole[-1] if whole else None

    def latest(self, count: int) -> tuple[Record | Misfit, ...]:
        found = self._rows(self._sql.latest, {"count": max(0, count)})
        return tuple(_record(row) for row in reversed(found))

    def close(self) -> None:
        self._connection.close()

    def _rows(self, statement: Statement, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        try:
            return self._connection.rows(statement, values)
        except Exception as error:
            raise StoreError(self._connection.reason(error)) from None


_TYPES = (("chain", str), ("seq", int), ("key_id", str), ("body", bytes), ("mac", bytes))


def _record(row: tuple[Any, ...]) -> Record | Misfit:
    """A row as it should be, or as what it is: SQLite keeps any type in any column."""
    columns = tuple([name for (name, kind), one in zip(_TYPES, row, strict=True) if type(one) is not kind])
    if not columns:
        return Record(*row)
    chain, seq, _, _, mac = row
    return Misfit(
        _shown(chain),
        seq if type(seq) is int else 0,
        columns,
        mac if isinstance(mac, bytes) else None,
    )


def _shown(chain: Any) -> str:
    return chain if isinstance(chain, str) else f"unreadable {chain!r}"[:100]
