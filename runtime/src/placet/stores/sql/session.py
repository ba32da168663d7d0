"""What operations see of a connection, and statements compiled for it."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa

__all__ = ["Connection", "Session", "Statement", "compiled"]


class Statement(NamedTuple):
    """SQL text with positional places. `names` says what goes where; `fixed` are values of the statement itself."""

    text: str
    names: tuple[str, ...]
    fixed: Mapping[str, Any]

    def arguments(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        fixed = self.fixed
        return tuple([values[name] if name in values else fixed[name] for name in self.names])


class Session(Protocol):
    """A connection inside a transaction. Raises what its driver raises."""

    def run(self, statement: Statement, values: Mapping[str, Any]) -> int:
        """Execute; returns how many rows were written."""
        ...

    def rows(self, statement: Statement, values: Mapping[str, Any]) -> list[tuple[Any, ...]]: ...

    def lock(self, name: str) -> None:
        """Wait until no other transaction holds this name, and hold it until this one ends."""
        ...

    def now(self) -> float:
        """Unix seconds by the clock that all users of this database share."""
        ...


class Connection(Session, Protocol):
    """A session's connection as its lane drives it. Every method blocks and has a deadline of its own."""

    def begin(self, *, durable: bool) -> None:
        """Begin a transaction; with `durable` its commit survives a power cut."""
        ...

    def commit(self) -> None: ...

    def rollback(self) -> None: ...

    def savepoint(self) -> None: ...

    def release(self) -> None: ...

    def rollback_to_savepoint(self) -> None: ...

    def survives(self, error: Exception) -> bool:
        """Whether the transaction can go on without the part that raised `error`."""
        ...

    def is_lost(self, error: Exception) -> bool:
        """Whether another connection is needed after `error`."""
        ...

    def reason(self, error: Exception) -> str:
        """A sentence for `StoreError`, without values."""
        ...

    def close(self) -> None: ...


def compiled(statement: sa.ClauseElement, dialect: sa.Dialect) -> Statement:
    """The text of a statement for a dialect whose parameter style is positional."""
    form = statement.compile(dialect=dialect)
    positions: list[str] | None = getattr(form, "positiontup", None)
    fixed = {name: value for name, value in (form.params or {}).items() if value is not None}
    return Statement(str(form), tuple(positions or ()), fixed)
