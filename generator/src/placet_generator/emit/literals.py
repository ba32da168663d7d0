"""The only door through which text enters code, comments, Markdown and JSON.

Curated text is hostile input: it may hold triple quotes, backslashes, template syntax, newlines, or characters
that reorder or hide what a reviewer sees. Everything that leaves here is inert and visible where it lands. The
sets of characters are written down, not asked of `unicodedata`, so every Python version writes equal bytes.
"""

import json
import re
from collections.abc import Mapping
from enum import Enum
from functools import cache
from math import isfinite
from typing import Any

import msgspec
from msgspec import NODEFAULT, Raw, Struct
from msgspec.structs import fields

from placet_generator.emit.prose import chunks, display_width, one_line

__all__ = [
    "comment_text",
    "constructor",
    "docstring_literal",
    "json_line",
    "json_object",
    "json_page",
    "json_raw",
    "markdown_text",
    "pattern_literal",
    "python_literal",
    "visible_text",
    "wrapped_literal",
    "yaml_literal",
]

LITERAL_WIDTH = 90
"""A wider text inside a constructor is written in parts; about what a line of the formatter has room for."""

_HIDDEN = (
    "\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680\u17b4\u17b5"
    "\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Controls, directions, zero widths, odd spaces, tags, variation selectors and surrogates: a character class."""

_PLAIN = re.compile("[ -~\u2010-\u2027\u3000-\u3163\u4e00-\u9fff\uff01-\uff9f]*")
"""English and Chinese without anything hidden: what nearly every text is, found eight times as fast as its opposite."""

_IN_STRING = re.compile(f'["\\\\\x00-\x1f{_HIDDEN}]')
_IN_DOCSTRING = re.compile(f"[\\\\\x00-\x09\x0b-\x1f{_HIDDEN}]")
_ENDS_A_DOCSTRING = re.compile(r'"{3,}|^"+|"+\Z')
_IN_JSON = re.compile(f"[{_HIDDEN}]")
_IN_TEXT = re.compile(f"[\x00-\x08\x0b-\x1f{_HIDDEN}]")
_IN_RAW = re.compile(f'["\x00-\x1f{_HIDDEN}]|\\\\$')
_IN_MARKDOWN = re.compile(r"[\\|`\[\]<]|&(?=[#A-Za-z])")
_OPENS_A_BLOCK = re.compile(r"[#>+*=~-]|[0-9]+[.)]")
_MARKDOWN = {"\\": r"\\", "|": r"\|", "`": r"\`", "[": r"\[", "]": r"\]", "<": "&lt;", "&": "&amp;"}
_SHORT = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t"}


def _python_escape(match: re.Match[str]) -> str:
    char = match.group()
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _json_escape(match: re.Match[str]) -> str:
    return json.dumps(match.group())[1:-1]


def _quote_escape(match: re.Match[str]) -> str:
    return r"\"" * len(match.group())


def _markdown_escape(match: re.Match[str]) -> str:
    return _MARKDOWN[match.group()]


def _code_point(match: re.Match[str]) -> str:
    return f"U+{ord(match.group()):04X}"


def _is_plain(text: str) -> bool:
    """Whether nothing has to look at `text` twice: the quick way out."""
    return (text.isascii() and text.isprintable()) or _PLAIN.fullmatch(text) is not None


def _quoted(text: str) -> str:
    if _is_plain(text) and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return f'"{_IN_STRING.sub(_python_escape, text)}"'


def python_literal(value: Any) -> str:
    """Source of one expression that evaluates to `value` and to nothing else.

    Args:
        value: None, a boolean, a finite number, a string, or a tuple, list or mapping of these.
    Raises:
        TypeError: the value is of another type.
        ValueError: the number is not finite.
    """
    if isinstance(value, str):
        return _quoted(str(value))
    if value is None or value is True or value is False:
        return repr(value)
    if isinstance(value, int):
        return repr(int(value))
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"{value!r} has no literal")
        return repr(float(value))
    if isinstance(value, tuple):
        inner = ", ".join(map(python_literal, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, list):
        return f"[{', '.join(map(python_literal, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_quoted(key)}: {python_literal(value[key])}' for key in sorted(value))}}}"
    raise TypeError(f"{type(value).__name__!r} has no literal")


def wrapped_literal(text: str, width: int = LITERAL_WIDTH) -> str:
    """`text` as a literal; one wider than `width` columns becomes several adjacent ones in parentheses.

    A single long word, as a route is, stays whole.
    """
    is_word = " " not in text and text.isascii()
    if is_word or len(text) * 2 <= width or display_width(text) <= width:
        return _quoted(text)
    return f"({' '.join(map(_quoted, chunks(text, width)))})"


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (one.name, one.default if one.default_factory is NODEFAULT else one.default_factory())
        for one in fields(kind)
    )


