"""The curation format, as written. Unknown keys are errors and nothing is guessed.

These models are the one definition of the format: the loader validates with them and the editor schema is made
from them. What the compiler decides from them is in `placet_generator.ir`. A validator's message is what is wrong,
a semicolon, and the next move.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag, model_validator

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Name = Annotated[str, StringConstraints(min_length=1)]
SLOT_PATTERN = (
    r"^([a-z][a-z0-9_]*\.)?(path|query|body|form|header)\.[^\s.\[\]]+(\[\])?(\.[^\s.\[\]]+(\[\])?)*$"
)
SlotText = Annotated[str, StringConstraints(pattern=SLOT_PATTERN)]
"""`path.x`, `query.x`, `header.x`, `form.x`, `body.a.b[].c`; in a routine, optionally after its call's name."""

_SCALAR = "(string|integer|int64|number|boolean|object|file|time|any)"
TYPE_PATTERN = rf"^({_SCALAR}|list\[{_SCALAR}\]|list\[list\[{_SCALAR}\]\]|list\[list\[list\[{_SCALAR}\]\]\])$"
TypeText = Annotated[str, StringConstraints(pattern=TYPE_PATTERN)]
"""One of the scalars, or lists of one, at most three deep."""
RiskText = Literal["read", "write", "high-risk-write"]
IdentityText = Literal["tenant", "user"]
WireText = Literal["json_text", "csv", "repeat", "seconds_text", "millis", "base64"]
Scalar = bool | int | float | str


def kind_of(value: Any) -> str:
    """Which branch of a union a written value takes: "mapping", "list" or "text"."""
    if isinstance(value, str):
        return "text"
    if isinstance(value, dict | BaseModel):
        return "mapping"
    return "list" if isinstance(value, list) else "text"


_BY_KIND = Discriminator(
    kind_of,
    custom_error_type="form_invalid",
    custom_error_message="this form is not allowed here",
)
UNION_TAGS = frozenset({"mapping", "list", "text"})
"""Parts that the unions below add to an error's location; they are not in the file."""

TextOrList = Annotated[
    Annotated[str, Tag("text")] | Annotated[list[str], Field(min_length=1), Tag("list")], _BY_KIND
]
SlotOrList = Annotated[
    Annotated[SlotText, Tag("text")] | Annotated[list[SlotText], Field(min_length=1), Tag("list")], _BY_KIND
]


class Strict(BaseModel):
    """A mapping in which every key is known and every value has exactly the stated type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Triple(Strict):
    """The source triple: SDK method, verb and route, written by hand because the redundancy is the check."""

    sdk: str | None = Field(
        None, description="Dotted SDK method, as in the SDK, trailing underscore included."
    )
    supplement: str | None = Field(None, description="A document under supplement/, without its ending.")
    operation: str | None = Field(None, description="The operationId in that document.")
    local: str | None = Field(None, description="The runtime's behaviour of a tool that sends nothing.")
    http: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] | None = None
    route: str | None = Field(None, description="As the SDK sends it, with :name placeholders.")

    @model_validator(mode="after")
    def one_source(self) -> "Triple":
        named = [one for one in (self.sdk, self.supplement, self.local) if one is not None]
        if len(named) != 1:
            raise ValueError(
                "a source names exactly one of sdk, supplement and local; keep the one that is meant"
            )
        if (self.supplement is None) != (self.operation is None):
            raise ValueError("supplement and operation go together; write both")
        sends = self.http is not None and self.route is not None
        if self.local is not None and (self.http is not None or self.route is not None):
            raise ValueError("a local source has neither http nor route; remove them")
        if self.local is None and not sends:
            raise ValueError("a source that sends has both http and route; write both")
        return self


class Limited(Strict):
    """Constraints on a value."""

    min: int | float | None = None
    max: int | float | None = None
    min_len: int | None = Field(None, ge=0, description="Characters.")
    max_len: int | None = Field(None, ge=0, description="Characters.")
    min_items: int | None = Field(None, ge=0)
    max_items: int | None = Field(None, ge=0)
    max_bytes: int | None = Field(None, ge=1, description="Of a file.")
    pattern: str | None = Field(None, description="A regular expression that the whole value must match.")
    enum: list[Scalar] | None = Field(None, min_length=1)
    default: Scalar | None = Field(
        None, description="What the platform does when the value is absent; said to the model."
    )


class Member(Limited):
    """A member of an object argument, of a list's items, or of a variant."""

    to: TextOrList | None = Field(
        None, description="Where it goes, relative to the enclosing value; its own name by default."
    )
    type: TypeText | None = Field(None, description="The SDK's unless written.")
    shape: str | None = Field(None, description="A shape of this domain, or domain.shape.")
    items: dict[str, "Member"] | None = Field(None, description="Members of each item of a list of objects.")
    fields: dict[str, "Member"] | None = Field(None, description="Members of an object.")
    required: bool = False
    null_means: Literal["clear"] | None = Field(None, description="Null is a value here: it clears.")
    wire: WireText | None = Field(None, description="How the value is written.")
    codec: str | None = Field(None, description="The platform's translation of the whole value.")
    about: Text | None = Field(None, description="One or two short sentences; units, format.")
    example: Any = Field(None, description="One value.")


