"""What an SDK or an API document offers: methods, their slots, and the trees of their bodies and answers.

Two providers fill this model, `lark` from SDK sources and `openapi` from documents; nothing after them asks which.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Kind = Literal["string", "integer", "number", "boolean", "object", "array", "map", "file", "any", "null"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A type on the wire.

    Attributes:
        kind: "object" has `fields`, "array" and "map" have `item`; "any" is a type nobody stated.
        model: The SDK class or schema the type comes from, when it has a name.
        required: Names of `fields` that must be present, as far as the catalogue itself says so.
        recursive: True where a type contains itself; the tree is cut there.
        nullable: True where the catalogue says that null is allowed.
        enum: Allowed values, in the catalogue's order.
        constraints: JSON Schema keywords (`minimum`, `maxLength`, `pattern` ...) the catalogue states.
        about: The catalogue's own description; shown by `placet catalog`, never emitted.
    """

    kind: Kind
    model: str | None = None
    fields: Mapping[str, "Node"] = field(default_factory=dict)
    item: "Node | None" = None
    required: frozenset[str] = frozenset()
    recursive: bool = False
    nullable: bool = False
    enum: tuple[Any, ...] = ()
    constraints: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "array" | "map":
                return f"{'list' if self.kind == 'array' else 'map'}[{self.item or 'any'}]"
            case "object" if self.model:
                return f"object<{self.model}>"
            case _:
                return self.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotInfo:
    """A path, query or header parameter. `required` is None when the catalogue does not say."""

    name: str
    node: Node
    required: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the catalogue says it: a file and a line, for messages."""

    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One operation of the catalogue.

    Attributes:
        name: Dotted SDK path (`bitable.v1.app_table_record.update`) or operation id.
        tokens: Kinds of token it takes: "tenant", "user", "app"; empty when it takes none.
        body: Tree of the body, None when it takes none.
        body_kind: How the body travels; a multipart body's file members have kind "file".
        body_required: True when a call without a body makes no sense, None when nobody says.
        response: Tree of an answer's data (below the envelope); None when the catalogue types none.
        download: True when the answer is bytes.
        summary: The catalogue's own line about it; shown, never emitted.
    """

    name: str
    http: str
    route: str
    tokens: frozenset[str]
    path: tuple[SlotInfo, ...] = ()
    query: tuple[SlotInfo, ...] = ()
    header: tuple[SlotInfo, ...] = ()
    body: Node | None = None
    body_kind: Literal["none", "json", "multipart", "urlencoded"] = "none"
    body_required: bool | None = None
    response: Node | None = None
    download: bool = False
    place: Place | None = None
    summary: str = ""


class Catalogue(Protocol):
    """A source of methods. Reading is lazy: asking for a method reads the files it needs and no others."""

    @property
    def version(self) -> str:
        """What was read, as `lark-oapi 1.7.5`; goes into the pin."""
        ...

    def method(self, name: str) -> Method | None:
        """The method of that name, or None.

        Raises:
            CatalogueError: its source is there but has a form the reader does not know.
        """
        ...

    def names(self) -> Iterator[str]:
        """Every method's name, cheap (no trees are read)."""
        ...

    def by_route(self, http: str, route: str) -> str | None:
        """The name of the method with that verb and route, placeholder names ignored."""
        ...

    def read_files(self) -> Mapping[str, str]:
        """sha256 (hex) of every file read so far, by a path relative to the catalogue's root."""
        ...


class CatalogueError(Exception):
    """A source has a form the reader does not know. `path` and `line` say where."""

    def __init__(self, message: str, *, path: str, line: int = 0) -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")
        self.message, self.path, self.line = message, path, line
