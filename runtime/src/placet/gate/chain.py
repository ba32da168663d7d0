"""The chain: seven steps, this order, no switch.

Steps 1 to 4 may only refuse, hold, or let pass; a step that raises refuses. Then the request is made. Steps 5 and 6 may
only withhold, and step 7 records. The order is the security argument of design section 8: nothing is looked at before
it is sanitised, nobody is asked before policy allows it, no token is touched before somebody said yes, and nothing
leaves unmasked or unrecorded.
"""

from collections.abc import Awaitable, Callable

from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState
from placet.gate.steps.audit import audit
from placet.gate.steps.authorise import authorise
from placet.gate.steps.inbound import inbound_sanitise
from placet.gate.steps.outbound import outbound_sanitise
from placet.gate.steps.policy import Policed
from placet.gate.steps.safety import content_safety
from placet.gate.steps.tenant import switch_tenant

__all__ = ["AFTER", "AUDIT", "BEFORE", "CHAIN", "EXECUTE", "steps_after", "steps_before"]

Before = Callable[[CallState, GateRuntime], Awaitable[AnyResult | None]]
After = Callable[[CallState, GateRuntime, AnyResult], Awaitable[AnyResult]]

BEFORE = ("inbound_sanitise", "policy", "authorise", "tenant_switch")
EXECUTE = "execute"
AUDIT = "audit"
AFTER = ("content_safety", "outbound_sanitise", AUDIT)
CHAIN = (*BEFORE, EXECUTE, *AFTER)


def steps_before() -> tuple[Before, ...]:
    """Fresh steps of one gate, in the chain's order; policy counts calls, so each gate has its own."""
    return (inbound_sanitise, Policed(), authorise, switch_tenant)


def steps_after() -> tuple[After, ...]:
    """The steps after the request, in the chain's order."""
    return (content_safety, outbound_sanitise, audit)
