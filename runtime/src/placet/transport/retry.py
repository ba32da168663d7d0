"""Whether a call is sent again, and when. The decision is a pure function; the loop around it is ten lines.

A call is repeated when it is a read, when the platform itself removes duplicates (a native key), or when the failure
proves that nothing was done.
"""

import math
import random
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
import msgspec

from placet.contract.platform import Failure
from placet.transport.faults import TransportError

__all__ = ["RetryOptions", "attempts", "next_wait_s"]

T = TypeVar("T")


class RetryOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Attempts in all, and the range of waits: full jitter up to `base_s`, doubled each time, at most `cap_s`."""

    attempts: int = 3
    base_s: float = 0.2
    cap_s: float = 5.0


_DEFAULTS = RetryOptions()


def next_wait_s(
    cause: Failure | TransportError,
    *,
    attempt: int,
    repeatable: bool,
    remaining_s: float,
    jitter: float,
    options: RetryOptions = _DEFAULTS,
) -> float | None:
    """Seconds to wait before the next attempt; None when there is none.

    Args:
        attempt: 1-based number of the attempt that failed.
        repeatable: True for a read and for a write with a native key.
        jitter: In [0, 1).
    """
    if attempt >= options.attempts or remaining_s <= 0:
        return None
    if isinstance(cause, TransportError):
        again = cause.reason.may_pass and (repeatable or not cause.sent)
    else:
        again = cause.retryable and cause.effect != "applied" and (repeatable or cause.effect == "none")
    if not again:
        return None
    asked = cause.retry_after_s or 0.0
    if not math.isfinite(asked):
        return None
    # Everybody was told the same moment; the jitter spreads them behind it.
    wait_s = max(0.0, asked) + jitter * min(options.cap_s, options.base_s * 2 ** (attempt - 1))
    return wait_s if wait_s < remaining_s else None


async def attempts(
    send: Callable[[float], Awaitable[T | Failure]],
    *,
    repeatable: bool,
    deadline_s: float,
    options: RetryOptions = _DEFAULTS,
    draw: Callable[[], float] = random.random,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
) -> T | Failure:
    """What the last attempt came to, made as few times as possible within the deadline.

    A later attempt cannot take back an earlier one: when one may have reached the platform and its outcome is not
    known, a last failure never says that nothing was sent or done.

    Args:
        send: Makes one attempt within the seconds it is given.
    Raises:
        TransportError: the last attempt brought no answer.
    """
    end = clock() + deadline_s
    attempt, doubtful = 1, False
    while True:
        cause: Failure | TransportError
        try:
            answer = await send(end - clock())
        except TransportError as error:
            cause = error
            if doubtful and not error.sent:
                cause = TransportError(
                    sent=True, reason=error.reason, detail=error.detail, retry_after_s=error.retry_after_s
                )
        else:
            if not isinstance(answer, Failure):
                return answer
            cause = answer
            if doubtful and answer.effect == "none":
                cause = msgspec.structs.replace(answer, effect="unknown")
        wait_s = next_wait_s(
            cause,
            attempt=attempt,
            repeatable=repeatable,
            remaining_s=end - clock(),
            jitter=draw(),
            options=options,
        )
        if wait_s is None:
            if isinstance(cause, TransportError):
                raise cause
            return cause
        doubtful = doubtful or _is_doubtful(cause)
        attempt += 1
        await sleep(wait_s)


def _is_doubtful(cause: Failure | TransportError) -> bool:
    return cause.sent if isinstance(cause, TransportError) else cause.effect == "unknown"
