"""Tasklists, their sections, and which tasks stand on them."""

from collections.abc import Iterable
from typing import Any

from placet.platforms.feishu.fake.paging import invalid_field, page_of
from placet.platforms.feishu.fake.task.state import Section, Task, Tasklist, Tasks, invalid
from placet.platforms.feishu.fake.world import Question

__all__ = ["Lists"]


class Lists:
    """Answers about tasklists, for one tenant."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    def put_on(self, question: Question) -> Any:
        task, body = self._tasks.task(question.path["task_guid"]), question.body
        self._tasks.put_on(task, body["tasklist_guid"], body.get("section_guid"))
        return {"task": self._tasks.as_wire(task)}

    def take_off(self, question: Question) -> Any:
        task = self._tasks.task(question.path["task_guid"])
        task.lists.pop(question.body["tasklist_guid"], None)
        return {"task": self._tasks.as_wire(task)}

    def list(self, question: Question) -> Any:
        items = [self._tasks.list_as_wire(one) for one in self._tasks.lists.values()]
        return page_of(question.request, items, most=100, usual=50)

    def search(self, question: Question) -> Any:
        text = str(question.body.get("query") or "")
        items = [
            {"id": one.guid, "display_info": one.name, "meta_data": {"app_link": ""}}
            for one in self._tasks.lists.values()
            if text in one.name
        ]
        return page_of(question.request, items, most=100)

    def create(self, question: Question) -> Any:
        name = question.body.get("name")
        if not name:
            raise invalid_field("name", "is required")
        owner = question.user or self._tasks.world.app
        return self._shown(self._tasks.add_tasklist(owner, name))

    def get(self, question: Question) -> Any:
        return self._shown(self._tasklist(question))

    def rename(self, question: Question) -> Any:
        tasklist, body = self._tasklist(question), question.body
        if body.get("update_fields") != ["name"]:
            raise invalid("update_fields is not valid")
        tasklist.name = body["tasklist"]["name"]
        return self._shown(tasklist)

    def delete(self, question: Question) -> Any:
        gone = self._tasklist(question).guid
        for task in self._tasks.tasks.values():
            task.lists.pop(gone, None)
        del self._tasks.lists[gone]
        return {}

    def add_members(self, question: Question) -> Any:
        tasklist = self._tasklist(question)
        for one in question.body["members"]:
            entry = {"id": one["id"], "type": one.get("type", "user"), "role": one.get("role", "viewer")}
            tasklist.members = [there for there in tasklist.members if there["id"] != entry["id"]]
            tasklist.members.append(entry)
        return self._shown(tasklist)

    def remove_members(self, question: Question) -> Any:
        tasklist, gone = self._tasklist(question), [one["id"] for one in question.body["members"]]
        tasklist.members = [one for one in tasklist.members if one["id"] not in gone]
        return self._shown(tasklist)

    def list_tasks(self, question: Question) -> Any:
        guid = self._tasklist(question).guid
        return self._page(question, [one for one in self._tasks.tasks.values() if guid in one.lists])

    def list_sections(self, question: Question) -> Any:
        sections = self._tasks.tasklist(question.query("resource_id")).sections
        items = [{"guid": one.guid, "name": one.name, "is_default": one.is_default} for one in sections]
        return page_of(question.request, items, most=100, usual=50)

    def create_section(self, question: Question) -> Any:
        body = question.body
        tasklist = self._tasks.tasklist(body.get("resource_id"))
        return self._section_shown(
            self._tasks.add_section(tasklist, body["name"], after=body.get("insert_after"))
        )

    def get_section(self, question: Question) -> Any:
        return self._section_shown(self._section(question))

    def rename_section(self, question: Question) -> Any:
        section, body = self._section(question), question.body
        if body.get("update_fields") != ["name"]:
            raise invalid("update_fields is not valid")
        section.name = body["section"]["name"]
        return self._section_shown(section)

    def delete_section(self, question: Question) -> Any:
        section = self._section(question)
        if section.is_default:
            raise invalid("the default section cannot be deleted")
        tasklist = self._tasks.tasklist(section.tasklist)
        for task in self._tasks.tasks.values():
            if task.lists.get(tasklist.guid) == section.guid:
                task.lists[tasklist.guid] = tasklist.sections[0].guid
        tasklist.sections.remove(section)
        return {}

    def list_section_tasks(self, question: Question) -> Any:
        section = self._section(question)
        there = [one for one in self._tasks.tasks.values() if one.lists.get(section.tasklist) == section.guid]
        return self._page(question, there)

    def _page(self, question: Question, tasks: Iterable[Task]) -> Any:
        done = question.query("completed")
        items = [self._tasks.as_wire(one) for one in tasks if done in (None, str(one.is_done).lower())]
        return page_of(question.request, items, most=100, usual=50)

    def _shown(self, tasklist: Tasklist) -> Any:
        return {"tasklist": self._tasks.list_as_wire(tasklist)}

    def _section_shown(self, section: Section) -> Any:
        tasklist = self._tasks.tasklist(section.tasklist)
        return {
            "section": {
                "guid": section.guid,
                "name": section.name,
                "is_default": section.is_default,
                "resource_type": "tasklist",
                "tasklist": {"guid": tasklist.guid, "name": tasklist.name},
            }
        }

    def _tasklist(self, question: Question) -> Tasklist:
        return self._tasks.tasklist(question.path["tasklist_guid"])

    def _section(self, question: Question) -> Section:
        return self._tasks.section(question.path["section_guid"])
