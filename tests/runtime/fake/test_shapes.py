"""Every curated route answers with what its tools read, whether it has a state or not."""

from typing import Any

import anyio
import pytest

from placet.contract.tool import AnyTool
from placet.platforms.feishu.codecs import CODECS
from placet.platforms.feishu.fake import FakeTenant
from placet.platforms.feishu.fake.approval import Comment
from placet.platforms.feishu.fake.calendar import APP
from placet.platforms.feishu.fake.routes import installed_tools
from placet.projection import Projector
from placet.testing import FakeFeishu, Node
from tests.runtime.fake.client import PlainClient
from tests.runtime.fake.filled_chat import filled_chat
from tests.runtime.fake.filled_docs import DOMAINS, filled_docs
from tests.runtime.fake.filled_work import filled_sheets, filled_tasks

TOOLS = [
    tool
    for tool in installed_tools()
    if len(tool.binding.calls) == 1
    and (tool.binding.calls[0].answer, tool.binding.calls[0].body) != ("file", "none")
    and tool.binding.calls[0].body != "multipart"
]
"""Those of one request, in JSON and answered in JSON; files and routines go through a gate in the scenarios."""

FORM = '[{"id": "widget1", "type": "input", "value": "休假"}]'


WITH_STATE = {(route.method, route.route) for route in FakeTenant("", lambda: 0.0).routes()}


class Filled:
    """A tenant in which every id of a route exists.

    Attributes:
        path: Placeholder to such an id.
        bodies: Tool to a body that is accepted; others take an empty object.
        query: What the routes of chats and of cells want besides.
        resources: Tool to the `resource_id` of its query.
        unfiltered: A sheet that has no filter yet.
    """

    def __init__(self, fake: FakeFeishu) -> None:
        tenant = fake.tenant("cli_a1")
        base = tenant.bitable.add_base("任务")
        base.add_table("空")
        table = base.add_table("任务", {"任务": "Text", "状态": ("SingleSelect", ["待办"]), "负责人": "User"})
        (record,) = table.add_records(
            [{"任务": "写", "状态": "待办", "负责人": [{"id": "ou_zw"}]}], by="ou_zw"
        )
        kind = tenant.approval.add_definition(
            "请假", nodes=[Node(node_id="n1", name="主管", approvers=("ou_zw",))]
        )
        instance = tenant.approval.file(kind, "ou_zw", FORM)
        comment = Comment(comment_id="1", open_id="ou_zw", content='{"text": "?"}', time=0)
        instance.comments["1"] = comment
        talk = filled_chat(tenant.im)
        self.path = {
            **talk.path,
            "app_token": base.app_token,
            "table_id": table.table_id,
            "record_id": record.record_id,
            "field_id": list(table.fields)[1],
            "view_id": next(iter(table.views)),
            "approval_code": kind.approval_code,
            "instance_id": instance.instance_code,
            "comment_id": "1",
            **_calendar_ids(tenant),
        }
        named = {
            "approval_code": kind.approval_code,
            "instance_code": instance.instance_code,
            "user_id": "ou_zw",
        }
        decided = {**named, "task_id": instance.tasks[0].task_id}
        field = {
            "field_name": "级别",
            "type": 3,
            "ui_type": "SingleSelect",
            "property": {"options": [{"name": "A"}]},
        }
        row = {"fields": {"任务": "对账"}}
        self.query = talk.query
        self.bodies: dict[str, Any] = {
            **talk.bodies,
            "bitable.add_record": row,
            "bitable.add_records": {"records": [row]},
            "bitable.update_record": row,
            "bitable.update_records": {"records": [{"record_id": record.record_id, **row}]},
            "bitable.delete_records": {"records": [record.record_id]},
            "bitable.get_records": {"record_ids": [record.record_id, "recNone"], "automatic_fields": True},
            "bitable.query_records": {"automatic_fields": True},
            "bitable.create_table": {
                "table": {"name": "客户", "fields": [field | {"type": 1, "ui_type": "Text"}]}
            },
            "bitable.rename_table": {"name": "新"},
            "bitable.create_field": field,
            "bitable.update_field": field,
            "bitable.create_view": {"view_name": "看板", "view_type": "kanban"},
            "bitable.update_view": {"property": {"hidden_fields": []}},
            "approval.create_instance": {
                "approval_code": kind.approval_code,
                "open_id": "ou_zw",
                "form": FORM,
            },
            "approval.preview_approvers": {"approval_code": kind.approval_code},
            "approval.cancel_instance": named,
            "approval.approve_task": decided,
            "approval.reject_task": decided,
            "approval.transfer_task": {**decided, "transfer_user_id": "ou_li"},
            "approval.add_comment": {"content": '{"text": "!"}'},
            **CALENDAR_BODIES,
        }
        path, cells, self.unfiltered, bodies = filled_sheets(tenant)
        self.query += cells
        self.path.update(path)
        self.bodies.update(bodies)
        path, self.resources, bodies = filled_tasks(tenant)
        self.path.update(path)
        self.bodies.update(bodies)


