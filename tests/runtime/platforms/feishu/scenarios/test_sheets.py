"""A spreadsheet from its first row to its last, through the gate."""

import pytest

from placet.contract.result import Failed
from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.work_desk import Desk, desk

pytestmark = pytest.mark.anyio

APP_ONLY = (Identity.TENANT,)


async def a_sheet(at: Desk) -> tuple[str, str]:
    """A new spreadsheet with a heading and two people; its token and its sheet."""
    token = (await at.do("sheets.create_spreadsheet", title="工时"))["spreadsheet_token"]
    sheet = (await at.do("sheets.list_sheets", spreadsheet_token=token))["items"][0]["sheet_id"]
    rows = [["姓名", "工时"], ["张三", 40], ["李四", 36]]
    await at.do("sheets.append_rows", spreadsheet_token=token, range=sheet, values=rows)
    return token, sheet


async def test_rows_are_added_found_changed_and_deleted() -> None:
    """What was written is what is read, at the place where it was found."""
    async with desk("sheets", identities=APP_ONLY) as at:
        token, sheet = await a_sheet(at)
        book = {"spreadsheet_token": token}

        found = await at.do("sheets.find_cells", **book, sheet_id=sheet, range=sheet, text="李四")
        assert found["cells"] == ["A3"]
        await at.do("sheets.write_range", **book, range=f"{sheet}!B3:B3", values=[[38]])
        read = await at.do("sheets.read_range", **book, range=f"{sheet}!A1:B4")
        assert read["rows"] == [["姓名", "工时"], ["张三", 40], ["李四", 38], [None, None]]

        await at.do("sheets.prepend_rows", **book, range=f"{sheet}!A2:B2", values=[["王五", 20]])
        gone = await at.do("sheets.delete_rows_columns", **book, sheet_id=sheet, what="ROWS", start=3, end=3)
        assert gone["deleted_count"] == 1
        both = await at.do("sheets.read_ranges", **book, ranges=[f"{sheet}!A2:A3", f"{sheet}!B3:B3"])
        assert [one["rows"] for one in both["items"]] == [[["王五"], ["李四"]], [[38]]]


async def test_a_replacement_reaches_every_cell_of_the_range() -> None:
    """Replacing changes what finding with the same settings showed."""
    async with desk("sheets", identities=APP_ONLY) as at:
        token, sheet = await a_sheet(at)
        where = {"spreadsheet_token": token, "sheet_id": sheet, "range": f"{sheet}!A1:A3"}

        done = await at.do("sheets.replace_cells", **where, text="四", replacement="肆")

        assert done["cells"] == ["A3"]
        assert (await at.do("sheets.find_cells", **where, text="李肆"))["cells"] == ["A3"]


async def test_sheets_come_change_and_go() -> None:
    """Adding, renaming and deleting tabs travel as one kind of request."""
    async with desk("sheets", identities=APP_ONLY) as at:
        token, first = await a_sheet(at)
        book = {"spreadsheet_token": token}

        made = await at.do("sheets.add_sheets", **book, sheets=[{"title": "五月"}, {"title": "六月"}])
        may = made["items"][0]["sheet_id"]
        await at.do(
            "sheets.update_sheets", **book, changes=[{"sheet_id": may, "title": "5月", "frozen_rows": 1}]
        )
        copied = await at.do("sheets.copy_sheets", **book, copies=[{"sheet_id": first, "title": "副本"}])
        copy = copied["items"][0]["sheet_id"]
        assert (await at.do("sheets.get_sheet", **book, sheet_id=may))["frozen_rows"] == 1
        assert (await at.do("sheets.read_range", **book, range=f"{copy}!A2:A2"))["rows"] == [["张三"]]

        await at.do("sheets.delete_sheets", **book, sheets=[{"sheet_id": copy}])
        left = await at.do("sheets.list_sheets", **book)
        assert [one["title"] for one in left["items"]] == ["六月", "5月", "Sheet1"]


async def test_a_filter_is_set_narrowed_and_lifted() -> None:
    """One sheet has one filter; its conditions are per column."""
    async with desk("sheets", identities=APP_ONLY) as at:
        token, sheet = await a_sheet(at)
        where = {"spreadsheet_token": token, "sheet_id": sheet}
        late = {"filter_type": "number", "compare_type": "less", "expected": ["40"]}

        await at.do("sheets.create_filter", **where, range=f"{sheet}!A1:B3", column="B", condition=late)
        names = {"filter_type": "multiValue", "expected": ["李四"]}
        await at.do("sheets.update_filter", **where, column="A", condition=names)
        shown = await at.do("sheets.get_filter", **where)
        assert [(one["column"], one["conditions"][0]["expected"]) for one in shown["columns"]] == [
            ("B", ["40"]),
            ("A", ["李四"]),
        ]

        await at.do("sheets.delete_filter", **where)
        again = await at.gate.call(
            "sheets.create_filter", {**where, "range": sheet, "column": "A", "condition": names}, at.ctx
        )
        assert again.kind == "ok"


async def test_more_values_than_the_range_holds_change_nothing() -> None:
    """The platform refuses, and the cells are as they were."""
    async with desk("sheets", identities=APP_ONLY) as at:
        token, sheet = await a_sheet(at)
        small = {"spreadsheet_token": token, "range": f"{sheet}!A1:A1", "values": [["a", "b"]]}

        failed = await at.gate.call("sheets.write_range", small, at.ctx)

        assert isinstance(failed, Failed)
        assert failed.code == "90202"
        read = await at.do("sheets.read_range", spreadsheet_token=token, range=f"{sheet}!A1:B1")
        assert read["rows"] == [["姓名", "工时"]]
