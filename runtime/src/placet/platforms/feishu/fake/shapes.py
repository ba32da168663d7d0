"""Answers for routes without a state of their own: every field that a tool projects, with a value of its type.

Texts carry the app's id, so that an answer which reaches another tenant's call can be told.
"""

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
    "approval.comment": lambda mark: json.dumps({"text": mark, "files": []}),
    "approval.form_values": lambda mark: json.dumps(
        [{"id": "widget1", "name": "Reason", "type": "input", "value": mark}]
    ),
    "approval.form_widgets": lambda mark: json.dumps(
        [{"id": "widget1", "name": mark, "type": "input", "required": True}]
    ),
    "bitable.field_values": lambda mark: {"文本": [{"text": mark, "type": "text"}]},
    "bitable.table_access": lambda mark: 1,
    "spark.rows": lambda mark: json.dumps([{"id": "r1", "name": mark}]),
    "bitable.view_filter": lambda mark: {
        "conjunction": "and",
        "conditions": [{"field_id": "fld1", "operator": "is", "value": json.dumps([mark])}],
    },
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
    if field.path.endswith("[]"):
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
        field.type.removeprefix("list[").removesuffix("]") if field.path.endswith("[]") else field.type,
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
    *parents, last = path.split(".")
    for part in parents:
        target = target.setdefault(part, {})
    target[last.removesuffix("[]")] = value


def _get(data: Any, path: str) -> Any:
    for part in path.split("."):
        data = data.get(part) if isinstance(data, dict) else None
    return data
