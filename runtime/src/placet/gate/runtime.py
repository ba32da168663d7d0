"""What the steps share: the rules, the tenants, the stores and the doors to the outside, handed in once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from placet.audit import BatchedAudit
from placet.contract.approvals import Approvals
from placet.contract.masking import SafetyMode
from placet.contract.platform import ChildCaller, Platform, Tenant
from placet.contract.policy import Authoriser
from placet.contract.stores import TruthStore
from placet.files import FileStore
from placet.finishing import Finishing
from placet.gate.bound import Catalogue
from placet.gate.sending import Sender
from placet.gate.state import CallState
from placet.policy import Rules
from placet.sanitise.masking import Masking

__all__ = ["GateRuntime"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRuntime:
    """Everything outside the call that a step may use.

    Attributes:
        namespace: Parts ledger keys of hosts that share a store.
        children: Makes the caller that a preflight or a `before:` read goes through.
        finishing: Keeps what must end although its caller has gone.
        maskings: What is masked, by platform name; "" for tools that send nothing.
        now: Unix seconds.
        fresh_id: 128 random bits as text.
        deadline_s: Total time of one call.
    """

    catalogue: Catalogue
    rules: Rules
    authoriser: Authoriser | None
    approvals: Approvals
    tenants: Mapping[str, Tenant]
    platforms: Mapping[str, Platform]
    store: TruthStore
    recorder: BatchedAudit
    finishing: Finishing
    files: FileStore
    sender: Sender
    locals: Mapping[str, Callable[..., Any]]
    children: Callable[[CallState], ChildCaller]
    maskings: Mapping[str, Masking]
    safety: SafetyMode
    namespace: str
    now: Callable[[], float]
    fresh_id: Callable[[], str]
    deadline_s: float
