"""What the platform answers in the measurements of the gate, and the arguments that ask for it."""

import json
from typing import Any

APP = "cli_bench"
TABLE = {"app_token": "bascnA", "table_id": "tblB"}
ROUTE = "/open-apis/bitable/v1/apps/bascnA/tables/tblB"

CELLS: dict[str, Any] = {
    "客户名称": [{"text": "上海某某科技有限公司", "type": "text"}],
    "Stage": "Negotiation",
    "Amount": 128000.5,
    "Owner": [
        {"id": "ou_1234567890abcdef", "name": "张三", "en_name": "San Zhang", "email": "san@example.com"}
    ],
    "Due": 1790000000000,
    "Note": [
        {
            "text": "下周二拜访, follow-up needed: the customer wants a second offer with the new price list, "
            "and the delivery in two parts.",
            "type": "text",
        }
    ],
}
"""Six fields as the platform writes them."""

READ_CELLS = {
    **CELLS,
    "客户名称": CELLS["客户名称"][0]["text"],
    "Owner": [{"id": "ou_1234567890abcdef", "name": "张三"}],
    "Note": CELLS["Note"][0]["text"],
}
"""The same as a model reads them: 307 characters of JSON with the record's id."""

GET_ARGUMENTS = {**TABLE, "record_ids": ["recABCDEF1234"]}
LIST_ARGUMENTS = {**TABLE, "page_size": 200}
FIELD_ARGUMENTS = {
    **TABLE,
    "name": "Stage",
    "type": "SingleSelect",
    "options": [{"name": "New"}, {"name": "Won"}],
}

RECORDS = 200


def _person(number: int) -> dict[str, str]:
    return {"id": f"ou_{number:016}", "name": "李四", "en_name": "Si Li", "email": "si@example.com"}


def _record(number: int) -> dict[str, Any]:
    return {
        "record_id": f"rec{number:08}",
        "fields": {**CELLS, "Note": [{"text": f"{number}: {CELLS['Note'][0]['text']}", "type": "text"}]},
        "created_by": _person(1),
        "created_time": 1780000000000,
        "last_modified_by": _person(2),
        "last_modified_time": 1785000000000,
    }


def _enveloped(data: Any) -> bytes:
    return json.dumps({"code": 0, "msg": "success", "data": data}, ensure_ascii=False).encode()


ONE_RECORD = _enveloped({"records": [{"record_id": "recABCDEF1234", "fields": CELLS}]})
MANY_RECORDS = _enveloped(
    {
        "has_more": True,
        "page_token": "pt_200",
        "total": 4321,
        "items": [_record(one) for one in range(RECORDS)],
    }
)
NEW_FIELD = _enveloped(
    {
        "field": {
            "field_id": "fldA",
            "field_name": "Stage",
            "type": 3,
            "property": {"options": [{"name": "New"}]},
        }
    }
)
TOKEN = json.dumps({"code": 0, "msg": "ok", "tenant_access_token": "t-bench", "expire": 7200}).encode()


def answer_to(target: str) -> bytes | None:
    """The body of the answer to a path; None for one that is none of ours."""
    path = target.partition("?")[0]
    if path.endswith("/tenant_access_token/internal"):
        return TOKEN
    ends = {"/records/batch_get": ONE_RECORD, "/records/search": MANY_RECORDS, "/fields": NEW_FIELD}
    return next((body for end, body in ends.items() if path.endswith(end)), None)
