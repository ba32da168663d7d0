"""What a host sets of an engine, and what it gets back of a turn."""

from msgspec import Struct

__all__ = ["EngineOptions", "Reply"]


class EngineOptions(Struct, frozen=True, kw_only=True):
    """Bounds and words of an engine.

    Attributes:
        own: What the host adds to the instructions.
        locale: Of the tools' texts and of the guidance.
        history_tokens: Of earlier exchanges that a model is given, estimated; None is all of them.
        guidance_chars: Of the instructions as a whole.
        requests: Of one run to its model, however often it waited in between.
        run_tokens, run_calls: What one run may use before it stops and says so.
        turns: At once, in this process.
        lease_s: Seconds a turn may go without a step forward before another process takes it up; longer than the
            model's own time limit and the gate's deadline together.
        hold_s: Seconds a dead process keeps a conversation from the others; a living one renews its hold.
        attempts: How often one run may be begun or taken up before it is given up.
    """

    own: str = ""
    locale: str = "en"
    history_tokens: int | None = 32_000
    guidance_chars: int = 16_000
    requests: int = 24
    run_tokens: int | None = None
    run_calls: int | None = None
    turns: int = 32
    lease_s: float = 300.0
    hold_s: float = 30.0
    attempts: int = 3


class Reply(Struct, frozen=True, kw_only=True):
    """How a turn stands.

    Attributes:
        waiting: Ids of the approvals it waits for; empty when it is over.
    """

    run: str
    text: str
    waiting: tuple[str, ...] = ()
