"""Masking: credentials always, personal data by policy, and what is said instead of them.

Compiled once per policy and platform. `Masking` judges one text or one name; walking a whole value is `outbound`'s.
"""

from collections.abc import Sequence
from functools import lru_cache

from placet.contract.masking import MaskingPolicy, SecretShapes
from placet.sanitise.personal import NUMBER_HINTS, PERSONAL_HINT, personal_spans
from placet.sanitise.secret_names import (
    NAME_HINT,
    Strength,
    identifier_names,
    key_hint,
    looks_random,
    secret_names,
)
from placet.sanitise.secret_texts import MASK_START, SecretTexts, Span, kind_of_name
from placet.sanitise.unicode import INVISIBLE

__all__ = ["Masking", "mask_of", "masking"]


def mask_of(kind: str) -> str:
    """`[masked: bearer token]`: says what stood there, so that nobody takes it for a fault."""
    return f"{MASK_START} {kind}]"


class Masking:
    """What to mask under one policy and some platforms' secrets.

    Raises:
        ValueError: a platform's pattern is not in the syntax that both engines read; the message names its rule.
    """

    def __init__(self, policy: MaskingPolicy, shapes: Sequence[SecretShapes]) -> None:
        keys = tuple(key for one in shapes for key in one.keys)
        identifiers = tuple(name for one in shapes for name in one.identifiers)
        self._names = secret_names(keys, identifiers)
        self._texts = SecretTexts(
            self._names, keys, tuple(pattern for one in shapes for pattern in one.patterns)
        )
        self._personal = policy.personal
        self.known_names = identifier_names(identifiers)
        """Names that sound like secrets and are ids."""
        self.name_hints: tuple[str, ...] = (NAME_HINT, *map(key_hint, keys))
        """RE2; one matches every name for which `strength` has an answer."""
        self.text_hints: tuple[str, ...] = (
            f"[{INVISIBLE}]",
            *self.name_hints,
            *self._texts.hints,
            *((PERSONAL_HINT,) if self._personal else ()),
        )
        """RE2; one matches every text for which `spans` has an answer, or which names what stands beside it."""
        self.number_hints = NUMBER_HINTS if self._personal else ()

    def strength(self, name: str, allow: frozenset[str]) -> Strength | None:
        """What a name says about its value; see `secret_names`."""
        return self._names.strength(name, allow)

    @lru_cache(maxsize=256)  # noqa: B019 - compiled rules live as long as the runtime
    def soft_names(self, allow: frozenset[str]) -> tuple[str, ...]:
        """Those of some names that would announce a secret if they were not ids here."""
        return tuple(sorted(name for name in allow if self._names.strength(name) is Strength.SOFT))

    def named_value(self, name: str, value: str, strength: Strength) -> str | None:
        """The kind of secret that a value under such a name is, or None when it is none."""
        if not value or value.startswith(MASK_START):
            return None
        if strength is Strength.SOFT and not looks_random(value):
            return None
        return kind_of_name(name)

    def spans(self, text: str, allow: frozenset[str]) -> list[Span]:
        """What to mask in a text, in order and without overlap."""
        spans = self._texts.spans(text, allow)
        if self._personal:
            spans = _merged([*spans, *personal_spans(text, self._personal)])
        return spans

    def number_kind(self, number: int) -> tuple[str, str] | None:
        """Rule and kind of a number that is personal data as a whole, or None."""
        text = str(abs(number)) if self._personal and abs(number) < 10**20 else ""
        spans = list(personal_spans(text, self._personal)) if text else []
        whole = [span for span in spans if span.end - span.start == len(text)]
        return (whole[0].rule, whole[0].kind) if whole else None


@lru_cache(maxsize=32)
def masking(policy: MaskingPolicy, shapes: tuple[SecretShapes, ...] = ()) -> Masking:
    """The compiled rules of a policy and its platforms; compiling takes milliseconds and is done once."""
    return Masking(policy, shapes)


def _merged(spans: list[Span]) -> list[Span]:
    kept: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        if kept and span.start < kept[-1].end:
            if span.end > kept[-1].end:
                kept[-1] = kept[-1]._replace(end=span.end)
        else:
            kept.append(span)
    return kept
