"""Feishu and Lark as a platform: each method is one line into the module that knows."""

from collections.abc import Coroutine, Mapping
from typing import Any

from placet.contract.binding import Call
from placet.contract.call import Actor, CallContext
from placet.contract.errors import RequestRefused
from placet.contract.masking import SecretShapes
from placet.contract.names import PlatformNames
from placet.contract.platform import (
    Answer,
    Body,
    Codec,
    Credential,
    Failure,
    HttpRequest,
    NeedsAuthorisation,
    Preflight,
    RateKey,
    Routine,
    Services,
    Tenant,
    UserTokens,
    WireCall,
)
from placet.contract.tool import AnyTool
from placet.contract.words import Identity
from placet.platforms.feishu.brands import BRANDS, base_of
from placet.platforms.feishu.codecs import CODECS
from placet.platforms.feishu.envelope import read_answer
from placet.platforms.feishu.helpdesks import helpdesk_headers
from placet.platforms.feishu.limits import rate_key
from placet.platforms.feishu.names import NAMES
from placet.platforms.feishu.persons import container_kind, context_value, id_kind
from placet.platforms.feishu.preflights import PREFLIGHTS
from placet.platforms.feishu.routines import ROUTINES
from placet.platforms.feishu.secrets import SHAPES
from placet.platforms.feishu.tokens import TokenDesk
from placet.platforms.requests import build_request

__all__ = ["FeishuPlatform", "create"]

DERIVATIONS = {"im.container_kind": container_kind, "im.id_kind": id_kind}


class FeishuPlatform:
    """`placet.contract.platform.Platform` for both brands.

    Args:
        users: Logins of persons; None where nobody can log in.
    """

    def __init__(self, services: Services, *, users: UserTokens | None = None) -> None:
        self._desk = TokenDesk(services, users)

    @property
    def name(self) -> str:
        return NAMES.platform

    @property
    def names(self) -> PlatformNames:
        return NAMES

    def brands(self) -> Mapping[str, str]:
        return BRANDS

    def credential(
        self, tenant: Tenant, identity: Identity, actor: Actor, *, force: bool
    ) -> Coroutine[Any, Any, Credential | NeedsAuthorisation]:
        """The token of the app or of the acting person.

        Raises:
            CredentialUnavailable: the platform gave none; the sentence says what to check.
            RequestRefused: the tenant's brand or base URL is not one to ask.
        """
        if identity is Identity.USER:
            return self._desk.user(tenant, actor, force=force)
        return self._desk.tenant(tenant, force=force)

    def context(self, key: str, tenant: Tenant, ctx: CallContext) -> str | None:
        return context_value(key, tenant, ctx)

    def request(self, call: WireCall, credential: Credential | None, tenant: Tenant) -> HttpRequest:
        """The request of a call, with exactly one token and, for a help desk, with the desk's own.

        Raises:
            RequestRefused: no token, or one of a kind that the call does not take; no help desk is configured where
                one is asked; or what `build_request` refuses.
        """
        if credential is None:
            raise RequestRefused("every call of this platform carries a token, and there is none")
        if credential.identity not in call.identities:
            raise RequestRefused(
                f"the call does not take a token of the identity {credential.identity.value!r}"
            )
        bearer = {"Authorization": f"Bearer {credential.token.reveal()}"}
        authorisation = {**bearer, **helpdesk_headers(call.call.route, tenant)}
        return build_request(call, base=base_of(tenant), authorisation=authorisation)

    def read(self, answer: Answer, call: Call, tenant: Tenant | None = None) -> Body | Failure:
        """See `read_answer`; with the tenant, a missing scope comes with the address where it is granted."""
        return read_answer(answer, call, tenant)

    def secret_shapes(self) -> SecretShapes:
        return SHAPES

    def limit(self, tool: AnyTool, call: Call, tenant: Tenant) -> RateKey | None:
        return rate_key(tool, call, tenant)

    def codec(self, name: str) -> Codec:
        return CODECS[name]

    def preflight(self, name: str) -> Preflight:
        return PREFLIGHTS[name]

    def routine(self, name: str) -> Routine:
        return ROUTINES[name]

    def derive(self, name: str, value: Any) -> str:
        return DERIVATIONS[name](value)


def create(services: Services, *, users: UserTokens | None = None) -> FeishuPlatform:
    """The platform, built once per runtime."""
    return FeishuPlatform(services, users=users)
