"""The seam to a platform: everything that changes from vendor to vendor stands behind these protocols."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, Protocol

from msgspec import UNSET, Struct, UnsetType

from placet.contract.binding import Call
from placet.contract.call import Actor, CallContext
from placet.contract.errors import PlacetError
from placet.contract.masking import SecretShapes
from placet.contract.names import PlatformNames
from placet.contract.result import Result
from placet.contract.tool import AnyTool
from placet.contract.words import Identity

__all__ = [
    "Answer",
    "Body",
    "ChildCaller",
    "Codec",
    "Credential",
    "Failure",
    "FileContent",
    "FilePart",
    "HttpRequest",
    "NeedsAuthorisation",
    "Platform",
    "Preflight",
    "RateKey",
    "Routine",
    "RoutineStopped",
    "Secret",
    "Services",
    "Tenant",
    "UserToken",
    "UserTokens",
    "WireCall",
]


class Secret:
    """A value that no repr, log or error shows. `reveal()` is the only way to it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return "Secret(...)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)


class Tenant(Struct, frozen=True, kw_only=True):
    """One app of one tenant, as configured. There is no default tenant and no default brand.

    Attributes:
        brand: The platform's own word for one of its instances; decides the hosts.
        base_url: Overrides the brand's host; loopback or https only. None for the brand's own.
        options: Settings that only this platform knows, by its own names; never a secret.
        secrets: Further secrets that only this platform knows, by its own names.
    """

    app: str
    platform: str
    brand: str
    secret: Secret
    identities: tuple[Identity, ...] = (Identity.TENANT,)
    base_url: str | None = None
    options: dict[str, str] = {}
    secrets: dict[str, Secret] = {}


class Credential(Struct, frozen=True, kw_only=True):
    """Exactly one token of exactly one kind. `expires_at` is Unix seconds."""

    identity: Identity
    token: Secret
    expires_at: float


class NeedsAuthorisation(Struct, frozen=True, kw_only=True):
    """The acting person has not authorised the app; `url` is where to do it, None when the host must say."""

    reason: str
    url: str | None = None


class FileContent(Struct, frozen=True, kw_only=True):
    """A staged file. `sha256` is hex; `read` gives the bytes."""

    name: str
    media_type: str
    size: int
    sha256: str
    read: Callable[[], Awaitable[bytes]]


class FilePart(Struct, frozen=True, kw_only=True):
    """A file member of a multipart body."""

    name: str
    content: FileContent


class WireCall(Struct, frozen=True, kw_only=True):
    """One request in neutral form: what a binding and its arguments come to.

    Attributes:
        path: Placeholder to value, not yet encoded.
        query: Pairs in order; every value is text, booleans are `true` and `false`.
        body: A JSON value; UNSET sends none.
        form: Fields of a form body, in order.
        identities: Whose token it may carry; a platform refuses any other.
    """

    call: Call
    path: dict[str, str] = {}
    query: tuple[tuple[str, str], ...] = ()
    headers: dict[str, str] = {}
    body: Any | UnsetType = UNSET
    form: tuple[tuple[str, str | FilePart], ...] = ()
    identities: tuple[Identity, ...] = (Identity.TENANT, Identity.USER)


class HttpRequest(Struct, frozen=True, kw_only=True):
    """What is put on the wire. `form` set means a multipart or urlencoded body, as the call says."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None = None
    form: tuple[tuple[str, str | FilePart], ...] = ()
    multipart: bool = False

    def __repr__(self) -> str:
        """Neither headers nor body: they hold credentials."""
        return f"HttpRequest(method={self.method!r}, url={self.url!r})"


class Answer(Struct, frozen=True, kw_only=True):
    """What came back. Header names are lower-case; `body` is complete and bounded in size."""

    status: int
    headers: dict[str, str]
    body: bytes


class Body(Struct, frozen=True, kw_only=True):
    """An accepted answer: the JSON bytes of its data, or a file's bytes."""

    data: bytes
    is_file: bool = False
    media_type: str = "application/octet-stream"
    file_name: str | None = None


class Failure(Struct, frozen=True, kw_only=True):
    """An answer that is an error, in the platform's terms made neutral.

    Attributes:
        effect: "none" when the answer proves that nothing was done, "applied" when it was done after all,
            "unknown" when the answer does not say.
        credential_invalid: True when a refreshed credential may help.
        retry_after_s: Seconds the platform asks to wait; None when it did not say.
        code, category, log_id, missing_scopes: Short words of plain characters; the gate replaces anything else.
        message: The platform's sentence, whole: the gate masks it and cuts it after that.
        violations: Field to rule, as the platform names them, whole as well.
        missing_scopes: Scopes to grant; `grant_url` is where.
    """

    code: str
    category: str
    message: str = ""
    effect: Literal["none", "applied", "unknown"] = "none"
    retryable: bool = False
    credential_invalid: bool = False
    retry_after_s: float | None = None
    log_id: str | None = None
    violations: dict[str, str] = {}
    missing_scopes: tuple[str, ...] = ()
    grant_url: str | None = None


