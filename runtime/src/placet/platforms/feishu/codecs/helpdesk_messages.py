"""Messages of a help desk's tickets: plain text for the model, JSON in text on the wire.

Source: the platform's page on sending a message of a ticket, read 2026-12.
"""

import json
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["TEXT"]


def _content(value: Any) -> str:
    return json.dumps({"text": value}, ensure_ascii=False, separators=(",", ":"))


TEXT = Pair(encode=_content)
"""`helpdesk.text`: the content of a message of the type text."""
