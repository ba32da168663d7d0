"""Did you mean: the names nearest to a mistyped one."""

from collections.abc import Iterable
from difflib import SequenceMatcher

CUTOFF = 0.6
"""Least likeness (0 to 1) that is worth naming."""


def nearest(word: str, choices: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The choices most like `word`, best first, equal ones in alphabetical order; perhaps none.

    Case, `-` and `_` do not count. The answer does not depend on the order of `choices`.
    """
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(_folded(word))
    found: list[tuple[float, str]] = []
    for bound, choice in _bounded(matcher, choices):
        if len(found) >= limit and bound > found[limit - 1][0]:
            break
        matcher.set_seq1(_folded(choice))
        likeness = matcher.ratio()
        if likeness >= CUTOFF:
            found.append((-likeness, choice))
            found.sort()
    return tuple(choice for _, choice in found[:limit])


def _bounded(matcher: "SequenceMatcher[str]", choices: Iterable[str]) -> list[tuple[float, str]]:
    """Choices that can reach the cutoff, the most promising first, with the negated upper bound of likeness.

    The bounds are cheap and `ratio` is not, so that most choices never need it.
    """
    bounded: list[tuple[float, str]] = []
    for choice in set(choices):
        matcher.set_seq1(_folded(choice))
        if matcher.real_quick_ratio() >= CUTOFF and (bound := matcher.quick_ratio()) >= CUTOFF:
            bounded.append((-bound, choice))
    return sorted(bounded)


def _folded(word: str) -> str:
    return word.lower().replace("-", "_")
