"""Reads that a call needs before it may be made: calls of their own, through all seven steps."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from placet.contract.refusal import Reason
from placet.contract.result import Refused
from placet.contract.words import Identity
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState

__all__ = ["Children"]


class Children:
    """The caller handed to preflights and to `before:` reads: the parent's context and identity, reads only."""

    def __init__(
        self,
        parent: CallState,
        runtime: GateRuntime,
        run: Callable[[CallState], Awaitable[AnyResult]],
    ) -> None:
        self._parent, self._runtime, self._run = parent, runtime, run

    async def read(self, tool: str, arguments: Mapping[str, Any]) -> AnyResult:
        """A read as the parent's identity; never a write, and never deeper than one level."""
        entry = self._runtime.catalogue.entry(tool)
        if entry is None or entry.risk.is_write or self._parent.depth:
            return Refused(code=Reason.TOOL_NOT_ENABLED, reason=f"{tool!r} is no read that may be made here")
        identity = self._parent.identity or Identity.TENANT
        # No model reads the answer as it is, so it is not cut to a model's budget.
        ctx = msgspec.structs.replace(self._parent.ctx, identity=identity, result_chars=None)
        return await self._run(
            CallState(
                id=self._runtime.fresh_id(),
                name=tool,
                ctx=ctx,
                raw=dict(arguments),
                depth=self._parent.depth + 1,
                parent=self._parent.id,
            )
        )

    def is_enabled(self, tool: str) -> bool:
        """True when the policy has the tool on, so that its answers may shape what a model is told."""
        return self._runtime.rules.is_on(tool)
