"""A codec as a pair of functions."""

from collections.abc import Callable
from typing import Any

__all__ = ["DEPTH_MOST", "Pair"]

DEPTH_MOST = 100
"""Nesting that a codec walks; not the interpreter's own limit, which a host may have moved."""


def _one_way(value: Any) -> Any:
    raise ValueError("this form is not translated in this direction")


class Pair:
    """`placet.contract.platform.Codec` of two pure functions; the one that is left out refuses.

    A value nested too deeply to be walked has no other form either.

    Args:
        counts_depth: True when `decode` itself refuses what is nested deeper than `DEPTH_MOST`: what is read once a
            record is not walked twice.
    """

    __slots__ = ("_counts_depth", "_decode", "_encode")

    def __init__(
        self,
        *,
        encode: Callable[[Any], Any] = _one_way,
        decode: Callable[[Any], Any] = _one_way,
        counts_depth: bool = False,
    ) -> None:
        self._encode, self._decode, self._counts_depth = encode, decode, counts_depth

    def encode(self, value: Any) -> Any:
        return _walked(self._encode, value)

    def decode(self, value: Any) -> Any:
        return self._decode(value) if self._counts_depth else _walked(self._decode, value)


def _walked(translate: Callable[[Any], Any], value: Any) -> Any:
    if _is_too_deep(value):
        raise ValueError("the value is nested too deeply")
    try:
        return translate(value)
    except RecursionError:  # JSON in a text, which only its reader sees
        raise ValueError("the value is nested too deeply") from None


def _is_too_deep(value: Any) -> bool:
    """Level by level, so that the look itself needs no depth."""
    level = [value] if type(value) in _CONTAINERS else []
    for _ in range(DEPTH_MOST):
        if not level:
            return False
        level = [
            inner
            for one in level
            for inner in (one.values() if type(one) is dict else one)
            if type(inner) in _CONTAINERS
        ]
    return True


_CONTAINERS = (dict, list)
