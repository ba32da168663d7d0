"""Shared state in Redis: leases, rate windows and tokens, each changed by one script under the server's clock.

Ledger and audit are not kept here: a Redis that does not write each command to disk forgets what it has answered.
"""

from collections.abc import Awaitable
from typing import Any, cast

from placet.contract.stores import StoredToken, StoreError

__all__ = ["RedisShared"]

TIMEOUT_S = 5.0

CONNECTIONS = 8
"""Of one process. Scripts take microseconds, so a few connections serve many callers."""

KEEP_LEASE_MS = 30 * 24 * 3600 * 1000
"""How long a released lease's token is remembered; later ones start at the clock and so rise all the same."""

_ACQUIRE = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('HMGET', KEYS[1], 'owner', 'until', 'token')
local token
if held[1] and tonumber(held[2]) > now then
  if held[1] ~= ARGV[1] then return false end
  token = tonumber(held[3])
else
  token = math.max((tonumber(held[3]) or 0) + 1, now)
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'until', string.format('%.0f', now + tonumber(ARGV[2])),
  'token', string.format('%.0f', token))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', tonumber(ARGV[2]) + tonumber(ARGV[3])))
return token
"""

_RELEASE = """
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then redis.call('HSET', KEYS[1], 'until', '0') end
return 1
"""

# The list holds the last `count` calls, the oldest at its end.
_TAKE = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local count, per = tonumber(ARGV[1]), tonumber(ARGV[2])
local oldest = redis.call('LINDEX', KEYS[1], count - 1)
if oldest and tonumber(oldest) + per > now then
  return string.format('%.6f', math.min(per, tonumber(oldest) + per - now))
end
redis.call('LPUSH', KEYS[1], string.format('%.6f', now))
redis.call('LTRIM', KEYS[1], 0, count - 1)
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.ceil(per * 1000) + 1000))
return '0'
"""

_PUT_TOKEN = """
local kept = redis.call('HGET', KEYS[1], 'version')
if kept and tonumber(kept) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], 'sealed', ARGV[1], 'expires_at', ARGV[2], 'version', ARGV[3])
return 1
"""


class RedisShared:
    """Leases, rate windows and tokens under one key prefix. Belongs to the event loop that first uses it.

    Args:
        url: As redis-py reads it.
        prefix: Begins every key, so that several users can share a server.
    """

    def __init__(self, url: str, *, prefix: str = "placet:") -> None:
        from redis.asyncio import BlockingConnectionPool, Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        # Callers wait for a connection: an unbounded pool would open one for each of a thousand calls at once.
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=TIMEOUT_S,
            socket_timeout=TIMEOUT_S,
            socket_connect_timeout=TIMEOUT_S,
            health_check_interval=30,
            # One retry covers a connection that the server closed while it was idle.
            retry=Retry(NoBackoff(), 1),
        )
        self._redis = Redis.from_pool(pool)
        self._prefix = prefix
        self._acquire = self._redis.register_script(_ACQUIRE)
        self._release = self._redis.register_script(_RELEASE)
        self._take = self._redis.register_script(_TAKE)
        self._put_token = self._redis.register_script(_PUT_TOKEN)
        self._is_closed = False

    async def acquire(self, name: str, *, owner: str, ttl_s: float) -> int | None:
        token = await self._do(self._acquire, "lease", name, owner, int(ttl_s * 1000), KEEP_LEASE_MS)
        return None if token is None else int(token)

    async def release(self, name: str, *, owner: str) -> None:
        await self._do(self._release, "lease", name, owner)

    async def take(self, bucket: str, *, count: int, per_s: float) -> float:
        return float(await self._do(self._take, "rate", f"{count}:{bucket}", count, per_s))

    async def get_token(self, key: str) -> StoredToken | None:
        found = await self._ask(
            cast(
                "Awaitable[list[bytes | None]]",
                self._redis.hmget(self._key("token", key), ["sealed", "expires_at", "version"]),
            )
        )
        sealed, expires_at, version = found
        if sealed is None or expires_at is None or version is None:
            return None
        return StoredToken(sealed=sealed, expires_at=float(expires_at), version=int(version))

    async def put_token(self, key: str, token: StoredToken) -> bool:
        kept = await self._do(
            self._put_token, "token", key, token.sealed, repr(token.expires_at), token.version
        )
        return bool(kept)

    async def close(self) -> None:
        self._is_closed = True
        await self._ask(self._redis.aclose(), is_closing=True)

    def _key(self, kind: str, name: str) -> str:
        return f"{self._prefix}{kind}:{name}"

    async def _do(self, script: Any, kind: str, name: str, *arguments: Any) -> Any:
        return await self._ask(script(keys=[self._key(kind, name)], args=arguments))

    async def _ask(self, answer: Awaitable[Any], *, is_closing: bool = False) -> Any:
        from redis.exceptions import RedisError

        if self._is_closed and not is_closing:
            cast("Any", answer).close()
            raise StoreError("the store is closed")
        try:
            return await answer
        except (RedisError, OSError) as error:
            # Without a cause: the driver's message names the address.
            raise StoreError(f"the shared state is unavailable ({type(error).__name__})") from None
