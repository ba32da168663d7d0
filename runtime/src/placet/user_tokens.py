"""Persons' logins at rest: sealed, one row a person and app, replaced only by whoever holds the latest."""

import hashlib

import msgspec
from msgspec import Struct

from placet.contract.platform import Secret, UserToken
from placet.contract.stores import SharedState, StoredToken
from placet.sealing import SealBroken, Sealer

__all__ = ["SealedUserTokens"]


class _AtRest(Struct, frozen=True):
    access: str
    access_expires_at: float
    refresh: str | None
    refresh_expires_at: float | None
    scopes: tuple[str, ...]


class SealedUserTokens:
    """`UserTokens` of the contract over shared state."""

    def __init__(self, shared: SharedState, sealer: Sealer) -> None:
        self._shared, self._sealer = shared, sealer

    async def get(self, app: str, subject: str) -> UserToken | None:
        """The person's login, or None: never stored, or sealed with a key that is gone."""
        key = _key(app, subject)
        stored = await self._shared.get_token(key)
        return None if stored is None else self._opened(key, stored)

    async def put(
        self, app: str, subject: str, token: UserToken, *, replaces: UserToken | None = None
    ) -> bool:
        """Keep a login. With `replaces`, False and nothing is changed unless that one is still stored."""
        key = _key(app, subject)
        stored = await self._shared.get_token(key)
        if replaces is not None and (stored is None or self._opened(key, stored) != replaces):
            return False
        at_rest = _AtRest(
            access=token.access.reveal(),
            access_expires_at=token.access_expires_at,
            refresh=token.refresh.reveal() if token.refresh is not None else None,
            refresh_expires_at=token.refresh_expires_at,
            scopes=token.scopes,
        )
        sealed = self._sealer.seal(msgspec.json.encode(at_rest), place=key)
        expires_at = max(token.access_expires_at, token.refresh_expires_at or 0.0)
        version = stored.version + 1 if stored is not None else 1
        return await self._shared.put_token(
            key, StoredToken(sealed=sealed, expires_at=expires_at, version=version)
        )

    def _opened(self, key: str, stored: StoredToken) -> UserToken | None:
        try:
            at_rest = msgspec.json.decode(self._sealer.open(stored.sealed, place=key), type=_AtRest)
        except (SealBroken, msgspec.DecodeError):
            return None
        return UserToken(
            access=Secret(at_rest.access),
            access_expires_at=at_rest.access_expires_at,
            refresh=Secret(at_rest.refresh) if at_rest.refresh is not None else None,
            refresh_expires_at=at_rest.refresh_expires_at,
            scopes=at_rest.scopes,
        )


def _key(app: str, subject: str) -> str:
    """Without the person's id in clear, which a store's backup would keep."""
    return "user:" + hashlib.sha256(f"{app}\0{subject}".encode()).hexdigest()
