"""Staff are found without a person's consent, and HR's own knowledge is on by name only."""

import pytest

from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.people import hosted

pytestmark = pytest.mark.anyio


async def test_a_name_is_found_with_the_apps_own_view() -> None:
    """The fields that come back are asked for by name, and every person is named by open_id."""
    async with hosted() as host:
        found = await host.ask("directory.search_employees", query="李四", page_size=50)

        assert host.last.identity is Identity.TENANT
        assert host.last.first("employee_id_type") == "open_id"
        body = host.last.json
        assert (body["query"], body["page_request"]) == ("李四", {"page_size": 50})
        assert "base_info.mobile" not in body["required_fields"]
        assert found["items"][0]["open_id"]


async def test_who_leaves_is_listed_by_department_and_state() -> None:
    """A filter of plain names becomes the platform's conditions."""
    asked = {"filter": {"department_ids": ["od-1"], "status": 5}}
    async with hosted() as host:
        assert (await host.result("directory.list_employees", asked)).kind == "refused"

    async with hosted(reads=("directory.list_employees",)) as host:
        await host.ask("directory.list_employees", **asked)

        assert host.last.json["filter"] == {
            "conditions": [
                {"field": "base_info.departments.department_id", "operator": "in", "value": '["od-1"]'},
                {"field": "work_info.staff_status", "operator": "eq", "value": "5"},
            ]
        }


async def test_the_next_level_of_departments_is_asked_for_by_its_parent() -> None:
    """The top is 0."""
    async with hosted() as host:
        found = await host.ask("directory.list_departments", parent_department_id="0")

        assert host.last.json["filter"]["conditions"][0]["value"] == '"0"'
        assert host.last.json["page_request"] == {"page_size": 20}
        assert {"department_id", "name"} <= set(found["items"][0])


async def test_a_departure_is_marked_with_day_kind_and_reason() -> None:
    """What HR decided arrives as it was said, for the person who was meant."""
    async with hosted(writes=("directory.schedule_departure",)) as host:
        await host.ask(
            "directory.schedule_departure", open_id="ou_ls", last_day="2026-05-31", kind="1", reason="11"
        )

        assert (host.last.method, host.last.path) == (
            "PATCH",
            "/open-apis/directory/v1/employees/ou_ls/to_be_resigned",
        )
        assert host.last.json == {
            "employee": {"resign_date": "2026-05-31", "resign_type": "1", "resign_reason": "11"}
        }


async def test_a_new_employee_joins_their_departments_in_order() -> None:
    """The first department is the main one."""
    async with hosted(writes=("directory.create_employee",)) as host:
        made = await host.ask(
            "directory.create_employee",
            name="赵六",
            mobile="13000000001",
            department_ids=["od-1", "od-2"],
            joins="2026-05-04",
        )

        assert host.last.json["employee"] == {
            "name": {"name": {"default_value": "赵六"}},
            "mobile": "13000000001",
            "employee_order_in_departments": [{"department_id": "od-1"}, {"department_id": "od-2"}],
            "join_date": "2026-05-04",
        }
        assert made["open_id"]
