"""Spreadsheets and tasks of a tenant in which every id of a route exists."""

from typing import Any

from placet.platforms.feishu.fake import FakeTenant

__all__ = ["filled_sheets", "filled_tasks"]


def filled_sheets(tenant: FakeTenant) -> tuple[dict[str, str], str, str, dict[str, Any]]:
    """Placeholder to id, more of the query, a sheet without a filter, and tool to a body that is accepted."""
    book = tenant.sheets.add_spreadsheet("工时")
    sheet = tenant.sheets.add_sheet(book, "五月")
    here, cells = sheet.sheet_id, f"{sheet.sheet_id}!A1:B2"
    sheet.rows = [["姓名", "工时"], ["张三", 40]]
    sheet.filter_range, sheet.filter_columns = cells, {"A": {"filter_type": "text", "expected": ["张"]}}
    view = {"filter_view_id": "fv1", "filter_view_name": "我的", "range": cells, "conditions": {}}
    sheet.views["fv1"] = view
    sheet.dropdowns[cells] = ["待办"]
    empty = tenant.sheets.add_sheet(book, "六月")
    values = {"valueRange": {"range": cells, "values": [["a", 1]]}}
    looked_for = {"find_condition": {"range": here}, "find": "张"}
    where = {"dimension": {"sheetId": here, "majorDimension": "ROWS", "startIndex": 1, "endIndex": 2}}
    condition = {"filter_type": "text", "compare_type": "contains", "expected": ["张"]}
    bodies = {
        "sheets.write_range": values,
        "sheets.write_ranges": {"valueRanges": [values["valueRange"]]},
        "sheets.append_rows": values,
        "sheets.prepend_rows": values,
        "sheets.find_cells": looked_for,
        "sheets.replace_cells": {**looked_for, "replacement": "章"},
        "sheets.insert_rows_columns": where,
        "sheets.delete_rows_columns": where,
        "sheets.move_rows_columns": {
            "source": {"major_dimension": "ROWS", "start_index": 0, "end_index": 0},
            "destination_index": 2,
        },
        "sheets.merge_cells": {"range": cells, "mergeType": "MERGE_ALL"},
        "sheets.unmerge_cells": {"range": cells},
        "sheets.add_sheets": {"requests": [{"addSheet": {"properties": {"title": "七月"}}}]},
        "sheets.copy_sheets": {
            "requests": [{"copySheet": {"source": {"sheetId": here}, "destination": {"title": "副本"}}}]
        },
        "sheets.update_sheets": {"requests": [{"updateSheet": {"properties": {"sheetId": here}}}]},
        "sheets.delete_sheets": {"requests": [{"deleteSheet": {"sheetId": empty.sheet_id}}]},
        "sheets.create_filter": {"range": cells, "col": "A", "condition": condition},
        "sheets.update_filter": {"col": "A", "condition": condition},
        "sheets.create_filter_view": {"range": cells},
        "sheets.set_filter_view_condition": {"condition_id": "A", **condition},
        "sheets.set_dropdown": {
            "range": cells,
            "dataValidationType": "list",
            "dataValidation": {"conditionValues": ["a"]},
        },
    }
    path = {"spreadsheet_token": book.token, "sheet_id": here, "range": cells, "filter_view_id": "fv1"}
    return path, f"&range={cells}&ranges={cells}", empty.sheet_id, bodies


def filled_tasks(tenant: FakeTenant) -> tuple[dict[str, str], dict[str, str], dict[str, Any]]:
    """Placeholder to id, the query's `resource_id` by tool, and tool to a body that is accepted."""
    me = {"id": "ou_zw", "type": "user", "role": "assignee"}
    due = {"timestamp": "1780012800000", "is_all_day": True}
    task = tenant.task.add_task("ou_zw", {"summary": "写周报", "due": due, "members": [me]})
    tenant.task.add_task("ou_zw", {"summary": "一步"}, parent=task.guid)
    tasklist = tenant.task.add_tasklist("ou_zw", "上线")
    section = tenant.task.add_section(tasklist, "测试")
    tenant.task.put_on(task, tasklist.guid, section.guid)
    tenant.task.comments["1"] = {"id": "1", "content": "?", "creator": me, "resource_id": task.guid}
    tenant.task.files["file1"] = {"guid": "file1", "name": "a.txt", "size": 1, "resource_id": task.guid}
    on_task, on_list = {"resource_id": task.guid}, {"resource_id": tasklist.guid}
    people = {"members": [{"id": "ou_li", "role": "follower"}]}
    bodies = {
        "task.create_task": {"summary": "对账"},
        "task.create_subtask": {"summary": "对账"},
        "task.update_task": {"task": {"summary": "新"}, "update_fields": ["summary"]},
        "task.complete_task": {"task": {"completed_at": "1780012800000"}, "update_fields": ["completed_at"]},
        "task.reopen_task": {"task": {"summary": "新"}, "update_fields": ["summary"]},
        "task.add_members": people,
        "task.remove_members": people,
        "task.add_reminder": {"reminders": [{"relative_fire_minute": 60}]},
        "task.remove_reminders": {"reminder_ids": ["1"]},
        "task.add_dependencies": {"dependencies": []},
        "task.remove_dependencies": {"dependencies": []},
        "task.add_to_tasklist": {"tasklist_guid": tasklist.guid},
        "task.remove_from_tasklist": {"tasklist_guid": tasklist.guid},
        "task.add_comment": {"content": "!", **on_task},
        "task.update_comment": {"comment": {"content": "新"}, "update_fields": ["content"]},
        "task.create_tasklist": {"name": "新"},
        "task.rename_tasklist": {"tasklist": {"name": "新"}, "update_fields": ["name"]},
        "task.add_tasklist_members": people,
        "task.remove_tasklist_members": people,
        "task.create_section": {"name": "新", **on_list},
        "task.rename_section": {"section": {"name": "新"}, "update_fields": ["name"]},
    }
    path = {
        "task_guid": task.guid,
        "tasklist_guid": tasklist.guid,
        "section_guid": section.guid,
        "attachment_guid": "file1",
    }
    resources = {
        "task.list_comments": task.guid,
        "task.list_attachments": task.guid,
        "task.list_sections": tasklist.guid,
    }
    return path, resources, bodies
