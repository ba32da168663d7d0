"""A platform that gives a list in pages, in each of the three ways there are."""

import random
from typing import Any
from urllib.parse import parse_qs, urlsplit

from placet.contract.platform import Answer, HttpRequest
from tests.runtime.gate.scripted import answer

__all__ = ["Shelf"]


class Shelf:
    """Answers `list_items` (token), `list_rows` (offset) and `list_sheets` (page number).

    Args:
        breaks: Sizes of the pages that the platform gives by token, whatever size was asked for; empty ones included.
            None keeps to the size that was asked for, or ten.
    Attributes:
        fails_at: Numbers of requests, from 1, that fail.
        sizes: The page size of each request; None where none was sent.
    """

    def __init__(self, items: list[dict[str, Any]], breaks: list[int] | None = None) -> None:
        self.items, self.breaks = items, breaks
        self.fails_at: set[int] = set()
        self.sizes: list[int | None] = []
        self.repeats_token = False
        self._token = random.Random(7).getrandbits

    def __call__(self, request: HttpRequest) -> Answer:
        parts = urlsplit(request.url)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        size = query.get("size", query.get("limit"))
        self.sizes.append(int(size) if size is not None else None)
        if len(self.sizes) in self.fails_at:
            return answer({"code": "503", "category": "server", "message": "SECRET of a page"}, status=503)
        most = int(size) if size is not None else 10
        match parts.path:
            case "/list_items":
                return self._by_token(query.get("token"), most)
            case "/list_rows":
                start = int(query.get("offset", 0))
                kept = self.items[start : start + most]
                return answer({"items": kept, "more": start + len(kept) < len(self.items)})
            case _:
                start = (int(query.get("page", 1)) - 1) * most
                return answer({"items": self.items[start : start + most]})

    def _by_token(self, token: str | None, most: int) -> Answer:
        start, page = (int(part) for part in token.split("x")[1:]) if token else (0, 0)
        end = start + (
            most if self.breaks is None else self.breaks[page] if page < len(self.breaks) else most
        )
        more = end < len(self.items)
        following = token if self.repeats_token and token else f"Tx{end}x{page + 1}"
        return answer(
            {
                "items": self.items[start:end],
                "total": len(self.items),
                "more": more,
                "next": following if more else "",
            }
        )
