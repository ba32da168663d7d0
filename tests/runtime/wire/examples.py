"""Values for codecs that ask for more than their schema says, and bindings of kinds that no curated tool is yet."""

from typing import Any

from msgspec import Struct

from placet.contract.binding import Binding, Call, Slot
from placet.contract.platform import FileContent

__all__ = ["CODED", "FILE", "FORM", "MISNAMED", "SUPPLEMENT", "SUPPLEMENT_DOCUMENT", "Coded", "staged_file"]


FILE = "file_1"
"""The handle under which a case finds its staged file."""


class Coded(Struct, frozen=True, kw_only=True):
    """Model-form values of a codec; `cleared` is one with nulls, for slots where null clears."""

    values: tuple[Any, ...]
    cleared: Any = None


_DAY = "2026-08-07T00:00:00+08:00"
_OPERATORS = (
    "is", "is_not", "contains", "not_contains", "greater", "greater_or_equal", "less", "less_or_equal"
)  # fmt: skip


def _condition(field: str, op: str, value: Any) -> dict[str, Any]:
    return {field: "状态", "op": op, **value}


def _filters(field: str) -> tuple[Any, ...]:
    """Filters with every operator, joined in both ways, short and as long as they may be."""
    conditions = [_condition(field, op, {"value": ['a, "b"汉']}) for op in _OPERATORS]
    conditions += [_condition(field, op, {}) for op in ("is_empty", "is_not_empty")]
    return (
        {"match": "all", "conditions": conditions},
        {"match": "any", "conditions": conditions[:1]},
        {"conditions": [conditions[0]] * 50},
    )


_BLOCKS = ("text", "heading1", "heading2", "heading3", "bullet", "ordered", "todo", "quote", "code")
_BUTTON = {"text": '汉 "a"', "url": "https://example.com/?a=1&b=汉"}
_NOTICE = {"title": "周报", "color": "blue", "markdown": "**汉**", "buttons": [_BUTTON]}
_NOTICES = (
    *({"notice": {**_NOTICE, "color": color}} for color in ("green", "orange", "red", "grey")),
    {"notice": {"markdown": "a", "buttons": [_BUTTON] * 5}},
    {"notice": {"title": "a", "color": "blue", "markdown": "a"}},
)

