"""PostgreSQL through psycopg: blocking connections, each owned by its lane's thread.

Measured against psycopg's own asyncio connections the threads are as fast for one caller and faster for many, since
what waits shares a commit; and they run the code that SQLite runs.
"""

from collections.abc import Mapping
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.pq import TransactionStatus
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from placet.contract.stores import StoreError
from placet.stores.sql.migrations import migrate
from placet.stores.sql.session import Statement

__all__ = ["DIALECT", "PostgresConnection", "open_connection"]

DIALECT: sa.Dialect = PGDialect_psycopg(paramstyle="format")  # type: ignore[no-untyped-call] # SQLAlchemy's own

CONNECT_S = 5
STATEMENT_MS = 10_000
IDLE_MS = 30_000

_ONE_STARTER = 0x706C61636574
"""The advisory lock of migrations: "placet" in ASCII."""

_LEFT_BEHIND = "25006"
"""A write to a read-only server: the primary has moved, so the connection is of no use."""


class PostgresConnection:
    """One connection, used by one thread at a time."""

    dialect = DIALECT

    def __init__(self, raw: "psycopg.Connection[tuple[Any, ...]]") -> None:
        self._raw = raw
        self._cursor = raw.cursor()

    def run(self, statement: Statement, values: Mapping[str, Any]) -> int:
        return self._cursor.execute(statement.text.encode(), statement.arguments(values)).rowcount

    def rows(self, statement: Statement, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return self._cursor.execute(statement.text.encode(), statement.arguments(values)).fetchall()

    def lock(self, name: str) -> None:
        self._cursor.execute(b"SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (name,))

    def now(self) -> float:
        found = self._cursor.execute(b"SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()
        assert found is not None
        now: float = found[0]
        return now

    def begin(self, *, durable: bool) -> None:
        # Said in full: a server's default may be another level, and rules here rest on row locks.
        self._cursor.execute(b"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        if not durable:
            self._cursor.execute(b"SET LOCAL synchronous_commit TO off")

    def begin_alone(self) -> None:
        self.begin(durable=True)
        self._cursor.execute("SELECT pg_advisory_xact_lock(%s)", (_ONE_STARTER,))

    def commit(self) -> None:
        self._cursor.execute(b"COMMIT")
        if self._cursor.statusmessage != "COMMIT":
            # The server rolls a failed transaction back and calls that a success.
            raise StoreError("the transaction was rolled back")

    def rollback(self) -> None:
        if self._raw.info.transaction_status is not TransactionStatus.IDLE:
            self._cursor.execute(b"ROLLBACK")

    def savepoint(self) -> None:
        self._cursor.execute(b"SAVEPOINT part")

    def release(self) -> None:
        self._cursor.execute(b"RELEASE part")

    def rollback_to_savepoint(self) -> None:
        self._cursor.execute(b"ROLLBACK TO part")

    def survives(self, error: Exception) -> bool:
        return not self.is_lost(error)

    def is_lost(self, error: Exception) -> bool:
        return self._raw.closed or getattr(error, "sqlstate", None) == _LEFT_BEHIND

    def reason(self, error: Exception) -> str:
        return _reason(error)

    def close(self) -> None:
        try:
            self._raw.close()
        except psycopg.Error:
            return


def open_connection(conninfo: str, component: str | None) -> PostgresConnection:
    """Connect, and bring the schema of `component` up to date; None leaves it alone.

    Raises:
        StoreError: the server cannot be reached or refuses, or the database is of a newer version.
    """
    raw: psycopg.Connection[tuple[Any, ...]] | None = None
    try:
        raw = psycopg.connect(
            conninfo,
            autocommit=True,
            connect_timeout=CONNECT_S,
            application_name="placet",
            client_encoding="utf8",
            target_session_attrs="read-write",
            keepalives_idle=30,
            tcp_user_timeout=STATEMENT_MS,
            options=(
                f"-c statement_timeout={STATEMENT_MS} -c lock_timeout={STATEMENT_MS}"
                f" -c idle_in_transaction_session_timeout={IDLE_MS}"
            ),
        )
        connection = PostgresConnection(raw)
        if component is not None:
            _commit_to_disk(raw)
            migrate(connection, component)
    except (psycopg.Error, UnicodeError) as error:
        if raw is not None:
            raw.close()
        raise StoreError(_reason(error)) from None
    except BaseException:
        if raw is not None:
            raw.close()
        raise
    return connection


def _commit_to_disk(raw: "psycopg.Connection[tuple[Any, ...]]") -> None:
    found = raw.execute("SHOW synchronous_commit").fetchone()
    if found is not None and found[0] == "off":
        raw.execute("SET synchronous_commit TO on")


def _reason(error: Exception) -> str:
    """Without the driver's message: it may hold the address, the user or the values of a row."""
    if isinstance(error, StoreError):
        return str(error)
    state = getattr(error, "sqlstate", None)
    named = f"{type(error).__name__}, {state}" if state else type(error).__name__
    if isinstance(error, psycopg.OperationalError):
        return f"the database is unavailable ({named})"
    return f"the store refused what it was given ({named})"
