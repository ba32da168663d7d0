"""What a host allows, and who decides about the rest."""

from enum import StrEnum
from typing import Any, Protocol

from msgspec import Struct

from placet.contract.call import CallContext
from placet.contract.tool import AnyTool
from placet.contract.words import Identity, Risk

__all__ = ["Authoriser", "Decision", "Policy", "Proposal"]


class Decision(StrEnum):
    """What an authoriser may say. Anything else is a refusal."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Policy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A host's rules; checked on construction by `placet.policy.checked`.

    Attributes:
        reads: Names, globs (`bitable.*`) or domains of reads that are on. A sensitive read is on by exact name only.
        write_allow: Exact names of the writes that are on.
        deny: Names or globs that are off whatever else is said.
        ceiling: The highest risk that may run.
        identities: Whose tokens may be used.
        unattended: Exact names of writes for which the authoriser's `allow` counts; elsewhere a person is asked.
        calls_per_turn: Calls of one turn, child calls not counted.
        result_chars: Budget of one result in characters of JSON; None is off.
    """

    reads: tuple[str, ...] = ("*",)
    write_allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    ceiling: Risk = Risk.HIGH_RISK_WRITE
    identities: tuple[Identity, ...] = (Identity.TENANT,)
    unattended: tuple[str, ...] = ()
    calls_per_turn: int = 10
    result_chars: int | None = 4000


class Proposal(Struct, frozen=True, kw_only=True):
    """What an authoriser is asked about: the tool, who asks, and the decoded arguments."""

    tool: AnyTool
    ctx: CallContext
    identity: Identity
    arguments: dict[str, Any]


class Authoriser(Protocol):
    """The host's say on one call. Raising, or returning anything but a `Decision`, refuses the call."""

    async def __call__(self, proposal: Proposal) -> Decision: ...