CODED: dict[str, Coded] = {
    "admin.badge_end": Coded(values=("permanent", "2026-08-07T23:59:59+08:00")),
    "bitable.filter": Coded(
        values=(
            *_filters("field"),
            {"conditions": [{"field": "截止", "op": op, "date": _DAY} for op in ("is", "greater", "less")]},
            {"conditions": [{"field": "状态", "op": "contains", "value": [str(n) for n in range(10)]}]},
        )
    ),
    "lingo.term": Coded(values=("灰度 \"发布\"", "a")),
    "lingo.terms": Coded(values=(["金丝雀", "a&b"], ["a"] * 10)),
    "okr.progress_text": Coded(values=("留存 38%\n下周复查", "a")),
    "okr.text": Coded(values=("把次月留存提到 \"四成\"\n\n汉 &", "a")),
    "task.changes": Coded(
        values=(
            {
                "summary": "写 \"周报\"",
                "description": "汉 &",
                "due": "2026-05-01",
                "start": "2026-04-30T09:00:00+08:00",
                "repeat_rule": "FREQ=DAILY;INTERVAL=1",
                "is_milestone": True,
            },
            {"is_milestone": False},
            *({"summary": text} for text in ("a", "a" * 3000)),
        ),
        cleared={"due": None, "description": "x"},
    ),
    "task.time": Coded(values=("2026-05-01", "2026-05-01T18:00:00+08:00")),
    "bitable.view_filter": Coded(values=_filters("field_id")),
    "bitable.field_values": Coded(
        values=(
            {"任务": "写 \"周报\"", "工时": 2.5, "完成": True, "标签": ["a", "汉"], "空": ""},
            {"负责人": [{"id": "ou_zw"}], "链接": {"text": "稿", "link": "https://example.com/?a=1&b=汉"}},
            {"截止": {"date": _DAY}, "关联": ["recA"], "附件": [{"file_token": "boxA"}]},
            {},
        ),
        cleared={"任务": None, "工时": 1, "标签": None},
    ),
    "calendar.attendees": Coded(
        values=(["ou_zw"], ["ou_zw", "oc_1", "omm_1", "zhang@example.com"], [f"ou_{number}" for number in range(500)])
    ),
    "calendar.event_time": Coded(
        values=(
            {"start": _DAY, "end": "2026-08-07T00:30:00+08:00", "time_zone": "Asia/Shanghai"},
            {"start": _DAY, "end": "2026-08-07T00:30:00+08:00"},
            {"start": "2026-08-07", "end": "2026-08-09"},
        )
    ),
    "contact.group_people": Coded(values=(["ou_zw"], [f"ou_{number}" for number in range(100)])),
    "directory.department_filter": Coded(values=("0", "od-1")),
    "directory.employee_filter": Coded(
        values=(
            *({"department_ids": ["od-1", "od-2"], "status": status} for status in (1, 3, 4, 5)),
            *({name: ["a"] * 100} for name in ("department_ids", "emails", "mobiles", "job_numbers")),
            {"department_ids": ["od-1"], "job_numbers": ["A-7"]},
            {"emails": ["zhang@example.com"], "mobiles": ["+8613000000001"]},
        )
    ),
    "vc.viewers": Coded(values=(["ou_zw"], ["ou_zw", "oc_1", "organisation"], ["ou_zw"] * 50)),
    "vc.people": Coded(values=(["ou_zw"], [f"ou_{number}" for number in range(10)])),
    "ai.glossary": Coded(values=({"飞书": "Lark", "多维表格": "Base"}, {})),
    "helpdesk.text": Coded(values=("汉 \"a\" <b> &\n", "a")),
    "hire.day": Coded(values=("2026-06-01", "2028-02-29")),
    "docx.blocks": Coded(
        values=(
            [{"type": one, "text": "汉 \"a\""} for one in _BLOCKS] + [{"type": "divider"}],
            [{"type": "text", "text": "a"}] * 50,
            [],
            [
                *({"type": f"heading{level}", "text": "a"} for level in range(4, 10)),
                {"type": "text", "text": [{"text": "粗", "bold": True}, {"text": "链", "link": "https://a.cn/?a=1&b=汉"}]},
                {"type": "todo", "text": "a", "done": True},
                {"type": "code", "text": "x = 1", "language": "python"},
            ],
            [{"type": "text", "text": "a"}],
        )
    ),
    "im.card": Coded(values=({"notice": _NOTICE}, *_NOTICES, {"card": {"schema": "2.0", "名": "<&>"}})),
    "im.message": Coded(
        values=(
            {"text": "汉 \"a\" <b> &"},
            {"text": "语" * 50_000},
            {"text": "a", "mentions": ["ou_zw"] * 50},
            {"markdown": "**汉**", "title": "周报", "mentions": ["all"]},
            {"markdown": "语" * 10_000},
            {"image_key": "img_1"},
            {"file_key": "file_1"},
            {"audio_key": "file_2"},
            {"video_key": "file_3", "cover_key": "img_2"},
            {"chat_id": "oc_a"},
            {"open_id": "ou_zw"},
            {"notice": _NOTICE},
            *_NOTICES,
            {"card": {"schema": "2.0", "名": "<&>"}},
            {"card_id": "7355"},
        )
    ),
    "im.text": Coded(
        values=(
            {"text": "汉 \"a\" <b> &"},
            {"text": "语" * 50_000},
            {"text": "a", "mentions": ["ou_zw"] * 50},
            {"markdown": "**汉**", "title": "周报", "mentions": ["all"]},
            {"markdown": "语" * 10_000},
        )
    ),
    "mail.filter": Coded(
        values=(
            {
                "senders": ["li@example.com"],
                "recipients": ["zhang@example.com"],
                "subject": "汉 \"a\"",
                "folders": ["inbox"],
                "has_attachment": True,
                "only_unread": False,
                "since": _DAY,
                "until": _DAY,
            },
            {"has_attachment": False, "only_unread": True},
            {"since": _DAY},
        )
    ),
    "mail.raw": Coded(
        values=(
            {
                "sender": "张三 <zhang@example.com>",
                "to": ["li@example.com"],
                "cc": ["a@example.com"],
                "bcc": ["b@example.com"],
                "subject": "汉 \"a\"",
                "text": "汉\n<a>",
                "in_reply_to": "<m1@example.com>",
                "references": ["<m0@example.com>", "<m1@example.com>"],
                "replied_message_id": "TUlH+/=",
            },
            {"sender": "zhang@example.com", "html": "<p>汉</p>"},
            {"sender": "z@example.com", "subject": "a" * 900, "text": "x"},
            {"sender": "z@example.com", "text": "x", "to": ["a@b.cn"] * 100, "cc": ["a@b.cn"] * 100},
            {"sender": "z@example.com", "text": "x", "bcc": ["a@b.cn"] * 100, "references": ["<a@b>"] * 50},
        )
    ),
    "docx.nested_blocks": Coded(
        values=(
            [
                {"type": "bullet", "text": "一", "children": [{"type": "bullet", "text": "二"}]},
                {"type": "callout", "children": [{"type": "text", "text": "注"}]},
                {"type": "quote_container", "children": [{"type": "text", "text": "注"}]},
                {"type": "table", "rows": [["甲", "乙"], ["1", "2"]]},
                {"type": "todo", "text": "a", "done": True},
                {"type": "code", "text": "x = 1", "language": "python"},
                {"type": "divider"},
            ],
            [{"type": one, "text": "a"} for one in (*_BLOCKS, *(f"heading{level}" for level in range(4, 10)))],
            [{"type": "ordered", "text": "x"}],
            [{"type": "ordered", "text": "x"}] * 50,
        )
    ),
    "docx.text": Coded(
        values=("汉 <b>", [{"text": "粗", "bold": True, "italic": True}, {"text": "a", "code": True}], "")
    ),
    "drive.comment": Coded(values=("请看 @ou_zw1 汉 <b>", "好")),
    "drive.comments": Coded(values=("请看 @ou_zw1 汉 <b>", "好")),
    "approval.form": Coded(
        values=(
            [
                {"id": "widget1", "type": "input", "value": "汉 \"a\""},
                {"id": "widget2", "type": "amount", "value": 1280.5, "currency": "CNY"},
                {"id": "widget3", "type": "date", "value": "2026-06-03T09:00:00+08:00"},
                {"id": "widget4", "type": "checkboxV2", "value": ["a", "b"]},
            ],
            [{"id": "widget5", "type": "number", "value": 3}],
            [{"id": "widget6", "type": "contact", "value": ["ou_zw"]}],
            [{"id": "widget7", "type": "fieldList", "value": [[{"id": "w8", "type": "input", "value": "Taxi"}]]}],
        )
    ),
}  # fmt: skip

