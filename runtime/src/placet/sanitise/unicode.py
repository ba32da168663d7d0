"""Characters that a person does not see: which are refused on the way in and removed on the way out.

The rule, the same both ways:

- Refused: controls except tab, newline and carriage return; lone surrogates; every default-ignorable character (zero
  width, bidi marks, overrides and isolates, soft hyphen, tag characters, variation selectors, invisible operators,
  Hangul fillers ...) and the interlinear annotation marks.
- Allowed where writing needs them and nothing can hide in them: one variation selector 15 or 16 straight after an
  emoji or keycap base; a zero width joiner between two emoji; a joiner or non-joiner between two letters of a script
  that shapes its letters (Arabic, Syriac, the Indic scripts); one Mongolian selector after a Mongolian letter; the tag
  characters of the three regional flags that Unicode recommends (England, Scotland, Wales), complete ones only.
- Never allowed: ideographic selectors. A character keeps its meaning without one, and 240 of them carry a hidden byte.

Source: Unicode 16, DerivedCoreProperties (Default_Ignorable_Code_Point), UTS 51 section 2 (emoji sequences).
"""

import re
from collections.abc import Iterator
from itertools import islice

__all__ = ["INVISIBLE", "find_forbidden", "remove_invisible", "visible"]

INVISIBLE = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Members of a character class that `re` and RE2 both read. Surrogates are left out: RE2 has no such text."""

_SUSPECT = re.compile(f"[{INVISIBLE}\ud800-\udfff]")

_EMOJI = re.compile(
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_KEYCAP_BASES = frozenset("0123456789#*")
_SHAPED = re.compile("[\u0620-\u064a\u066e-\u06d3\u0710-\u074f\u0750-\u077f\u08a0-\u08c9\u0900-\u0dff]")
_MONGOLIAN = re.compile("[\u1820-\u1878\u1887-\u18aa]")
_BLACK_FLAG = "\U0001f3f4"
_REGIONS = tuple(
    "".join(chr(0xE0000 + ord(letter)) for letter in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
)
_SELECTORS = frozenset("\ufe0e\ufe0f")
_JOINER, _NON_JOINER = "\u200d", "\u200c"


def find_forbidden(text: str, most: int | None = None) -> list[tuple[int, str]]:
    """The characters that may not enter, as (index, `U+200B ZERO WIDTH SPACE`), in order: all, or the first so many."""
    if text.isascii() and text.isprintable():
        return []
    return [(at, _named(text[at])) for at in islice(_forbidden(text), most)]


def remove_invisible(text: str) -> tuple[str, int]:
    """The text without what a reader would not see, and how many characters that were."""
    if text.isascii() and text.isprintable():
        return text, 0
    places = list(_forbidden(text))
    if not places:
        return text, 0
    kept, start = [], 0
    for at in places:
        kept.append(text[start:at])
        start = at + 1
    kept.append(text[start:])
    return "".join(kept), len(places)


def visible(text: str) -> str:
    """The text with each character that a reader would not see as `<U+202E>`, for a person who must see all of it."""
    if text.isascii() and text.isprintable():
        return text
    return _SUSPECT.sub(
        lambda found: found.group() if _is_legal(text, found.start()) else f"<U+{ord(found.group()):04X}>",
        text,
    )


def _forbidden(text: str) -> Iterator[int]:
    return (found.start() for found in _SUSPECT.finditer(text) if not _is_legal(text, found.start()))


def _is_legal(text: str, at: int) -> bool:
    """Whether the suspect character at this place belongs to a sequence that writing needs."""
    char = text[at]
    before = text[at - 1] if at else ""
    after = text[at + 1 : at + 2]
    if char in _SELECTORS:
        return _EMOJI.match(before) is not None or (before in _KEYCAP_BASES and char == "\ufe0f")
    if char in (_JOINER, _NON_JOINER):
        if _SHAPED.match(before) and _SHAPED.match(after):
            return True
        base = text[at - 2 : at - 1] if before == "\ufe0f" and at > 1 else before
        return char == _JOINER and _EMOJI.match(base) is not None and _EMOJI.match(after) is not None
    if "\u180b" <= char <= "\u180f":
        return _MONGOLIAN.match(before) is not None
    if "\U000e0020" <= char <= "\U000e007f":
        flag = text.rfind(_BLACK_FLAG, max(0, at - 6), at)
        return flag >= 0 and text.startswith(_REGIONS, flag + 1)
    return False


def _named(char: str) -> str:
    # Imported late: its tables are a megabyte, and most processes never refuse a character.
    from unicodedata import name

    return f"U+{ord(char):04X} {name(char, 'CONTROL' if ord(char) < 0xA0 else 'UNNAMED')}"
