"""Credentials that are fetched once and shared: by all tasks of a process, and by all processes of a host.

Keys say everything that tells two tokens apart, so no app, host, secret or person is ever answered with another's.
At rest a token is sealed under its own key. A refresh that fails changes nothing.
"""

import asyncio
import hashlib
import math
import random
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Protocol

import anyio
import msgspec
from msgspec import Struct

from placet.contract.digest import sha256_of
from placet.contract.errors import CredentialUnavailable, PlacetError
from placet.contract.platform import Credential, Secret
from placet.contract.stores import SharedState, StoredToken, StoreError
from placet.contract.words import Identity

__all__ = ["CredentialCache", "Seals", "credential_key"]

SKEW_S = 2.0
"""A token is not used in the last seconds of its life."""

FETCH_S = 20.0
KEEP_S = 4.0
LEASE_S = 30.0
"""A lease outlives the longest fetch and what is done with it, so that two processes never fetch at once."""

EARLY_S = 3.0
"""A call that refreshes a token which is still valid waits no longer than this."""

PAUSE_S = 10.0
"""After a failed early refresh, the valid token is used this long before the next one."""

_MANY_ENTRIES = 10_000
_MANY_HANDED = 16
_TOKEN = re.compile(r"[!-~]+\Z")

Fetch = Callable[[], Awaitable[Credential]]


class Seals(Protocol):
    """Encrypts for storage (`placet.sealing.Sealer`); what is sealed for one place opens nowhere else."""

    def seal(self, value: bytes, *, place: str) -> bytes: ...

    def open(self, sealed: bytes, *, place: str) -> bytes:
        """What was sealed.

        Raises:
            PlacetError: no key fits, it was changed, or it belongs to another place.
        """
        ...


def credential_key(
    *, base_url: str, app: str, secret: Secret, kind: str, user: str | None = None
) -> tuple[str, ...]:
    """What tells one token from every other: host, app, the secret's digest, the kind, and the person if there is one.

    The fifth member says that a token is a person's: those are refreshed under a lease or not at all, because such a
    refresh uses up what it was made with.
    """
    digest = hashlib.sha256(secret.reveal().encode()).hexdigest()
    return (base_url, app, digest, kind) + (() if user is None else (user,))


class _Held(Struct, frozen=True):
    credential: Credential
    obtained_at: float
    version: int

    def is_usable(self, now: float) -> bool:
        return now < self.credential.expires_at - SKEW_S

    def is_due(self, now: float) -> bool:
        """80 % of its life are over and at most five minutes are left."""
        life_s = self.credential.expires_at - self.obtained_at
        return now >= max(self.obtained_at + 0.8 * life_s, self.credential.expires_at - 300)


class _AtRest(Struct, frozen=True):
    identity: Identity
    token: str
    expires_at: float
    obtained_at: float


class _Entry:
    """One key's token and its refreshes, which are numbered: whoever waited for one takes its outcome."""

    __slots__ = ("failure", "finished", "held", "pause_until", "started", "turn")

    def __init__(self) -> None:
        self.held: _Held | None = None
        self.turn = anyio.Lock()
        self.started = self.finished = 0
        self.failure: Exception | None = None
        self.pause_until = -math.inf


_handed: ContextVar[Mapping[tuple[str, ...], int]] = ContextVar(
    "placet_credentials_handed", default=MappingProxyType({})
)
"""Which version of a token the current call was given, so that its complaint is about that one."""


