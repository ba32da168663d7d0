"""One look over a whole value: does anything in it need a closer one?

Most answers hold nothing to mask or mark, and walking them in Python costs more than decoding them did. A screen is a
JSON Schema whose texts and names may not match a pattern, so that `jsonschema_rs` looks at every decoded text in one
call and with a regular-expression engine (RE2's kind) whose time is linear in the text whatever the text is. A screen
may call a clean value dirty, never the other way round: what it passes is let out as it stands.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

__all__ = ["MAX_DEPTH", "Pattern", "Screen", "loosened"]

MAX_DEPTH = 48
"""Containers within containers that a screen looks into; anything deeper is dirty."""

LONG_NAME = 25
"""Characters from which on a name is always looked at."""

_SIZE_LIMIT = 64 * 1024 * 1024
_REPEAT = re.compile(r"\{([0-9]{1,5}),([0-9]{1,5})\}\+?")


class Screen:
    """Compiled once, used for every answer.

    Args:
        texts: Patterns that no text of a clean value matches.
        names: Patterns that no name matches, unless it is one of `known`.
        fragment: A pattern that no member named `text` matches: such a text may be a piece of a longer one.
        numbers: Ranges (`minimum`, `maximum`) in which no integer lies.
    """

    __slots__ = ("_validator",)

    def __init__(
        self,
        texts: Sequence[str],
        names: Sequence[str],
        known: Sequence[str] = (),
        *,
        fragment: str | None = None,
        numbers: Sequence[dict[str, int]] = (),
    ) -> None:
        leaf = _matches(texts)
        if numbers:
            leaf = {"anyOf": [leaf, *({"type": "integer", **one} for one in numbers)]}
        name = {"anyOf": [{**_matches(names), "not": {"enum": sorted(known)}}, {"minLength": LONG_NAME}]}
        self._validator = _compiled(
            {
                "$ref": "#/$defs/0",
                "$defs": {
                    **{str(depth): _level(depth + 1, fragment is not None) for depth in range(MAX_DEPTH)},
                    str(MAX_DEPTH): {
                        "not": {"anyOf": [{"type": ["array", "object"]}, {"$ref": "#/$defs/leaf"}]}
                    },
                    "leaf": leaf,
                    "name": name,
                    "fragment": _matches([fragment or ""]),
                },
            }
        )

    def passes(self, value: Any) -> bool:
        """Whether a JSON value is clean. False for what is no JSON value: a lone surrogate, a name that is no text."""
        try:
            return bool(self._validator.is_valid(value))
        except (ValueError, TypeError):
            return False


class Pattern:
    """Whether any of some patterns occurs in a text, in time linear in the text."""

    __slots__ = ("_validator",)

    def __init__(self, patterns: Sequence[str]) -> None:
        self._validator = _compiled(_matches(patterns))

    def is_in(self, text: str) -> bool:
        """True also for a text that is no Unicode (a lone surrogate)."""
        try:
            return bool(self._validator.is_valid(text))
        except ValueError:
            return True


def loosened(pattern: str) -> str:
    """A pattern that matches whatever the given one does, and compiles to a fraction of it.

    Counted repeats lose their upper bound, which is what makes an automaton large.
    """
    return _REPEAT.sub(_unbounded, pattern)


def _unbounded(found: "re.Match[str]") -> str:
    least, most = int(found[1]), int(found[2])
    if most <= 1:
        return found[0]
    return {0: "*", 1: "+"}.get(least, f"{{{least},}}")


def _level(below: int, has_fragments: bool) -> dict[str, Any]:
    deeper = {"$ref": f"#/$defs/{below}"}
    level: dict[str, Any] = {
        "not": {"$ref": "#/$defs/leaf"},
        "items": deeper,
        "additionalProperties": deeper,
        "propertyNames": {"not": {"$ref": "#/$defs/name"}},
    }
    if has_fragments:
        level["properties"] = {"text": {**deeper, "not": {"$ref": "#/$defs/fragment"}}}
    return level


def _matches(patterns: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "pattern": "|".join(f"(?:{pattern})" for pattern in patterns)}


def _compiled(schema: dict[str, Any]) -> Any:
    return _engine()(schema)


@lru_cache(maxsize=1)
def _engine() -> Any:
    # Imported late: only a runtime that lets something out needs it.
    from jsonschema_rs import Draft202012Validator, RegexOptions

    options = RegexOptions(size_limit=_SIZE_LIMIT, dfa_size_limit=_DFA_LIMIT)
    return lambda schema: Draft202012Validator(schema, pattern_options=options)


_DFA_LIMIT = 8 * 1024 * 1024
