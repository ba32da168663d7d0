"""Answers for routes without a state of their own: every field that a tool projects, with a value of its type.

Texts carry the app's id, so that an answer which reaches another tenant's call can be told.
"""

import base64
import json
from collections.abc import Callable
from typing import Any

from placet.contract.binding import Project
from placet.platforms.feishu.fake.answers import FileAnswer
from placet.platforms.feishu.fake.paging import page_of
from placet.platforms.feishu.fake.received import Received
from placet.platforms.feishu.fake.routes import Route

__all__ = ["shaped_answer"]

LIST_LENGTH = 3

_CODED: dict[str, Callable[[str], Any]] = {
    "admin.badge_end": lambda mark: "0",
    "approval.comment": lambda mark: json.dumps({"text": mark, "files": []}),
    "approval.form_values": lambda mark: json.dumps(
        [{"id": "widget1", "name": "Reason", "type": "input", "value": mark}]
    ),
    "approval.form_widgets": lambda mark: json.dumps(
        [{"id": "widget1", "name": mark, "type": "input", "required": True}]
    ),
    "docx.block": lambda mark: {
        "block_id": "b1",
        "block_type": 2,
        "text": {"elements": [{"text_run": {"content": mark}}]},
    },
    "docx.blocks": lambda mark: [
        {"block_id": "b1", "block_type": 2, "text": {"elements": [{"text_run": {"content": mark}}]}}
    ],
    "docx.lines": lambda mark: [
        {"block_id": "b1", "block_type": 2, "text": {"elements": [{"text_run": {"content": mark}}]}}
    ],
    "drive.comment": lambda mark: {"elements": [{"type": "text_run", "text_run": {"text": mark}}]},
    "drive.comments": lambda mark: {
        "replies": [{"content": {"elements": [{"type": "text_run", "text_run": {"text": mark}}]}}]
    },
    "im.message": lambda mark: json.dumps({"text": mark}),
    "mail.body": lambda mark: base64.urlsafe_b64encode(mark.encode()).decode(),
    "bitable.field_values": lambda mark: {"文本": [{"text": mark, "type": "text"}]},
    "bitable.table_access": lambda mark: 1,
    "spark.rows": lambda mark: json.dumps([{"id": "r1", "name": mark}]),
    "bitable.view_filter": lambda mark: {
        "conjunction": "and",
        "conditions": [{"field_id": "fld1", "operator": "is", "value": json.dumps([mark])}],
    },
    "calendar.time_info": lambda mark: {"timestamp": "1780000000", "timezone": "Asia/Shanghai"},
    "time.seconds": lambda mark: "1780000000",
    "lingo.term": lambda mark: [
        {"key": mark, "display_status": {"allow_highlight": True, "allow_search": True}}
    ],
    "lingo.terms": lambda mark: [
        {"key": mark, "display_status": {"allow_highlight": True, "allow_search": True}}
    ],
    "okr.progress_text": lambda mark: {
        "blocks": [
            {"type": "paragraph", "paragraph": {"elements": [{"type": "textRun", "textRun": {"text": mark}}]}}
        ]
    },
    "okr.text": lambda mark: {
        "blocks": [
            {
                "block_element_type": "paragraph",
                "paragraph": {
                    "elements": [{"paragraph_element_type": "textRun", "text_run": {"text": mark}}]
                },
            }
        ]
    },
    "task.time": lambda mark: {"timestamp": "1780012800000", "is_all_day": True},
}
"""Wire forms of values that a codec reads."""


def shaped_answer(route: Route, request: Received, app: str) -> Any:
    """Data for a route, as its tools read it."""
    if route.call is not None and route.call.answer == "file":
        return FileAnswer(name=f"{app}.bin", content=f"file of {app}".encode())
    data: dict[str, Any] = {}
    for field in route.output:
        _put(data, field.path, _value(field, app, 0))
    if route.paging is not None and route.paging.style == "token":
        items = _get(data, route.paging.items)
        page = page_of(request, items if isinstance(items, list) else [], most=route.paging.size_max or 500)
        _put(data, route.paging.items, page["items"])
        _put(data, route.paging.more or "has_more", page["has_more"])
        _put(data, route.paging.next or "page_token", page.get("page_token", ""))
    return data


def _value(field: Project, app: str, index: int) -> Any:
    if "[]" in field.path:
        return [_one(field, app, number) for number in range(LIST_LENGTH)]
    return _one(field, app, index)


def _one(field: Project, app: str, index: int) -> Any:
    mark = f"{field.name}-{app}-{index}"
    if field.codec is not None:
        return _CODED[field.codec](mark)
    if field.fields:
        inner: dict[str, Any] = {}
        for member in field.fields:
            _put(inner, member.path, _value(member, app, index))
        return inner
    return _plain(
        field.type.removeprefix("list[").removesuffix("]") if "[]" in field.path else field.type,
        mark,
        index,
    )


def _plain(kind: str, mark: str, index: int) -> Any:
    if kind.startswith("list["):
        return [_plain(kind[5:-1], mark, index)]
    match kind:
        case "integer":
            return 1 + index
        case "number":
            return 1.5 + index
        case "int64":
            return str(1_780_000_000_000 + index)
        case "boolean":
            return True
        case "object":
            return {"mark": mark}
        case _:
            return mark


def _put(target: dict[str, Any], path: str, value: Any) -> None:
    """Put a value at a place; below `[]`, one value of the list into each item."""
    head, _, rest = path.partition(".")
    name = head.removesuffix("[]")
    if not rest:
        target[name] = value
    elif name == head:
        _put(target.setdefault(head, {}), rest, value)
    else:
        for item, one in zip(target.setdefault(name, [{} for _ in value]), value, strict=True):
            _put(item, rest, one)


def _get(data: Any, path: str) -> Any:
    for part in path.split("."):
        data = data.get(part) if isinstance(data, dict) else None
    return data
