"""Kinds of requests, requests on their way, and every act upon them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from placet.contract.words import Identity
from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.world import World

__all__ = ["Act", "Approval", "Comment", "Definition", "Instance", "Node", "Task"]

PENDING = "PENDING"


@dataclass(frozen=True, kw_only=True)
class Node:
    """A step. `approvers` None: whoever files chooses them. AND: all, OR: one, SEQUENTIAL: one after another."""

    node_id: str
    name: str
    approvers: tuple[str, ...] | None = None
    mode: Literal["AND", "OR", "SEQUENTIAL"] = "AND"


@dataclass(kw_only=True)
class Definition:
    """A kind of request. `widgets` are form fields as the platform describes them: id, name, type, required."""

    approval_code: str
    name: str
    widgets: list[dict[str, Any]]
    nodes: tuple[Node, ...]
    status: str = "ACTIVE"


@dataclass(kw_only=True)
class Task:
    """One person's decision to make. Status PENDING, APPROVED, REJECTED, TRANSFERRED or DONE."""

    task_id: str
    open_id: str
    node: Node
    start_time: int
    status: str = PENDING
    end_time: int = 0


@dataclass(kw_only=True)
class Comment:
    """A remark; `content` is JSON text, as sent."""

    comment_id: str
    open_id: str
    content: str
    time: int
    parent: str = ""
    is_deleted: bool = False


@dataclass(kw_only=True)
class Act:
    """Who did what: `who` as the request named them, under which kind of token."""

    at: int
    what: str
    who: str
    identity: Identity
    instance_code: str
    task_id: str = ""
    comment: str = ""


@dataclass(kw_only=True)
class Instance:
    """A request. Status PENDING, APPROVED, REJECTED or CANCELED; times in Unix ms."""

    instance_code: str
    definition: Definition
    open_id: str
    form: str
    serial_number: str
    start_time: int
    department_id: str = ""
    chosen: dict[str, tuple[str, ...]] = field(default_factory=dict)
    uuid: str = ""
    status: str = PENDING
    end_time: int = 0
    step: int = -1
    tasks: list[Task] = field(default_factory=list)
    timeline: list[dict[str, Any]] = field(default_factory=list)
    comments: dict[str, Comment] = field(default_factory=dict)

    def approvers(self, node: Node) -> tuple[str, ...]:
        return node.approvers if node.approvers is not None else self.chosen[node.node_id]

    @property
    def pending(self) -> list[Task]:
        return [task for task in self.tasks if task.status == PENDING]


