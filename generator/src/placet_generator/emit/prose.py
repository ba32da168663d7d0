"""Laying out lines of prose: width in columns, greedy wrapping, splitting a long text into parts."""

from collections.abc import Iterator

__all__ = ["chunks", "display_width", "one_line", "wrapped"]

_FIRST_WIDE = 0x1100
"""From here on a character counts two columns: right for Chinese, and never too few."""


def one_line(text: str) -> str:
    """`text` with every run of white space as one space."""
    return " ".join(text.split())


def display_width(text: str) -> int:
    """Columns that `text` takes on a fixed-width screen, at most."""
    if text.isascii():
        return len(text)
    return sum(2 if ord(char) >= _FIRST_WIDE else 1 for char in text)


def wrapped(text: str, width: int, hang: str = "") -> list[str]:
    """Lines of at most `width` columns, broken at spaces; a longer word stands alone.

    Args:
        hang: What every line after the first begins with.
    """
    text = one_line(text)
    if display_width(text) <= width:
        return [text]
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and display_width(longer) > width:
            lines.append(line)
            longer = f"{hang}{word}"
        line = longer
    return [*lines, line]


def chunks(text: str, width: int) -> Iterator[str]:
    """Parts of `text` of at most `width` columns that join to it, broken after spaces where there are any."""
    start = end = columns = 0
    after_space = 0
    while end < len(text):
        columns += 2 if ord(text[end]) >= _FIRST_WIDE else 1
        if columns > width:
            cut = after_space if after_space > start else end
            yield text[start:cut]
            start, end, columns, after_space = cut, cut, 0, 0
            continue
        end += 1
        if text[end - 1] == " ":
            after_space = end
    if start < len(text):
        yield text[start:]
