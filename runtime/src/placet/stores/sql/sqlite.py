"""SQLite: WAL, one writing connection, commits to disk where truth lives.

Truth and shared state are two files, so that a lease never waits behind a commit to disk.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from placet.contract.stores import StoreError
from placet.stores.sql.migrations import migrate
from placet.stores.sql.session import Statement

__all__ = ["DIALECT", "SqliteConnection", "open_reader", "open_writer"]

DIALECT: sa.Dialect = SQLiteDialect_pysqlite(paramstyle="qmark")

BUSY_MS = 5000
"""How long a connection waits for another process's transaction."""

_OLDEST = (3, 24, 0)
"""The first SQLite with ON CONFLICT DO UPDATE."""

_ALONE = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError, sqlite3.InterfaceError)

_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_BUSY: "the database is locked",
    sqlite3.SQLITE_LOCKED: "the database is locked",
    sqlite3.SQLITE_CORRUPT: "the database is corrupt",
    sqlite3.SQLITE_NOTADB: "the database is corrupt",
    sqlite3.SQLITE_IOERR: "the disk failed",
    sqlite3.SQLITE_READONLY: "the database is read-only",
    sqlite3.SQLITE_CANTOPEN: "the database cannot be opened",
}


class SqliteConnection:
    """One connection, used by the thread that opened it."""

    dialect = DIALECT

    def __init__(self, raw: sqlite3.Connection, path: Path, clock: Callable[[], float]) -> None:
        self._raw = raw
        self._path = str(path)
        self._file = _identity(self._path)
        self._clock = clock
        self._is_full: bool | None = None

    def run(self, statement: Statement, values: Mapping[str, Any]) -> int:
        return self._raw.execute(statement.text, statement.arguments(values)).rowcount

    def rows(self, statement: Statement, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return self._raw.execute(statement.text, statement.arguments(values)).fetchall()

    def lock(self, name: str) -> None:
        """Every transaction is the only one that writes."""

    def now(self) -> float:
        # One machine has one clock.
        return self._clock()

    def begin(self, *, durable: bool) -> None:
        if _identity(self._path) != self._file:
            # SQLite would go on writing to a file that no longer has a name.
            raise StoreError("the database was moved or replaced; restart once it is back")
        if durable is not self._is_full:
            self._raw.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            self._is_full = durable
        self._raw.execute("BEGIN IMMEDIATE")

    def begin_alone(self) -> None:
        self.begin(durable=True)

    def commit(self) -> None:
        self._raw.execute("COMMIT")

    def rollback(self) -> None:
        if self._raw.in_transaction:
            self._raw.execute("ROLLBACK")

    def savepoint(self) -> None:
        self._raw.execute("SAVEPOINT part")

    def release(self) -> None:
        self._raw.execute("RELEASE part")

    def rollback_to_savepoint(self) -> None:
        self._raw.execute("ROLLBACK TO part")

    def survives(self, error: Exception) -> bool:
        # A full disk and the like may roll the whole transaction back, or leave it half done.
        return self._raw.in_transaction and (
            isinstance(error, _ALONE) or not isinstance(error, sqlite3.Error)
        )

    def is_lost(self, error: Exception) -> bool:
        # A database that failed, or that was taken away, is not made anew behind the operator's back.
        return False

    def reason(self, error: Exception) -> str:
        return _reason(error)

    def close(self) -> None:
        try:
            self._raw.close()
        except sqlite3.Error:
            return


def open_writer(path: Path, component: str, *, clock: Callable[[], float]) -> SqliteConnection:
    """Open the file for writing, made with mode 0600 when it is new, and bring its schema up to date.

    Raises:
        StoreError: it cannot be opened, is no database, or is of a newer version.
    """
    if sqlite3.sqlite_version_info < _OLDEST:
        raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old; 3.24 is needed")
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreError(f"the database cannot be opened ({error.strerror})") from None
    raw: sqlite3.Connection | None = None
    try:
        raw = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None)
        _use_wal(raw)
        # Without these an fsync on macOS does not reach the disk.
        raw.execute("PRAGMA fullfsync=ON")
        raw.execute("PRAGMA checkpoint_fullfsync=ON")
        raw.execute("PRAGMA trusted_schema=OFF")
        connection = SqliteConnection(raw, path, clock)
        migrate(connection, component)
    except sqlite3.Error as error:
        if raw is not None:
            raw.close()
        raise StoreError(_reason(error)) from None
    except BaseException:
        if raw is not None:
            raw.close()
        raise
    return connection


def open_reader(path: Path) -> SqliteConnection:
    """Open an existing file for reading only.

    Raises:
        StoreError: there is none, or it is no database.
    """
    if not path.is_file():
        raise StoreError("there is no database at this place")
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        raw = sqlite3.connect(
            uri, uri=True, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        # What somebody else wrote is read all the same.
        raw.text_factory = lambda data: data.decode("utf-8", "backslashreplace")
    except sqlite3.Error as error:
        raise StoreError(_reason(error)) from None
    return SqliteConnection(raw, path, time.time)


def _use_wal(raw: sqlite3.Connection) -> None:
    """Switch to WAL. While two connections switch, SQLite answers "locked" at once instead of waiting."""
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            mode = raw.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if (
                _code(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
                or time.monotonic() > deadline
            ):
                raise
            time.sleep(0.01)
            continue
        if mode != "wal":
            raise StoreError(f"the database cannot use a write-ahead log (journal mode {mode!r})")
        return


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - asked for in each transaction, and pathlib costs twice as much
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _code(error: Exception) -> int:
    """The primary result code; extended codes keep it in their low byte."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _reason(error: Exception) -> str:
    if isinstance(error, StoreError):
        return str(error)
    known = _REASONS.get(_code(error))
    return known or f"the store refused what it was given ({type(error).__name__})"
