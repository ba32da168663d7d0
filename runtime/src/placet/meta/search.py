"""Finding tools by what somebody wants, in English or Chinese: BM25 over curated texts, the same order every time."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache

from msgspec import Struct

from placet.contract.tool import Surface, ToolEntry
from placet.meta.words import near, words
from placet.schemas import tool_record

__all__ = ["Hit", "Index", "index_of", "search"]

WEIGHTS = {"name": 2.5, "keywords": 3.0, "summary": 2.0, "use": 1.0, "domain": 1.0}
"""How much a word in each text counts. Set on invented requests, never on a name of a tool."""

K1, B = 1.2, 0.5

ENOUGH = 2
"""Telling words of a query that a tool must speak of to fit at all, or half of them where there are fewer than four."""

PHRASE = 4.0
"""What it counts when somebody says a keyword as it stands."""

SINGLE = 0.35
"""What a single CJK character counts beside a pair."""


class Hit(Struct, frozen=True, kw_only=True):
    """A tool that fits. `score` compares hits of one query only."""

    entry: ToolEntry
    score: float


class Index:
    """The words of a surface's tools."""

    def __init__(self, surface: Surface) -> None:
        self.entries = surface.tools
        postings: dict[str, dict[int, float]] = {}
        self._phrases: dict[str, list[int]] = {}
        lengths = []
        for at, entry in enumerate(surface.tools):
            counted: Counter[str] = Counter()
            for field, text in _texts(surface, entry):
                for word in words(text):
                    counted[word] += WEIGHTS[field]  # type: ignore[assignment] # weights of words, not counts
            for phrase in entry.keywords:
                self._phrases.setdefault(phrase.lower(), []).append(at)
            lengths.append(sum(counted.values()))
            for word, weight in counted.items():
                postings.setdefault(word, {})[at] = weight
        mean = sum(lengths) / max(1, len(lengths))
        self._norms = [K1 * (1 - B + B * length / mean) for length in lengths]
        self._postings = postings
        self._known = frozenset(postings)

    def search(self, query: str, *, keep: Callable[[ToolEntry], bool], limit: int) -> list[Hit]:
        """The best tools that `keep` lets through; none when nothing fits."""
        asked = dict(self._asked(query))
        scores: dict[int, float] = {}
        spoken: Counter[int] = Counter()
        for word, weight in asked.items():
            idf = self._idf(word)
            for at, frequency in self._postings.get(word, {}).items():
                gain = frequency * (K1 + 1) / (frequency + self._norms[at])
                scores[at] = scores.get(at, 0.0) + weight * idf * gain
                spoken[at] += weight == 1.0
        for phrase, owners in self._phrases.items():
            if _says(query.lower(), phrase):
                for at in owners:
                    scores[at] = scores.get(at, 0.0) + PHRASE
                    spoken[at] += ENOUGH
        whole = sum(weight == 1.0 for weight in asked.values())
        enough = min(ENOUGH, whole / 2)
        fitting = [at for at in scores if spoken[at] >= enough and keep(self.entries[at])]
        fitting.sort(key=lambda at: (-scores[at], self.entries[at].name))
        return [Hit(entry=self.entries[at], score=round(scores[at], 3)) for at in fitting[:limit]]

    def _asked(self, query: str) -> Iterable[tuple[str, float]]:
        for word in dict.fromkeys(words(query)):
            weight = SINGLE if word.endswith("_") else 1.0
            known = word if word in self._known else near(word, self._known)
            yield known or word, weight

    def _idf(self, word: str) -> float:
        """How telling a word is; one that no tool speaks of is as telling as one that a single tool does."""
        among = len(self._postings.get(word, ())) or 1
        return math.log(1 + (len(self.entries) - among + 0.5) / (among + 0.5))


def search(
    surface: Surface, query: str, *, keep: Callable[[ToolEntry], bool] = lambda entry: True, limit: int = 5
) -> list[Hit]:
    """The surface's tools for a query, best first."""
    return index_of(surface).search(query, keep=keep, limit=limit)


def index_of(surface: Surface) -> Index:
    """The surface's index, made once."""
    return _index(_Held(surface))


class _Held:
    """A surface as a key: the same object is the same surface."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface

    def __hash__(self) -> int:
        return id(self.surface)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.surface is self.surface


@lru_cache(maxsize=8)
def _index(held: _Held) -> Index:
    return Index(held.surface)


def _texts(surface: Surface, entry: ToolEntry) -> Iterable[tuple[str, str]]:
    domain, _, name = entry.name.partition(".")
    yield "domain", domain
    yield "name", name.replace("_", " ")
    yield "keywords", "\n".join(entry.keywords)
    yield "summary", "\n".join((entry.summary, *entry.summaries.values()))
    record = tool_record(surface, entry)
    for key, wire in record.items():
        if key.startswith("wire"):
            yield "use", _use(wire["description"])


def _use(description: str) -> str:
    """The line that says when a tool is right; the one that says when not names other tools' work."""
    lines = description.split("\n")
    return lines[1] if len(lines) > 1 else ""


def _says(query: str, phrase: str) -> bool:
    """Whether the query has the phrase in it, a Latin one as whole words."""
    at = query.find(phrase)
    if at < 0 or not phrase.isascii():
        return at >= 0
    before, after = query[at - 1 : at], query[at + len(phrase) : at + len(phrase) + 1]
    return not (before.isalnum() and before.isascii()) and not (after.isalnum() and after.isascii())
