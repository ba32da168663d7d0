"""Documents: small rows of any kind that several processes move one version at a time.

Runs, the outbox and what other engines keep are documents: their meaning lies in a body that the store does not read.
"""

from msgspec import Struct

__all__ = ["Document", "ListDocuments", "LookUpDocument", "SwapDocument"]


class Document(Struct, frozen=True, kw_only=True):
    """One row.

    Attributes:
        kind, id: Its key.
        tenant, group, state: What it is listed by; a group is a conversation, for most kinds.
        due_at: Unix seconds at which somebody should look at it; None for never.
        version: Rises with every change.
        body: Sealed or plain bytes.
    """

    kind: str
    id: str
    tenant: str
    body: bytes
    group: str = ""
    state: str = ""
    due_at: float | None = None
    version: int = 1


class SwapDocument(Struct, frozen=True, kw_only=True, tag="swap_document"):
    """Replace the document that still has this version; 0 inserts a new one, None removes it. False when it moved."""

    kind: str
    id: str
    version: int
    document: Document | None


class LookUpDocument(Struct, frozen=True, kw_only=True, tag="look_up_document"):
    """The document of a key, or None."""

    kind: str
    id: str


class ListDocuments(Struct, frozen=True, kw_only=True, tag="list_documents"):
    """Documents of a kind, by id.

    Attributes:
        tenant, group: None is every one.
        states: None is every state.
        due_by: Only documents due at or before that moment, the oldest first; None is all.
    """

    kind: str
    tenant: str | None = None
    group: str | None = None
    states: tuple[str, ...] | None = None
    due_by: float | None = None
    most: int = 100
