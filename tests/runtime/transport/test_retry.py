"""When a call is sent again, and what its last failure may claim."""

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.contract.platform import Failure
from placet.transport import TransportError, TransportReason
from placet.transport.retry import RetryOptions, attempts, next_wait_s

Effect = Literal["none", "applied", "unknown"]
R = TransportReason


def failure(effect: Effect, *, retryable: bool = True, after: float | None = None) -> Failure:
    return Failure(code="1", category="rate", effect=effect, retryable=retryable, retry_after_s=after)


def lost(reason: TransportReason, *, sent: bool) -> TransportError:
    return TransportError(sent=sent, reason=reason)


YES, NO = True, False


@pytest.mark.parametrize(
    ("cause", "repeatable", "plain_write"),
    [
        pytest.param(failure("none"), YES, YES, id="nothing-done"),
        pytest.param(failure("unknown"), YES, NO, id="unclear"),
        pytest.param(failure("applied"), NO, NO, id="done-after-all"),
        pytest.param(failure("none", retryable=False), NO, NO, id="will-not-pass"),
        pytest.param(lost(R.DNS, sent=False), YES, YES, id="dns"),
        pytest.param(lost(R.CONNECT, sent=False), YES, YES, id="refused"),
        pytest.param(lost(R.TLS, sent=False), NO, NO, id="tls"),
        pytest.param(lost(R.REQUEST, sent=False), NO, NO, id="not-sendable"),
        pytest.param(lost(R.RATE_LIMIT, sent=False), NO, NO, id="own-limit"),
        pytest.param(lost(R.CLOSED, sent=False), NO, NO, id="closed"),
        pytest.param(lost(R.RESET, sent=True), YES, NO, id="reset"),
        pytest.param(lost(R.TIMEOUT, sent=True), YES, NO, id="timeout-sent"),
        pytest.param(lost(R.TIMEOUT, sent=False), YES, YES, id="timeout-not-sent"),
        pytest.param(lost(R.TRUNCATED, sent=True), YES, NO, id="truncated"),
        pytest.param(lost(R.TOO_LARGE, sent=True), NO, NO, id="too-large"),
        pytest.param(lost(R.ENCODING, sent=True), NO, NO, id="encoding"),
    ],
)
def test_what_is_sent_again(cause: Failure | TransportError, repeatable: bool, plain_write: bool) -> None:
    """Reads and writes with a native key, else only what certainly did nothing."""
    for kind, again in ((True, repeatable), (False, plain_write)):
        wait = next_wait_s(cause, attempt=1, repeatable=kind, remaining_s=60, jitter=0.5)
        assert (wait is not None) is again


@pytest.mark.parametrize(
    ("attempt", "after", "jitter", "remaining", "expected"),
    [
        pytest.param(1, None, 0.5, 60, 0.1, id="first"),
        pytest.param(2, None, 0.5, 60, 0.2, id="doubles"),
        pytest.param(3, None, 0.5, 60, None, id="three-in-all"),
        pytest.param(1, None, 0.0, 60, 0.0, id="full-jitter"),
        pytest.param(1, 3.0, 0.5, 60, 3.1, id="as-the-platform-asks"),
        pytest.param(1, 3.0, 0.5, 3.05, None, id="not-within-the-deadline"),
        pytest.param(1, 1e9, 0.5, 60, None, id="absurd"),
        pytest.param(1, float("inf"), 0.5, 60, None, id="endless"),
        pytest.param(1, float("nan"), 0.5, 60, None, id="not-a-number"),
        pytest.param(1, -5.0, 0.5, 60, 0.1, id="negative"),
        pytest.param(1, None, 0.5, 0, None, id="no-time"),
    ],
)
def test_how_long_it_waits(
    attempt: int, after: float | None, jitter: float, remaining: float, expected: float | None
) -> None:
    """The platform's own wait is honoured, within the deadline or not at all."""
    wait = next_wait_s(
        failure("none", after=after), attempt=attempt, repeatable=True, remaining_s=remaining, jitter=jitter
    )

    assert wait == (None if expected is None else pytest.approx(expected))


@given(
    attempt=st.integers(1, 5),
    after=st.none() | st.floats(),
    remaining=st.floats(-10, 1000),
    jitter=st.floats(0, 0.999),
)
def test_a_wait_always_ends_before_the_deadline(
    attempt: int, after: float | None, remaining: float, jitter: float
) -> None:
    """Whatever the platform asks for."""
    wait = next_wait_s(
        failure("none", after=after), attempt=attempt, repeatable=True, remaining_s=remaining, jitter=jitter
    )

    assert wait is None or 0 <= wait < remaining


class Script:
    """Answers in order; counts what was asked."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.given: list[float] = []
        self.now = 0.0

    async def __call__(self, deadline_s: float) -> object:
        self.given.append(deadline_s)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def sleep(self, seconds: float) -> None:
        self.now += seconds

    async def run(self, *, repeatable: bool) -> object:
        return await attempts(
            self, repeatable=repeatable, deadline_s=10, options=RetryOptions(), draw=lambda: 0.5,
            clock=lambda: self.now, sleep=self.sleep,
        )  # fmt: skip


@pytest.mark.anyio
async def test_an_attempt_gets_what_is_left_of_the_deadline() -> None:
    """One deadline for all attempts and the waits between them."""
    script = Script(failure("none", after=4.0), failure("none", after=4.0), "done")

    assert await script.run(repeatable=False) == "done"
    assert script.given == [pytest.approx(10), pytest.approx(5.9), pytest.approx(1.7)]


@pytest.mark.anyio
@pytest.mark.parametrize(
    "first",
    [lost(R.RESET, sent=True), failure("unknown")],
    ids=["lost-answer", "unclear-failure"],
)
async def test_a_later_attempt_does_not_take_back_an_earlier_one(first: Exception | Failure) -> None:
    """After an attempt that may have been applied, a connection refused is not `nothing was sent`, and a failure that
    did nothing is not `nothing was done`."""
    with pytest.raises(TransportError) as caught:
        await Script(first, lost(R.CONNECT, sent=False), lost(R.DNS, sent=False)).run(repeatable=True)
    assert (caught.value.sent, caught.value.reason) == (True, R.DNS)

    last = await Script(first, failure("none", retryable=False)).run(repeatable=True)
    assert isinstance(last, Failure) and last.effect == "unknown"


@pytest.mark.anyio
async def test_a_plain_write_that_may_have_arrived_is_sent_once() -> None:
    """No second attempt, and the error says that it was sent."""
    script = Script(lost(R.RESET, sent=True), "never")

    with pytest.raises(TransportError) as caught:
        await script.run(repeatable=False)

    assert (caught.value.sent, len(script.given)) == (True, 1)