FORM = Binding(
    calls=(
        Call(
            sdk="drive.v1.media.upload_all",
            http="POST",
            route="/open-apis/drive/v1/medias/upload_all",
            body="multipart",
        ),
    ),
    slots=(
        Slot(argument="name", to=("form.file_name",), default_from="file.name"),
        Slot(argument="kind", to=("form.parent_type",)),
        Slot(argument="place", to=("form.parent_node",)),
        Slot(argument="size", to=("form.size",), type="integer"),
        Slot(argument="file", to=("form.file",), type="file"),
    ),
)
"""A form with a file: until a curated tool sends one, this keeps the way open."""

SUPPLEMENT = Binding(
    calls=(
        Call(
            sdk="supplement:cells.read_cells",
            http="POST",
            route="/open-apis/sheets/v2/spreadsheets/:token/values_batch",
            body="json",
        ),
    ),
    slots=(
        Slot(argument="token", to=("path.token",)),
        Slot(argument="render", to=("query.render",)),
        Slot(argument="ranges", to=("body.ranges",), type="list[string]"),
    ),
)

SUPPLEMENT_DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "paths": {
        "/open-apis/sheets/v2/spreadsheets/{token}/values_batch": {
            "post": {
                "operationId": "read_cells",
                "parameters": [
                    {"name": "token", "in": "path", "required": True, "schema": {"type": "string"}},
                    {"name": "render", "in": "query", "schema": {"type": "string"}},
                ],
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "properties": {"ranges": {"type": "array", "items": {"type": "string"}}},
                                "required": ["ranges"],
                                "additionalProperties": False,
                            }
                        }
                    }
                },
            }
        }
    },
}

MISNAMED = Binding(
    calls=(
        Call(
            sdk="bitable.v1.app_table.patch",
            http="PATCH",
            route="/open-apis/bitable/v1/apps/:app_token/tables/:table_id",
            body="json",
        ),
    ),
    slots=(
        Slot(argument="app_token", to=("path.app_token",)),
        Slot(argument="table_id", to=("path.table_id",)),
        Slot(argument="name", to=("body.nmae",)),
    ),
)
"""A binding with a misspelt field: the proof has to see it."""


def staged_file() -> FileContent:
    """A file whose name and content every encoder must quote with care."""
    content = b"\r\n--boundary\r\n\x00\xff"

    async def read() -> bytes:
        return content

    return FileContent(
        name="汉 a.txt", media_type="text/plain", size=len(content), sha256="0" * 64, read=read
    )
