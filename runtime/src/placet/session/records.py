"""What waits for a person, as engines hand it to a store and get it back."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

__all__ = ["ClaimResult", "PendingApproval", "PendingAuthorization"]


class ClaimResult(StrEnum):
    """What a claim comes to; only `CLAIMED` lets its caller go on."""

    CLAIMED = "claimed"
    """This caller, and no other, has it now."""
    ALREADY_CLAIMED = "already_claimed"
    """Another caller has it, or had it when its outcome was lost."""
    SUPERSEDED = "superseded"
    """A newer proposal of the same operation took its place."""
    TAMPERED = "tampered"
    """The digest that came back is not the one that was proposed."""
    EXPIRED = "expired"
    """Nobody decided in time."""
    MISSING = "missing"
    """There is none, it was settled, or it is another tenant's."""


@dataclass
class PendingApproval:
    """A call that waits for a person's yes.

    Attributes:
        payload_sha256: Of what the person is shown; a claim must bring the same.
        owner_user_keys: Who asked, under every id that the platform has for them.
        created_message_id: The message that began the turn; approvals of one turn never supersede each other.
        created_at: Unix seconds; the store's clock when it is None.
        state: `awaiting_confirmation`, `executing` or `execution_unknown`. A store moves it, a `put` does not.
        extra: The engine's own.
    """

    approval_id: str
    session_id: str
    tool_call_id: str
    tool_name: str
    arguments: dict[str, Any]
    payload_sha256: str | None = None
    idempotency_key: str | None = None
    owner_user_keys: tuple[str, ...] = ()
    tenant_key: str | None = None
    chat_id: str | None = None
    created_message_id: str | None = None
    created_event_id: str | None = None
    created_at: int | None = None
    state: str = "awaiting_confirmation"
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass
class PendingAuthorization:
    """A call that waits until its person has authorised the app.

    Attributes:
        scopes: What the person is to grant.
        state: `awaiting_authorization`, `executing` or `execution_unknown`.
    """

    authorization_id: str
    session_id: str
    tool_call_id: str
    tool_name: str
    arguments: dict[str, Any]
    scopes: tuple[str, ...] = ()
    owner_user_keys: tuple[str, ...] = ()
    tenant_key: str | None = None
    chat_id: str | None = None
    created_message_id: str | None = None
    created_event_id: str | None = None
    created_at: int | None = None
    state: str = "awaiting_authorization"
    extra: dict[str, Any] = field(default_factory=dict)
