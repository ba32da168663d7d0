"""Any HTTP API that an OpenAPI document describes: no envelope, no codecs, a key that does not change.

A tenant's `base_url` is required. Its secret is a bearer token, or goes into the header that its option
`credential_header` names.
"""

import math
from collections.abc import Mapping
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
from placet.platforms import statuses
from placet.platforms.http.names import NAMES
from placet.platforms.requests import build_request, checked_base

__all__ = ["HttpPlatform", "create"]

_HEADER_OPTION = "credential_header"


class HttpPlatform:
    """`placet.contract.platform.Platform` for one API per tenant."""

    @property
    def name(self) -> str:
        return NAMES.platform

    @property
    def names(self) -> PlatformNames:
        return NAMES

    def brands(self) -> Mapping[str, str]:
        """None: the address is the tenant's."""
        return {}

    async def credential(
        self, tenant: Tenant, identity: Identity, actor: Actor, *, force: bool
    ) -> Credential | NeedsAuthorisation:
        """The tenant's secret, as it is."""
        if identity is Identity.USER:
            return NeedsAuthorisation(reason="this platform has no logins of persons")
        return Credential(identity=Identity.TENANT, token=tenant.secret, expires_at=math.inf)

    def context(self, key: str, tenant: Tenant, ctx: CallContext) -> str | None:
        match key:
            case "actor.user":
                return ctx.actor.user
            case "tenant.app_id":
                return tenant.app
            case _:
                return None

    def request(self, call: WireCall, credential: Credential | None, tenant: Tenant) -> HttpRequest:
        """The request of a call.

        Raises:
            RequestRefused: no base URL, a credential that the call does not take, or what `build_request` refuses.
        """
        if tenant.base_url is None:
            raise RequestRefused("a tenant of this platform needs a base URL")
        if credential is not None and credential.identity not in call.identities:
            raise RequestRefused(
                f"the call does not take a token of the identity {credential.identity.value!r}"
            )
        authorisation = {} if credential is None else _authorisation(credential, tenant)
        return build_request(call, base=checked_base(tenant.base_url), authorisation=authorisation)

    def read(self, answer: Answer, call: Call, tenant: Tenant | None = None) -> Body | Failure:
        """The body of a success; else what the status says. A redirect is not followed and is a failure."""
        if 200 <= answer.status < 300:
            is_file = call.answer == "file"
            return Body(
                data=answer.body,
                is_file=is_file,
                media_type=statuses.media_type(answer.headers),
                file_name=statuses.file_name(answer.headers) if is_file else None,
            )
        return Failure(
            code=f"http_{answer.status}",
            category=statuses.category_of(answer.status),
            message=f"the platform answered with status {answer.status}",
            effect=statuses.effect_of(answer.status),
            retryable=statuses.is_passing(answer.status),
            retry_after_s=statuses.retry_after_s(answer.headers, "retry-after"),
        )

    def secret_shapes(self) -> SecretShapes:
        """None of its own: what looks like a secret everywhere is masked here too."""
        return SecretShapes()

    def limit(self, tool: AnyTool, call: Call, tenant: Tenant) -> RateKey | None:
        """None: no rate is known."""
        return None

    def codec(self, name: str) -> Codec:
        raise LookupError(f"this platform has no codec {name!r}")

    def preflight(self, name: str) -> Preflight:
        raise LookupError(f"this platform has no preflight {name!r}")

    def routine(self, name: str) -> Routine:
        raise LookupError(f"this platform has no routine {name!r}")

    def derive(self, name: str, value: Any) -> str:
        raise LookupError(f"this platform has no derivation {name!r}")


def create(services: Services, *, users: UserTokens | None = None) -> HttpPlatform:
    """The platform. It needs nothing of the runtime: its credentials are the tenants' own, and nobody logs in."""
    return HttpPlatform()


def _authorisation(credential: Credential, tenant: Tenant) -> dict[str, str]:
    header = tenant.options.get(_HEADER_OPTION)
    if header is None:
        return {"Authorization": f"Bearer {credential.token.reveal()}"}
    return {header: credential.token.reveal()}
