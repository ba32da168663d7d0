"""Patterns that a hostile argument cannot turn into a long computation, and that two readers read alike.

A pattern is curated once and then run on whatever a model sends, by engines that try again. A repeat without end inside
another one, or over alternatives that may begin alike, makes the work double with every character; such a pattern is
refused, even where a cleverer reading would find it harmless.
"""

import re

# Private, untyped and the only parser of patterns that agrees with `re` itself; the tests fail where a Python moves it.
from re import _constants as codes  # type: ignore[attr-defined]  # see above
from re import _parser as parser  # type: ignore[attr-defined]  # see above
from typing import Any

__all__ = ["matches", "pattern_fault"]

_NOT_IN_BOTH = re.compile(r"\\[AZzGQEhHRX]|\\p\{|\\.|(?:\(\?(?![:=!])|\[\[:|[*+?}]\+)")
"""Python and JSON Schema (ECMA 262) both have to read a pattern; an escaped character is skipped as a pair."""
_HARMLESS_ESCAPE = re.compile(r"\\[^AZzGQEhHRXp]|\\p(?!\{)")
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)
_LONG = 64
"""A repeat of more than so many is as good as one without end."""


def pattern_fault(pattern: str) -> str | None:
    """Why a pattern cannot be used; None when it can."""
    try:
        re.compile(pattern)
        re.compile(rf"\A(?:{pattern})\Z")
        parsed = parser.parse(pattern)
    except (re.error, RecursionError, OverflowError) as fault:
        return f"the pattern does not compile: {fault}"
    for found in _NOT_IN_BOTH.finditer(pattern):
        if not _HARMLESS_ESCAPE.match(found.group()):
            return f"{found.group()!r} in the pattern is not read alike by Python and JSON Schema"
    if _runs_away(parsed, inside=False):
        return "the pattern repeats a repeat or alternatives without end, which a long text makes very slow"
    return None


def matches(pattern: str, text: str) -> bool:
    """Whether the whole text matches a pattern; True for one that has a fault of its own, which is told elsewhere."""
    return pattern_fault(pattern) is not None or re.fullmatch(pattern, text) is not None


def _runs_away(parsed: Any, *, inside: bool) -> bool:
    """True when an endless repeat holds another repeat of several lengths, or alternatives."""
    return any(_part_runs_away(code, value, inside=inside) for code, value in parsed)


def _part_runs_away(code: Any, value: Any, *, inside: bool) -> bool:
    if code in _REPEATS:
        low, high, body = value
        if inside and low != high:
            return True
        return _runs_away(body, inside=inside or (high > _LONG and low != high))
    if code is codes.BRANCH:
        return inside or any(_runs_away(one, inside=inside) for one in value[1])
    if code is codes.SUBPATTERN:
        return _runs_away(value[-1], inside=inside)
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return _runs_away(value[1], inside=inside)
    return False
