"""The audit: batching for reads, verification of the chains, and their heads for keeping outside.

Writes put their records into the store's own transactions; what is here serves everything else.
"""

from placet.audit.batched import AuditUnavailable, BatchedAudit
from placet.audit.reading import ANCHOR_FILE_VERSION, anchor, exported, parse_anchor, tail
from placet.audit.verify import ChainReport, Fault, Verification, verify

__all__ = [
    "ANCHOR_FILE_VERSION",
    "AuditUnavailable",
    "BatchedAudit",
    "ChainReport",
    "Fault",
    "Verification",
    "anchor",
    "exported",
    "parse_anchor",
    "tail",
    "verify",
]
