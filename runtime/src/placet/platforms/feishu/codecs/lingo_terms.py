"""Names of dictionary entries: plain texts for the model, terms with their display on the wire.

A name is always highlighted in texts and found in searches.
Source: the platform's pages on creating and reading entries, read 2026-11.
"""

from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["TERM", "TERMS"]


def _terms(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
        raise ValueError("a name is text that is not empty")
    return [{"key": one, "display_status": {"allow_highlight": True, "allow_search": True}} for one in value]


def _names(value: Any) -> list[str]:
    return [str(one["key"]) for one in value or () if isinstance(one, dict) and one.get("key")]


def _first_name(value: Any) -> str:
    return next(iter(_names(value)), "")


TERM = Pair(encode=lambda value: _terms([value]), decode=_first_name)
"""`lingo.term`: the name of an entry, which the wire has as a list of one."""

TERMS = Pair(encode=_terms, decode=_names)
"""`lingo.terms`: several names."""
