"""What an engine asks of its stores. Every store here keeps these promises, in memory and in a database."""

from collections.abc import Callable
from typing import Protocol, TypeVar, runtime_checkable

from placet.session.messages import Message
from placet.session.records import ClaimResult, PendingApproval, PendingAuthorization

__all__ = ["PendingApprovalStore", "PendingAuthorizationStore", "SessionStore"]

T = TypeVar("T")


@runtime_checkable
class SessionStore(Protocol):
    """Conversations. What is returned is the caller's own; changing it changes nothing here."""

    async def get(self, session_id: str) -> list[Message]:
        """All messages in order; none for an unknown conversation."""
        ...

    async def append(self, session_id: str, *messages: Message) -> None:
        """Add at the end, all or none."""
        ...

    async def set(self, session_id: str, messages: list[Message]) -> None:
        """Put these in the place of what there was."""
        ...

    async def clear(self, session_id: str) -> None:
        """Forget the conversation."""
        ...

    async def updated_at(self, session_id: str) -> float | None:
        """Unix seconds of the last write; None for an unknown conversation."""
        ...


@runtime_checkable
class PendingApprovalStore(Protocol):
    """Calls that wait for a yes. Of any number of racing claims exactly one gets `CLAIMED`."""

    async def put(self, approval: PendingApproval) -> None:
        """Keep a proposal, or change one that still waits. Never lowers a state: what was claimed or settled stays."""
        ...

    async def get(self, approval_id: str) -> PendingApproval | None:
        """The record while it waits, executes or is unknown; None when it was settled or its time is over."""
        ...

    async def pop(self, approval_id: str) -> PendingApproval | None:
        """As `get`, and the record is gone; of racing callers one gets it."""
        ...

    async def claim(self, approval_id: str, *, expected_payload_sha256: str | None = None) -> ClaimResult:
        """From waiting to executing, once. A digest that only one side has, or that differs, is `TAMPERED`."""
        ...

    async def complete(self, approval_id: str, *, outcome: str) -> None:
        """Settle: `retry` lets it wait again, `unknown` and `frozen` keep it unknown, any other word closes it."""
        ...

    async def update(
        self, approval_id: str, mutator: Callable[[PendingApproval], tuple[T, PendingApproval]]
    ) -> T:
        """Change the record as one step: `mutator` gets a copy and returns (answer, new record).

        It may be called again when the record moved meanwhile, so it does nothing else.

        Raises:
            KeyError: there is none that waits, executes or is unknown.
        """
        ...


@runtime_checkable
class PendingAuthorizationStore(Protocol):
    """Calls that wait for an authorisation; as approvals, without a digest."""

    async def put(self, authorization: PendingAuthorization) -> None: ...

    async def get(self, authorization_id: str) -> PendingAuthorization | None:
        """As for approvals, but one whose time is over is still returned: its person is to be told so."""
        ...

    async def pop(self, authorization_id: str) -> PendingAuthorization | None: ...

    async def claim(self, authorization_id: str) -> ClaimResult: ...

    async def complete(self, authorization_id: str, *, outcome: str) -> None: ...

    async def update(
        self,
        authorization_id: str,
        mutator: Callable[[PendingAuthorization], tuple[T, PendingAuthorization]],
    ) -> T: ...
