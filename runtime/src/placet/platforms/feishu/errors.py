"""Feishu's error codes: what each means for the caller, and what it proves about a write.

The table `error_codes.json` is facts of the platform's pages (2,605 codes, pages as of 2026-01, generic list read
2026-11), reduced to category, whether the same request may succeed later, and what helps. Small codes mean different
things in different services, so a row counts only for the services whose pages list it, unless the platform's own
generic list has it or its number is one that the platform hands out to a single service (six digits and more).
"""

from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from placet.platforms import statuses

__all__ = ["ErrorFacts", "classify", "effect"]

_RETRYABLE, _GENERAL, _AMBIGUOUS = 1, 2, 4
_OWN_NUMBER = 100_000
_GATE_KEEPING = frozenset({"token_invalid", "token_expired", "missing_scope", "rate_limited"})


class ErrorFacts(Struct, frozen=True, kw_only=True):
    """What is known about a code.

    Attributes:
        retryable: The same request may succeed later; says nothing about whether a write may be repeated.
        recover: What helps: `refresh_token`, `reauthorize`, `grant_scope_app`, `wait` ...; None when nothing is known.
        is_listed: False when only the HTTP status speaks.
        is_ambiguous: True when the platform's pages disagree about the code.
    """

    category: str
    retryable: bool = False
    recover: str | None = None
    is_listed: bool = True
    is_ambiguous: bool = False


class _Row(Struct, frozen=True, array_like=True):
    code: int
    category: int
    flags: int
    recover: int
    services: list[int]


class _Table(Struct, frozen=True):
    categories: list[str]
    recoveries: list[str]
    services: list[str]
    rows: list[_Row]


class _Listed(Struct, frozen=True):
    """Facts, whether they hold everywhere, and the services they hold for."""

    facts: ErrorFacts
    is_general: bool
    services: frozenset[str]


@cache
def _table() -> dict[int, _Listed]:
    text = files(__package__).joinpath("error_codes.json").read_bytes()
    table = msgspec.json.decode(text, type=_Table)
    return {
        row.code: _Listed(
            ErrorFacts(
                category=table.categories[row.category],
                retryable=bool(row.flags & _RETRYABLE),
                recover=table.recoveries[row.recover - 1] if row.recover else None,
                is_ambiguous=bool(row.flags & _AMBIGUOUS),
            ),
            bool(row.flags & _GENERAL) or row.code >= _OWN_NUMBER,
            frozenset(table.services[index] for index in row.services),
        )
        for row in table.rows
    }


def classify(code: int, service: str, http_status: int) -> ErrorFacts:
    """What an error answer means.

    Args:
        code: The envelope's code.
        service: The route's service, as `bitable`.
    """
    row = _table().get(code)
    applies = row is not None and (row.is_general or service in row.services)
    facts = row.facts if row is not None and applies else _by_status(http_status)
    if http_status == 429 and facts.category != "rate_limited":
        return ErrorFacts(category="rate_limited", retryable=True, recover="wait", is_listed=facts.is_listed)
    return facts


def effect(facts: ErrorFacts, http_status: int) -> Literal["none", "unknown"]:
    """ "none" when the answer proves that a write did nothing.

    What turns a call away at the door (tokens, permissions of the app, rates) was never carried out. A listed code that
    is no fault of the server says so too; an unlisted one leaves it to the status.
    """
    if facts.is_listed and facts.category in _GATE_KEEPING:
        return "none"
    if facts.category == "server":
        return "unknown"
    if facts.is_listed and not facts.is_ambiguous and 200 <= http_status < 300:
        return "none"
    return statuses.effect_of(http_status)


def _by_status(status: int) -> ErrorFacts:
    if status < 400:
        return ErrorFacts(category="other", is_listed=False)
    category, passing = statuses.category_of(status), statuses.is_passing(status)
    return ErrorFacts(category=category, retryable=passing, is_listed=False)
