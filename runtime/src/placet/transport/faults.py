"""Why an exchange brought no answer, and whether any of the request may have left."""

from enum import StrEnum

from placet.contract.errors import PlacetError

__all__ = ["Departure", "TransportError", "TransportReason"]


class TransportReason(StrEnum):
    """A closed set. The first group is certain before anything leaves; the others depend on the moment."""

    REQUEST = "request"
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    RATE_LIMIT = "rate_limit"
    CLOSED = "closed"
    # before or after
    TIMEOUT = "timeout"
    RESET = "reset"
    # after
    TRUNCATED = "truncated"
    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    ENCODING = "encoding"

    @property
    def may_pass(self) -> bool:
        """True when the same request may fare better a moment later."""
        return self in _PASSING


_PASSING = frozenset(
    {
        TransportReason.DNS,
        TransportReason.CONNECT,
        TransportReason.TIMEOUT,
        TransportReason.RESET,
        TransportReason.TRUNCATED,
        TransportReason.MALFORMED,
    }
)


class TransportError(PlacetError):
    """No complete answer came. Names neither address, header nor body.

    Attributes:
        sent: False only when it is certain that no byte of the request left.
        retry_after_s: Seconds until a rate limit lets a call through; None elsewhere.
    """

    def __init__(
        self, *, sent: bool, reason: TransportReason, detail: str = "", retry_after_s: float | None = None
    ) -> None:
        where = "after the request may have left" if sent else "before anything was sent"
        super().__init__(f"no answer ({reason.value}), {where}" + (f": {detail}" if detail else ""))
        self.sent = sent
        self.reason = reason
        self.detail = detail
        self.retry_after_s = retry_after_s


class Departure:
    """Tells a caller whom a cancellation reached whether the request may have left.

    A cancellation travels as itself, never as a `TransportError`; whoever records the outcome looks here.
    """

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = False

    def __repr__(self) -> str:
        return f"Departure(left={self.left})"
