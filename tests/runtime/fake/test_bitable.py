"""Bitable keeps what is written and refuses what the platform refuses."""

import uuid
from typing import Any

import pytest

from placet.testing import FakeFeishu
from tests.runtime.fake.client import PlainClient

pytestmark = pytest.mark.anyio

KEY = "5f0c1d9e-7a55-4a43-9a1e-3b5a1f0e2c11"


class Tasks:
    """A table of tasks with a few rows."""

    def __init__(self, fake: FakeFeishu) -> None:
        self.base = fake.tenant("cli_a1").bitable.add_base()
        self.table = self.base.add_table(
            "任务",
            {
                "任务": "Text",
                "状态": ("SingleSelect", ["待办", "完成"]),
                "工时": "Number",
                "截止": "DateTime",
                "负责人": "User",
            },
        )
        self.table.add_records(
            [
                {"任务": "写周报", "状态": "待办", "工时": 2, "截止": 1_780_000_000_000},
                {"任务": "对账", "状态": "完成", "工时": 5},
                {"任务": "招聘", "状态": "待办", "负责人": [{"id": "ou_zw"}]},
            ]
        )
        self.ids = list(self.table.records)
        self.path = f"/open-apis/bitable/v1/apps/{self.base.app_token}/tables/{self.table.table_id}"

    def titles(self) -> list[Any]:
        return [row.get("任务") for row in self.table.values]


@pytest.fixture
def tasks(fake: FakeFeishu) -> Tasks:
    return Tasks(fake)


def condition(field: str, operator: str, *value: str) -> dict[str, Any]:
    return {"field_name": field, "operator": operator, "value": list(value)}


@pytest.mark.parametrize(
    ("conditions", "found"),
    [
        pytest.param([condition("状态", "is", "待办")], ["写周报", "招聘"], id="select"),
        pytest.param([condition("工时", "isGreater", "2")], ["对账"], id="number"),
        pytest.param([condition("任务", "contains", "报")], ["写周报"], id="text"),
        pytest.param([condition("截止", "is", "Today")], ["写周报"], id="today"),
        pytest.param([condition("截止", "isLess", "ExactDate", "1780000000000")], [], id="exact-date"),
        pytest.param([condition("负责人", "contains", "ou_zw", "ou_x")], ["招聘"], id="person"),
        pytest.param([condition("工时", "isEmpty")], ["招聘"], id="empty"),
        pytest.param(
            [condition("状态", "is", "待办"), condition("工时", "isNotEmpty")], ["写周报"], id="two"
        ),
    ],
)
async def test_search_finds_what_the_conditions_say(
    client: PlainClient, tasks: Tasks, conditions: list[Any], found: list[str]
) -> None:
    """Conditions are read by the field's type."""
    body = {"filter": {"conjunction": "and", "conditions": conditions}}

    got = await client.send("POST", f"{tasks.path}/records/search", body)

    assert [item["fields"]["任务"][0]["text"] for item in got.data["items"]] == found
    assert got.data["total"] == len(found)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param(
            {"filter": {"conjunction": "and", "conditions": [condition("没有", "is", "x")]}},
            1254045,
            id="field",
        ),
        pytest.param(
            {"filter": {"conjunction": "and", "conditions": [condition("工时", "contains", "2")]}},
            1254018,
            id="operator",
        ),
        pytest.param({"sort": [{"field_name": "没有"}]}, 1254016, id="sort"),
        pytest.param({"field_names": ["没有"]}, 1254024, id="names"),
        pytest.param({"view_id": "vewNone"}, 1254042, id="view"),
    ],
)
async def test_search_refuses_what_it_cannot_do(
    client: PlainClient, tasks: Tasks, body: Any, code: int
) -> None:
    """A wrong search gets the code that says what is wrong."""
    assert (await client.send("POST", f"{tasks.path}/records/search", body)).code == code


async def test_lists_come_by_the_page_in_order(client: PlainClient, tasks: Tasks) -> None:
    """Following the tokens gives every record once, in the order asked for."""
    body, seen, token = {"sort": [{"field_name": "工时", "desc": True}]}, [], ""
    while True:
        page = (
            await client.send("POST", f"{tasks.path}/records/search?page_size=2&page_token={token}", body)
        ).data
        seen += [item["record_id"] for item in page["items"]]
        if not page["has_more"]:
            break
        token = page["page_token"]

    assert seen == [tasks.ids[1], tasks.ids[0], tasks.ids[2]]


async def test_an_update_changes_named_cells_and_null_empties_one(client: PlainClient, tasks: Tasks) -> None:
    """Fields that are not named keep their values."""
    path = f"{tasks.path}/records/{tasks.ids[0]}"

    await client.send("PUT", path, {"fields": {"状态": "完成", "工时": None}})

    assert tasks.table.values[0] == {"任务": "写周报", "状态": "完成", "截止": 1_780_000_000_000}


