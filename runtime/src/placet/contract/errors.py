"""The root of every exception that Placet raises."""

from typing import Any

__all__ = ["CallFailed", "CredentialUnavailable", "PlacetError", "RequestRefused"]


class PlacetError(Exception):
    """Root of all errors of this distribution."""


class CallFailed(PlacetError):
    """`unwrap()` was asked of a result that is not `ok`. The result is in `result`."""

    def __init__(self, result: Any) -> None:
        super().__init__(f"the call ended as {result.kind!r}: {result!r}")
        self.result = result


class RequestRefused(PlacetError):
    """A platform will not build this request; nothing was sent. The sentence names no value."""


class CredentialUnavailable(PlacetError):
    """The platform gave no credential. The sentence names the endpoint and the brand, never a secret.

    Attributes:
        code: The platform's own code; "" when no usable answer came.
        category: A neutral word: `token_invalid`, `server`, `network` ...
        retryable: True when the same attempt may succeed later.
        retry_after_s: Seconds the platform asks to wait; None when it did not say.
    """

    def __init__(
        self,
        sentence: str,
        *,
        code: str = "",
        category: str = "server",
        retryable: bool = True,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(sentence)
        self.code, self.category = code, category
        self.retryable, self.retry_after_s = retryable, retry_after_s
