"""Whole numbers beyond 2^53, which most readers round, as text."""

from typing import Any

__all__ = ["safe_numbers"]

_EXACT = 2**53


def safe_numbers(value: Any) -> Any:
    """The value with such numbers as text, at any depth."""
    if isinstance(value, dict):
        return {key: safe_numbers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [safe_numbers(inner) for inner in value]
    if type(value) is int and not -_EXACT < value < _EXACT:
        return str(value)
    return value