class CredentialCache:
    """`Services.cached_credential` of the contract.

    Args:
        shared: Where processes share tokens; None when this process is alone. Needs `seals`.
        owner: Names this process among those that share; unique by default.
        clock: Unix seconds.
        draw: Random number in [0, 1).
    """

    def __init__(
        self,
        *,
        shared: SharedState | None = None,
        seals: Seals | None = None,
        owner: str | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        if shared is not None and seals is None:
            raise ValueError("tokens are shared only sealed; configure a key")
        self._shared = shared
        self._seals = seals
        self._owner = owner or secrets.token_hex(16)
        self._clock, self._sleep, self._draw = clock, sleep, draw
        self._entries: dict[tuple[str, ...], _Entry] = {}

    async def cached_credential(self, key: tuple[str, ...], fetch: Fetch, *, force: bool) -> Credential:
        """See the contract.

        A forced refresh replaces the version that this task was handed: when somebody replaced it in the meantime, in
        this process or another, the newer one is the answer.

        Raises:
            CredentialUnavailable: the platform gave no usable token, or a person's could not be refreshed safely.
        """
        entry = self._entry(key)
        held = entry.held
        now = self._clock()
        usable = held is not None and held.is_usable(now)
        rejected = 0
        if force:
            rejected = _handed.get().get((self._owner, *key), held.version if held is not None else 0)
            if held is not None and usable and held.version > rejected:
                return self._hand(key, held)
        elif held is not None and usable:
            busy = entry.turn.locked() or now < entry.pause_until
            if busy or not held.is_due(now):
                return self._hand(key, held)
        wanted = entry.started + (0 if entry.turn.locked() else 1)
        early = usable and not force
        async with entry.turn:
            if entry.finished >= wanted:
                if entry.failure is not None:
                    raise entry.failure.with_traceback(None)
                if entry.held is not None and entry.held.version > rejected:
                    return self._hand(key, entry.held)
            if early and held is not None:
                await self._refresh_early(key, entry, held, fetch)
                return self._hand(key, entry.held or held)
            return self._hand(key, await self._fly(key, entry, fetch, rejected, early=False))

    async def _refresh_early(self, key: tuple[str, ...], entry: _Entry, held: _Held, fetch: Fetch) -> None:
        """Try for a newer token while this one still serves; whatever happens, the call goes on."""
        limit_s = math.inf if _is_personal(key) else EARLY_S
        fresh = held
        with anyio.move_on_after(limit_s), suppress(Exception):
            fresh = await self._fly(key, entry, fetch, 0, early=True)
        if fresh is held:
            entry.failure = None
            entry.pause_until = self._clock() + PAUSE_S

    async def _fly(
        self, key: tuple[str, ...], entry: _Entry, fetch: Fetch, rejected: int, *, early: bool
    ) -> _Held:
        entry.started += 1
        try:
            held = await self._refresh(key, entry, fetch, rejected, early=early)
        except Exception as error:
            entry.failure = error
            entry.finished = entry.started
            raise
        entry.held, entry.failure = held, None
        entry.finished = entry.started
        return held

    async def _refresh(
        self, key: tuple[str, ...], entry: _Entry, fetch: Fetch, rejected: int, *, early: bool
    ) -> _Held:
        held = entry.held
        version = max(rejected, held.version if held is not None else 0)
        if self._shared is None:
            return await _once_begun(key, self._fetched(entry, fetch, version + 1))
        name = "token:" + sha256_of(list(key))
        try:
            if (
                found := await self._wait_for_lease(self._shared, name, held, rejected, early=early)
            ) is not None:
                return found
        except StoreError:
            if _is_personal(key):
                raise CredentialUnavailable(
                    "the shared state is down, and a person's token is refreshed under its lease only"
                ) from None
            return await self._fetched(entry, fetch, version + 1)
        return await self._refresh_leased(
            self._shared, key, entry, name, fetch, version, rejected, early=early
        )

    async def _wait_for_lease(
        self, shared: SharedState, name: str, held: _Held | None, rejected: int, *, early: bool
    ) -> _Held | None:
        """None with the lease in hand, or the token that another process came by meanwhile."""
        pause_s = 0.02
        while True:
            stored, _ = await self._stored(shared, name)
            if (found := self._serving(stored, rejected, early=early)) is not None:
                return found
            if await shared.acquire(name, owner=self._owner, ttl_s=LEASE_S) is not None:
                return None
            if early and held is not None:
                return held
            await self._sleep(pause_s * (0.5 + self._draw()))
            pause_s = min(0.25, pause_s * 1.5)

    async def _refresh_leased(
        self,
        shared: SharedState,
        key: tuple[str, ...],
        entry: _Entry,
        name: str,
        fetch: Fetch,
        version: int,
        rejected: int,
        *,
        early: bool,
    ) -> _Held:
        try:
            # Between the last look and the lease, the process that held it may have finished.
            latest = 0
            with suppress(StoreError):
                stored, latest = await self._stored(shared, name)
                if (found := self._serving(stored, rejected, early=early)) is not None:
                    return found
            return await _once_begun(
                key, self._fetched_and_shared(shared, entry, name, fetch, max(version, latest) + 1)
            )
        finally:
            with anyio.move_on_after(KEEP_S, shield=True), suppress(StoreError):
                await shared.release(name, owner=self._owner)

    async def _fetched_and_shared(
        self, shared: SharedState, entry: _Entry, name: str, fetch: Fetch, version: int
    ) -> _Held:
        held = await self._fetched(entry, fetch, version)
        with anyio.move_on_after(KEEP_S), suppress(StoreError):  # else it is good, only not shared
            await shared.put_token(name, self._sealed(name, held))
        return held

    async def _stored(self, shared: SharedState, name: str) -> tuple[_Held | None, int]:
        """The shared token and its version; a token that does not open is none."""
        found = await shared.get_token(name)
        if found is None or self._seals is None:
            return None, 0
        try:
            at_rest = msgspec.json.decode(self._seals.open(found.sealed, place=name), type=_AtRest)
        except (PlacetError, msgspec.MsgspecError):
            return None, found.version
        credential = Credential(
            identity=at_rest.identity, token=Secret(at_rest.token), expires_at=at_rest.expires_at
        )
        return _Held(credential, at_rest.obtained_at, found.version), found.version

    def _sealed(self, name: str, held: _Held) -> StoredToken:
        assert self._seals is not None
        credential = held.credential
        at_rest = _AtRest(
            credential.identity, credential.token.reveal(), credential.expires_at, held.obtained_at
        )
        return StoredToken(
            sealed=self._seals.seal(msgspec.json.encode(at_rest), place=name),
            expires_at=credential.expires_at,
            version=held.version,
        )

    def _serving(self, stored: _Held | None, rejected: int, *, early: bool) -> _Held | None:
        now = self._clock()
        if stored is None or not stored.is_usable(now) or stored.version <= rejected:
            return None
        return None if early and stored.is_due(now) else stored

    async def _fetched(self, entry: _Entry, fetch: Fetch, version: int) -> _Held:
        try:
            with anyio.fail_after(FETCH_S):
                credential = await fetch()
        except TimeoutError:
            raise CredentialUnavailable(
                f"the platform gave no token within {FETCH_S:.0f} s", category="network"
            ) from None
        now = self._clock()
        if not _TOKEN.match(credential.token.reveal()):
            raise CredentialUnavailable("the platform answered without a token")
        if not (math.isfinite(credential.expires_at) and credential.expires_at > now):
            raise CredentialUnavailable("the platform answered with a token that has expired")
        # Kept here, because whoever asked may be gone.
        entry.held = held = _Held(credential, now, version)
        return held

    def _hand(self, key: tuple[str, ...], held: _Held) -> Credential:
        mine = (self._owner, *key)
        known = _handed.get()
        if known.get(mine) != held.version:
            kept = [pair for pair in known.items() if pair[0] != mine][-_MANY_HANDED + 1 :]
            _handed.set(MappingProxyType({**dict(kept), mine: held.version}))
        return held.credential

    def _entry(self, key: tuple[str, ...]) -> _Entry:
        found = self._entries.get(key)
        if found is None:
            if len(self._entries) >= _MANY_ENTRIES:
                self._forget_idle()
            found = self._entries[key] = _Entry()
        return found

    def _forget_idle(self) -> None:
        now = self._clock()
        idle = [key for key, entry in self._entries.items() if not entry.turn.locked()]
        spent = [key for key in idle if (held := self._entries[key].held) is None or not held.is_usable(now)]
        for key in spent or idle[: _MANY_ENTRIES // 2]:
            del self._entries[key]


def _is_personal(key: tuple[str, ...]) -> bool:
    return len(key) > 4


async def _once_begun(key: tuple[str, ...], fetching: Coroutine[Any, Any, _Held]) -> _Held:
    """A person's refresh uses up the old one: once begun it is finished, whoever cancels the caller and however."""
    if not _is_personal(key):
        return await fetching
    task = asyncio.ensure_future(fetching)
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is not None:
        if not task.cancelled():
            task.exception()  # looked at, so that nobody warns of it
        raise cancelled
    return task.result()
