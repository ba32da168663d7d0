"""Types and protocols that the rooms share. No I/O, and no logic beyond canonical hashing."""

from placet.contract.binding import (
    Before,
    Binding,
    Call,
    Derived,
    NativeKey,
    Paging,
    Project,
    Rule,
    Scopes,
    Slot,
)
from placet.contract.call import Actor, CallContext, Caller
from placet.contract.digest import canonical_json, sha256_of
from placet.contract.errors import CallFailed, PlacetError
from placet.contract.result import Failed, Ok, Page, Pending, Refused, Result, Unknown
from placet.contract.tool import AnyTool, Source, Surface, Tool, ToolEntry
from placet.contract.types import FileHandle, Int64, Timestamp
from placet.contract.words import CONTRACT, Identity, Risk

__all__ = [
    "CONTRACT",
    "Actor",
    "AnyTool",
    "Before",
    "Binding",
    "Call",
    "CallContext",
    "CallFailed",
    "Caller",
    "Derived",
    "Failed",
    "FileHandle",
    "Identity",
    "Int64",
    "NativeKey",
    "Ok",
    "Page",
    "Paging",
    "Pending",
    "PlacetError",
    "Project",
    "Refused",
    "Result",
    "Risk",
    "Rule",
    "Scopes",
    "Slot",
    "Source",
    "Surface",
    "Timestamp",
    "Tool",
    "ToolEntry",
    "Unknown",
    "canonical_json",
    "sha256_of",
]
