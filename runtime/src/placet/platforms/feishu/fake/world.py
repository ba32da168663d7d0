"""What every domain of a tenant shares: ids, time, people, and the memory of idempotency keys."""

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from placet.contract.words import Identity
from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.received import Received

__all__ = ["Handler", "Question", "World"]


class Question(Struct, frozen=True, kw_only=True):
    """A request that passed the desk.

    Attributes:
        path: Placeholder to value.
        user: The person of a user token; empty for the app itself.
    """

    request: Received
    path: dict[str, str]
    identity: Identity
    user: str

    @property
    def body(self) -> dict[str, Any]:
        """The JSON body.

        Raises:
            ApiError: there is none, or it is no object.
        """
        try:
            body = self.request.json
        except ValueError:
            body = None
        if not isinstance(body, dict):
            raise ApiError(9499, "Invalid parameter type in json: body")
        return body

    def query(self, name: str) -> str | None:
        return self.request.first(name)


Handler = Callable[[Question], Any]
"""Answers a request with its data; raises `ApiError`."""


class World:
    """One tenant's surroundings. The same calls give the same ids in every run.

    Args:
        clock: Unix seconds.
    Attributes:
        names: open_id to a person's name.
    """

    def __init__(self, app: str, clock: Callable[[], float]) -> None:
        self.app, self._clock = app, clock
        self.names: dict[str, str] = {}
        self._mark = hashlib.sha256(app.encode()).hexdigest()[:6]
        self._counts: Counter[str] = Counter()
        self._done: dict[tuple[str, str, str], tuple[bytes, Any]] = {}

    def new_id(self, prefix: str) -> str:
        self._counts[prefix] += 1
        return f"{prefix}{self._mark}{self._counts[prefix]:06d}"

    def new_number(self) -> str:
        """An id in digits, as the platform gives tasks and comments."""
        self._counts["number"] += 1
        return str(7_400_000_000_000_000_000 + int(self._mark, 16) * 1_000_000 + self._counts["number"])

    def millis(self) -> int:
        return round(self._clock() * 1000)

    def person(self, open_id: str) -> dict[str, Any]:
        name = self.names.get(open_id, open_id)
        return {"id": open_id, "name": name, "en_name": name, "email": ""}

    def once(self, question: Question, key: str | None, act: Callable[[], Any]) -> Any:
        """Do something once per key: the same request again gets the first answer, another one is refused."""
        if not key:
            return act()
        place = (question.request.method, question.request.path, key)
        known = self._done.get(place)
        if known is None:
            self._done[place] = (question.request.body, act())
        elif known[0] != question.request.body:
            raise ApiError(1254608, "Same API requests are submitted repeatedly.", status=403)
        return self._done[place][1]