class Parameter(Limited):
    """An argument of a tool."""

    to: SlotOrList | None = Field(None, description="The slot or slots it fills.")
    type: TypeText | None = Field(None, description="The SDK's unless written.")
    shape: str | None = Field(None, description="A shape of this domain, or domain.shape.")
    items: dict[str, Member] | None = Field(None, description="Members of each item of a list of objects.")
    fields: dict[str, Member] | None = Field(None, description="Members of an object.")
    required: bool | None = Field(None, description="A path slot is always required.")
    null_means: Literal["clear"] | None = Field(None, description="Null is a value here: it clears.")
    wire: WireText | None = Field(None, description="How the value is written.")
    codec: str | None = Field(None, description="The platform's translation of the whole value.")
    derive: dict[SlotText, str] | None = Field(None, description="Slot to derivation of this argument.")
    default_from: str | None = Field(None, description="An argument, or a file's property as file.name.")
    obtain: TextOrList | None = Field(None, description="person, guidance:topic or domain.tool#place.")
    because: Text | None = Field(None, description="Why a slot that names a person is a parameter.")
    about: Text | None = Field(None, description="One or two short sentences; units, format.")
    example: Any = Field(None, description="One value.")


class Shape(Strict):
    """A named form of nested input: fields, items of a list, or variants told apart by a tag."""

    codec: str | None = None
    fields: dict[str, Member] | None = None
    items: dict[str, Member] | None = None
    tag: str | None = None
    variants: dict[str, dict[str, Member]] | None = None
    about: Text | None = None


class NativeIdempotency(Strict):
    """The platform's own idempotency key; the gate fills it."""

    native: SlotText
    form: Literal["uuid4", "text"]
    scope: Literal["window", "forever"] = "window"
    max_len: int | None = Field(None, ge=1)


class BeforeRead(Strict):
    """The read that shows an approver what is replaced, or the reason why there is none."""

    tool: str | None = None
    with_: dict[str, Any] = Field(default_factory=dict, alias="with")
    compare: dict[str, str] = Field(
        default_factory=dict, description="Argument to a place in the read's output."
    )
    because: Text | None = None

    @model_validator(mode="after")
    def read_or_reason(self) -> "BeforeRead":
        if (self.tool is None) == (self.because is None):
            raise ValueError(
                "before names either a tool or the reason why there is none; write `tool:` or `because:`"
            )
        if self.tool is not None and not self.compare:
            raise ValueError("before with a tool says what to compare; add `compare: {argument: place}`")
        return self


class PagingPlaces(Strict):
    """Where a list continues, when it cannot be derived."""

    style: Literal["token", "offset", "page"]
    token: SlotText
    size: SlotText | None = None
    size_max: int | None = Field(None, ge=1)
    items: str
    next: str | None = None
    more: str | None = None


class OutputField(Strict):
    """A field of the answer that is let out."""

    from_: str = Field(alias="from")
    fields: "dict[str, OutputChoice] | None" = None
    type: TypeText | None = None
    about: Text | None = None
    codec: str | None = None


OutputChoice = Annotated[Annotated[str, Tag("text")] | Annotated[OutputField, Tag("mapping")], _BY_KIND]
OutputField.model_rebuild()


class Rules(Strict):
    """Conditions over several arguments, each with the arguments it speaks of."""

    exactly_one: list[str] | None = Field(None, min_length=2)
    at_least_one: list[str] | None = Field(None, min_length=2)
    at_most_one: list[str] | None = Field(None, min_length=2)
    all_or_none: list[str] | None = Field(None, min_length=2)


class ScopeSet(Strict):
    any_of: list[str] = Field(default_factory=list)
    all_of: list[str] = Field(default_factory=list)


class ExceptionEntry(Strict):
    """A disagreement that is known and excused, as long as its value stays the same."""

    check: Literal[
        "read_only", "tokens", "required", "type", "enum", "query", "placeholder", "wire_name", "scopes"
    ]
    at: str = Field(description="The slot, or `tokens` or `scopes`.")
    value: str = Field(description="The excused value, as the diagnostic prints it.")
    because: Text


ParameterChoice = Annotated[
    Annotated[Parameter, Tag("mapping")] | Annotated[Literal["shared"], Tag("text")], _BY_KIND
]
IdempotencyChoice = Annotated[
    Annotated[Literal["ledger"], Tag("text")] | Annotated[NativeIdempotency, Tag("mapping")], _BY_KIND
]
PagingChoice = Annotated[
    Annotated[Literal["none"], Tag("text")] | Annotated[PagingPlaces, Tag("mapping")], _BY_KIND
]


