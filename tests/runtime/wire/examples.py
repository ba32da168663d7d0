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


CODED: dict[str, Coded] = {
    "bitable.filter": Coded(
        values=(
            *_filters("field"),
            {"conditions": [{"field": "截止", "op": op, "date": _DAY} for op in ("is", "greater", "less")]},
            {"conditions": [{"field": "状态", "op": "contains", "value": [str(n) for n in range(10)]}]},
        )
    ),
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
    "ai.glossary": Coded(values=({"飞书": "Lark", "多维表格": "Base"}, {})),
    "helpdesk.text": Coded(values=("汉 \"a\" <b> &\n", "a")),
    "hire.day": Coded(values=("2026-06-01", "2028-02-29")),
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
