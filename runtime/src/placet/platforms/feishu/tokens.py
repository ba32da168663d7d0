"""Tokens: the app's from its id and secret, a person's from their login, which is refreshed and never thrown away.

Who fetches when, and who waits, is the runtime's (`Services.cached_credential`); here is how a token is asked for and
what a refusal means.
Source: the platform's pages on tenant_access_token and on the OAuth token endpoint, read 2026-11. Codes 1000040351 and
20050 for an app asked for at the other brand's host: public reports.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from placet.contract.call import Actor
from placet.contract.errors import CredentialUnavailable, PlacetError
from placet.contract.platform import (
    Credential,
    HttpRequest,
    NeedsAuthorisation,
    Secret,
    Services,
    Tenant,
    UserToken,
    UserTokens,
)
from placet.contract.words import Identity
from placet.platforms import statuses
from placet.platforms.feishu.brands import base_of
from placet.platforms.feishu.errors import ErrorFacts, classify
from placet.platforms.feishu.persons import open_id_of
from placet.platforms.requests import JSON_TYPE

__all__ = ["EARLY_S", "TENANT_ROUTE", "USER_ROUTE", "TokenDesk"]

TENANT_ROUTE = "/open-apis/auth/v3/tenant_access_token/internal"
USER_ROUTE = "/open-apis/authen/v2/oauth/token"

EARLY_S = 60.0
"""A person's token with less left than this is refreshed; while it lives, a refresh that fails does no harm."""

_DEADLINE_S = 15.0
_OTHER_BRAND = frozenset({1000040351, 20050})


class _LoginGone(PlacetError):
    """The person's login can no longer be refreshed, or there is none any more. The sentence is for the person."""


