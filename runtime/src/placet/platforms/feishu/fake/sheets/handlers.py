"""The routes of spreadsheets over the state: documents and sheets, and what is saved upon them."""

import copy
from collections.abc import Mapping
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.paging import invalid_field
from placet.platforms.feishu.fake.sheets.cells import Cells
from placet.platforms.feishu.fake.sheets.ranges import parse_range
from placet.platforms.feishu.fake.sheets.state import Sheet, Sheets, Spreadsheet
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_V3 = "/open-apis/sheets/v3/spreadsheets"
_BOOK = f"{_V3}/:spreadsheet_token"
_SHEET = f"{_BOOK}/sheets/:sheet_id"
_VIEW = f"{_SHEET}/filter_views"
_V2 = "/open-apis/sheets/v2/spreadsheets/:spreadsheet_token"


def handlers(sheets: Sheets) -> Mapping[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    books, cells, saved = _Books(sheets), Cells(sheets), _Saved(sheets)
    return {
        ("POST", _V3): books.create,
        ("GET", _BOOK): books.get,
        ("PATCH", _BOOK): books.rename,
        ("GET", f"{_BOOK}/sheets/query"): books.list_sheets,
        ("GET", _SHEET): books.get_sheet,
        ("POST", f"{_V2}/sheets_batch_update"): books.update_sheets,
        ("GET", f"{_V2}/values/:range"): cells.read,
        ("GET", f"{_V2}/values_batch_get"): cells.read_several,
        ("PUT", f"{_V2}/values"): cells.write,
        ("POST", f"{_V2}/values_batch_update"): cells.write_several,
        ("POST", f"{_V2}/values_append"): cells.append,
        ("POST", f"{_V2}/values_prepend"): cells.prepend,
        ("POST", f"{_SHEET}/find"): cells.find,
        ("POST", f"{_SHEET}/replace"): cells.replace,
        ("POST", f"{_V2}/insert_dimension_range"): cells.insert,
        ("DELETE", f"{_V2}/dimension_range"): cells.delete,
        ("POST", f"{_SHEET}/move_dimension"): cells.move,
        ("POST", f"{_V2}/merge_cells"): cells.merge,
        ("POST", f"{_V2}/unmerge_cells"): cells.unmerge,
        ("GET", f"{_SHEET}/filter"): saved.get_filter,
        ("POST", f"{_SHEET}/filter"): saved.create_filter,
        ("PUT", f"{_SHEET}/filter"): saved.update_filter,
        ("DELETE", f"{_SHEET}/filter"): saved.delete_filter,
        ("GET", f"{_VIEW}/query"): saved.list_views,
        ("POST", _VIEW): saved.create_view,
        ("DELETE", f"{_VIEW}/:filter_view_id"): saved.delete_view,
        ("POST", f"{_VIEW}/:filter_view_id/conditions"): saved.set_condition,
        ("GET", f"{_V2}/dataValidation"): saved.get_dropdowns,
        ("POST", f"{_V2}/dataValidation"): saved.set_dropdown,
    }


class _Books:
    def __init__(self, sheets: Sheets) -> None:
        self._sheets = sheets

    def create(self, question: Question) -> Any:
        owner = question.user or self._sheets.world.app
        made = self._sheets.add_spreadsheet(str(question.body.get("title") or ""), owner=owner)
        return {"spreadsheet": made.as_wire()}

    def get(self, question: Question) -> Any:
        return {"spreadsheet": self._book(question).as_wire()}

    def rename(self, question: Question) -> Any:
        self._book(question).title = str(question.body.get("title"))
        return {}

    def list_sheets(self, question: Question) -> Any:
        return {"sheets": [one.as_wire(index) for index, one in enumerate(self._book(question).sheets)]}

    def get_sheet(self, question: Question) -> Any:
        book = self._book(question)
        sheet = book.sheet(question.path["sheet_id"])
        return {"sheet": sheet.as_wire(book.sheets.index(sheet))}

    def update_sheets(self, question: Question) -> Any:
        book = self._book(question)
        acts = {
            "addSheet": self._add,
            "copySheet": self._copy,
            "updateSheet": self._change,
            "deleteSheet": self._delete,
        }
        replies = []
        for request in question.body["requests"]:
            if len(request) != 1 or not request.keys() <= acts.keys():
                raise ApiError(90204, "wrong request body")
            ((name, given),) = request.items()
            replies.append({name: acts[name](book, given)})
        return {"replies": replies}

    def _add(self, book: Spreadsheet, given: dict[str, Any]) -> Any:
        wanted = given["properties"]
        return _properties(book, self._sheets.add_sheet(book, wanted["title"], index=wanted.get("index", 0)))

    def _copy(self, book: Spreadsheet, given: dict[str, Any]) -> Any:
        source = book.sheet(given["source"]["sheetId"])
        made = self._sheets.add_sheet(book, given["destination"]["title"])
        made.rows = copy.deepcopy(source.rows)
        return _properties(book, made)

    def _change(self, book: Spreadsheet, given: dict[str, Any]) -> Any:
        wanted = given["properties"]
        sheet = book.sheet(wanted["sheetId"])
        sheet.title = wanted.get("title", sheet.title)
        sheet.hidden = wanted.get("hidden", sheet.hidden)
        sheet.frozen_rows = wanted.get("frozenRowCount", sheet.frozen_rows)
        sheet.frozen_columns = wanted.get("frozenColCount", sheet.frozen_columns)
        if "index" in wanted:
            book.sheets.remove(sheet)
            book.sheets.insert(wanted["index"], sheet)
        return _properties(book, sheet)

    def _delete(self, book: Spreadsheet, given: dict[str, Any]) -> Any:
        sheet = book.sheet(given["sheetId"])
        if len(book.sheets) == 1:
            raise ApiError(90210, "the last sheet cannot be deleted")
        book.sheets.remove(sheet)
        return {"result": True, "sheetId": sheet.sheet_id}

    def _book(self, question: Question) -> Spreadsheet:
        return self._sheets.spreadsheet(question.path["spreadsheet_token"])


class _Saved:
    """Filters, filter views and dropdowns."""

    def __init__(self, sheets: Sheets) -> None:
        self._sheets = sheets

    def get_filter(self, question: Question) -> Any:
        sheet = self._sheet(question)
        if sheet.filter_range is None:
            return {"sheet_filter_info": None}
        columns = [{"col": name, "conditions": [one]} for name, one in sheet.filter_columns.items()]
        return {
            "sheet_filter_info": {
                "range": sheet.filter_range,
                "filtered_out_rows": [],
                "filter_infos": columns,
            }
        }

    def create_filter(self, question: Question) -> Any:
        sheet, body = self._sheet(question), question.body
        if sheet.filter_range is not None:
            raise ApiError(1310236, "filter exists")
        parse_range(body["range"])
        sheet.filter_range = body["range"]
        sheet.filter_columns = {body["col"]: body["condition"]}
        return {}

    def update_filter(self, question: Question) -> Any:
        sheet, body = self._sheet(question), question.body
        if sheet.filter_range is None:
            raise ApiError(1310236, "filter does not exist")
        if body["condition"]["filter_type"] == "clear":
            sheet.filter_columns.pop(body["col"], None)
        else:
            sheet.filter_columns[body["col"]] = body["condition"]
        return {}

    def delete_filter(self, question: Question) -> Any:
        sheet = self._sheet(question)
        sheet.filter_range, sheet.filter_columns = None, {}
        return {}

    def list_views(self, question: Question) -> Any:
        return {"items": [_view(one) for one in self._sheet(question).views.values()]}

    def create_view(self, question: Question) -> Any:
        body, made = question.body, self._sheets.world.new_id("fv")
        view: dict[str, Any] = {
            "filter_view_id": made,
            "filter_view_name": body.get("filter_view_name") or made,
            "range": body.get("range"),
            "conditions": {},
        }
        self._sheet(question).views[made] = view
        return {"filter_view": _view(view)}

    def set_condition(self, question: Question) -> Any:
        view = self._sheet(question).views.get(question.path["filter_view_id"])
        if view is None:
            raise ApiError(1310237, "filter view not found")
        view["conditions"][question.body["condition_id"]] = question.body
        return {"condition": question.body}

    def delete_view(self, question: Question) -> Any:
        if self._sheet(question).views.pop(question.path["filter_view_id"], None) is None:
            raise ApiError(1310237, "filter view not found")
        return {}

    def get_dropdowns(self, question: Question) -> Any:
        text = question.query("range") or ""
        sheet = self._book(question).sheet(parse_range(text).sheet_id)
        found = [
            {"ranges": [place], "conditionValues": options}
            for place, options in sheet.dropdowns.items()
            if place == text
        ]
        return {"sheetId": sheet.sheet_id, "dataValidations": found}

    def set_dropdown(self, question: Question) -> Any:
        body = question.body
        if body.get("dataValidationType") != "list":
            raise invalid_field("dataValidationType", "must be list")
        sheet = self._book(question).sheet(parse_range(body["range"]).sheet_id)
        sheet.dropdowns[body["range"]] = body["dataValidation"]["conditionValues"]
        return {}

    def _book(self, question: Question) -> Spreadsheet:
        return self._sheets.spreadsheet(question.path["spreadsheet_token"])

    def _sheet(self, question: Question) -> Sheet:
        return self._book(question).sheet(question.path["sheet_id"])


def _properties(book: Spreadsheet, sheet: Sheet) -> dict[str, Any]:
    place = book.sheets.index(sheet)
    return {"properties": {"sheetId": sheet.sheet_id, "title": sheet.title, "index": place}}


def _view(view: dict[str, Any]) -> dict[str, Any]:
    return {name: view[name] for name in ("filter_view_id", "filter_view_name", "range")}