EVENT = {
    "summary": "评审",
    "start_time": {"timestamp": "1777860000", "timezone": "Asia/Shanghai"},
    "end_time": {"timestamp": "1777863600", "timezone": "Asia/Shanghai"},
}
GUEST = {"type": "user", "user_id": "ou_zw"}
BUSY = {"time_min": "2026-05-04T00:00:00+08:00", "time_max": "2026-05-05T00:00:00+08:00"}
CALENDAR_BODIES: dict[str, Any] = {
    "calendar.create_event": EVENT,
    "calendar.update_event": {"summary": "复审"},
    "calendar.add_event_attendees": {"attendees": [GUEST | {"user_id": "ou_li"}]},
    "calendar.remove_event_attendees": {"delete_ids": [GUEST]},
    "calendar.reply_event": {"rsvp_status": "accept"},
    "calendar.list_busy_times": {**BUSY, "user_id": "ou_zw"},
    "calendar.compare_busy_times": {**BUSY, "user_ids": ["ou_zw"]},
    "calendar.find_primary_calendars": {"user_ids": ["ou_zw"]},
    "calendar.share_calendar": {"scope": {"type": "user", "user_id": "ou_li"}, "role": "reader"},
}


def _calendar_ids(tenant: FakeTenant) -> dict[str, str]:
    """A shared calendar of the app itself with an event to which app and person are invited."""
    calendar = tenant.calendar.add_calendar(APP, "团队", shares={"user_ou_zw": ("ou_zw", "reader")})
    event = tenant.calendar.add_event(calendar, EVENT)
    for guest in (APP, "ou_zw"):
        tenant.calendar.invite(event, "user", guest)
    return {"calendar_id": calendar.calendar_id, "event_id": event.event_id, "acl_id": "user_ou_zw"}


@pytest.mark.anyio
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
async def test_every_answer_is_one_that_its_tool_reads(
    fake: FakeFeishu, client: PlainClient, tool: AnyTool
) -> None:
    """Values have the declared types; without a state of its own, a route answers every field besides."""
    filled = Filled(fake)
    if tool.name == "sheets.create_filter":
        filled.path["sheet_id"] = filled.unfiltered
    if tool.name.partition(".")[0] in DOMAINS:
        filled.path, filled.query, filled.bodies = filled_docs(fake.tenant("cli_a1"), tool.name)
    (call,) = tool.binding.calls
    parts = [filled.path.get(part[1:], "x") if part[:1] == ":" else part for part in call.route.split("/")]
    times = "start_time=1777852800&end_time=1777939200"
    query = f"?user_id=ou_zw&topic=1&{times}&{filled.query}&resource_id={filled.resources.get(tool.name, '')}"
    token = None if "tenant" in tool.identity else fake.user_tokens("cli_a1", "ou_zw").access
    body = filled.bodies.get(tool.name, {}) if call.body == "json" else None

    got = await client.send(call.http, "/".join(parts) + query, body, token=token)
    if call.answer == "file":
        assert got.body.startswith(b"file of cli_a1")
        return
    projected = Projector(tool.binding.output, CODECS.__getitem__).project(got.data)

    assert projected.drift == ()
    if (call.http, call.route) not in WITH_STATE:
        assert projected.data.keys() == {field.name for field in tool.binding.output}
    elif tool.binding.output:
        assert projected.data


@pytest.mark.anyio
async def test_answers_carry_the_apps_mark(client: PlainClient, other: PlainClient) -> None:
    """An answer that reaches another tenant's call can be told by its texts."""
    path = "/open-apis/bitable/v1/apps/x/dashboards"

    texts = [(await one.send("GET", path)).body.decode() for one in (client, other)]

    assert ("cli_a1" in texts[0], "cli_b2" in texts[0]) == (True, False)
    assert ("cli_a1" in texts[1], "cli_b2" in texts[1]) == (False, True)


@pytest.mark.anyio
async def test_lists_without_state_come_by_the_page(client: PlainClient) -> None:
    """Their pages follow the same rules."""
    path = "/open-apis/bitable/v1/apps/x/dashboards"
    first = (await client.send("GET", f"{path}?page_size=2")).data
    second = (await client.send("GET", f"{path}?page_size=2&page_token={first['page_token']}")).data

    assert [len(page["dashboards"]) for page in (first, second)] == [2, 1]
    assert (first["has_more"], second["has_more"]) == (True, False)


@pytest.mark.anyio
async def test_an_unknown_route_is_not_found(client: PlainClient) -> None:
    """As on the platform: plain text and 404."""
    got = await client.send("GET", "/open-apis/nothing/v1/here")

    assert (got.status, got.body) == (404, b"404 page not found")


@pytest.mark.anyio
async def test_interleaved_calls_keep_to_their_tenant(
    fake: FakeFeishu, client: PlainClient, other: PlainClient
) -> None:
    """Every answer of two busy apps carries the mark of the app that asked."""
    path = "/open-apis/bitable/v1/apps/x/workflows"
    await client.log_in()
    await other.log_in()
    marks: list[tuple[str, str]] = []

    async def ask(one: PlainClient, app: str) -> None:
        for _ in range(25):
            got = await one.send("GET", path)
            marks.append((app, got.headers["x-fake-app"]))

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(ask, client, "cli_a1")
            tasks.start_soon(ask, other, "cli_b2")

    assert len(marks) == 200
    assert all(asked == answered for asked, answered in marks)