class TokenDesk:
    """Asks the platform for tokens.

    Args:
        users: Logins of persons; None where nobody can log in.
    """

    def __init__(self, services: Services, users: UserTokens | None) -> None:
        self._services, self._users = services, users
        self._keys: dict[str, tuple[Tenant, tuple[str, ...]]] = {}

    async def tenant(self, tenant: Tenant, *, force: bool) -> Credential:
        """The app's token.

        Raises:
            CredentialUnavailable: the platform gave none.
        """
        known, key = self._keys.get(tenant.app, (None, ()))
        if known is not tenant:
            self._keys[tenant.app] = tenant, (key := _key(tenant, "tenant"))
        return await self._services.cached_credential(key, lambda: self._fetch_tenant(tenant), force=force)

    async def user(self, tenant: Tenant, actor: Actor, *, force: bool) -> Credential | NeedsAuthorisation:
        """The acting person's token; what is missing when there is none.

        Raises:
            CredentialUnavailable: there is a login, and the platform gave no token for it.
        """
        person = open_id_of(actor)
        if person is None:
            return NeedsAuthorisation(reason="nobody is known to act, so there is no login to use")
        if self._users is None:
            return NeedsAuthorisation(reason="logins of persons are not kept here")
        login = await self._users.get(tenant.app, person)
        if login is None:
            return NeedsAuthorisation(reason="the person has not authorised the app")
        # The login is part of the key, so that a new one replaces what was cached for the old one at once.
        key = _key(tenant, "user", f"{person} {_digest(login.access)[:16]}")
        users = self._users
        try:
            return await self._services.cached_credential(
                key, lambda: self._fetch_user(tenant, users, person, login, force=force), force=force
            )
        except _LoginGone as error:
            return NeedsAuthorisation(reason=str(error))

    async def _fetch_tenant(self, tenant: Tenant) -> Credential:
        asked_at = self._services.now()
        answer = await self._ask(
            tenant, TENANT_ROUTE, {"app_id": tenant.app, "app_secret": tenant.secret.reveal()}
        )
        token, life_s = _granted(answer, "tenant_access_token", "expire", tenant, TENANT_ROUTE)
        return Credential(identity=Identity.TENANT, token=token, expires_at=asked_at + life_s)

    async def _fetch_user(
        self, tenant: Tenant, users: UserTokens, person: str, seen: UserToken, *, force: bool
    ) -> Credential:
        """A token of the login: the stored one when it serves, else a refreshed one."""
        login = await users.get(tenant.app, person)
        if login is None:
            raise _LoginGone("the person has not authorised the app")
        left_s = login.access_expires_at - self._services.now()
        rejected = force and login == seen
        if left_s > EARLY_S and not rejected:
            return _credential(login)
        try:
            return await self._refresh(tenant, users, person, login)
        except PlacetError:
            newer = await users.get(tenant.app, person)
            if newer is not None and newer != login and newer.access_expires_at > self._services.now():
                return _credential(newer)  # another process was faster, and a refresh token works once
            if not rejected and left_s > 0 and newer is not None:
                return _credential(login)
            raise

    async def _refresh(self, tenant: Tenant, users: UserTokens, person: str, login: UserToken) -> Credential:
        now = self._services.now()
        is_over = login.refresh_expires_at is not None and login.refresh_expires_at <= now
        if login.refresh is None or is_over:
            raise _LoginGone("the person's authorisation has expired")
        answer = await self._ask(
            tenant,
            USER_ROUTE,
            {
                "grant_type": "refresh_token",
                "client_id": tenant.app,
                "client_secret": tenant.secret.reveal(),
                "refresh_token": login.refresh.reveal(),
            },
        )
        access, life_s = _granted(answer, "access_token", "expires_in", tenant, USER_ROUTE)
        fresh = UserToken(
            access=access,
            access_expires_at=now + life_s,
            refresh=_optional_secret(answer.get("refresh_token")),
            refresh_expires_at=_moment(now, answer.get("refresh_token_expires_in")),
            scopes=_scopes(answer.get("scope")) or login.scopes,
        )
        try:
            is_kept = await users.put(tenant.app, person, fresh, replaces=login)
        except PlacetError:
            return _credential(fresh)  # it serves while it lives; the old login stays as it was
        if is_kept:
            return _credential(fresh)
        newer = await users.get(tenant.app, person)
        if newer is None:
            raise _LoginGone("the person's authorisation was withdrawn")
        return _credential(newer)

    async def _ask(self, tenant: Tenant, route: str, body: dict[str, str]) -> dict[str, Any]:
        """The members of a granted answer."""
        request = HttpRequest(
            method="POST",
            url=base_of(tenant) + route,
            headers={"Content-Type": JSON_TYPE},
            body=msgspec.json.encode(body),
        )
        try:
            answer = await self._services.send(request, tenant, deadline_s=_DEADLINE_S)
        except PlacetError as error:
            raise CredentialUnavailable(
                f"no answer from {_place(tenant, route)}", category="network", retryable=True
            ) from error
        try:
            members = msgspec.json.decode(answer.body, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            members = {}
        code = members.get("code")
        if code == 0 and type(code) is int and 200 <= answer.status < 300:
            return members
        if type(code) is not int or code == 0:
            raise CredentialUnavailable(
                f"{_place(tenant, route)} answered with status {answer.status} and no readable body",
                category=statuses.category_of(answer.status) if answer.status >= 400 else "server",
                retryable=answer.status < 400 or statuses.is_passing(answer.status),
                retry_after_s=statuses.retry_after_s(answer.headers, "x-ogw-ratelimit-reset", "retry-after"),
            )
        raise _refusal(tenant, route, code, answer.status, answer.headers)


def _refusal(
    tenant: Tenant, route: str, code: int, status: int, headers: Mapping[str, str]
) -> CredentialUnavailable | _LoginGone:
    facts = classify(code, "authen" if route == USER_ROUTE else "auth", status)
    if route == USER_ROUTE and facts.recover == "reauthorize":
        return _LoginGone("the person's authorisation is no longer valid")
    return CredentialUnavailable(
        f"{_place(tenant, route)} gave no token for the app {tenant.app!r} (code {code}): {_advice(code, facts)}",
        code=str(code),
        category=facts.category,
        retryable=facts.retryable,
        retry_after_s=statuses.retry_after_s(headers, "x-ogw-ratelimit-reset", "retry-after"),
    )


def _advice(code: int, facts: ErrorFacts) -> str:
    if code in _OTHER_BRAND:
        return "the app may belong to the other brand; check the tenant's brand, else try again later"
    if facts.recover == "app_unavailable":
        return "the app is not enabled in this organisation"
    if facts.retryable:
        return "try again later"
    return "check the app's id, its secret and the tenant's brand"


def _granted(
    answer: dict[str, Any], name: str, life: str, tenant: Tenant, route: str
) -> tuple[Secret, float]:
    """The token and its life in seconds; an empty or expired one is none."""
    token, life_s = answer.get(name), answer.get(life)
    usable = isinstance(token, str) and token != ""
    if not usable or isinstance(life_s, bool) or not isinstance(life_s, int | float) or life_s <= 0:
        raise CredentialUnavailable(f"{_place(tenant, route)} answered without a usable token")
    return Secret(str(token)), float(life_s)


def _place(tenant: Tenant, route: str) -> str:
    return f"{base_of(tenant)}{route} (brand {tenant.brand!r})"


def _key(tenant: Tenant, kind: str, *person: str) -> tuple[str, ...]:
    """What tells one token from every other. A fifth member says that it is a person's."""
    return (base_of(tenant), tenant.app, _digest(tenant.secret), kind, *person)


def _digest(secret: Secret) -> str:
    return hashlib.sha256(secret.reveal().encode()).hexdigest()


def _credential(login: UserToken) -> Credential:
    return Credential(identity=Identity.USER, token=login.access, expires_at=login.access_expires_at)


def _optional_secret(value: Any) -> Secret | None:
    return Secret(value) if isinstance(value, str) and value else None


def _moment(now: float, life_s: Any) -> float | None:
    known = isinstance(life_s, int | float) and not isinstance(life_s, bool) and life_s > 0
    return now + life_s if known else None


def _scopes(value: Any) -> tuple[str, ...]:
    return tuple(value.split()) if isinstance(value, str) else ()
