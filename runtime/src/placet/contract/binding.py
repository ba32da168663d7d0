"""A tool as plain data: what it sends, what it lets out, what must be true before it may run.

Generated modules build these values and the gate reads them. They are frozen and JSON-like, so that one
canonical form exists, from which the contract digest is taken.

Slots are written `path.x`, `query.x`, `header.x`, `form.x` or `body.a.b[].c`. Answer paths are relative to the
data of an answer: `record.fields`, `items[].record_id`; `$` is the data itself and `$bytes` a byte answer.
"""

from typing import Any, Literal

from msgspec import Struct

__all__ = [
    "Before",
    "Binding",
    "Call",
    "Derived",
    "NativeKey",
    "Paging",
    "Project",
    "Rule",
    "Scopes",
    "Slot",
    "WireForm",
]

WireForm = Literal["json_text", "csv", "repeat", "seconds_text", "millis", "number", "base64"]
"""How a value is written when the wire wants another form than JSON's own."""


class _Data(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    pass


class Call(_Data, frozen=True, kw_only=True):
    """One request a tool may send.

    Attributes:
        name: The routine's name for it; "main" for a tool of a single request.
        sdk: Dotted method of the SDK, or `supplement:<document>.<operation>`.
        body: How the body travels.
        answer: "data" for JSON, "file" for bytes.
    """

    sdk: str
    http: str
    route: str
    name: str = "main"
    body: Literal["none", "json", "multipart", "urlencoded"] = "none"
    answer: Literal["data", "file"] = "data"


class Slot(_Data, frozen=True, kw_only=True):
    """How one argument reaches the wire.

    Attributes:
        argument: The argument's name; inside `fields`, the member's name.
        to: Slots it fills; inside `fields`, places relative to the enclosing value.
        type: The model-facing type, as in curation.
        default_from: An argument (`document_id`) or a file's property (`file.name`) used when it is absent.
        codec: A platform's translation; it sees the whole value and everything below it.
        null_clears: True when null is sent as null; elsewhere null is refused.
        max_bytes: Of a file; a larger one is refused before anything is sent.
        fields: Members of an object, or of each item of a list of objects.
        tag: The member that tells variants apart; `variants` has the members of each.
    """

    argument: str
    to: tuple[str, ...] = ()
    type: str = "string"
    default_from: str | None = None
    wire: WireForm | None = None
    codec: str | None = None
    null_clears: bool = False
    max_bytes: int | None = None
    fields: tuple["Slot", ...] = ()
    tag: str | None = None
    variants: dict[str, tuple["Slot", ...]] = {}


class Derived(_Data, frozen=True, kw_only=True):
    """A slot computed from an argument: by a file's property (`size`) or a platform's derivation (`im.id_kind`)."""

    to: str
    argument: str
    by: str


class Rule(_Data, frozen=True, kw_only=True):
    """A condition over several arguments, checked before anything is sent."""

    kind: Literal["exactly_one", "at_least_one", "at_most_one", "all_or_none"]
    arguments: tuple[str, ...]


class Paging(_Data, frozen=True, kw_only=True):
    """Where a list continues.

    Attributes:
        style: "token" sends back what the answer gave; "offset" counts items; "page" counts pages from 1.
        token: The slot of the token, offset or page number.
        size: The slot of the page size, if there is one; `size_max` items at most.
        items: Answer path of the list.
        next: Answer path of the next token.
        more: Answer path of the flag that says whether there is more.
        is_stated: The platform refuses a request without a size or a start, so that both are always sent.
    """

    style: Literal["token", "offset", "page"]
    token: str
    items: str
    size: str | None = None
    size_max: int | None = None
    next: str | None = None
    more: str | None = None
    is_stated: bool = False


class NativeKey(_Data, frozen=True, kw_only=True):
    """The platform's own idempotency key.

    Attributes:
        form: "uuid4" or "text" of at most `max_len` characters.
        scope: "forever" when the platform never forgets a key, else "window".
    """

    slot: str
    form: Literal["uuid4", "text"]
    scope: Literal["window", "forever"] = "window"
    max_len: int | None = None


class Before(_Data, frozen=True, kw_only=True):
    """The read that shows an approver what a write replaces.

    Attributes:
        arguments: For each argument of the read: `$name` takes this call's argument, `[$name]` a list of it,
            anything else is a constant.
        compare: This call's argument to the answer's place with the value it replaces.
    """

    tool: str
    arguments: dict[str, Any] = {}
    compare: dict[str, str] = {}


class Project(_Data, frozen=True, kw_only=True):
    """One field that an answer lets out; what is not named here never leaves."""

    name: str
    path: str
    type: str = "any"
    codec: str | None = None
    fields: tuple["Project", ...] = ()


class Scopes(_Data, frozen=True, kw_only=True):
    """Permissions: any one of `any_of` suffices, and all of `all_of` are needed besides."""

    any_of: tuple[str, ...] = ()
    all_of: tuple[str, ...] = ()


class Binding(_Data, frozen=True, kw_only=True):
    """Everything the gate needs to run a tool, and nothing a model reads.

    Attributes:
        calls: One for a plain tool, several for a routine, none for a local tool.
        routine: The procedure that sends `calls`; None sends the only one.
        local: The behaviour of a tool that sends nothing.
        fixed: Slot to constant.
        context: Slot to context key (`actor.open_id`); an absent value refuses the call.
        codecs: Name to version of every codec and routine used, so that a new version changes the digest.
        rate_tier: The platform's rate class of the route, when it is known.
    """

    calls: tuple[Call, ...] = ()
    routine: str | None = None
    local: str | None = None
    slots: tuple[Slot, ...] = ()
    fixed: dict[str, Any] = {}
    context: dict[str, str] = {}
    derive: tuple[Derived, ...] = ()
    rules: tuple[Rule, ...] = ()
    paging: Paging | None = None
    native_key: NativeKey | None = None
    before: Before | None = None
    preflight: tuple[str, ...] = ()
    output: tuple[Project, ...] = ()
    codecs: dict[str, int] = {}
    rate_tier: int | None = None
