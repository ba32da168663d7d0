"""What a tenant has to do, and the lists it stands on."""

from dataclasses import dataclass, field
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.world import World

__all__ = ["Section", "Task", "Tasklist", "Tasks", "invalid", "missing"]

_CHANGEABLE = frozenset(
    {"summary", "description", "due", "start", "completed_at", "repeat_rule", "is_milestone", "extra", "mode"}
)


def missing(what: str) -> ApiError:
    return ApiError(1470404, f"{what} is not found", status=404)


def invalid(about: str) -> ApiError:
    return ApiError(1470400, about)


@dataclass(kw_only=True)
class Task:
    """A task. `fields` are the members that an update may change, as on the wire; `lists` is tasklist to section."""

    guid: str
    creator: str
    created: int
    fields: dict[str, Any]
    parent: str = ""
    members: list[dict[str, Any]] = field(default_factory=list)
    reminders: list[dict[str, Any]] = field(default_factory=list)
    lists: dict[str, str] = field(default_factory=dict)
    dependencies: list[dict[str, Any]] = field(default_factory=list)

    @property
    def is_done(self) -> bool:
        return self.fields.get("completed_at", "0") not in ("0", "", None)

    def belongs_to(self, open_id: str, roles: tuple[str, ...] = ("assignee", "follower")) -> bool:
        return any(one["id"] == open_id and one["role"] in roles for one in self.members)


@dataclass(kw_only=True)
class Section:
    """A part of a tasklist."""

    guid: str
    name: str
    tasklist: str
    is_default: bool = False


@dataclass(kw_only=True)
class Tasklist:
    """A tasklist; its sections stand in their order, the default one first."""

    guid: str
    name: str
    owner: str
    created: int
    members: list[dict[str, Any]] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)


class Tasks:
    """A tenant's tasks.

    Attributes:
        comments, files: By id, each with the task it is on under `resource_id`.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.tasks: dict[str, Task] = {}
        self.lists: dict[str, Tasklist] = {}
        self.comments: dict[str, dict[str, Any]] = {}
        self.files: dict[str, dict[str, Any]] = {}

    def add_task(self, creator: str, body: dict[str, Any], *, parent: str = "") -> Task:
        """Add a task from the body of a request.

        Raises:
            ApiError: a reminder or a repetition has no due, or a list does not exist.
        """
        fields = {name: body[name] for name in _CHANGEABLE if body.get(name) is not None}
        made = Task(
            guid=self.world.new_id("task-"),
            creator=creator,
            created=self.world.millis(),
            fields=fields,
            parent=parent,
        )
        self.add_members(made, body.get("members") or [])
        self.remind(made, body.get("reminders") or [])
        self._check(made)
        for one in body.get("tasklists") or []:
            self.put_on(made, one["tasklist_guid"], one.get("section_guid"))
        self.tasks[made.guid] = made
        return made

    def update(self, task: Task, given: dict[str, Any], names: list[str]) -> None:
        """Change the named members; one that is named and not given is cleared."""
        if not names or not set(names) <= _CHANGEABLE or not given.keys() <= set(names):
            raise invalid("update_fields do not fit the task")
        if "completed_at" in names and task.is_done is (given.get("completed_at", "0") != "0"):
            raise invalid("the task is in that state already")
        before = dict(task.fields)
        for name in names:
            task.fields.pop(name, None)
        task.fields.update(given)
        try:
            self._check(task)
        except ApiError:
            task.fields = before
            raise

    def add_members(self, task: Task, members: list[dict[str, Any]]) -> None:
        for one in members:
            entry = {"id": one["id"], "type": one.get("type", "user"), "role": one["role"]}
            if entry not in task.members:
                task.members.append(entry)

    def remind(self, task: Task, reminders: list[dict[str, Any]]) -> None:
        """Add reminders.

        Raises:
            ApiError: the task has one, or no due.
        """
        if reminders and (task.reminders or len(reminders) > 1 or "due" not in task.fields):
            raise ApiError(1470613, "reminder cannot be added")
        for one in reminders:
            entry = {"id": self.world.new_number(), "relative_fire_minute": one["relative_fire_minute"]}
            task.reminders.append(entry)

    def put_on(self, task: Task, tasklist: str, section: str | None = None) -> None:
        found = self.tasklist(tasklist)
        wanted = found.sections[0].guid if section is None else self.section(section).guid
        task.lists[tasklist] = wanted

    def remove(self, task: Task) -> None:
        """Delete a task and all below it."""
        for below in [one for one in self.tasks.values() if one.parent == task.guid]:
            self.remove(below)
        del self.tasks[task.guid]

    def add_tasklist(self, owner: str, name: str) -> Tasklist:
        """Add a tasklist with its default section."""
        made = Tasklist(guid=self.world.new_id("list-"), name=name, owner=owner, created=self.world.millis())
        self.lists[made.guid] = made
        self.add_section(made, "Default").is_default = True
        return made

    def add_section(self, to: Tasklist, name: str, *, after: str | None = None) -> Section:
        made = Section(guid=self.world.new_id("sec-"), name=name, tasklist=to.guid)
        place = len(to.sections) if after is None else to.sections.index(self.section(after)) + 1
        to.sections.insert(place, made)
        return made

    def task(self, guid: object) -> Task:
        found = self.tasks.get(guid) if isinstance(guid, str) else None
        if found is None:
            raise missing("task")
        return found

    def tasklist(self, guid: object) -> Tasklist:
        found = self.lists.get(guid) if isinstance(guid, str) else None
        if found is None:
            raise missing("tasklist")
        return found

    def section(self, guid: object) -> Section:
        for one in self.lists.values():
            for section in one.sections:
                if section.guid == guid:
                    return section
        raise missing("section")

    def _check(self, task: Task) -> None:
        due, start = task.fields.get("due"), task.fields.get("start")
        if "due" not in task.fields and (task.reminders or task.fields.get("repeat_rule")):
            raise invalid("due is missing")
        if due and start and int(start["timestamp"]) > int(due["timestamp"]):
            raise invalid("start is after due")

    def as_wire(self, task: Task) -> dict[str, Any]:
        subtasks = [one for one in self.tasks.values() if one.parent == task.guid]
        lists = [{"tasklist_guid": one, "section_guid": section} for one, section in task.lists.items()]
        return {
            **task.fields,
            "guid": task.guid,
            "completed_at": task.fields.get("completed_at") or "0",
            "status": "done" if task.is_done else "todo",
            "creator": {"id": task.creator, "type": "user", "role": "creator"},
            "created_at": str(task.created),
            "members": [self.shown(one) for one in task.members],
            "reminders": task.reminders,
            "tasklists": lists,
            "dependencies": task.dependencies,
            "parent_task_guid": task.parent,
            "subtask_count": len(subtasks),
            "url": f"https://example.feishu.cn/task/{task.guid}",
        }

    def list_as_wire(self, tasklist: Tasklist) -> dict[str, Any]:
        return {
            "guid": tasklist.guid,
            "name": tasklist.name,
            "owner": {"id": tasklist.owner, "type": "user", "role": "owner"},
            "creator": {"id": tasklist.owner, "type": "user", "role": "creator"},
            "members": [self.shown(one) for one in tasklist.members],
            "url": f"https://example.feishu.cn/task/list/{tasklist.guid}",
            "created_at": str(tasklist.created),
        }

    def shown(self, member: dict[str, Any]) -> dict[str, Any]:
        return {**member, "name": self.world.person(member["id"])["name"]}
