"""Short words of a platform: codes, log ids, scopes. They stand in results, audit and ledger, and are no free text."""

import re
from typing import Any

from msgspec.structs import replace

from placet.contract.platform import Failure

__all__ = ["UNREADABLE", "plain_failure", "word"]

UNREADABLE = "unreadable_code"
"""What is told in the place of a code that is no word."""

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/-]{0,99}\Z")
_URL = re.compile(r"https?://[!#-&(-;=?-\[\]_a-z~]{1,2000}\Z")
_SCOPES_MOST = 50


def word(text: Any, instead: str) -> str:
    """The text if it is one short word of plain characters."""
    return text if isinstance(text, str) and _WORD.match(text) else instead


def plain_failure(failure: Failure) -> Failure:
    """A platform's failure whose words are words; its sentences are for steps 5 and 6."""
    url = failure.grant_url
    return replace(
        failure,
        code=word(failure.code, UNREADABLE),
        category=word(failure.category, "other"),
        log_id=word(failure.log_id, "") or None,
        missing_scopes=tuple([one for one in failure.missing_scopes if word(one, "")][:_SCOPES_MOST]),
        grant_url=url if isinstance(url, str) and _URL.match(url) else None,
    )
