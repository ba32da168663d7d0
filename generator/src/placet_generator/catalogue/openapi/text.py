"""Text of a document made safe to show: documents are written by strangers.

Nothing here decides meaning; it removes what a terminal, a reviewer or a parser could be fooled with.
"""

import json
import re
import unicodedata
from typing import Any

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SPACES = re.compile(r"\s+")


def one_line(text: str, limit: int) -> str:
    """`text` on one line of at most `limit` characters, without control, bidi or zero-width characters."""
    spaced = _SPACES.sub(" ", text[: limit * 8])
    shown = "".join(one for one in spaced if unicodedata.category(one) not in _HIDDEN)
    shown = _SPACES.sub(" ", shown).strip()
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "…"


def shown(value: Any) -> str:
    """A value as it may stand in a message: JSON, one line, short."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return one_line(json.dumps(value, ensure_ascii=False, default=str), 60)


def is_clean(text: str) -> bool:
    """True for text without characters that nobody sees, fit to be a name on the wire."""
    return bool(text) and all(unicodedata.category(one) not in _HIDDEN for one in text)