class Approval:
    """A tenant's approvals.

    Attributes:
        acts: Every change in order, with who made it.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.definitions: dict[str, Definition] = {}
        self.instances: dict[str, Instance] = {}
        self.acts: list[Act] = []

    def add_definition(
        self, name: str, *, widgets: Sequence[dict[str, Any]] = (), nodes: Sequence[Node] = ()
    ) -> Definition:
        """Add a kind of request; without widgets it asks for one reason."""
        default = {"id": "widget1", "name": "Reason", "type": "input", "required": True}
        made = Definition(
            approval_code=self.world.new_id("APPROVAL-"),
            name=name,
            widgets=list(widgets) or [default],
            nodes=tuple(nodes),
        )
        self.definitions[made.approval_code] = made
        return made

    def file(
        self,
        definition: Definition,
        open_id: str,
        form: str,
        *,
        department_id: str = "",
        chosen: dict[str, tuple[str, ...]] | None = None,
        uuid: str = "",
    ) -> Instance:
        """File a request; it goes to the first step's approvers, or is granted when there is no step.

        Args:
            form: JSON text, a list of entries.
            chosen: Step to the approvers that whoever files has chosen.
        Raises:
            ApiError: the form does not fit, approvers are missing, or this uuid was used.
        """
        if uuid and any(one.uuid == uuid for one in self.instances.values()):
            raise ApiError(60012, "uuid conflict")
        chosen = chosen or {}
        _check_form(definition, form)
        if any(node.approvers is None and not chosen.get(node.node_id) for node in definition.nodes):
            raise ApiError(1390001, "param is invalid: approver is missing")
        made = Instance(
            instance_code=self.world.new_id("INSTANCE-"),
            definition=definition,
            open_id=open_id,
            form=form,
            serial_number=self.world.new_id("SN"),
            start_time=self.world.millis(),
            department_id=department_id,
            chosen=chosen,
            uuid=uuid,
        )
        self.instances[made.instance_code] = made
        self._note(made, "START", open_id)
        self._advance(made)
        return made

    def approve(self, instance: Instance, task: Task, comment: str = "") -> None:
        self._close(task, "APPROVED")
        self._note(instance, "PASS", task.open_id, task, comment)
        others = [one for one in instance.pending if one.node is task.node]
        if task.node.mode == "OR":
            for one in others:
                self._close(one, "DONE")
            others = []
        if others:
            return
        asked = sum(one.node is task.node and one.status == "APPROVED" for one in instance.tasks)
        if task.node.mode == "SEQUENTIAL" and asked < len(instance.approvers(task.node)):
            self._ask(instance, task.node, instance.approvers(task.node)[asked])
        else:
            self._advance(instance)

    def reject(self, instance: Instance, task: Task, comment: str = "") -> None:
        self._close(task, "REJECTED")
        self._note(instance, "REJECT", task.open_id, task, comment)
        self._end(instance, "REJECTED")

    def transfer(self, instance: Instance, task: Task, to: str, comment: str = "") -> None:
        self._close(task, "TRANSFERRED")
        self._note(instance, "TRANSFER", task.open_id, task, comment)
        self._ask(instance, task.node, to)

    def cancel(self, instance: Instance) -> None:
        self._note(instance, "CANCEL", instance.open_id)
        self._end(instance, "CANCELED")

    def _advance(self, instance: Instance) -> None:
        """On to the next step, or granted after the last."""
        instance.step += 1
        if instance.step >= len(instance.definition.nodes):
            self._end(instance, "APPROVED")
            return
        node = instance.definition.nodes[instance.step]
        asked = instance.approvers(node)
        for open_id in asked[:1] if node.mode == "SEQUENTIAL" else asked:
            self._ask(instance, node, open_id)

    def _ask(self, instance: Instance, node: Node, open_id: str) -> None:
        task = Task(
            task_id=self.world.new_number(), open_id=open_id, node=node, start_time=self.world.millis()
        )
        instance.tasks.append(task)

    def _end(self, instance: Instance, status: str) -> None:
        for task in instance.pending:
            self._close(task, "DONE")
        instance.status, instance.end_time = status, self.world.millis()

    def _close(self, task: Task, status: str) -> None:
        task.status, task.end_time = status, self.world.millis()

    def _note(
        self, instance: Instance, what: str, who: str, task: Task | None = None, comment: str = ""
    ) -> None:
        instance.timeline.append(
            {
                "type": what,
                "create_time": str(self.world.millis()),
                "open_id": who,
                "task_id": task.task_id if task else "",
                "comment": comment,
                "node_key": task.node.node_id if task else "START",
            }
        )


def _check_form(definition: Definition, form: str) -> None:
    try:
        entries = json.loads(form)
        given = {entry["id"]: entry["type"] for entry in entries}
    except (ValueError, TypeError, KeyError):
        raise ApiError(1390001, "param is invalid: form is no list of widgets") from None
    known = {widget["id"]: widget for widget in definition.widgets}
    for widget_id, type_ in given.items():
        if widget_id not in known or known[widget_id]["type"] != type_:
            raise ApiError(1390001, f"param is invalid: form widget {widget_id}")
    for widget_id, widget in known.items():
        if widget.get("required") and widget_id not in given:
            raise ApiError(1390001, f"param is invalid: form widget {widget_id} is required")
