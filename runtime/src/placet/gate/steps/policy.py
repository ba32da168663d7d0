"""Step 2: what the host allows at all, whoever asks."""

from collections import OrderedDict

from placet.contract.refusal import Reason
from placet.contract.result import Refused
from placet.gate.runtime import GateRuntime
from placet.gate.state import AnyResult, CallState
from placet.policy import Verdict

__all__ = ["Policed"]

TURNS_REMEMBERED = 10_000


class Policed:
    """Refuses tools that are off, risks over the ceiling, identities that are not allowed, and a turn's extra calls."""

    def __init__(self) -> None:
        self._turns: OrderedDict[tuple[str, str | None, str], set[str]] = OrderedDict()

    async def __call__(self, state: CallState, runtime: GateRuntime) -> AnyResult | None:
        entry = state.bound.entry
        verdict = runtime.rules.verdict(entry)
        if verdict.reason is not None:
            return _refused(verdict)
        identity = runtime.rules.identity(entry, state.ctx.identity)
        if isinstance(identity, Verdict):
            return _refused(identity)
        state.identity = identity
        most = runtime.rules.policy.calls_per_turn
        if state.depth == 0 and state.grant is None and self._count(state) > most:
            return Refused(
                code=Reason.CALLS_PER_TURN,
                reason=f"this turn has made its {most} calls",
                hint="tell the person what was found so far; a new turn may go on",
            )
        return None

    def _count(self, state: CallState) -> int:
        if state.ctx.turn is None:
            return 0
        key = (state.ctx.app, state.ctx.session, state.ctx.turn)
        calls = self._turns[key] = self._turns.pop(key, set())
        # An agent's call that waited for a person and is asked about again is one call.
        calls.add(state.ctx.call or state.id)
        if len(self._turns) > TURNS_REMEMBERED:
            self._turns.popitem(last=False)
        return len(calls)


def _refused(verdict: Verdict) -> Refused:
    assert verdict.reason is not None
    return Refused(code=verdict.reason, reason=verdict.sentence, hint=verdict.hint)