class RateKey(Struct, frozen=True, kw_only=True):
    """A limiter's bucket: at most `count` calls in any `per_s` seconds."""

    name: str
    count: int
    per_s: float


class Codec(Protocol):
    """A translation. Pure; raises `ValueError` with a sentence for the model when a value has no wire form."""

    def encode(self, value: Any) -> Any:
        """The wire's form: one value, or a tuple of as many as the codec has targets."""
        ...

    def decode(self, value: Any) -> Any:
        """The model's form of an answer's value."""
        ...


class ChildCaller(Protocol):
    """Reads on behalf of a call that is being authorised: a child gate call through all seven steps."""

    async def read(self, tool: str, arguments: Mapping[str, Any]) -> Result[Any]: ...

    def is_enabled(self, tool: str) -> bool: ...


class Preflight(Protocol):
    """A check before a call is proposed. Returns a sentence for the model when the call cannot succeed, else None."""

    async def __call__(
        self, tool: AnyTool, arguments: Mapping[str, Any], reads: ChildCaller
    ) -> str | None: ...


class Routine(Protocol):
    """A procedure of several requests.

    `send(call_name, wire_call)` sends one of the tool's declared calls and nothing else; it returns the answer's data,
    decoded, or raises `CallStopped`. A routine that goes on without that request catches it; one that cannot go on by
    itself raises `RoutineStopped`.
    """

    async def __call__(
        self, calls: Mapping[str, WireCall], arguments: Mapping[str, Any], send: "Send"
    ) -> Any: ...


class Send(Protocol):
    async def __call__(self, call: str, wire: WireCall) -> Any: ...

    async def wait(self, seconds: float) -> bool:
        """Let time pass between two looks at a job. False, without waiting, when the call would end before the next."""
        ...


class CallStopped(PlacetError):
    """A routine's request did not succeed; `answer` is its failure, or that none came."""

    def __init__(self, answer: Any) -> None:
        super().__init__("a request of the routine did not succeed")
        self.answer = answer


class RoutineStopped(PlacetError):
    """A routine cannot go on, because an answer does not say what it must. `failure` is the call's outcome."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"the routine stopped with {failure.code!r}")
        self.failure = failure


class UserToken(Struct, frozen=True, kw_only=True):
    """What a person's authorisation left: an access token and, mostly, a refresh token. Times are Unix seconds."""

    access: Secret
    access_expires_at: float
    refresh: Secret | None = None
    refresh_expires_at: float | None = None
    scopes: tuple[str, ...] = ()


class UserTokens(Protocol):
    """Logins of persons, encrypted at rest. `subject` is the platform's id of the person."""

    async def get(self, app: str, subject: str) -> UserToken | None: ...

    async def put(
        self, app: str, subject: str, token: UserToken, *, replaces: UserToken | None = None
    ) -> bool:
        """Keep a login. With `replaces`, False and nothing is changed unless that one is still stored."""
        ...


class Services(Protocol):
    """What the runtime lends to a platform."""

    async def send(self, request: HttpRequest, tenant: Tenant, *, deadline_s: float) -> Answer: ...

    async def cached_credential(
        self,
        key: tuple[str, ...],
        fetch: Callable[[], Awaitable[Credential]],
        *,
        force: bool,
    ) -> Credential:
        """The cached credential of `key`, or a fetched one: one fetch at a time for all tasks and processes.

        Args:
            force: Fetch although a cached one looks valid; callers that force at the same time share one fetch.
        """
        ...

    def now(self) -> float:
        """Unix seconds."""
        ...


class Platform(Protocol):
    """One vendor. Built once per runtime with its `Services`."""

    @property
    def name(self) -> str: ...

    @property
    def names(self) -> PlatformNames: ...

    def brands(self) -> Mapping[str, str]:
        """Brand to base URL."""
        ...

    async def credential(
        self, tenant: Tenant, identity: Identity, actor: Actor, *, force: bool
    ) -> Credential | NeedsAuthorisation: ...

    def context(self, key: str, tenant: Tenant, ctx: CallContext) -> str | None:
        """The value of a context key (`actor.open_id`); None when it is absent, which refuses the call."""
        ...

    def request(self, call: WireCall, credential: Credential | None, tenant: Tenant) -> HttpRequest: ...

    def read(self, answer: Answer, call: Call, tenant: Tenant | None = None) -> Body | Failure: ...

    def secret_shapes(self) -> SecretShapes:
        """What this platform's credentials look like, for masking."""
        ...

    def limit(self, tool: AnyTool, call: Call, tenant: Tenant) -> RateKey | None: ...

    def codec(self, name: str) -> Codec: ...

    def preflight(self, name: str) -> Preflight: ...

    def routine(self, name: str) -> Routine: ...

    def derive(self, name: str, value: Any) -> str:
        """The value of a derivation (`im.id_kind`).

        Raises:
            ValueError: the value has none; the sentence is for the model.
        """
        ...
