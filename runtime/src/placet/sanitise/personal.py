"""Personal data in texts and numbers: telephone numbers, Chinese identity cards, bank cards.

A number counts only when its own check holds (area and length, check character and date, Luhn), so that ids and
times of day survive.
"""

import re
from collections.abc import Iterator
from datetime import date

from placet.contract.masking import Personal
from placet.sanitise.secret_texts import Span

__all__ = ["NUMBER_HINTS", "PERSONAL_HINT", "personal_spans"]

PERSONAL_HINT = r"[0-9０-９](?:[ \-.()（）]{0,3}[0-9０-９]){6}"
"""RE2; matches every text that can hold a number of these kinds."""

NUMBER_HINTS = (
    {"minimum": 13_000_000_000, "maximum": 19_999_999_999},
    {"minimum": 8_613_000_000_000, "maximum": 8_619_999_999_999},
    {"minimum": 2_200_000_000_000},
)
"""Ranges (JSON Schema) outside which no integer is personal: mobiles, mobiles with their country, cards."""

_MOBILE = re.compile(
    r"(?<![0-9A-Za-z])(?:(?:\+|00)?86[ \-]?)?1[3-9][0-9][ \-]?[0-9]{4}[ \-]?[0-9]{4}(?![0-9A-Za-z])"
)
_E164 = re.compile(r"(?<![0-9A-Za-z+])\+[1-9](?:[ \-.()]{0,2}[0-9]){6,14}(?![0-9A-Za-z])")
_ID_CARD = re.compile(r"(?<![0-9A-Za-z])[1-9][0-9]{16}[0-9Xx](?![0-9A-Za-z])")
_BANK_CARD = re.compile(r"(?<![0-9A-Za-z])[2-6](?:[ \-]?[0-9]){12,18}(?![0-9A-Za-z])")
_WIDE = {0xFF10 + digit: str(digit) for digit in range(10)} | {0xFF0B: "+", 0xFF0D: "-", 0x3000: " "}
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10X98765432"


def personal_spans(text: str, kinds: frozenset[Personal]) -> Iterator[Span]:
    """The places of these kinds of personal data, in no order; they may overlap."""
    text = text.translate(_WIDE)
    if Personal.ID_CARD in kinds:
        for found in _ID_CARD.finditer(text):
            if _is_id_card(found[0]):
                yield Span(found.start(), found.end(), "id_card", "identity card")
    if Personal.BANK_CARD in kinds:
        for found in _BANK_CARD.finditer(text):
            if _is_bank_card(found[0]) and not _is_id_card(found[0]):
                yield Span(found.start(), found.end(), "bank_card", "bank card")
    if Personal.PHONE in kinds:
        for pattern in (_MOBILE, _E164):
            for found in pattern.finditer(text):
                yield Span(found.start(), found.end(), "phone", "phone number")


def _is_id_card(text: str) -> bool:
    """GB 11643-1999: eighteen characters, a real date of birth, a check character by ISO 7064 MOD 11-2."""
    if len(text) != 18 or not text[:17].isdigit():
        return False
    try:
        date(int(text[6:10]), int(text[10:12]), int(text[12:14]))
    except ValueError:
        return False
    total = sum(int(digit) * weight for digit, weight in zip(text[:17], _WEIGHTS, strict=True))
    return _CHECKS[total % 11] == text[17].upper()


def _is_bank_card(text: str) -> bool:
    """ISO/IEC 7812: thirteen to nineteen digits of a payment network, the last by Luhn."""
    digits = [int(one) for one in text if one.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
