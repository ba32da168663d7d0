"""Sessions of the Agents SDK on real storage, as a host opens them; and one that a host wrote itself."""

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import redis.asyncio
from agents import RunContextWrapper, SQLiteSession
from agents.extensions.memory import (
    AdvancedSQLiteSession,
    AsyncSQLiteSession,
    EncryptedSession,
    RedisSession,
    SQLAlchemySession,
)
from sqlalchemy.ext.asyncio import create_async_engine

from placet.engine import SealedSession
from placet.stores import open_store
from tests.runtime.session.contract import SEALER
from tests.runtime.stores.asking import KEYS

__all__ = ["KEY", "Backend", "Wrapped", "backend"]

KEY = secrets.token_urlsafe(32)


class Backend:
    """A process that opens sessions; what it opened it closes."""

    def __init__(self, make: Callable[..., Any], stack: AsyncExitStack) -> None:
        self._make, self._stack = make, stack

    def __call__(self, key: str, **more: Any) -> Any:
        """A new session object over what is stored under the key."""
        session = self._make(key, **more)
        close = getattr(session, "close", None)
        if close is not None:
            self._stack.push_async_callback(_closed, close)
        return session


async def _closed(close: Callable[[], Any]) -> None:
    found = close()
    if found is not None:
        await found


@asynccontextmanager
async def backend(kind: str, folder: Path, postgres_url: str, redis_url: str) -> AsyncIterator[Backend]:
    """One process's sessions of a kind; a second one over the same places sees what the first stored."""
    async with AsyncExitStack() as stack:
        yield Backend(await _maker(kind, folder, postgres_url, redis_url, stack), stack)


async def _maker(
    kind: str, folder: Path, postgres_url: str, redis_url: str, stack: AsyncExitStack
) -> Callable[..., Any]:
    match kind:
        case "sqlite":
            return lambda key, **more: SQLiteSession(key, folder / "s.db", **more)
        case "async_sqlite":
            return lambda key, **more: AsyncSQLiteSession(key, folder / "s.db", **more)
        case "advanced_sqlite":
            return lambda key, **more: AdvancedSQLiteSession(
                session_id=key, db_path=folder / "s.db", create_tables=True, **more
            )
        case "sqlalchemy_sqlite" | "sqlalchemy_postgres":
            url = f"sqlite+aiosqlite:///{folder / 's.db'}"
            if kind == "sqlalchemy_postgres":
                url = "postgresql+psycopg" + postgres_url[postgres_url.index(":") :]
            engine = create_async_engine(url)
            stack.push_async_callback(engine.dispose)
            return lambda key, **more: SQLAlchemySession(key, engine=engine, create_tables=True, **more)
        case "redis":
            parts = urlsplit(redis_url)
            prefix = parts.query.removeprefix("prefix=")
            client = redis.asyncio.Redis.from_url(urlunsplit(parts._replace(query="")))
            stack.push_async_callback(client.aclose)
            return lambda key, **more: RedisSession(
                key, redis_client=client, key_prefix=f"{prefix}agents", **more
            )
        case "encrypted":
            inner = await _maker("sqlalchemy_sqlite", folder, postgres_url, redis_url, stack)
            return lambda key, **more: _encrypted(key, inner, **more)
        case "sealed":
            truth, shared = open_store(f"sqlite:///{folder / 'placet.db'}", keys=KEYS)
            stack.push_async_callback(truth.close)
            stack.push_async_callback(shared.close)
            return lambda key, **more: SealedSession(truth, SEALER, session_id=key, tenant="app1", **more)
        case "wrapped":
            return lambda key, **more: Wrapped(key, folder / "s.db", **more)
        case _:
            raise ValueError(kind)


def _encrypted(
    key: str, inner: Callable[..., Any], *, encryption_key: str = KEY, ttl: int = 3600, **more: Any
) -> EncryptedSession:
    return EncryptedSession(
        session_id=key, underlying_session=inner(key, **more), encryption_key=encryption_key, ttl=ttl
    )


class Wrapped:
    """A session that a host wrote: it will not be asked without being told for which run."""

    runs: set[str] = set()  # noqa: RUF012 # shared by all, as every instance is one process's

    def __init__(self, key: str, path: Path, *, session_settings: Any = None) -> None:
        self.session_id, self._path, self.session_settings = key, path, session_settings

    async def get_items(
        self, limit: int | None = None, *, wrapper: RunContextWrapper[Any] | None = None
    ) -> list[Any]:
        with closing(self._inner(wrapper)) as inner:
            return list(await inner.get_items(limit))

    async def add_items(self, items: list[Any], *, wrapper: RunContextWrapper[Any] | None = None) -> None:
        with closing(self._inner(wrapper)) as inner:
            await inner.add_items(items)

    async def pop_item(self, *, wrapper: RunContextWrapper[Any] | None = None) -> Any | None:
        with closing(self._inner(wrapper)) as inner:
            return await inner.pop_item()

    async def clear_session(self, *, wrapper: RunContextWrapper[Any] | None = None) -> None:
        with closing(self._inner(wrapper)) as inner:
            await inner.clear_session()

    def _inner(self, wrapper: RunContextWrapper[Any] | None) -> SQLiteSession:
        if wrapper is None:
            raise AssertionError("asked without a wrapper")
        run, ctx = wrapper.context
        self.runs.add(run)
        return SQLiteSession(
            f"{ctx.app}|{self.session_id}", self._path, session_settings=self.session_settings
        )
