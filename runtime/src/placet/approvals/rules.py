"""Who may approve what, as data."""

from collections.abc import Mapping

from msgspec import Struct

from placet.contract.approvals import ApprovalRow, Strength
from placet.contract.words import Risk

__all__ = ["ApproverRules", "Decider"]


class Decider(Struct, frozen=True, kw_only=True):
    """Who decides, as the door authenticated them.

    Attributes:
        name: The platform's id of a person, or `operator:NAME`.
        strength: How they were authenticated.
    """

    name: str
    strength: Strength


class ApproverRules(Struct, frozen=True, kw_only=True):
    """The host's rules.

    With no approvers an app's proposals are decided by their requester or by an operator. With approvers, its
    high-risk writes are decided by one of them, and never by the requester.

    Attributes:
        approvers: App to the deciders who may approve its high-risk writes.
        two: Names of the tools whose writes need two different yeses.
        clients: Whether a client's word counts, for risk `write` and its own requester only.
    """

    approvers: Mapping[str, tuple[str, ...]] = {}
    two: frozenset[str] = frozenset()
    clients: bool = False

    def may(self, row: ApprovalRow, decider: Decider) -> bool:
        """Whether this decider may decide about this proposal."""
        is_requester = decider.name == row.requester and decider.name != ""
        if decider.strength == "client":
            return self.clients and is_requester and row.risk is Risk.WRITE and row.tool not in self.two
        named = self.approvers.get(row.tenant, ())
        if named and (row.risk is Risk.HIGH_RISK_WRITE or row.tool in self.two):
            return decider.name in named and not is_requester
        return is_requester or decider.strength == "operator" or decider.name in named

    def needed(self, row: ApprovalRow) -> int:
        """How many different deciders must say yes."""
        return 2 if row.tool in self.two else 1
