"""On which line a key of a TOML text stands; the standard reader does not say."""

import re
from collections.abc import Mapping

__all__ = ["key_lines", "line_of"]

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_TABLE = re.compile(rf"\s*\[\s*({_DOTTED})\s*\]")
_ITEM = re.compile(rf"\s*\[\[\s*({_DOTTED})\s*\]\]")
_KEY = re.compile(rf"\s*({_DOTTED})\s*=")
_STRING = re.compile(r"""\"{3}|'{3}|"(?:[^"\\]|\\.)*"|'[^']*'|#.*|[\[\]{}]""")


def key_lines(text: str) -> dict[str, int]:
    """Place (`tenants[0].brand`) to line, for a text that is valid TOML. Members of inline tables have none."""
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    table, depth, closer = "", 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        if closer or depth:
            depth, closer = _scan(line, depth, closer)
            continue
        if match := _ITEM.match(line):
            name = _place(match[1], counts)
            counts[name] = counts.get(name, -1) + 1
            table = f"{name}[{counts[name]}]"
            found.setdefault(name, number)
            found[table] = number
        elif match := _TABLE.match(line):
            table = _place(match[1], counts)
            found.setdefault(table, number)
        elif match := _KEY.match(line):
            place = _joined(table, _parts(match[1]))
            found.setdefault(place, number)
            depth, closer = _scan(line[match.end() :], 0, "")
    return found


def line_of(place: str, lines: Mapping[str, int]) -> int:
    """The line of the place or of what encloses it; 0 when neither is in the text."""
    while place:
        if place in lines:
            return lines[place]
        # Shorter each time, whatever characters a key holds.
        place = place[: max(0, place.rfind("[") if place.endswith("]") else place.rfind("."))]
    return 0


def _scan(line: str, depth: int, closer: str) -> tuple[int, str]:
    """Bracket depth and open multi-line string behind a line."""
    at = 0
    while at < len(line):
        if closer:
            end = line.find(closer, at)
            while end > 0 and closer == '"""' and _is_escaped(line, end):
                end = line.find(closer, end + 1)
            if end < 0:
                return depth, closer
            at, closer = end + 3, ""
            continue
        match = _STRING.search(line, at)
        if match is None:
            break
        token, at = match[0], match.end()
        if token in ('"""', "'''"):
            closer = token
        elif token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
    return max(0, depth), closer


def _is_escaped(line: str, at: int) -> bool:
    before = line[:at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _place(dotted: str, counts: Mapping[str, int]) -> str:
    """A table's place; a part that is a list of tables means its last item."""
    place = ""
    parts = _parts(dotted)
    for index, part in enumerate(parts):
        place = _joined(place, [part])
        if index < len(parts) - 1 and place in counts:
            place = f"{place}[{counts[place]}]"
    return place


def _parts(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in re.findall(_PART, dotted)]


def _joined(table: str, parts: list[str]) -> str:
    return ".".join([table, *parts] if table else parts)