def constructor(value: Any, names: set[str]) -> str:
    """Source that builds `value`: nested calls, what equals its default left out, mappings by key.

    Args:
        value: A contract struct, an enum member, or what `python_literal` takes, nested at will.
        names: Receives every class name that the source uses.
    """
    if type(value) is str:
        return wrapped_literal(value)
    if isinstance(value, Struct):
        kind = type(value)
        names.add(kind.__name__)
        settings = [
            f"{name}={constructor(given, names)}"
            for name, default in _defaults(kind)
            if (given := getattr(value, name)) != default
        ]
        return f"{kind.__name__}({', '.join(settings)})"
    if isinstance(value, tuple):
        inner = ", ".join([constructor(one, names) for one in value])
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, list):
        return f"[{', '.join([constructor(one, names) for one in value])}]"
    if isinstance(value, Mapping):
        return (
            f"{{{', '.join([f'{_quoted(key)}: {constructor(value[key], names)}' for key in sorted(value)])}}}"
        )
    if isinstance(value, Enum):
        names.add(type(value).__name__)
        return f"{type(value).__name__}.{value.name}"
    return python_literal(value)


def pattern_literal(pattern: str) -> str:
    """A regular expression as a raw literal where one can hold it."""
    return _quoted(pattern) if _IN_RAW.search(pattern) else f'r"{pattern}"'


def docstring_literal(text: str, indent: str = "") -> str:
    """A triple-quoted literal of `text`, whose lines after the first are indented.

    A text of several lines ends with a newline and the closing quotes on their own line.
    """
    safe = text if _is_plain(text) and "\\" not in text else _IN_DOCSTRING.sub(_python_escape, text)
    if '"' in safe:
        safe = _ENDS_A_DOCSTRING.sub(_quote_escape, safe)
    if "\n" not in safe:
        return f'"""{safe}"""'
    first, *rest = safe.split("\n")
    lines = [first, *(f"{indent}{line}" if line else "" for line in rest), indent]
    return '"""' + "\n".join(lines) + '"""'


def visible_text(text: str) -> str:
    """`text` with every character that hides or reorders shown as its code point; newlines and tabs stay."""
    return text if _is_plain(text) else _IN_TEXT.sub(_code_point, text)


def comment_text(text: str) -> str:
    """`text` as the rest of one comment line."""
    return visible_text(one_line(text))


def markdown_text(text: str) -> str:
    """`text` as one line of plain Markdown: a table cell or a paragraph, no markup, no HTML, no links."""
    line = _IN_MARKDOWN.sub(_markdown_escape, comment_text(text))
    return f"\\{line}" if _OPENS_A_BLOCK.match(line) else line


def yaml_literal(text: str) -> str:
    """`text` as one double-quoted YAML scalar."""
    return json.dumps(comment_text(text), ensure_ascii=False)


def json_raw(value: Any) -> Raw:
    """JSON on one line, hidden characters escaped, ready to stand inside other JSON."""
    line = msgspec.json.encode(value)
    text = line.decode()
    return Raw(line if _is_plain(text) else _IN_JSON.sub(_json_escape, text).encode())


def json_line(value: Any) -> str:
    """JSON on one line; hidden characters escaped, everything else as it is."""
    return bytes(json_raw(value)).decode()


def json_object(parts: Mapping[str, Any]) -> str:
    """A JSON object on one line, escaped as in `json_line`; a member that is `Raw` is escaped already."""
    members = (
        bytes(json_raw(key)) + b":" + bytes(value if isinstance(value, Raw) else json_raw(value))
        for key, value in parts.items()
    )
    return (b"{" + b",".join(members) + b"}").decode()


def json_page(parts: Mapping[str, Any]) -> str:
    """`json_object`, indented by two, with a newline at the end."""
    return msgspec.json.format(json_object(parts), indent=2) + "\n"
