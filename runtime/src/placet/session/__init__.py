"""Conversations and what waits in them, for engines other than ours: protocols, records and their stores.

The names and meanings are those that other agent engines on this ground use, so that they can keep their state here.
In memory for tests; over the documents of a truth store for SQLite and PostgreSQL; over sessions of the Agents SDK.
"""

from placet.session.histories import DocumentSessionStore, InMemorySessionStore
from placet.session.keys import session_key
from placet.session.messages import (
    ContentPart,
    Message,
    ReasoningPart,
    Role,
    TextPart,
    ToolResultPart,
    ToolUsePart,
)
from placet.session.pending import (
    DocumentPendingApprovalStore,
    DocumentPendingAuthorizationStore,
    InMemoryPendingApprovalStore,
    InMemoryPendingAuthorizationStore,
    same_operation,
)
from placet.session.protocols import PendingApprovalStore, PendingAuthorizationStore, SessionStore
from placet.session.records import ClaimResult, PendingApproval, PendingAuthorization
from placet.session.sdk import SdkSessionStore

__all__ = [
    "ClaimResult",
    "ContentPart",
    "DocumentPendingApprovalStore",
    "DocumentPendingAuthorizationStore",
    "DocumentSessionStore",
    "InMemoryPendingApprovalStore",
    "InMemoryPendingAuthorizationStore",
    "InMemorySessionStore",
    "Message",
    "PendingApproval",
    "PendingApprovalStore",
    "PendingAuthorization",
    "PendingAuthorizationStore",
    "ReasoningPart",
    "Role",
    "SdkSessionStore",
    "SessionStore",
    "TextPart",
    "ToolResultPart",
    "ToolUsePart",
    "same_operation",
    "session_key",
]
