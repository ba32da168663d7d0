"""From an address in the configuration to stores. Drivers are loaded here, when one is asked for."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from placet.contract.errors import PlacetError
from placet.contract.stores import SharedState, TruthStore
from placet.stores.chain import ChainKeys, Trail

if TYPE_CHECKING:
    from placet.stores.sql.trail import SqlTrail

__all__ = ["OpenTruth", "StoreUrlError", "open_shared", "open_store", "open_trail"]

POSTGRES_LANES = 2
"""Connections for truth; what waits shares a commit, so more of them gained nothing on two cores."""

_FORMS = "sqlite:///PATH, postgresql://HOST/DATABASE, redis://HOST or memory://"


class OpenTruth(TruthStore, Protocol):
    """A truth store as `open_store` gives it."""

    async def ready(self) -> None:
        """Wait until the store answers.

        Raises:
            StoreError: it does not; the reason is in the message.
        """
        ...

    def trail(self) -> Trail:
        """The audit's reading end, over a connection of its own. Blocking; to be closed by the caller.

        Raises:
            StoreError: the store cannot be read.
        """
        ...


class StoreUrlError(PlacetError):
    """The configuration names a store that cannot be one. Holds no part of the address but its scheme."""


def open_store(
    url: str,
    *,
    keys: ChainKeys,
    anchor_records: int = 1000,
    anchor_s: float = 60.0,
    clock: Callable[[], float] = time.time,
) -> tuple[OpenTruth, SharedState]:
    """Both stores at one address. Connects when first used; a place that cannot be reached says so then.

    Args:
        url: `sqlite:///relative.db`, `sqlite:////absolute.db`, `postgresql://…` (with `?lanes=N` so many
            connections) or `memory://`.
        keys: Of the audit chains.
        anchor_records: After so many records, or `anchor_s` seconds, a writer records other chains' heads.

    Raises:
        StoreUrlError: no such store, or one that must not hold truth.
    """
    scheme = _scheme(url)
    if scheme == "memory":
        from placet.stores.memory import MemoryShared, MemoryTruth

        return MemoryTruth(keys, clock=clock), MemoryShared(clock=clock)
    if scheme in ("redis", "rediss", "unix"):
        raise StoreUrlError(
            "Redis can hold shared state but no truth: by default it answers before a command is on disk, and a"
            " restart forgets it; name a sqlite or postgresql store for the truth"
        )
    from placet.stores.sql.journal import Anchoring
    from placet.stores.sql.stores import SqlTruth

    anchoring = Anchoring(records=anchor_records, seconds=anchor_s)
    if scheme == "sqlite":
        from placet.stores.sql import sqlite

        path = _path(url)
        truth = SqlTruth(
            lambda: sqlite.open_writer(path, "truth", clock=clock),
            lambda: _sqlite_trail(path),
            dialect=sqlite.DIALECT,
            keys=keys,
            lanes=1,
            anchoring=anchoring,
            clock=clock,
        )
        return truth, open_shared(url, clock=clock)
    from placet.stores.sql import postgres

    conninfo, lanes = _postgres(url)
    truth = SqlTruth(
        lambda: postgres.open_connection(conninfo, "truth"),
        lambda: _postgres_trail(conninfo),
        dialect=postgres.DIALECT,
        keys=keys,
        lanes=lanes,
        anchoring=anchoring,
        clock=clock,
    )
    return truth, open_shared(url, clock=clock)


def open_shared(url: str, *, clock: Callable[[], float] = time.time) -> SharedState:
    """Shared state alone; `redis://…` too, with `?prefix=` for its keys. PostgreSQL and Redis use their own clocks.

    Raises:
        StoreUrlError: no such store.
    """
    scheme = _scheme(url)
    if scheme == "memory":
        from placet.stores.memory import MemoryShared

        return MemoryShared(clock=clock)
    if scheme in ("redis", "rediss", "unix"):
        from placet.stores.redis import RedisShared

        bare, options = _without_options(url, "prefix")
        return RedisShared(bare, prefix=options.get("prefix", "placet:"))
    from placet.stores.sql.stores import SqlShared

    if scheme == "sqlite":
        from placet.stores.sql import sqlite

        path = _path(url)
        beside = path.with_name(f"{path.name}.shared")
        return SqlShared(
            lambda: sqlite.open_writer(beside, "shared", clock=clock), dialect=sqlite.DIALECT, lanes=1
        )
    from placet.stores.sql import postgres

    conninfo, _ = _postgres(url)
    return SqlShared(lambda: postgres.open_connection(conninfo, "shared"), dialect=postgres.DIALECT, lanes=1)


def open_trail(url: str) -> Trail:
    """The audit of a store for reading; makes nothing, writes nothing.

    Raises:
        StoreUrlError: the address names no store that keeps an audit beyond its process.
        StoreError: it cannot be read.
    """
    scheme = _scheme(url)
    if scheme == "sqlite":
        return _sqlite_trail(_path(url))
    if scheme == "postgresql":
        return _postgres_trail(_postgres(url)[0])
    raise StoreUrlError(f"a {scheme} store keeps no audit that another process could read")


def _sqlite_trail(path: Path) -> "SqlTrail":
    from placet.stores.sql import sqlite
    from placet.stores.sql.trail import SqlTrail

    return SqlTrail(lambda: sqlite.open_reader(path), sqlite.DIALECT)


def _postgres_trail(conninfo: str) -> "SqlTrail":
    from placet.stores.sql import postgres
    from placet.stores.sql.trail import SqlTrail

    return SqlTrail(lambda: postgres.open_connection(conninfo, None), postgres.DIALECT)


def _scheme(url: str) -> str:
    scheme = urlsplit(url).scheme.partition("+")[0]
    scheme = "postgresql" if scheme == "postgres" else scheme
    if scheme not in ("memory", "sqlite", "postgresql", "redis", "rediss", "unix"):
        raise StoreUrlError(f"{scheme!r} is no kind of store; there is {_FORMS}")
    return scheme


def _path(url: str) -> Path:
    parts = urlsplit(url)
    if parts.netloc or len(parts.path) < 2 or parts.query:
        raise StoreUrlError("a SQLite store is written sqlite:///relative.db or sqlite:////absolute.db")
    return Path(unquote(parts.path[1:]))


def _postgres(url: str) -> tuple[str, int]:
    bare, options = _without_options(url, "lanes")
    lanes = options.get("lanes", str(POSTGRES_LANES))
    if not lanes.isdecimal() or not 1 <= int(lanes) <= 64:
        raise StoreUrlError("lanes of a PostgreSQL store are a number from 1 to 64")
    return "postgresql" + bare[bare.index(":") :], int(lanes)


def _without_options(url: str, *ours: str) -> tuple[str, dict[str, str]]:
    """The address without our own options, and those."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    rest = urlencode([(name, text) for name, text in pairs if name not in ours])
    # Not by urlunsplit alone: it drops the empty host of postgresql:///database.
    bare = urlunsplit((parts.scheme, parts.netloc, parts.path, rest, ""))
    if not parts.netloc and "://" not in bare:
        bare = f"{parts.scheme}://{parts.path}" + (f"?{rest}" if rest else "")
    return bare, {name: text for name, text in pairs if name in ours}
