"""A person's tasks from the first idea to the last, through the gate."""

from typing import Any

import pytest

from tests.runtime.platforms.feishu.scenarios.work_desk import ACTOR, APP, desk

pytestmark = pytest.mark.anyio

MINE = [{"id": ACTOR, "role": "assignee"}]


async def test_a_task_is_made_found_changed_done_and_deleted() -> None:
    """Each step shows in the next reading."""
    async with desk("task") as at:
        made = await at.do("task.create_task", summary="写周报", due="2026-05-08", members=MINE)
        task = {"task_guid": made["task_guid"]}
        assert made["due"] == "2026-05-08"
        mine = await at.do("task.list_my_tasks", completed=False)
        assert [one["summary"] for one in mine["items"]] == ["写周报"]

        await at.do(
            "task.update_task", **task, changes={"due": "2026-05-09T18:00:00+08:00", "description": "五月"}
        )
        await at.do("task.add_reminder", **task, minutes_before=[60])
        read = await at.do("task.get_task", **task)
        assert read["fields"]["due"] == "2026-05-09T10:00:00Z"
        assert read["fields"]["description"] == "五月"
        assert [one["minutes_before"] for one in read["reminders"]] == [60]

        assert (await at.do("task.complete_task", **task))["completed"] != "0"
        assert (await at.do("task.list_my_tasks", completed=False))["items"] == []
        assert (await at.do("task.reopen_task", **task))["completed"] == "0"
        await at.do("task.delete_task", **task)
        assert (await at.do("task.search_tasks", query="周报"))["items"] == []


async def test_null_clears_and_what_is_not_named_stays() -> None:
    """A change names exactly the members that count."""
    async with desk("task") as at:
        made = await at.do(
            "task.create_task", summary="对账", description="四月", start="2026-05-01", due="2026-05-08"
        )
        task = {"task_guid": made["task_guid"]}

        arrived = await at.sent("task.update_task", **task, changes={"start": None, "summary": "四月对账"})

        assert arrived.json == {"task": {"summary": "四月对账"}, "update_fields": ["start", "summary"]}
        fields = (await at.do("task.get_task", **task))["fields"]
        assert fields == {"summary": "四月对账", "description": "四月", "due": "2026-05-08"}


async def test_a_task_is_shared_out_in_steps_with_people_comments_and_files() -> None:
    """Subtasks, members, comments and files belong to their task."""
    async with desk("task") as at:
        at.fake.tenant(APP).people["ou_li"] = "李四"
        made = await at.do("task.create_task", summary="发布会")
        task = {"task_guid": made["task_guid"]}

        step = await at.do("task.create_subtask", **task, summary="订场地")
        await at.do(
            "task.add_dependencies", **task, dependencies=[{"type": "prev", "task_guid": step["task_guid"]}]
        )
        people = await at.do("task.add_members", **task, members=[{"id": "ou_li", "role": "follower"}])
        assert people["members"] == [{"id": "ou_li", "name": "李四", "role": "follower"}]
        comment = await at.do("task.add_comment", **task, content="周三前定")
        await at.do("task.update_comment", comment_id=comment["comment_id"], content="周四前定")
        assert [one["content"] for one in (await at.do("task.list_comments", **task))["items"]] == [
            "周四前定"
        ]

        staged = await at.files.put(b"10:00 doors", name="plan.txt", app=APP, session=at.ctx.session)
        await at.do("task.upload_attachment", **task, file=staged.handle)
        files = (await at.do("task.list_attachments", **task))["items"]
        assert [(one["name"], one["bytes"]) for one in files] == [("plan.txt", 11)]
        await at.do("task.delete_attachment", attachment_guid=files[0]["attachment_guid"])

        read = await at.do("task.get_task", **task)
        assert (read["subtask_count"], read["dependencies"][0]["task_guid"]) == (1, step["task_guid"])
        await at.do("task.remove_members", **task, members=[{"id": "ou_li", "role": "follower"}])
        assert (await at.do("task.get_task", **task))["members"] == []


async def test_a_list_holds_tasks_in_sections_until_it_goes() -> None:
    """A deleted section leaves its tasks to the default one, a deleted list leaves them alone."""
    async with desk("task") as at:
        tasklist = {"tasklist_guid": (await at.do("task.create_tasklist", name="上线"))["tasklist_guid"]}
        section = {
            "section_guid": (await at.do("task.create_section", **tasklist, name="测试"))["section_guid"]
        }
        made = await at.do("task.create_task", summary="压测", tasklists=[{**tasklist, **section}])
        other = await at.do("task.create_task", summary="写文档")
        await at.do("task.add_to_tasklist", task_guid=other["task_guid"], **tasklist)

        assert await summaries(at, "task.list_section_tasks", **section) == ["压测"]
        assert await summaries(at, "task.list_tasklist_tasks", **tasklist) == ["压测", "写文档"]
        shared = [{"id": "oc_qa", "type": "chat", "role": "editor"}]
        await at.do("task.add_tasklist_members", **tasklist, list_members=shared)
        assert [one["id"] for one in (await at.do("task.get_tasklist", **tasklist))["members"]] == ["oc_qa"]

        await at.do("task.delete_section", **section)
        assert await summaries(at, "task.list_tasklist_tasks", **tasklist) == ["压测", "写文档"]
        await at.do("task.delete_tasklist", **tasklist)
        assert (await at.do("task.list_tasklists"))["items"] == []
        assert (await at.do("task.get_task", task_guid=made["task_guid"]))["tasklists"] == []


async def summaries(at: Any, tool: str, **arguments: Any) -> list[str]:
    return [one["summary"] for one in (await at.do(tool, **arguments))["items"]]