@pytest.mark.parametrize(
    ("action", "body", "code"),
    [
        pytest.param("batch_create", {"records": [{"fields": {"任务": "a"}}, {"fields": {"没有": 1}}]}, 1254045, id="add-field"),
        pytest.param("batch_create", {"records": [{"fields": {"任务": "a"}}, {"fields": {"工时": "5"}}]}, 1254061, id="add-value"),
        pytest.param("batch_create", {"records": [{"fields": {"任务": "a"}}] * 1001}, 1254104, id="add-too-many"),
        pytest.param("batch_update", {"records": [{"record_id": "recNone", "fields": {"任务": "a"}}]}, 1254043, id="update-record"),
        pytest.param("batch_delete", {"records": ["recNone"]}, 1254043, id="delete-record"),
        pytest.param("batch_delete", {"records": ["rec"] * 501}, 1254104, id="delete-too-many"),
    ],
)  # fmt: skip
async def test_a_batch_is_done_whole_or_not_at_all(
    client: PlainClient, tasks: Tasks, action: str, body: dict[str, Any], code: int
) -> None:
    """One bad row leaves the table as it was."""
    if action != "batch_create" and len(body["records"]) < 500:
        good = tasks.ids[0]
        body = {
            "records": [
                good if action == "batch_delete" else {"record_id": good, "fields": {"任务": "b"}},
                *body["records"],
            ]
        }

    got = await client.send("POST", f"{tasks.path}/records/{action}", body)

    assert got.code == code
    assert tasks.titles() == ["写周报", "对账", "招聘"]


async def test_an_idempotency_key_is_done_once(client: PlainClient, tasks: Tasks) -> None:
    """The same request under one key has one effect and one answer; another request is refused."""
    path = f"{tasks.path}/records?client_token={KEY}"

    first = await client.send("POST", path, {"fields": {"任务": "新"}})
    again = await client.send("POST", path, {"fields": {"任务": "新"}})
    other = await client.send("POST", path, {"fields": {"任务": "别的"}})

    assert first.data == again.data
    assert other.code == 1254608
    assert tasks.titles().count("新") == 1


async def test_a_key_must_be_a_uuid_of_version_4(client: PlainClient, tasks: Tasks) -> None:
    """Any other text is refused, as on the platform."""
    for key in ("abc", str(uuid.uuid5(uuid.NAMESPACE_DNS, "a"))):
        got = await client.send("POST", f"{tasks.path}/records?client_token={key}", {"fields": {}})
        assert got.code == 99992402


async def test_another_tenant_has_nothing_of_it(other: PlainClient, tasks: Tasks) -> None:
    """Each app has a world of its own, and each answer names the app it is for."""
    got = await other.send("POST", f"{tasks.path}/records/search", {})

    assert (got.code, got.headers["x-fake-app"]) == (1254040, "cli_b2")


async def test_tables_fields_and_views_are_made_and_changed(client: PlainClient, tasks: Tasks) -> None:
    """The schema's routes work upon the same state as the records'."""
    tables = tasks.path.rpartition("/")[0]
    made = (
        await client.send(
            "POST",
            tables,
            {"table": {"name": "客户", "fields": [{"field_name": "名称", "type": 1, "ui_type": "Text"}]}},
        )
    ).data
    twice = await client.send("POST", tables, {"table": {"name": "客户"}})
    path = f"{tables}/{made['table_id']}"
    field = (
        await client.send(
            "POST",
            f"{path}/fields",
            {
                "field_name": "级别",
                "type": 3,
                "ui_type": "SingleSelect",
                "property": {"options": [{"name": "A"}]},
            },
        )
    ).data["field"]
    await client.send("POST", f"{path}/records", {"fields": {"级别": "B"}})
    listed = (await client.send("GET", f"{path}/fields")).data["items"]
    view = (await client.send("POST", f"{path}/views", {"view_name": "看板", "view_type": "kanban"})).data[
        "view"
    ]
    await client.send(
        "PATCH", f"{path}/views/{view['view_id']}", {"property": {"hidden_fields": [field["field_id"]]}}
    )
    shown = (await client.send("GET", f"{path}/fields?view_id={view['view_id']}")).data["items"]

    assert twice.code == 1254013
    assert [one["name"] for one in listed[1]["property"]["options"]] == ["A", "B"]
    assert [one["field_name"] for one in shown] == ["名称"]
    assert (await client.send("DELETE", f"{path}/fields/{made['field_id_list'][0]}")).code == 1254046
    assert (await client.send("DELETE", path)).code == 0
    assert (await client.send("DELETE", tasks.path)).code == 1254034
