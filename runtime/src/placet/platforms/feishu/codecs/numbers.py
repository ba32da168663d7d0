"""Whole numbers beyond 2^53, which most readers round, as text."""

from typing import Any

from placet.platforms.feishu.codecs.pair import DEPTH_MOST

__all__ = ["safe_numbers"]

_EXACT = 2**53


def safe_numbers(value: Any, left: int = DEPTH_MOST) -> Any:
    """The value with such numbers as text, at any depth.

    Args:
        left: How many levels it may have.
    Raises:
        ValueError: it is nested more deeply.
    """
    kind = type(value)
    if kind is int:
        return value if -_EXACT < value < _EXACT else str(value)
    if kind is not dict and kind is not list:
        return value
    if left <= 0:
        raise ValueError("the value is nested too deeply")
    if kind is dict:
        return {key: safe_numbers(inner, left - 1) for key, inner in value.items()}
    return [safe_numbers(inner, left - 1) for inner in value]
