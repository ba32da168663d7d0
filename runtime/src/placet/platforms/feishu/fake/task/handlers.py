"""The routes of tasks over the state."""

from collections.abc import Iterable, Mapping
from typing import Any

from placet.platforms.feishu.fake.paging import invalid_field, page_of
from placet.platforms.feishu.fake.task.lists import Lists
from placet.platforms.feishu.fake.task.state import Task, Tasks, invalid, missing
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_V2 = "/open-apis/task/v2"
_TASKS = f"{_V2}/tasks"
_TASK = f"{_TASKS}/:task_guid"
_LISTS = f"{_V2}/tasklists"
_LIST = f"{_LISTS}/:tasklist_guid"
_SECTIONS = f"{_V2}/sections"
_SECTION = f"{_SECTIONS}/:section_guid"
_COMMENTS, _FILES = f"{_V2}/comments", f"{_V2}/attachments"


def handlers(tasks: Tasks) -> Mapping[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    one, beside, lists = _Tasks(tasks), _Beside(tasks), Lists(tasks)
    return {
        ("GET", _TASKS): one.list_mine,
        ("GET", f"{_V2}/task_v2/list_related_task"): one.list_related,
        ("POST", f"{_TASKS}/search"): one.search,
        ("POST", _TASKS): one.create,
        ("GET", _TASK): one.get,
        ("PATCH", _TASK): one.update,
        ("DELETE", _TASK): one.delete,
        ("GET", f"{_TASK}/subtasks"): one.list_subtasks,
        ("POST", f"{_TASK}/subtasks"): one.create_subtask,
        ("POST", f"{_TASK}/add_members"): one.add_members,
        ("POST", f"{_TASK}/remove_members"): one.remove_members,
        ("POST", f"{_TASK}/add_reminders"): one.add_reminders,
        ("POST", f"{_TASK}/remove_reminders"): one.remove_reminders,
        ("POST", f"{_TASK}/add_dependencies"): one.add_dependencies,
        ("POST", f"{_TASK}/remove_dependencies"): one.remove_dependencies,
        ("POST", f"{_TASK}/add_tasklist"): lists.put_on,
        ("POST", f"{_TASK}/remove_tasklist"): lists.take_off,
        ("GET", _COMMENTS): beside.list_comments,
        ("POST", _COMMENTS): beside.add_comment,
        ("GET", f"{_COMMENTS}/:comment_id"): beside.get_comment,
        ("PATCH", f"{_COMMENTS}/:comment_id"): beside.update_comment,
        ("DELETE", f"{_COMMENTS}/:comment_id"): beside.delete_comment,
        ("GET", _FILES): beside.list_files,
        ("POST", f"{_FILES}/upload"): beside.upload,
        ("GET", f"{_FILES}/:attachment_guid"): beside.get_file,
        ("DELETE", f"{_FILES}/:attachment_guid"): beside.delete_file,
        ("GET", _LISTS): lists.list,
        ("POST", f"{_LISTS}/search"): lists.search,
        ("POST", _LISTS): lists.create,
        ("GET", _LIST): lists.get,
        ("PATCH", _LIST): lists.rename,
        ("DELETE", _LIST): lists.delete,
        ("POST", f"{_LIST}/add_members"): lists.add_members,
        ("POST", f"{_LIST}/remove_members"): lists.remove_members,
        ("GET", f"{_LIST}/tasks"): lists.list_tasks,
        ("GET", _SECTIONS): lists.list_sections,
        ("POST", _SECTIONS): lists.create_section,
        ("GET", _SECTION): lists.get_section,
        ("PATCH", _SECTION): lists.rename_section,
        ("DELETE", _SECTION): lists.delete_section,
        ("GET", f"{_SECTION}/tasks"): lists.list_section_tasks,
    }


class _Tasks:
    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    def list_mine(self, question: Question) -> Any:
        mine = [one for one in self._tasks.tasks.values() if one.belongs_to(question.user, ("assignee",))]
        return self._page(question, mine)

    def list_related(self, question: Question) -> Any:
        who = question.user
        related = [one for one in self._tasks.tasks.values() if who == one.creator or one.belongs_to(who)]
        return self._page(question, related)

    def search(self, question: Question) -> Any:
        body = question.body
        wanted, text = body.get("filter") or {}, str(body.get("query") or "")
        items = [
            {
                "id": one.guid,
                "display_info": one.fields.get("summary", ""),
                "meta_data": {"description": one.fields.get("description", ""), "app_link": ""},
            }
            for one in self._tasks.tasks.values()
            if text in f"{one.fields.get('summary', '')} {one.fields.get('description', '')}"
            and wanted.get("is_completed") in (None, one.is_done)
            and _any_of(wanted.get("creator_ids"), [one.creator])
            and _any_of(wanted.get("assignee_ids"), _people(one, "assignee"))
            and _any_of(wanted.get("follower_ids"), _people(one, "follower"))
        ]
        return page_of(question.request, items, most=100)

    def create(self, question: Question) -> Any:
        return self._created(question, "task", "")

    def create_subtask(self, question: Question) -> Any:
        return self._created(question, "subtask", self._task(question).guid)

    def get(self, question: Question) -> Any:
        return self._shown(self._task(question))

    def update(self, question: Question) -> Any:
        task, body = self._task(question), question.body
        self._tasks.update(task, body.get("task") or {}, body.get("update_fields") or [])
        return self._shown(task)

    def delete(self, question: Question) -> Any:
        self._tasks.remove(self._task(question))
        return {}

    def list_subtasks(self, question: Question) -> Any:
        parent = self._task(question).guid
        return self._page(question, [one for one in self._tasks.tasks.values() if one.parent == parent])

    def add_members(self, question: Question) -> Any:
        task, body = self._task(question), question.body
        self._tasks.add_members(task, body["members"])
        return self._shown(task)

    def remove_members(self, question: Question) -> Any:
        task = self._task(question)
        gone = {(one["id"], one["role"]) for one in question.body["members"]}
        task.members = [one for one in task.members if (one["id"], one["role"]) not in gone]
        return self._shown(task)

    def add_reminders(self, question: Question) -> Any:
        task = self._task(question)
        self._tasks.remind(task, question.body["reminders"])
        return self._shown(task)

    def remove_reminders(self, question: Question) -> Any:
        task, gone = self._task(question), question.body["reminder_ids"]
        task.reminders = [one for one in task.reminders if one["id"] not in gone]
        return self._shown(task)

    def add_dependencies(self, question: Question) -> Any:
        task = self._task(question)
        for one in question.body["dependencies"]:
            if self._tasks.task(one["task_guid"]) is task:
                raise invalid("a task cannot depend on itself")
            task.dependencies.append({"type": one["type"], "task_guid": one["task_guid"]})
        return {"dependencies": task.dependencies}

    def remove_dependencies(self, question: Question) -> Any:
        task, gone = self._task(question), [one["task_guid"] for one in question.body["dependencies"]]
        task.dependencies = [one for one in task.dependencies if one["task_guid"] not in gone]
        return {"dependencies": task.dependencies}

    def _created(self, question: Question, name: str, parent: str) -> Any:
        body = question.body
        if not body.get("summary"):
            raise invalid_field("summary", "is required")
        creator = question.user or self._tasks.world.app

        def act() -> Any:
            return {name: self._tasks.as_wire(self._tasks.add_task(creator, body, parent=parent))}

        return self._tasks.world.once(question, body.get("client_token"), act)

    def _page(self, question: Question, tasks: Iterable[Task]) -> Any:
        done = question.query("completed")
        items = [self._tasks.as_wire(one) for one in tasks if done in (None, str(one.is_done).lower())]
        return page_of(question.request, items, most=100, usual=50)

    def _shown(self, task: Task) -> Any:
        return {"task": self._tasks.as_wire(task)}

    def _task(self, question: Question) -> Task:
        return self._tasks.task(question.path["task_guid"])


class _Beside:
    """Comments and files."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    def list_comments(self, question: Question) -> Any:
        items = self._on(question, self._tasks.comments)
        return page_of(
            question.request, items[:: -1 if question.query("direction") == "desc" else 1], most=100
        )

    def add_comment(self, question: Question) -> Any:
        body, world = question.body, self._tasks.world
        task = self._tasks.task(body.get("resource_id"))
        made = {
            "id": world.new_number(),
            "content": body["content"],
            "creator": {"id": question.user or world.app, "type": "user", "role": "creator"},
            "reply_to_comment_id": body.get("reply_to_comment_id") or "",
            "created_at": str(world.millis()),
            "resource_type": "task",
            "resource_id": task.guid,
        }
        self._tasks.comments[str(made["id"])] = made
        return {"comment": made}

    def get_comment(self, question: Question) -> Any:
        return {"comment": self._comment(question)}

    def update_comment(self, question: Question) -> Any:
        comment, body = self._comment(question), question.body
        if body.get("update_fields") != ["content"]:
            raise invalid("update_fields is not valid")
        comment["content"] = body["comment"]["content"]
        return {"comment": comment}

    def delete_comment(self, question: Question) -> Any:
        del self._tasks.comments[self._comment(question)["id"]]
        return {}

    def list_files(self, question: Question) -> Any:
        return page_of(question.request, self._on(question, self._tasks.files), most=100)

    def upload(self, question: Question) -> Any:
        parts = {one.name: one for one in question.request.parts}
        task, world = self._tasks.task(parts["resource_id"].content.decode()), self._tasks.world
        guid = world.new_id("file-")
        made = {
            "guid": guid,
            "name": parts["file"].file_name,
            "size": len(parts["file"].content),
            "uploader": {"id": question.user or world.app, "type": "user"},
            "uploaded_at": str(world.millis()),
            "url": f"https://example.feishu.cn/file/{guid}",
            "resource_id": task.guid,
        }
        self._tasks.files[guid] = made
        return {"items": [made]}

    def get_file(self, question: Question) -> Any:
        return {"attachment": self._file(question)}

    def delete_file(self, question: Question) -> Any:
        del self._tasks.files[self._file(question)["guid"]]
        return {}

    def _on(self, question: Question, things: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
        task = self._tasks.task(question.query("resource_id"))
        return [one for one in things.values() if one["resource_id"] == task.guid]

    def _comment(self, question: Question) -> dict[str, Any]:
        found = self._tasks.comments.get(question.path["comment_id"])
        if found is None:
            raise missing("comment")
        return found

    def _file(self, question: Question) -> dict[str, Any]:
        found = self._tasks.files.get(question.path["attachment_guid"])
        if found is None:
            raise missing("attachment")
        return found


def _people(task: Task, role: str) -> list[str]:
    return [one["id"] for one in task.members if one["role"] == role]


def _any_of(wanted: list[str] | None, there: list[str]) -> bool:
    return not wanted or any(one in there for one in wanted)
