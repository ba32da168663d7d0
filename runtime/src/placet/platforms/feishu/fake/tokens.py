"""The platform's token desk: who holds which token, until when, and what a call without a good one is told.

Codes and expiry rule: the platform's generic error table and its pages on access tokens, read 2026-11.
"""

import hashlib
import hmac
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from placet.contract.words import Identity
from placet.platforms.feishu.fake.answers import ApiError

__all__ = ["TokenDesk", "UserTokens"]

LIVES_S = 7200.0
RENEWS_WITHIN_S = 1800.0
"""A tenant token with more than this left is given again; with less, a new one is issued and both are good."""


class UserTokens(Struct, frozen=True, kw_only=True):
    """What a person's authorisation gave. A refresh token works once."""

    access: str
    refresh: str


class _Token(Struct, kw_only=True):
    value: str
    app: str
    identity: Identity
    expires_at: float
    user: str = ""
    is_revoked: bool = False


class _Refresh(Struct, kw_only=True):
    app: str
    user: str
    expires_at: float
    is_used: bool = False


class TokenDesk:
    """Issues and checks tokens.

    Args:
        apps: App id to secret.
        clock: Unix seconds.
    Attributes:
        issued: App id to the number of answered token requests, refused ones included.
    """

    def __init__(self, apps: Mapping[str, str], clock: Callable[[], float]) -> None:
        self._secrets, self._clock = dict(apps), clock
        self._tokens: dict[str, _Token] = {}
        self._current: dict[str, _Token] = {}
        self._refreshes: dict[str, _Refresh] = {}
        self._codes: dict[str, tuple[str, str]] = {}
        self._made = 0
        self.issued: dict[str, int] = dict.fromkeys(apps, 0)

    def tenant_token(self, body: Any, *, lives_s: float = LIVES_S) -> dict[str, Any]:
        """The answer of the token endpoint, beside `code` and `msg`."""
        app = self._checked_app(body, "app_id", "app_secret")
        token = self._current.get(app)
        if token is None or token.is_revoked or token.expires_at - self._clock() < RENEWS_WITHIN_S:
            token = self._issue(app, Identity.TENANT, lives_s)
            self._current[app] = token
        return {"tenant_access_token": token.value, "expire": int(token.expires_at - self._clock())}

    def oauth_token(self, body: Any) -> dict[str, Any]:
        """The answer of the person's token endpoint: for a code, or for a refresh token that dies by it."""
        app = self._checked_app(body, "client_id", "client_secret")
        match body.get("grant_type"):
            case "authorization_code":
                owner = self._codes.pop(str(body.get("code")), None)
                if owner is None or owner[0] != app:
                    raise ApiError(20003, "The authorization code is invalid.")
                tokens = self.user_tokens(app, owner[1])
            case "refresh_token":
                tokens = self._refreshed(app, str(body.get("refresh_token")))
            case _:
                raise ApiError(20036, "The grant_type is not supported.")
        expires_in = int(self._tokens[tokens.access].expires_at - self._clock())
        return {
            "access_token": tokens.access,
            "expires_in": expires_in,
            "refresh_token": tokens.refresh,
            "refresh_token_expires_in": 604800,
            "token_type": "Bearer",
            "scope": "offline_access",
        }

    def authorisation_code(self, app: str, user: str) -> str:
        """A code as a person's consent would give it; good once."""
        code = self._name("code", app)
        self._codes[code] = (app, user)
        return code

    def user_tokens(self, app: str, user: str, *, lives_s: float = LIVES_S) -> UserTokens:
        """Tokens of a person, without the consent page."""
        token = self._issue(app, Identity.USER, lives_s, user)
        refresh = "ur-" + self._name("refresh", app)
        self._refreshes[refresh] = _Refresh(app=app, user=user, expires_at=self._clock() + 604800)
        return UserTokens(access=token.value, refresh=refresh)

    def revoke(self, app: str, identity: Identity | None = None) -> None:
        """Make every token of an app worthless, or those of one kind."""
        for token in self._tokens.values():
            if token.app == app and identity in (None, token.identity):
                token.is_revoked = True

    def holder(self, header: str | None) -> tuple[str, Identity, str] | None:
        """App, kind and person of a token, however old it is; None for no token of ours."""
        token = self._tokens.get(_bearer(header))
        return None if token is None else (token.app, token.identity, token.user)

    def check(self, header: str | None, takes: frozenset[Identity]) -> None:
        """Whether a call may pass with this header.

        Raises:
            ApiError: it may not; the code says why.
        """
        value = _bearer(header)
        if not value:
            raise ApiError(99991661, "Missing access token for authorization.")
        token = self._tokens.get(value)
        if token is None or token.is_revoked:
            raise _invalid(Identity.USER if value.startswith("u-") else Identity.TENANT)
        if token.identity not in takes:
            raise _invalid(token.identity)
        if token.expires_at <= self._clock():
            if token.identity is Identity.USER:
                raise ApiError(99991677, "Authentication token expired.", status=401)
            raise _invalid(token.identity)

    def _refreshed(self, app: str, refresh: str) -> UserTokens:
        found = self._refreshes.get(refresh)
        if found is None or found.app != app:
            raise ApiError(20026, "The refresh token is invalid.")
        if found.is_used:
            raise ApiError(20064, "The refresh token has been used.")
        if found.expires_at <= self._clock():
            raise ApiError(20037, "The refresh token has expired.")
        found.is_used = True
        return self.user_tokens(app, found.user)

    def _checked_app(self, body: Any, id_field: str, secret_field: str) -> str:
        app = body.get(id_field) if isinstance(body, dict) else None
        if not isinstance(app, str) or app not in self._secrets:
            raise ApiError(10003, "invalid param")
        self.issued[app] += 1
        if not hmac.compare_digest(str(body.get(secret_field)).encode(), self._secrets[app].encode()):
            raise ApiError(10014, "app secret invalid")
        return app

    def _issue(self, app: str, identity: Identity, lives_s: float, user: str = "") -> _Token:
        prefix = "t-" if identity is Identity.TENANT else "u-"
        token = _Token(
            value=prefix + self._name(identity.value, app),
            app=app,
            identity=identity,
            expires_at=self._clock() + lives_s,
            user=user,
        )
        self._tokens[token.value] = token
        return token

    def _name(self, kind: str, app: str) -> str:
        """Text that looks like the platform's and is the same in every run."""
        self._made += 1
        return hashlib.sha256(f"{kind} {app} {self._made}".encode()).hexdigest()[:42]


def _bearer(header: str | None) -> str:
    kind, _, value = (header or "").partition(" ")
    return value.strip() if kind.lower() == "bearer" else ""


def _invalid(identity: Identity) -> ApiError:
    code = 99991663 if identity is Identity.TENANT else 99991668
    return ApiError(code, "Invalid access token for authorization.")
