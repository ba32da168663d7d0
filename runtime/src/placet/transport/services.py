"""What the runtime lends to platforms: the wire, the credential cache and the clock."""

import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from placet.contract.platform import Answer, Credential, HttpRequest, Tenant

__all__ = ["Credentials", "RuntimeServices", "Sends"]


class Sends(Protocol):
    """The part of a transport that a platform needs."""

    async def send(self, request: HttpRequest, tenant: Tenant, *, deadline_s: float) -> Answer: ...


class Credentials(Protocol):
    """The part of a credential cache that a platform needs."""

    async def cached_credential(
        self, key: tuple[str, ...], fetch: Callable[[], Awaitable[Credential]], *, force: bool
    ) -> Credential: ...


class RuntimeServices:
    """`placet.contract.platform.Services` over a transport and a cache.

    Args:
        clock: Unix seconds.
    """

    def __init__(
        self, transport: Sends, credentials: Credentials, *, clock: Callable[[], float] = time.time
    ) -> None:
        self._transport = transport
        self._credentials = credentials
        self._clock = clock

    async def send(self, request: HttpRequest, tenant: Tenant, *, deadline_s: float) -> Answer:
        return await self._transport.send(request, tenant, deadline_s=deadline_s)

    def cached_credential(
        self, key: tuple[str, ...], fetch: Callable[[], Awaitable[Credential]], *, force: bool
    ) -> Coroutine[Any, Any, Credential]:
        return self._credentials.cached_credential(key, fetch, force=force)

    def now(self) -> float:
        return self._clock()
