"""What a tool pack hands to a runtime: tools, the index over them, and the surface that holds both."""

from typing import Any, Generic, TypeVar

from msgspec import Struct

from placet.contract.binding import Binding, Scopes
from placet.contract.words import CONTRACT, Identity, Risk

__all__ = ["Source", "Surface", "Tool", "ToolEntry"]

A = TypeVar("A")
R = TypeVar("R")


class Source(Struct, frozen=True, kw_only=True):
    """The source triple: SDK method, verb and route; all None for a tool that sends nothing."""

    sdk: str | None = None
    http: str | None = None
    route: str | None = None


class Tool(Struct, Generic[A, R], frozen=True, kw_only=True):
    """One callable tool.

    Attributes:
        name: Canonical name, `domain.tool`.
        wire_name: The name a model sees: `domain_tool`, at most 48 characters of `[a-z0-9_]`.
        identity: Whose token it may carry; empty for a tool that sends nothing.
        sensitive: True for a read that is enabled by its exact name only.
        digest: sha256 (hex) of the contract: binding, schemas, risk, identity, codec versions; no texts.
        args: The struct of its arguments.
        result: The struct of its data.
    """

    name: str
    wire_name: str
    risk: Risk
    identity: tuple[Identity, ...]
    scopes: Scopes
    binding: Binding
    digest: str
    args: type[A]
    result: type[R]
    sensitive: bool = False


class ToolEntry(Struct, frozen=True, kw_only=True):
    """A tool's line in the index: enough to list, filter and search without loading its module.

    Attributes:
        summary: English; `summaries` has the other locales.
        target: Where the `Tool` lives: `module:CONSTANT`.
    """

    name: str
    wire_name: str
    domain: str
    risk: Risk
    identity: tuple[Identity, ...]
    scopes: Scopes
    source: Source
    summary: str
    target: str
    digest: str
    summaries: dict[str, str] = {}
    keywords: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    sensitive: bool = False


class Surface(Struct, frozen=True, kw_only=True):
    """A tool pack, as data.

    Attributes:
        package: The importable package that holds the tools.
        contract: The contract version it was generated for; a runtime refuses one it does not know.
        presets: Named lists of tool names.
        locales: Languages of its texts, English first.
    """

    name: str
    package: str
    platform: str
    title: str
    tools: tuple[ToolEntry, ...]
    presets: dict[str, tuple[str, ...]] = {}
    locales: tuple[str, ...] = ("en",)
    contract: int = CONTRACT


AnyTool = Tool[Any, Any]
