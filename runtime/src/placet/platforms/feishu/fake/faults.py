"""Faults: which calls they hit, and what they do to the answer."""

import fnmatch
from collections.abc import Callable
from typing import Literal

import anyio
from msgspec import Struct

from placet.platforms.feishu.fake.received import Received

__all__ = ["Fault", "Injection", "Match", "rate_limit"]

Match = str | Callable[[Received], bool]
"""Which requests: `"*"`, `"PUT *"`, `"POST /open-apis/bitable/*/search"` (shell wildcards over verb and decoded
path), or a function of the request."""


class Fault(Struct, frozen=True, kw_only=True):
    """What happens to a call. Whatever is left out stays as the platform would answer.

    Attributes:
        effect: "applied" does what was asked before the fault strikes; "none" does not, unless the fault only waits,
            changes the length or cuts the answer.
        code: An error code in an envelope, with `msg`, `log_id`, `violations` (field to description) and `scopes`.
        status: HTTP status; alone, without `code` and `body`, it comes with a page of HTML.
        body: These bytes instead of an answer.
        content_length: Declared instead of the true length; the connection is closed after the body.
        cut_at: Only the first n bytes of the body are sent, under the true length; then the connection is closed.
        drop: No answer at all: the connection is reset.
        hold: The answer waits for this event; `Injection.reached` is set when it begins to wait.
        after: So many matching calls pass unharmed first.
        times: So many are hit; None hits all that follow.
    """

    effect: Literal["none", "applied"] = "none"
    code: int | None = None
    msg: str = "injected"
    log_id: str | None = None
    violations: dict[str, str] = {}
    scopes: tuple[str, ...] = ()
    status: int | None = None
    headers: dict[str, str] = {}
    body: bytes | None = None
    media_type: str = "application/json; charset=utf-8"
    content_length: int | None = None
    cut_at: int | None = None
    drop: bool = False
    hold: anyio.Event | None = None
    after: int = 0
    times: int | None = None

    @property
    def replaces_answer(self) -> bool:
        """True when the platform's own answer is not given."""
        return self.drop or self.code is not None or self.body is not None or self.status is not None


def rate_limit(
    *, reset_s: float, after: int = 0, times: int | None = None, limit: int = 50, status: int = 429
) -> Fault:
    """The platform's frequency limit: after so many calls, code 99991400 and how many seconds to wait."""
    return Fault(
        code=99991400,
        msg="request trigger frequency limit",
        status=status,
        headers={"x-ogw-ratelimit-limit": str(limit), "x-ogw-ratelimit-reset": f"{reset_s:g}"},
        after=after,
        times=times,
    )


class Injection:
    """A fault in place.

    Attributes:
        hits: Calls it has hit so far.
        reached: Set when a call has been hit; with `hold`, when it begins to wait.
    """

    def __init__(self, match: Match, fault: Fault) -> None:
        self.match, self.fault = match, fault
        self.hits = 0
        self.reached = anyio.Event()
        self._seen = 0
        self._removed = False

    def remove(self) -> None:
        """Stop hitting calls."""
        self._removed = True

    def takes(self, request: Received) -> bool:
        """Whether this call is hit; counts it."""
        if self._removed or not _matches(self.match, request):
            return False
        self._seen += 1
        most = self.fault.times
        hit = self._seen > self.fault.after and (most is None or self.hits < most)
        self.hits += hit
        return hit


def _matches(match: Match, request: Received) -> bool:
    if not isinstance(match, str):
        return match(request)
    return match == "*" or fnmatch.fnmatchcase(f"{request.method} {request.path}", match)
