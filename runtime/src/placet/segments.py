"""Whether a text, put into a path, could lead out of its place once somebody on the way decodes and resolves it."""

import re
from urllib.parse import unquote

__all__ = ["leads_elsewhere"]

_PARTS = re.compile(r"[/\\]")
_ROUNDS = 8
"""How often a text may be decoded; nobody means to send one that is encoded more often."""


def leads_elsewhere(text: str) -> bool:
    """True when a part between slashes or backslashes is one or two dots, however often it was percent-encoded.

    A parameter behind a part's semicolon and blanks around it do not count, since some servers drop them.
    """
    for _ in range(_ROUNDS):
        if "." in text and any(part.partition(";")[0].strip() in (".", "..") for part in _PARTS.split(text)):
            return True
        if "%" not in text:
            return False
        decoded = unquote(text, errors="replace")
        if decoded == text:
            return False
        text = decoded
    return True
