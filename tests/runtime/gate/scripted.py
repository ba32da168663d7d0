"""A platform and a wire that do what a test says, and remember what they were asked."""

import json
import math
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, cast

from placet.contract.binding import Call
from placet.contract.call import Actor, CallContext
from placet.contract.masking import SecretShapes
from placet.contract.names import PlatformNames
from placet.contract.platform import (
    Answer,
    Body,
    ChildCaller,
    Codec,
    Credential,
    Failure,
    HttpRequest,
    NeedsAuthorisation,
    Preflight,
    RateKey,
    Routine,
    Secret,
    Tenant,
    WireCall,
)
from placet.contract.tool import AnyTool
from placet.contract.words import Identity
from placet.platforms.requests import build_request

__all__ = ["Answering", "ScriptedPlatform", "ScriptedWire", "answer", "failure"]

Check = Callable[[AnyTool, Mapping[str, Any], ChildCaller], Coroutine[Any, Any, str | None]]
Answering = Callable[[HttpRequest], Awaitable[Answer] | Answer]


def answer(data: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """A JSON answer; bytes go as they are."""
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    return Answer(status=status, headers=dict(headers or {}), body=body)


def failure(code: str, **more: Any) -> Answer:
    """An error of the platform, with the members of `Failure`."""
    return answer({"code": code, "category": "other", **more}, status=400)


class Upper:
    """A codec that knows one word only."""

    def encode(self, value: Any) -> Any:
        return value

    def decode(self, value: Any) -> Any:
        if value != "low":
            raise ValueError("not low")
        return "LOW"


async def nothing_wrong(tool: AnyTool, arguments: Mapping[str, Any], reads: ChildCaller) -> str | None:
    return None


class ScriptedPlatform:
    """`Platform` of the contract.

    Attributes:
        logins: Persons who authorised the app.
        raises: Method name to what it raises.
        credentials: Whose token was asked for, in order, and whether a new one was forced.
        check: What the preflight does.
        rate: The bucket of every call.
    """

    name = "scripted"
    names = PlatformNames(platform="scripted")

    def __init__(self) -> None:
        self.logins: set[str] = set()
        self.raises: dict[str, BaseException] = {}
        self.credentials: list[tuple[str, Identity, bool]] = []
        self.check: Check = nothing_wrong
        self.rate: RateKey | None = None

    def brands(self) -> Mapping[str, str]:
        return {"main": "https://shop.invalid"}

    async def credential(
        self, tenant: Tenant, identity: Identity, actor: Actor, *, force: bool
    ) -> Credential | NeedsAuthorisation:
        self._raise("credential")
        self.credentials.append((tenant.app, identity, force))
        if identity is Identity.USER and actor.user not in self.logins:
            return NeedsAuthorisation(reason="nobody has logged in", url="https://shop.invalid/login")
        whose = tenant.app if identity is Identity.TENANT else f"{tenant.app}/{actor.user}"
        return Credential(identity=identity, token=Secret(f"token-of-{whose}"), expires_at=math.inf)

    def context(self, key: str, tenant: Tenant, ctx: CallContext) -> str | None:
        return ctx.actor.user if key == "actor.user" else None

    def request(self, call: WireCall, credential: Credential | None, tenant: Tenant) -> HttpRequest:
        self._raise("request")
        assert credential is not None
        assert credential.identity in call.identities
        headers = {"Authorization": f"Bearer {credential.token.reveal()}"}
        return build_request(call, base=tenant.base_url or self.brands()[tenant.brand], authorisation=headers)

    def read(self, answer: Answer, call: Call, tenant: Tenant | None = None) -> Body | Failure:
        self._raise("read")
        if answer.status != 200:
            return Failure(**json.loads(answer.body))
        is_file = call.answer == "file"
        return Body(data=answer.body, is_file=is_file, file_name=answer.headers.get("x-name"))

    def secret_shapes(self) -> SecretShapes:
        return SecretShapes()

    def limit(self, tool: AnyTool, call: Call, tenant: Tenant) -> RateKey | None:
        return self.rate

    def codec(self, name: str) -> Codec:
        assert name == "scripted.upper"
        return Upper()

    def preflight(self, name: str) -> Preflight:
        assert name == "scripted.check"
        return cast("Preflight", self.check)

    def routine(self, name: str) -> Routine:
        raise LookupError(name)

    def derive(self, name: str, value: Any) -> str:
        raise LookupError(name)

    def _raise(self, method: str) -> None:
        if method in self.raises:
            raise self.raises[method]


class ScriptedWire:
    """Answers requests.

    Attributes:
        requests: Every request, in order.
        answering: What answers them; by default an item by the name it was asked for.
    """

    def __init__(self) -> None:
        self.requests: list[HttpRequest] = []
        self.answering: Answering = lambda request: answer(
            {"id": request.url.rpartition("/")[2], "name": "a name", "items": []}
        )

    async def send(self, request: HttpRequest, tenant: Tenant, *, deadline_s: float) -> Answer:
        self.requests.append(request)
        found = self.answering(request)
        return found if isinstance(found, Answer) else await found

    @property
    def bodies(self) -> list[Any]:
        """The bodies of the requests that had one, decoded."""
        return [json.loads(one.body) for one in self.requests if one.body is not None]
