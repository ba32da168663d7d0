"""One call on its way through the chain."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from placet.contract.approvals import Grant
from placet.contract.call import CallContext
from placet.contract.platform import Credential, FileContent, Tenant
from placet.contract.result import Failed, Ok, Pending, Refused, Unknown
from placet.contract.words import Identity
from placet.encoding import Draft
from placet.gate.bound import BoundTool
from placet.inbound.arguments import Options

__all__ = ["AnyResult", "CallState", "Written"]

AnyResult = Ok[Any] | Refused | Pending | Failed | Unknown


class Written(Struct):
    """A write that has been entered into the ledger.

    Attributes:
        token: What may finish it.
        native_key: The platform's idempotency key, derived from `key`; empty where the tool has none.
        entering: What enters it, and goes on although the call was cancelled.
    """

    key: str
    token: str
    native_key: str = ""
    entering: "asyncio.Task[tuple[Any, ...]] | None" = None


class CallState(Struct, kw_only=True):
    """What is known of a call so far; each step adds its part.

    Attributes:
        raw: The arguments as the door gave them; never looked at after step 1.
        depth: 0 for a door's call, 1 for a child call (a preflight's or `before:` read).
        trace: Step, verdict and microseconds, in the order they ran.
        cursor_at: For a paged list: the cursor after its first n items, so that a later cut loses nothing.
        grant: The claimed yes with which an approved call enters again; None for every other call.
        replay_only: True when only the stored result may be given, because nobody was asked about a new sending.
        recorded: True once step 7 has taken what came of it.
        sent: True from the moment a request may have left.
        started: When the call entered, in `time.perf_counter`'s seconds; its total deadline counts from there.
    """

    id: str
    name: str
    ctx: CallContext
    raw: Any
    depth: int = 0
    parent: str = ""
    tool: BoundTool | None = None
    arguments: dict[str, Any] = {}
    options: Options = Options()
    draft: Draft | None = None
    identity: Identity | None = None
    tenant: Tenant | None = None
    context_values: dict[str, str] = {}
    files: dict[str, FileContent] = {}
    credential: Credential | None = None
    approval_id: str = ""
    grant: Grant | None = None
    written: Written | None = None
    replay_only: bool = False
    recorded: bool = False
    sent: bool = False
    refreshed: bool = False
    log_id: str = ""
    cursor_at: Callable[[int], str | None] | None = None
    trace: list[tuple[str, str, int]] = []
    started: float = field(default_factory=time.perf_counter)

    def passed(self, step: str, verdict: str, began: float) -> None:
        """Note a step that began at that moment of `time.perf_counter` and ends now."""
        self.trace.append((step, verdict, int((time.perf_counter() - began) * 1e6)))

    def left_s(self, deadline_s: float) -> float:
        """Seconds of the call's total deadline that are left."""
        return deadline_s - (time.perf_counter() - self.started)

    @property
    def bound(self) -> BoundTool:
        """The tool, for steps that run after it was found."""
        assert self.tool is not None
        return self.tool
