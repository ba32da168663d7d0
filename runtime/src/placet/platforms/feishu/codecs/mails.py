"""Mails: parts for the model; a whole mail in base64url on the wire, and bodies that come in base64url.

A mail is written the way the platform reads one: line feeds alone, a `From` of its own, no `Date` and no
`Message-ID`, which the platform gives, so that the same parts make the same bytes.
Source: the platform's page on mail messages, and the mail builder of its command line (larksuite/cli), read 2026-12.
"""

import base64
import re
import unicodedata
from email.header import Header
from email.utils import formataddr, parseaddr
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["BODY", "RAW"]

_ADDRESS = re.compile(r"[^\s@<>,;\"]{1,64}@[^\s@<>,;\"]{1,255}\Z")
_MESSAGE_ID = re.compile(r"<?[^\s<>]{1,900}>?\Z")
_PARTS = frozenset(
    {
        "sender", "to", "cc", "bcc", "subject", "text", "html",
        "in_reply_to", "references", "replied_message_id",
    }
)  # fmt: skip


def _encode(value: Any) -> str:
    if not isinstance(value, dict) or value.keys() - _PARTS:
        raise ValueError(f"a mail has {', '.join(sorted(_PARTS))}")
    if ("text" in value) == ("html" in value):
        raise ValueError("a mail has exactly one of text and html")
    kind = "plain" if "text" in value else "html"
    lines = [
        f"Subject: {_words(value.get('subject', ''), 'subject')}",
        f"From: {_person(value.get('sender'))}",
        *_recipients(value),
        *_thread(value),
        "MIME-Version: 1.0",
        f"Content-Type: text/{kind}; charset=UTF-8",
        "Content-Transfer-Encoding: base64",
        "",
        base64.encodebytes(_body(value["text" if kind == "plain" else "html"])).decode().rstrip("\n"),
        "",
    ]
    return base64.urlsafe_b64encode("\n".join(lines).encode()).decode()


def _words(text: Any, name: str) -> str:
    """A header's text; what is not ASCII as encoded words.

    Raises:
        ValueError: it is no text, or would begin another line.
    """
    line = _line(text, name)
    return line if line.isascii() else Header(line, "utf-8", maxlinelen=10_000).encode(linesep="")


def _line(text: Any, name: str) -> str:
    if not isinstance(text, str) or any(unicodedata.category(one) in ("Cc", "Zl", "Zp") for one in text):
        raise ValueError(f"{name} is text on one line")
    return text


def _person(address: Any) -> str:
    """An address, alone or as `Name <address>`."""
    name, mailbox = parseaddr(_line(address, "an address"))
    if not mailbox.isascii() or not _ADDRESS.match(mailbox):
        raise ValueError(f"{address!r} is no mail address, such as li@example.com or Li <li@example.com>")
    return formataddr((name, mailbox))


def _recipients(value: dict[str, Any]) -> list[str]:
    lines = []
    for name in ("to", "cc", "bcc"):
        given = value.get(name, [])
        if not isinstance(given, list):
            raise ValueError(f"{name} is a list of addresses")
        if given:
            lines.append(f"{name.capitalize()}: {', '.join(_person(one) for one in given)}")
    return lines


def _thread(value: dict[str, Any]) -> list[str]:
    """The lines that put an answer into its conversation."""
    lines = []
    if "in_reply_to" in value:
        lines.append(f"In-Reply-To: {_bracketed(value['in_reply_to'])}")
    elif "replied_message_id" in value:
        raise ValueError("replied_message_id goes with in_reply_to")
    if "replied_message_id" in value:
        lines.append(f"X-LMS-Reply-To-Message-Id: {_bracketed(value['replied_message_id'])[1:-1]}")
    references = value.get("references", [])
    if not isinstance(references, list):
        raise ValueError("references is a list of smtp message ids")
    if references:
        lines.append(f"References: {' '.join(_bracketed(one) for one in references)}")
    return lines


def _bracketed(message_id: Any) -> str:
    if not isinstance(message_id, str) or not message_id.isascii() or not _MESSAGE_ID.match(message_id):
        raise ValueError(f"{message_id!r} is no message id")
    return f"<{message_id.strip('<>')}>"


def _body(text: Any) -> bytes:
    if not isinstance(text, str) or not text:
        raise ValueError("the body of a mail is text that is not empty")
    return text.encode()


def _decode(value: Any) -> str:
    """A body as text; one that is no base64url stands for itself."""
    if not isinstance(value, str):
        raise ValueError("a body is text")
    padded = value + "=" * (-len(value) % 4)
    try:
        return base64.b64decode(padded, altchars=b"-_", validate=True).decode()
    except ValueError:
        return value


BODY = Pair(decode=_decode)
"""`mail.body`."""

RAW = Pair(encode=_encode)
"""`mail.raw`."""
