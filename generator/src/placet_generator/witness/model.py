"""Facts about one endpoint, as the lines of the witness hold them.

What each fact means, where it comes from and which source wins stands in the README beside the facts.
"""

from typing import Literal

from msgspec import Struct, field

Scalar = str | bool | int | float

RATE_TIERS = {
    0: "a rule of its own",
    1: "10/min",
    2: "20/min",
    3: "100/min",
    4: "1000/min and 50/s",
    6: "5/s",
    7: "10/s",
    8: "20/s",
    9: "50/s",
    11: "100/s",
}
"""Tier number to its meaning, inferred from 45 documentation pages; the others are not known."""


class _Facts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class FieldFacts(_Facts, frozen=True, kw_only=True):
    """A path or query parameter, or a field of the body.

    Attributes:
        name: The wire name; of a body field the SDK's attribute (see `wire`).
        type: As the SDK types it: `str`, `int`, `list[...]`, `map[k,v]`, `object<Model>` ...
        setter: The builder's setter, where it is not `name`.
        wire: The name on the wire, where the SDK sends another (the attribute `from_` for `from`).
        type_explorer: The platform's own type, where it differs.
        required: None where no source says.
        required_conflict: Each source's vote, where they differ.
        enum: Allowed values; empty where no source lists any.
        enum_conflict: Lists of other sources that differ from `enum`.
        default: What the platform does when it is absent; None where nobody says.
        sdk_only: The SDK has it and no source that describes this body does, so it is read-only.
        not_in_route: A path parameter the route has no placeholder for; the SDK drops it in silence.
        fields: Members one level down, where the type is an object or a list of objects.
    """

    name: str
    type: str
    setter: str | None = None
    wire: str | None = None
    type_explorer: str | None = None
    required: bool | None = None
    required_conflict: dict[str, bool] = {}
    enum: tuple[Scalar, ...] = ()
    enum_conflict: dict[str, tuple[Scalar, ...]] = {}
    default: Scalar | None = None
    min: int | float | None = None
    max: int | float | None = None
    sdk_only: bool = False
    not_in_route: bool = False
    fields: "tuple[FieldFacts, ...]" = ()


class NativeKey(_Facts, frozen=True, kw_only=True):
    """The parameter that makes a repeat safe; inside a body its dotted path."""

    name: str
    place: Literal["query", "body"] = field(name="in")
    required: bool

    @property
    def slot(self) -> str:
        return f"{self.place}.{self.name}"


class PagingFacts(_Facts, frozen=True, kw_only=True):
    """How the page says a list is paged. `items` and `next` are answer paths that start at `data`."""

    style: Literal["page_token", "offset", "page"]
    page_token: str
    place: Literal["query", "body"] = field(name="in")
    page_size: str
    has_more: bool
    max_page_size: int | None = None
    default_page_size: int | None = None
    items: str | None = None
    next: str | None = None


class Bounds(_Facts, frozen=True, kw_only=True):
    """Limits the platform's page states. Lengths count characters.

    Attributes:
        from_prose: Read from running text instead of a table; a condition may be missing.
    """

    min: int | float | None = None
    max: int | float | None = None
    min_len: int | None = None
    max_len: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    pattern: str | None = None
    from_prose: bool = False


class DocumentFacts(_Facts, frozen=True, kw_only=True):
    """What only the platform's documentation page says.

    Attributes:
        limits: Slot (`query.page_size`, `body.records`, `body.a[].b`) to its bounds.
        no_concurrent_writes: The page forbids concurrent calls.
        errors: Codes the page lists, ascending.
    """

    native: NativeKey | None = None
    paging: PagingFacts | None = None
    limits: dict[str, Bounds] = {}
    no_concurrent_writes: bool = False
    errors: tuple[int, ...] = ()


class EndpointFacts(_Facts, frozen=True, kw_only=True):
    """What the sources know about one method of the SDK.

    Attributes:
        sdk: Dotted SDK path.
        tokens: Kinds of token the SDK allows: "tenant", "user", "app".
        request, body_model, data_model: Names of the SDK's classes.
        body: Fields of the body, two levels deep.
        multipart: Names of the file fields of a multipart body.
        page_items: The one list in the answer's data, where the data also has `has_more` and `page_token`.
        paginated: The platform's own mark; incomplete.
        scopes: Any one suffices.
        scopes_all_of: Needed together.
        scopes_registry: The command line's list, where it differs from `scopes`.
        field_scopes: Without them the answer only lacks some fields.
        rate_tier: The platform's tier number; None where unknown.
        risk: "read", "write" or "high-risk-write"; None where no source classes it.
        danger: The registry's danger mark.
        app_types: Only where not both kinds of app may call it.
        legacy: Filed by the platform under its old versions.
        source_flags: `has:<source>` for every source that knows the endpoint, then their disagreements.
        docs: What the documentation page adds.
    """

    sdk: str
    http: str
    route: str
    tokens: frozenset[str]
    request: str
    path: tuple[FieldFacts, ...]
    query: tuple[FieldFacts, ...]
    source_flags: tuple[str, ...]
    body_model: str | None = None
    data_model: str | None = None
    body: tuple[FieldFacts, ...] = ()
    multipart: tuple[str, ...] = ()
    download: bool = False
    page_items: str | None = None
    paginated: bool = False
    scopes: tuple[str, ...] = ()
    scopes_all_of: tuple[str, ...] = ()
    scopes_registry: tuple[str, ...] = ()
    field_scopes: tuple[str, ...] = ()
    rate_tier: int | None = None
    risk: Literal["read", "write", "high-risk-write"] | None = None
    danger: bool = False
    app_types: tuple[str, ...] = ()
    legacy: bool = False
    docs: DocumentFacts = DocumentFacts()

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the sources besides the SDK that know the endpoint."""
        return tuple(flag.removeprefix("has:") for flag in self.source_flags if flag.startswith("has:"))

    @property
    def native(self) -> NativeKey | None:
        """The platform's own idempotency key."""
        return self.docs.native

    def field(self, slot: str) -> FieldFacts | None:
        """Facts about `path.x`, `query.x`, `body.a` or `body.a.b`; `form.` is `body.`, `[]` does not count.

        None where nothing is known: deeper than two levels of a body, or no such slot.
        """
        place, _, names = slot.replace("[]", "").partition(".")
        match place:
            case "path":
                return _find(self.path, [names])
            case "query":
                return _find(self.query, [names])
            case "body" | "form":
                return _find(self.body, names.split("."))
            case _:
                return None


def _find(facts: tuple[FieldFacts, ...], names: list[str]) -> FieldFacts | None:
    for one in facts:
        if one.name == names[0]:
            return one if len(names) == 1 else _find(one.fields, names[1:])
    return None
