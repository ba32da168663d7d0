"""What two requests for one call differ in, place by place."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from placet.testing import Received

__all__ = ["MISSING", "Difference", "differences"]


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()
"""Stands for a value that one side does not send."""


class Difference(Struct, frozen=True, kw_only=True):
    """One place where the two disagree.

    Attributes:
        sdk: The SDK's method.
        place: "method", "path", "query", "identity", "parts", "body" with a JSON pointer, "type" with a query name when the
            SDK's annotation says another type than the value has, or "sdk" when it could not send.
    """

    sdk: str
    place: str
    ours: Any
    theirs: Any


def differences(sdk: str, ours: Received, theirs: Received) -> list[Difference]:
    """Method, decoded path, query pairs, identity header and body; the body as JSON or as multipart parts."""
    found: list[tuple[str, Any, Any]] = [
        (place, mine, other)
        for place, mine, other in (
            ("method", ours.method, theirs.method),
            ("path", ours.segments, theirs.segments),
            ("query", Counter(ours.query), Counter(theirs.query)),
            ("identity", ours.headers.get("authorization"), theirs.headers.get("authorization")),
        )
        if mine != other
    ]
    if ours.parts or theirs.parts:
        here, there = Counter(ours.parts), Counter(theirs.parts)
        found += [("parts", one, MISSING) for one in (here - there).elements()]
        found += [("parts", MISSING, one) for one in (there - here).elements()]
    else:
        found += _of_json(_body(ours), _body(theirs), "body")
    return [Difference(sdk=sdk, place=place, ours=mine, theirs=other) for place, mine, other in found]


def _body(request: Received) -> Any:
    return request.json if request.body else MISSING


def _of_json(ours: Any, theirs: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            yield from _of_json(ours.get(key, MISSING), theirs.get(key, MISSING), f"{place}/{key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for number, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from _of_json(mine, other, f"{place}/{number}")
    elif type(ours) is not type(theirs) or ours != theirs:
        yield place, ours, theirs