class ToolEntry(Strict):
    """One tool."""

    summary: Text = Field(description="What it does, and to what; the first thing a model reads.")
    use_when: Text | None = Field(None, description="When it is the right tool.")
    avoid_when: Text | None = Field(None, description="When another is, and which.")
    keywords: list[Text] = Field(default_factory=list, description="Words people use for it, for search.")
    source: Triple | None = Field(None, description="What it sends; a local tool sends nothing.")
    routine: str | None = Field(None, description="The platform's procedure of a tool of several requests.")
    calls: dict[str, Triple] | None = Field(None, description="Name to source of each request of a routine.")
    risk: RiskText | None = Field(None, description="By effect, never by verb; never defaulted.")
    because: Text | None = Field(None, description="Why risk or sharing a route is as it is.")
    identity: list[IdentityText] = Field(
        default_factory=list, description="Whose token it may carry, the preferred one first."
    )
    scopes: ScopeSet | None = Field(None, description="Permissions that open the endpoint.")
    sensitive: bool = Field(False, description="Personal or confidential: enabled by exact name only.")
    parameters: dict[str, ParameterChoice] = Field(
        default_factory=dict, description="A positive list: what is not named cannot be reached."
    )
    fixed: dict[SlotText, Any] = Field(default_factory=dict, description="Slot to constant.")
    context: dict[SlotText, str] = Field(
        default_factory=dict, description="Slot to a value of the call's actor or tenant, as actor.open_id."
    )
    derive: dict[SlotText, str] = Field(
        default_factory=dict, description="Slot to a property of an argument, as file.size."
    )
    rules: Rules | None = Field(None, description="Conditions over several arguments.")
    idempotency: IdempotencyChoice | None = Field(None, description="What a repeat of a write does.")
    paging: PagingChoice | None = Field(None, description="Derived where it follows the platform's habit.")
    before: BeforeRead | None = Field(None, description="What an approver of an update sees.")
    preflight: list[str] = Field(
        default_factory=list, description="The platform's checks before a write is proposed."
    )
    output: dict[str, OutputChoice] = Field(
        default_factory=dict, description="What leaves: name to answer path."
    )
    errors: dict[str, Text] = Field(
        default_factory=dict, description="Platform code to what a model should do about it."
    )
    aliases: list[str] = Field(default_factory=list, description="Former names, as domain.tool.")
    exceptions: list[ExceptionEntry] = Field(
        default_factory=list, description="Known disagreements with the witness."
    )

    @model_validator(mode="after")
    def plain_or_routine(self) -> "ToolEntry":
        if (self.source is None) == (self.calls is None):
            raise ValueError("a tool has either `source` or `routine` with `calls`; write one of them")
        if (self.routine is None) != (self.calls is None):
            raise ValueError("`routine` and `calls` go together; write both")
        return self


class DomainFile(Strict):
    """domains/<domain>.yaml."""

    domain: Name = Field(description="The file's name.")
    title: Text
    parameters: dict[str, Parameter] = Field(
        default_factory=dict, description="Declared once; a tool writes `name: shared`."
    )
    shapes: dict[str, Shape] = Field(default_factory=dict, description="Named forms of nested input.")
    tools: dict[str, ToolEntry] = Field(description="Name to tool.")


class CatalogueChoice(Strict):
    provider: Literal["lark", "openapi"]
    distribution: str | None = Field(None, description="The SDK's distribution, for provider lark.")
    document: str | None = Field(
        None, description="The document's path below the surface folder, for provider openapi."
    )


class Budgets(Strict):
    """Bytes of UTF-8 JSON unless named otherwise; `*_tools` and `*_chars` count tools and characters."""

    tool_bytes: int = Field(4000, ge=1)
    mean_bytes: int = Field(900, ge=1)
    domain_bytes: int = Field(60_000, ge=1)
    preset_bytes: int = Field(16_000, ge=1)
    preset_tools: int = Field(20, ge=1)
    description_chars: int = Field(600, ge=1)
    guidance_bytes: int = Field(2048, ge=1, description="Of a domain's first page.")
    locale_ratio: float = Field(1.15, gt=0, description="Bytes of another locale's definitions over English.")


class SurfaceFile(Strict):
    """surface.yaml."""

    surface: Name
    title: Text
    package: Name
    platform: Name
    catalogue: CatalogueChoice
    meta: str | None = Field(None, description="The domain of the tools that send nothing.")
    supplements: list[str] = Field(default_factory=list)
    witness: str | None = Field(None, description="Folder of the witness files.")
    locales: list[str] = Field(default_factory=list, description="Besides English.")
    defaults: dict[SlotText, Any] = Field(
        default_factory=dict, description="Constants for slots that no tool names."
    )
    # mypy takes the fields of Budgets, defaults given as the first argument of Field, for required ones
    budgets: Budgets = Field(default_factory=Budgets)  # type: ignore[arg-type]
    presets: dict[str, list[str]] = Field(default_factory=dict)
