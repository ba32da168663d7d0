"""Cells read, written, found and replaced, and the rows and columns they stand in."""

import re
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.sheets.ranges import column_letters, parse_range
from placet.platforms.feishu.fake.sheets.state import Sheet, Sheets, Spreadsheet
from placet.platforms.feishu.fake.world import Question

__all__ = ["Cells"]

_ROWS_MOST, _COLUMNS_MOST = 5000, 100
"""Of one write. Source: the platform's pages on writing cells, read 2026-11."""


class Cells:
    """Answers about cells, for one tenant."""

    def __init__(self, sheets: Sheets) -> None:
        self._sheets = sheets

    def read(self, question: Question) -> Any:
        return {"revision": 1, "valueRange": self._read(question, question.path["range"])}

    def read_several(self, question: Question) -> Any:
        texts = (question.query("ranges") or "").split(",")
        return {"revision": 1, "valueRanges": [self._read(question, one) for one in texts]}

    def write(self, question: Question) -> Any:
        return self._write(question, question.body["valueRange"])

    def write_several(self, question: Question) -> Any:
        return {"responses": [self._write(question, one) for one in question.body["valueRanges"]]}

    def append(self, question: Question) -> Any:
        given = question.body["valueRange"]
        area, values = parse_range(given["range"]), _values(given)
        sheet = self._book(question).sheet(area.sheet_id)
        top = max(len(sheet.rows), area.top)
        for place, row in enumerate(values):
            sheet.write(parse_range(sheet.named(top + place, area.left, 1, len(row))), [row])
        return self._updates(sheet, top, area.left, values)

    def prepend(self, question: Question) -> Any:
        given = question.body["valueRange"]
        area, values = parse_range(given["range"]), _values(given)
        sheet = self._book(question).sheet(area.sheet_id)
        sheet.insert(area.top, len(values), rows=True)
        taken = sheet.named(area.top, area.left, len(values), max(len(row) for row in values))
        sheet.write(parse_range(taken), values)
        return self._updates(sheet, area.top, area.left, values)

    def find(self, question: Question) -> Any:
        sheet, body = self._sheet(question), question.body
        return {"find_result": _hits(sheet, _pattern(body), body["find_condition"]["range"])}

    def replace(self, question: Question) -> Any:
        sheet, body = self._sheet(question), question.body
        pattern, place = _pattern(body), body["find_condition"]["range"]
        hits = _hits(sheet, pattern, place)
        for row, column, text in list(sheet.texts(parse_range(place))):
            if pattern.search(text):
                sheet.rows[row][column] = pattern.sub(lambda _: body["replacement"], text)
        return {"replace_result": hits}

    def insert(self, question: Question) -> Any:
        where = question.body["dimension"]
        start, end = where["startIndex"], where["endIndex"]
        if not 0 <= start < end:
            raise ApiError(90202, "wrong index")
        self._book(question).sheet(where["sheetId"]).insert(start, end - start, rows=_is_rows(where))
        return {}

    def delete(self, question: Question) -> Any:
        where = question.body["dimension"]
        start, end = where["startIndex"], where["endIndex"]
        if not 1 <= start <= end:
            raise ApiError(90202, "wrong index")
        self._book(question).sheet(where["sheetId"]).remove(start - 1, end, rows=_is_rows(where))
        return {"delCount": end - start + 1, "majorDimension": where["majorDimension"]}

    def move(self, question: Question) -> Any:
        source = question.body["source"]
        start, end = source["start_index"], source["end_index"]
        if not 0 <= start <= end:
            raise ApiError(1310202, "wrong index")
        rows = source["major_dimension"] == "ROWS"
        self._sheet(question).move(start, end + 1, question.body["destination_index"], rows=rows)
        return {}

    def merge(self, question: Question) -> Any:
        area = parse_range(question.body["range"])
        self._book(question).sheet(area.sheet_id).merges.append(area)
        return {"spreadsheetToken": question.path["spreadsheet_token"]}

    def unmerge(self, question: Question) -> Any:
        area = parse_range(question.body["range"])
        sheet = self._book(question).sheet(area.sheet_id)
        sheet.merges = [one for one in sheet.merges if not area.holds(one.top, one.left)]
        return {"spreadsheetToken": question.path["spreadsheet_token"]}

    def _read(self, question: Question, text: str) -> Any:
        area = parse_range(text)
        values = self._book(question).sheet(area.sheet_id).read(area)
        return {"majorDimension": "ROWS", "range": text, "revision": 1, "values": values}

    def _write(self, question: Question, given: dict[str, Any]) -> Any:
        area, values = parse_range(given["range"]), _values(given)
        taken = self._book(question).sheet(area.sheet_id).write(area, values)
        return {
            "updatedRange": taken,
            "updatedRows": len(values),
            "updatedCells": sum(len(row) for row in values),
        }

    def _updates(self, sheet: Sheet, top: int, left: int, values: list[list[Any]]) -> Any:
        taken = sheet.named(top, left, len(values), max(len(row) for row in values))
        updates = {
            "updatedRange": taken,
            "updatedRows": len(values),
            "updatedCells": sum(len(row) for row in values),
        }
        return {"tableRange": taken, "updates": updates}

    def _book(self, question: Question) -> Spreadsheet:
        return self._sheets.spreadsheet(question.path["spreadsheet_token"])

    def _sheet(self, question: Question) -> Sheet:
        return self._book(question).sheet(question.path["sheet_id"])


def _values(given: dict[str, Any]) -> list[list[Any]]:
    values: list[list[Any]] = given["values"]
    if len(values) > _ROWS_MOST or any(len(row) > _COLUMNS_MOST for row in values):
        raise ApiError(90204, "too many cells")
    return values


def _is_rows(where: dict[str, Any]) -> bool:
    return bool(where["majorDimension"] == "ROWS")


def _pattern(body: dict[str, Any]) -> re.Pattern[str]:
    """What to look for. `match_case` true ignores case: the platform's page says so, against its name."""
    wanted = body["find_condition"]
    text = body["find"] if wanted.get("search_by_regex") else re.escape(body["find"])
    if wanted.get("match_entire_cell"):
        text = rf"\A(?:{text})\Z"
    return re.compile(text, re.IGNORECASE if wanted.get("match_case") else 0)


def _hits(sheet: Sheet, pattern: re.Pattern[str], place: str) -> dict[str, Any]:
    found = [(row, column) for row, column, text in sheet.texts(parse_range(place)) if pattern.search(text)]
    return {
        "matched_cells": [f"{column_letters(column)}{row + 1}" for row, column in found],
        "matched_formula_cells": [],
        "rows_count": len({row for row, _ in found}),
    }
