"""How often a request finds its tool: 60 labelled requests in two languages, by our search and by plain BM25.

The requests were written for this project, before its search. `want` names the endpoints that answer one.
"""

import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from placet.contract.tool import ToolEntry
from placet.meta import search
from placet.meta.search import index_of
from placet.schemas import tool_record
from placet_feishu import surface
from tests.bench.measuring import Row, at_most

__all__ = ["found", "measure", "reached", "requests"]

REQUESTS = Path(__file__).parent / "data" / "search_requests.jsonl"

Finder = Callable[[str], list[ToolEntry]]


def requests() -> list[dict[str, Any]]:
    """The labelled requests."""
    return [json.loads(line) for line in REQUESTS.read_text(encoding="utf-8").splitlines() if line]


def measure() -> list[Row]:
    """Recall by language, what is answered that should not be, and how long it takes."""
    began = time.perf_counter()
    index_of(surface)
    loaded_ms = (time.perf_counter() - began) * 1000
    asked = requests()
    wanted = [one for one in asked if one["kind"] != "negative"]
    took = [_timed(one["query"]) for one in asked for _ in range(3)]
    plain = Plain()
    rows = [
        Row("requests that a tool reaches", f"{sum(map(reached, wanted))} of {len(wanted)} (goal 54)"),
        Row(
            "plain BM25 over our texts, first three",
            f"{_count(wanted, plain.find, 3)} of {len(wanted)} (goal 45)",
        ),
    ]
    for first in (1, 3):
        share = _count(wanted, ours, first) / len(wanted)
        by_language = ", ".join(
            f"{language} {_count(part, ours, first)}/{len(part)}"
            for language in ("zh", "en", "mixed")
            if (part := [one for one in wanted if one["lang"] == language])
        )
        goal = {1: 0.80, 3: 0.95}[first]
        rows.append(Row(f"search, recall@{first}", f"{share:.3f} (goal {goal}): {by_language}"))
    answered = sum(bool(ours(one["query"])) for one in asked if one["kind"] == "negative")
    rows += [
        Row("search, negatives answered", f"{answered} of {len(asked) - len(wanted)} (goal 0)"),
        at_most("search, one request", median(took) * 1000, 2.0, unit="ms"),
        at_most("search, index made", loaded_ms, 40.0, unit="ms"),
    ]
    return rows


def ours(query: str) -> list[ToolEntry]:
    return [hit.entry for hit in search(surface, query, limit=5)]


def reached(request: dict[str, Any]) -> bool:
    """Whether any tool has an endpoint that answers the request."""
    return any(_place(entry.source.http, entry.source.route) in _wanted(request) for entry in surface.tools)


def found(request: dict[str, Any], find: Finder, first: int) -> bool:
    """Whether one of the first tools has such an endpoint."""
    hits = find(request["query"])[:first]
    return any(_place(entry.source.http, entry.source.route) in _wanted(request) for entry in hits)


class Plain:
    """BM25 as in a textbook, words and CJK bigrams, over a tool's name, description and keywords."""

    def __init__(self) -> None:
        self._counted = [Counter(_plain_words(_text(entry))) for entry in surface.tools]
        self._mean = sum(sum(one.values()) for one in self._counted) / len(self._counted)
        self._among = Counter(word for one in self._counted for word in one)

    def find(self, query: str) -> list[ToolEntry]:
        scored = [
            (self._score(query, counted), entry)
            for counted, entry in zip(self._counted, surface.tools, strict=True)
        ]
        scored.sort(key=lambda pair: (-pair[0], pair[1].name))
        return [entry for score, entry in scored[:10] if score > 0]

    def _score(self, query: str, counted: Counter[str]) -> float:
        length, total = sum(counted.values()), len(self._counted)
        score = 0.0
        for word in set(_plain_words(query)):
            often = counted[word]
            if often:
                idf = math.log(1 + (total - self._among[word] + 0.5) / (self._among[word] + 0.5))
                score += idf * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * length / self._mean))
        return score


def _text(entry: ToolEntry) -> str:
    record = tool_record(surface, entry)
    wires = [record[key] for key in record if key.startswith("wire")]
    return "\n".join(
        [
            entry.name.replace("_", " ").replace(".", " "),
            *entry.keywords,
            *(wire["description"] for wire in wires),
        ]
    )


def _plain_words(text: str) -> list[str]:
    parts = re.findall(r"[a-z0-9]+|[\u3400-\u9fff]+", text.lower())
    return [
        word
        for part in parts
        for word in (
            [part] if part[0] <= "z" or len(part) == 1 else [part[at : at + 2] for at in range(len(part) - 1)]
        )
    ]


def _count(asked: list[dict[str, Any]], find: Finder, first: int) -> int:
    return sum(found(one, find, first) for one in asked)


def _wanted(request: dict[str, Any]) -> set[tuple[str, str]]:
    return {_place(one["http"], one["route"]) for one in request["want"]}


def _place(http: str | None, route: str | None) -> tuple[str, str]:
    return http or "", re.sub(r":\w+", ":x", route or "").rstrip("/")


def _timed(query: str) -> float:
    began = time.perf_counter()
    ours(query)
    return time.perf_counter() - began
