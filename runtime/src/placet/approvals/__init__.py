"""Approvals: proposals opened by the gate, decided by people, and carried out exactly once.

`Proposals` is what a gate proposes to, `Desk` what a trusted door decides at; both work over one truth store.
"""

from placet.approvals.desk import Approval, Desk, Swept
from placet.approvals.proposals import ApprovalChannel, ProposalLimits, Proposals
from placet.approvals.rules import ApproverRules, Decider
from placet.approvals.showing import shown

__all__ = [
    "Approval",
    "ApprovalChannel",
    "ApproverRules",
    "Decider",
    "Desk",
    "ProposalLimits",
    "Proposals",
    "Swept",
    "shown",
]
