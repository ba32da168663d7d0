"""The root of every exception that Placet raises."""

from typing import Any

__all__ = ["CallFailed", "PlacetError"]


class PlacetError(Exception):
    """Root of all errors of this distribution."""


class CallFailed(PlacetError):
    """`unwrap()` was asked of a result that is not `ok`. The result is in `result`."""

    def __init__(self, result: Any) -> None:
        super().__init__(f"the call ended as {result.kind!r}: {result!r}")
        self.result = result
