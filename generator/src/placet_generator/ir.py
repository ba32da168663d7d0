"""The resolved surface: every name chosen, every type known, every order fixed, every place kept.

The resolver writes these values and the emitter reads them; nothing optional is left that somebody still has to
decide. Texts are by locale, English (`en`) always there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from placet.contract import Binding, Identity, Risk, Scopes, Source
from placet_generator.diagnostics import Span

Texts = Mapping[str, str]
"""Locale to text."""

ScalarName = Literal["string", "integer", "int64", "number", "boolean", "file", "time", "object", "any"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on one value; None is unbounded. Lengths count characters, bytes count a file's bytes."""

    min: float | int | None = None
    max: float | int | None = None
    min_len: int | None = None
    max_len: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    max_bytes: int | None = None
    pattern: str | None = None
    enum: tuple[str | int | float | bool, ...] = ()


UNLIMITED = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarType:
    """`object` is a free-form mapping and `any` any JSON value; `int64` and `time` are text."""

    name: ScalarName


@dataclass(frozen=True, slots=True, kw_only=True)
class ListType:
    """A list; `limits` are those of one item."""

    item: "TypeIR"
    limits: Limits = UNLIMITED


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectType:
    """An object with known members.

    `name` is its Pascal-case name, unique within the domain; equal names are equal types.

    Attributes:
        shared: True for a declared shape, which goes to the domain's `_shapes` module and to `$defs`.
        owner: The domain that declares a shared shape.
    """

    name: str
    members: tuple["MemberIR", ...]
    shared: bool = False
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnionType:
    """Objects told apart by the member `tag`; each variant's `name` ends in its Pascal-case tag."""

    name: str
    tag: str
    variants: tuple[tuple[str, ObjectType], ...]
    shared: bool = False
    owner: str = ""


TypeIR = ScalarType | ListType | ObjectType | UnionType


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberIR:
    """An argument, or a member of an object argument.

    Attributes:
        default: What the platform does when it is absent, stated to the model; None when nothing is said.
        nullable: True where null is a value of its own (it clears).
        obtain: Where its value comes from: `person`, `guidance:topic` or `tool#place`.
    """

    name: str
    type: TypeIR
    required: bool
    about: Texts
    limits: Limits = UNLIMITED
    default: str | int | float | bool | None = None
    example: Any = None
    nullable: bool = False
    obtain: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldIR:
    """A field of an answer. Every one is optional at run time. `about` may be empty."""

    name: str
    type: TypeIR
    about: Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicIR:
    """A page of guidance: L1 (`topic` empty) or an L2 topic. Markdown by locale."""

    domain: str
    topic: str
    title: Texts
    text: Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolIR:
    """One tool, complete.

    Attributes:
        params: The curated arguments, required first, then by name; those the generator adds follow from
            `risk` and `paged`.
        output: Fields of its data, in curated order; empty when it returns nothing.
        errors: Platform code to text by locale.
        paged: True when it takes the paging arguments.
        page_size_max: Upper bound of `page_size`, None when there is none to set.
    """

    name: str
    domain: str
    key: str
    wire_name: str
    summary: Texts
    use_when: Texts
    avoid_when: Texts
    keywords: tuple[str, ...]
    risk: Risk
    identity: tuple[Identity, ...]
    scopes: Scopes
    sensitive: bool
    source: Source
    params: tuple[MemberIR, ...]
    output: tuple[FieldIR, ...]
    binding: Binding
    idempotency: Literal["-", "ledger", "native", "native-forever"]
    errors: Mapping[str, Texts]
    aliases: tuple[str, ...]
    paged: bool
    page_size_max: int | None
    defined_at: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainIR:
    """One domain: its tools by name, its shared shapes by name, its guidance."""

    name: str
    title: Texts
    tools: tuple[ToolIR, ...]
    shapes: tuple[ObjectType | UnionType, ...]
    guidance: tuple[TopicIR, ...]
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceIR:
    """The resolved whole.

    Attributes:
        package: Import name of the generated package.
        locales: `en` first.
        presets: Name to tool names.
        sdk: The catalogue's version line.
        sdk_files: sha256 of every catalogue file read, by path.
        signatures: Every used method's signature by method name, as `pin.signatures` makes them.
    """

    name: str
    package: str
    title: str
    platform: str
    locales: tuple[str, ...]
    domains: tuple[DomainIR, ...]
    presets: Mapping[str, tuple[str, ...]]
    sdk: str
    sdk_files: Mapping[str, str]
    signatures: Mapping[str, Mapping[str, Any]]
