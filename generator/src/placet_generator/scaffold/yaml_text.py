"""Plain data as YAML in curation's dialect. All text enters a file through `scalar` or `comment`, nowhere else."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from placet_generator.catalogue.openapi.text import one_line

_PLAIN_TEXT = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_UNSHOWN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_WIDTH = 100
COMMENT_MAX = 400

Remarks = Mapping[tuple[str, ...], str]


def scalar(value: str | int | float | bool | None) -> str:
    """One value on one line; text is quoted unless it is a plain word."""
    if isinstance(value, str):
        if _PLAIN_TEXT.fullmatch(value) and value.lower() not in _WORDS:
            return value
        quoted = json.dumps(value, ensure_ascii=False)
        return _UNSHOWN.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)
    return json.dumps(value)


def comment(text: str) -> str:
    """A comment on one line, whatever the text holds."""
    return f"# {one_line(text, COMMENT_MAX)}"


def lines(value: Mapping[str, Any], indent: int = 0, remarks: Remarks | None = None) -> Iterator[str]:
    """A mapping over several lines.

    Args:
        remarks: Path of keys to a comment behind that line.
    """
    yield from _mapping(value, indent, (), remarks or {})


def _mapping(value: Mapping[str, Any], indent: int, at: tuple[str, ...], remarks: Remarks) -> Iterator[str]:
    for key, inner in value.items():
        path = (*at, key)
        remark = f"  {comment(remarks[path])}" if path in remarks else ""
        head = f"{' ' * indent}{scalar(key)}:"
        flow = _flow(inner, _WIDTH - len(head) - len(remark))
        if flow is not None:
            yield f"{head} {flow}{remark}"
        else:
            yield head + remark
            yield from _mapping(inner, indent + 2, path, remarks)


def _flow(value: Any, width: int) -> str | None:
    """A scalar or a list on one line; None for a mapping, which takes several, unless it is empty."""
    if isinstance(value, Mapping):
        return None if value else "{}"
    if isinstance(value, list):
        return f"[{', '.join(scalar(one) for one in value)}]"
    return scalar(value)
