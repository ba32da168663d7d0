"""Spreadsheets, their sheets and what stands in the cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.sheets.ranges import Area, column_letters
from placet.platforms.feishu.fake.world import World

__all__ = ["Sheet", "Sheets", "Spreadsheet"]

_ROWS, _COLUMNS = 200, 20
"""Size of a new sheet."""


@dataclass(kw_only=True)
class Sheet:
    """One sheet. `rows` ends with the last cell that holds something; None is an empty cell."""

    sheet_id: str
    title: str
    hidden: bool = False
    frozen_rows: int = 0
    frozen_columns: int = 0
    rows: list[list[Any]] = field(default_factory=list)
    merges: list[Area] = field(default_factory=list)
    filter_range: str | None = None
    filter_columns: dict[str, dict[str, Any]] = field(default_factory=dict)
    views: dict[str, dict[str, Any]] = field(default_factory=dict)
    dropdowns: dict[str, list[str]] = field(default_factory=dict)

    def read(self, area: Area) -> list[list[Any]]:
        """The cells of an area, as many as the sheet has."""
        bottom = len(self.rows) if area.bottom is None else area.bottom
        width = max((len(row) for row in self.rows), default=0)
        right = width if area.right is None else area.right
        return [
            [self.cell(row, column) for column in range(area.left, right)] for row in range(area.top, bottom)
        ]

    def cell(self, row: int, column: int) -> Any:
        return self.rows[row][column] if row < len(self.rows) and column < len(self.rows[row]) else None

    def write(self, area: Area, values: Sequence[Sequence[Any]]) -> str:
        """Put values from an area's first cell on; the range they took.

        Raises:
            ApiError: they are more than the area holds.
        """
        height, width = len(values), max((len(row) for row in values), default=0)
        if (area.bottom is not None and area.top + height > area.bottom) or (
            area.right is not None and area.left + width > area.right
        ):
            raise ApiError(90202, "validate RangeVal fail")
        for row, cells in enumerate(values, start=area.top):
            for column, value in enumerate(cells, start=area.left):
                self._put(row, column, value)
        return self.named(area.top, area.left, height, width)

    def named(self, top: int, left: int, height: int, width: int) -> str:
        first = f"{column_letters(left)}{top + 1}"
        last = f"{column_letters(left + max(width, 1) - 1)}{top + max(height, 1)}"
        return f"{self.sheet_id}!{first}:{last}"

    def insert(self, place: int, count: int, *, rows: bool) -> None:
        if rows:
            if place <= len(self.rows):
                self.rows[place:place] = [[] for _ in range(count)]
            return
        for row in self.rows:
            if place < len(row):
                row[place:place] = [None] * count

    def remove(self, start: int, end: int, *, rows: bool) -> None:
        """Delete lines from `start` up to, not with, `end`."""
        if rows:
            del self.rows[start:end]
        else:
            for row in self.rows:
                del row[start:end]

    def move(self, start: int, end: int, place: int, *, rows: bool) -> None:
        """Move lines from `start` up to, not with, `end` before another line."""
        every: list[list[Any]] = [self.rows] if rows else self.rows
        for lines in every:
            lines.extend([] if rows else None for _ in range(max(place, end) - len(lines)))
            moved = lines[start:end]
            del lines[start:end]
            there = place if place <= start else place - len(moved)
            lines[there:there] = moved

    def texts(self, area: Area) -> Iterator[tuple[int, int, str]]:
        """Each cell of an area that holds a text or a number, as text."""
        for row, cells in enumerate(self.rows):
            for column, value in enumerate(cells):
                if area.holds(row, column) and isinstance(value, str | int | float):
                    yield row, column, str(value)

    def _put(self, row: int, column: int, value: Any) -> None:
        self.rows.extend([] for _ in range(row + 1 - len(self.rows)))
        cells = self.rows[row]
        cells.extend(None for _ in range(column + 1 - len(cells)))
        cells[column] = None if value == "" else value

    def as_wire(self, index: int) -> dict[str, Any]:
        merges = [
            {
                "start_row_index": one.top,
                "end_row_index": (one.bottom or 1) - 1,
                "start_column_index": one.left,
                "end_column_index": (one.right or 1) - 1,
            }
            for one in self.merges
        ]
        return {
            "sheet_id": self.sheet_id,
            "title": self.title,
            "index": index,
            "hidden": self.hidden,
            "resource_type": "sheet",
            "grid_properties": {
                "row_count": max(_ROWS, len(self.rows)),
                "column_count": max([_COLUMNS, *(len(row) for row in self.rows)]),
                "frozen_row_count": self.frozen_rows,
                "frozen_column_count": self.frozen_columns,
            },
            "merges": merges,
        }


@dataclass(kw_only=True)
class Spreadsheet:
    """A spreadsheet; its sheets stand in their order."""

    token: str
    title: str
    owner: str
    sheets: list[Sheet] = field(default_factory=list)

    def sheet(self, sheet_id: object) -> Sheet:
        found = next((one for one in self.sheets if one.sheet_id == sheet_id), None)
        if found is None:
            raise ApiError(90215, "sheetId not found")
        return found

    def as_wire(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "owner_id": self.owner,
            "token": self.token,
            "spreadsheet_token": self.token,
            "url": f"https://example.feishu.cn/sheets/{self.token}",
        }


class Sheets:
    """A tenant's spreadsheets."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.spreadsheets: dict[str, Spreadsheet] = {}

    def add_spreadsheet(self, title: str = "Spreadsheet", *, owner: str = "ou_x") -> Spreadsheet:
        """Add one with an empty sheet."""
        made = Spreadsheet(token=self.world.new_id("sht"), title=title, owner=owner)
        self.add_sheet(made, "Sheet1")
        self.spreadsheets[made.token] = made
        return made

    def add_sheet(self, to: Spreadsheet, title: str, *, index: int | None = None) -> Sheet:
        """Add an empty sheet.

        Raises:
            ApiError: the name is taken.
        """
        if any(one.title == title for one in to.sheets):
            raise ApiError(90209, "sheet title already exists")
        made = Sheet(sheet_id=self.world.new_id("S"), title=title)
        to.sheets.insert(len(to.sheets) if index is None else index, made)
        return made

    def spreadsheet(self, token: str) -> Spreadsheet:
        found = self.spreadsheets.get(token)
        if found is None:
            raise ApiError(1310249, "spreadsheet not found")
        return found
