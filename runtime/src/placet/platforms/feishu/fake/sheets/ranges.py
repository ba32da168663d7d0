"""Ranges as the platform writes them: `Q7PlXT!A2:C20`, whole columns, a whole sheet."""

import re
from dataclasses import dataclass

from placet.platforms.feishu.fake.answers import ApiError

__all__ = ["Area", "column_letters", "parse_range"]

_RANGE = re.compile(r"([A-Za-z0-9]+)(?:!([A-Z]{1,3})([0-9]*)(?::([A-Z]{1,3})([0-9]*))?)?\Z")


@dataclass(frozen=True, kw_only=True)
class Area:
    """Cells of a sheet, counted from 0. The ends are excluded; None is the sheet's own end."""

    sheet_id: str
    top: int = 0
    left: int = 0
    bottom: int | None = None
    right: int | None = None

    def holds(self, row: int, column: int) -> bool:
        return (
            self.top <= row
            and self.left <= column
            and (self.bottom is None or row < self.bottom)
            and (self.right is None or column < self.right)
        )


def parse_range(text: object) -> Area:
    """The area that a text names.

    Raises:
        ApiError: it is no range.
    """
    found = _RANGE.match(text) if isinstance(text, str) else None
    if found is None:
        raise ApiError(90202, "validate RangeVal fail")
    sheet_id, left, top, right, bottom = found.groups()
    if left is None:
        return Area(sheet_id=sheet_id)
    right, bottom = (right, bottom) if right is not None else (left, top)
    return Area(
        sheet_id=sheet_id,
        top=int(top) - 1 if top else 0,
        left=_column(left),
        bottom=int(bottom) if bottom else None,
        right=_column(right) + 1,
    )


def column_letters(column: int) -> str:
    """The letters of a column, counted from 0."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _column(letters: str) -> int:
    number = 0
    for one in letters:
        number = number * 26 + ord(one) - ord("A") + 1
    return number - 1
