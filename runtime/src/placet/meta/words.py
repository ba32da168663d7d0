"""Words of a query and of texts: stems of Latin words, and pairs of neighbouring CJK characters."""

import re
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["near", "words"]

_PARTS = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+")


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SMALL = _listed(
    "a an and any are as at be been but by can could do does every for from give had has have he her his how i "
    "if in into is it its just like made make me my new no not of off on one only or our out over please put she "
    "show so some such than that the their them then there these they this those to up us use want was we were "
    "what when where which who whom whose why will with would you your today tomorrow yesterday week month year "
    "next last now monday tuesday wednesday thursday friday saturday sunday morning afternoon am pm"
)

_EMPTY = _listed(
    "今天 明天 昨天 本周 下周 上周 这周 本月 上月 下月 今年 去年 早上 下午 上午 晚上 怎么 怎样 么样 哪些 哪个 "
    "一下 帮我 看看 看下 什么 多少 一点 一些 有没 没有 我们 他们 你们 这个 那个 这份 那份 这张 这条 那条 这几 "
    "几条 一条 一个"
)
"""Pairs that say when, or that something is asked at all, and not what."""

_SMALL_CJK = frozenset("的了在是我你他她它们这那有和与及或把被给让请下个吗呢吧都也就还会能要想到从对为等")


def words(text: str) -> list[str]:
    """The words that carry meaning, in order, repeated ones too."""
    return [word for part in _PARTS.findall(text.lower()) for word in _of(part)]


def _of(part: str) -> Iterator[str]:
    if part[0] <= "z":
        if part not in _SMALL:
            yield stem(part)
        return
    pairs = [part[at : at + 2] for at in range(len(part) - 1)]
    empty = {char for pair in pairs if pair in _EMPTY for char in pair} | _SMALL_CJK
    # A pair with a particle in it says nothing that the other character does not.
    yield from (pair for pair in pairs if empty.isdisjoint(pair))
    yield from (f"{char}_" for char in part if char not in empty)


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """The word without the commonest endings; wrong for some words, and the same wrong everywhere."""
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: len(word) - len(ending)] + instead
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def near(word: str, known: frozenset[str]) -> str | None:
    """A known word that a typing slip away is this one: one letter more, less, other, or two swapped."""
    if len(word) < 5 or not word.isascii():
        return None
    letters = "abcdefghijklmnopqrstuvwxyz"
    splits = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    tries = (
        [a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1],
        [a + b[1:] for a, b in splits if b],
        [a + c + b[1:] for a, b in splits if b for c in letters],
        [a + c + b for a, b in splits for c in letters],
    )
    for edits in tries:
        for one in edits:
            if one in known:
                return one
    return None
