"""The approval routes over the state. Who acts is what the request says, as on the platform, and is recorded."""

import json
from collections.abc import Mapping
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError
from placet.platforms.feishu.fake.approval.state import Act, Approval, Comment, Definition, Instance, Task
from placet.platforms.feishu.fake.paging import page_of
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_V4 = "/open-apis/approval/v4"
_INSTANCES, _TASKS = f"{_V4}/instances", f"{_V4}/tasks"
_COMMENTS = f"{_INSTANCES}/:instance_id/comments"

_TASK_STATUS = {"PENDING": "1"}
_PROCESS_STATUS = {"PENDING": "1", "APPROVED": "2", "REJECTED": "3", "CANCELED": "4"}
_SEARCHED_STATUS = {"REJECTED": "REJECT", "CANCELED": "RECALL"}
"""The list of requests names two states otherwise than the request itself does."""


def handlers(approval: Approval) -> Mapping[tuple[str, str], Handler]:
    """Verb and route to what answers it, for one tenant."""
    instances, tasks, comments = _Instances(approval), _Tasks(approval), _Comments(approval)
    return {
        ("GET", f"{_V4}/approvals/:approval_code"): instances.definition,
        ("POST", _INSTANCES): instances.create,
        ("POST", f"{_INSTANCES}/preview"): instances.preview,
        ("GET", f"{_INSTANCES}/:instance_id"): instances.get,
        ("POST", f"{_INSTANCES}/cancel"): instances.cancel,
        ("POST", f"{_INSTANCES}/query"): instances.search,
        ("GET", f"{_INSTANCES}/initiated"): instances.initiated,
        ("POST", f"{_TASKS}/approve"): tasks.approve,
        ("POST", f"{_TASKS}/reject"): tasks.reject,
        ("POST", f"{_TASKS}/transfer"): tasks.transfer,
        ("GET", f"{_TASKS}/query"): tasks.query,
        ("POST", f"{_TASKS}/search"): tasks.search,
        ("GET", _COMMENTS): comments.list,
        ("POST", _COMMENTS): comments.create,
        ("DELETE", f"{_COMMENTS}/:comment_id"): comments.delete,
    }


class _Domain:
    def __init__(self, approval: Approval) -> None:
        self._approval, self._world = approval, approval.world

    def _definition(self, code: Any) -> Definition:
        found = self._approval.definitions.get(str(code))
        if found is None:
            raise ApiError(1390002, "approval code not found")
        return found

    def _instance(self, code: Any) -> Instance:
        found = self._approval.instances.get(str(code))
        if found is None:
            raise ApiError(1390003, "instance code not found")
        return found

    def _named(self, body: dict[str, Any]) -> Instance:
        """The request that a body names by its code and its kind's code."""
        instance = self._instance(body.get("instance_code"))
        if self._definition(body.get("approval_code")) is not instance.definition:
            raise ApiError(1390018, "approval code and instance code do not match")
        return instance

    def _record(self, question: Question, what: str, who: Any, instance: Instance, **more: str) -> None:
        self._approval.acts.append(
            Act(
                at=self._world.millis(),
                what=what,
                who=str(who),
                identity=question.identity,
                instance_code=instance.instance_code,
                **more,
            )
        )


class _Instances(_Domain):
    def definition(self, question: Question) -> Any:
        found = self._definition(question.path["approval_code"])
        nodes = [
            {
                "node_id": node.node_id,
                "name": node.name,
                "node_type": node.mode,
                "need_approver": node.approvers is None,
                "approver_chosen_multi": node.approvers is None,
            }
            for node in found.nodes
        ]
        form = json.dumps(found.widgets, ensure_ascii=False)
        return {"approval_name": found.name, "status": found.status, "form": form, "node_list": nodes}

    def create(self, question: Question) -> Any:
        body = question.body
        definition = self._definition(body.get("approval_code"))
        if definition.status != "ACTIVE":
            raise ApiError(1390015, "approval is not active")
        who = body.get("open_id") or body.get("user_id")
        if not who:
            raise ApiError(1390001, "param is invalid: user is missing")
        chosen = body.get("node_approver_open_id_list") or ()
        made = self._approval.file(
            definition,
            who,
            str(body.get("form")),
            department_id=body.get("department_id") or "",
            chosen={one["key"]: tuple(one["value"]) for one in chosen},
            uuid=body.get("uuid") or "",
        )
        self._record(question, "create", who, made)
        return {"instance_code": made.instance_code, "instance_link": _link(made)}

    def preview(self, question: Question) -> Any:
        definition = self._definition(question.body.get("approval_code"))
        nodes = [
            {
                "node_id": node.node_id,
                "node_name": node.name,
                "node_type": node.mode,
                "user_id_list": list(node.approvers or ()),
                "end_cc_id_list": [],
                "is_approver_type_free": node.approvers is None,
            }
            for node in definition.nodes
        ]
        return {"preview_nodes": nodes}

    def get(self, question: Question) -> Any:
        found = self._instance(question.path["instance_id"])
        return {
            "instance_code": found.instance_code,
            "approval_code": found.definition.approval_code,
            "approval_name": found.definition.name,
            "serial_number": found.serial_number,
            "status": found.status,
            "open_id": found.open_id,
            "user_id": "",
            "department_id": found.department_id,
            "start_time": str(found.start_time),
            "end_time": str(found.end_time),
            "uuid": found.uuid,
            "form": found.form,
            "task_list": [_task(task) for task in found.tasks],
            "timeline": found.timeline,
            "comment_list": [],
        }

    def cancel(self, question: Question) -> Any:
        body = question.body
        instance = self._named(body)
        if instance.status != "PENDING" or body.get("user_id") != instance.open_id:
            raise ApiError(1390001, "param is invalid: the instance cannot be canceled")
        self._approval.cancel(instance)
        self._record(question, "cancel", body.get("user_id"), instance)
        return {}

    def search(self, question: Question) -> Any:
        body = question.body
        kind = self._definition(body["approval_code"]) if body.get("approval_code") else None
        found = [
            one
            for one in self._approval.instances.values()
            if kind in (None, one.definition)
            and body.get("instance_status", "ALL") in ("ALL", _SEARCHED_STATUS.get(one.status, one.status))
            and _within(
                one.start_time, body.get("instance_start_time_from"), body.get("instance_start_time_to")
            )
        ]
        items = [{"approval": _kind(one), "instance": _summary(one)} for one in found]
        page = page_of(question.request, items, name="instance_list", most=200, usual=10)
        return {**page, "count": len(items)}

    def initiated(self, question: Question) -> Any:
        code = question.query("definition_code")
        items = [
            {
                "instance_code": one.instance_code,
                "instance_status": _PROCESS_STATUS[one.status],
                "definition_code": one.definition.approval_code,
                "definition_name": one.definition.name,
                "summaries": [
                    {"key": entry["id"], "value": str(entry.get("value"))} for entry in json.loads(one.form)
                ],
                "link": _link(one),
            }
            for one in self._approval.instances.values()
            if one.open_id == question.user and code in (None, one.definition.approval_code)
        ]
        return page_of(question.request, items, name="instances", most=200)


class _Tasks(_Domain):
    def approve(self, question: Question) -> Any:
        instance, task = self._decided(question, "approve")
        self._approval.approve(instance, task, str(question.body.get("comment") or ""))
        return {}

    def reject(self, question: Question) -> Any:
        instance, task = self._decided(question, "reject")
        self._approval.reject(instance, task, str(question.body.get("comment") or ""))
        return {}

    def transfer(self, question: Question) -> Any:
        to = question.body.get("transfer_user_id")
        if not to:
            raise ApiError(1390001, "param is invalid: transfer_user_id")
        instance, task = self._decided(question, "transfer")
        self._approval.transfer(instance, task, str(to), str(question.body.get("comment") or ""))
        return {}

    def _decided(self, question: Question, what: str) -> tuple[Instance, Task]:
        """The pending task that a decision is about; records who decides."""
        body = question.body
        instance = self._named(body)
        task = next((one for one in instance.pending if one.task_id == body.get("task_id")), None)
        if task is None or task.open_id != body.get("user_id"):
            raise ApiError(1390010, "task id not found")
        comment = str(body.get("comment") or "")
        self._record(question, what, body.get("user_id"), instance, task_id=task.task_id, comment=comment)
        return instance, task

    def query(self, question: Question) -> Any:
        who, topic = question.query("user_id") or question.user, question.query("topic")
        items = [
            self._listed(instance, task, str(topic))
            for instance in self._approval.instances.values()
            for task in instance.tasks
            if _belongs(instance, task, str(topic), who)
        ]
        if topic == "3":
            items = list({item["process_code"]: item for item in items}.values())
        page = page_of(question.request, items, name="tasks", most=200, usual=100)
        return {**page, "count": {"total": len(items), "has_more": False}}

    def _listed(self, instance: Instance, task: Task, topic: str) -> dict[str, Any]:
        return {
            "topic": topic,
            "user_id": task.open_id,
            "title": instance.definition.name,
            "urls": {"helpdesk": "", "mobile": _link(instance), "pc": _link(instance)},
            "status": _TASK_STATUS.get(task.status, "2"),
            "process_status": _PROCESS_STATUS[instance.status],
            "definition_code": instance.definition.approval_code,
            "definition_name": instance.definition.name,
            "initiators": [instance.open_id],
            "initiator_names": [self._world.person(instance.open_id)["name"]],
            "task_id": task.task_id,
            "process_code": instance.instance_code,
        }

    def search(self, question: Question) -> Any:
        body = question.body
        status = body.get("task_status") or "ALL"
        items = [
            {
                "approval": _kind(instance),
                "instance": _summary(instance),
                "task": {
                    "task_id": task.task_id,
                    "user_id": task.open_id,
                    "status": task.status,
                    "start_time": str(task.start_time),
                    "end_time": str(task.end_time),
                    "link": {"pc_link": _link(instance)},
                },
            }
            for instance in self._approval.instances.values()
            for task in instance.tasks
            if body.get("user_id") in (None, task.open_id)
            and body.get("approval_code") in (None, instance.definition.approval_code)
            and status in ("ALL", task.status)
            and _within(task.start_time, body.get("task_start_time_from"), body.get("task_start_time_to"))
        ]
        page = page_of(question.request, items, name="task_list", most=200, usual=10)
        return {**page, "count": len(items)}


class _Comments(_Domain):
    def create(self, question: Question) -> Any:
        instance, who, body = self._commented(question), question.query("user_id"), question.body
        parent = str(body.get("parent_comment_id") or "")
        if not who or (parent and parent not in instance.comments):
            raise ApiError(1390001, "param is invalid")
        made = Comment(
            comment_id=self._world.new_number(),
            open_id=who,
            content=str(body.get("content") or ""),
            time=self._world.millis(),
            parent=parent,
        )
        instance.comments[made.comment_id] = made
        self._record(question, "comment", who, instance, comment=made.content)
        return {"comment_id": made.comment_id}

    def delete(self, question: Question) -> Any:
        instance, who = self._commented(question), question.query("user_id")
        found = instance.comments.get(question.path["comment_id"])
        if found is None or found.is_deleted or found.open_id != who:
            raise ApiError(1390001, "param is invalid")
        found.is_deleted = True
        self._record(question, "delete_comment", who, instance)
        return {"comment_id": found.comment_id}

    def list(self, question: Question) -> Any:
        comments = self._commented(question).comments.values()
        items = [
            {
                **_shown(one),
                "replies": [_shown(reply) for reply in comments if reply.parent == one.comment_id],
            }
            for one in comments
            if not one.parent
        ]
        return page_of(question.request, items, name="comments", most=1000, usual=1000)

    def _commented(self, question: Question) -> Instance:
        return self._instance(question.path["instance_id"])


def _belongs(instance: Instance, task: Task, topic: str, who: str) -> bool:
    if topic == "3":
        return instance.open_id == who
    if topic not in ("1", "2"):
        return False
    return task.open_id == who and (task.status == "PENDING") is (topic == "1")


def _within(moment: int, start: Any, end: Any) -> bool:
    return (not start or moment >= int(start)) and (not end or moment <= int(end))


def _link(instance: Instance) -> str:
    return f"https://example.feishu.cn/approval/{instance.instance_code}"


def _kind(instance: Instance) -> dict[str, Any]:
    return {"code": instance.definition.approval_code, "name": instance.definition.name, "is_external": False}


def _summary(instance: Instance) -> dict[str, Any]:
    return {
        "code": instance.instance_code,
        "user_id": instance.open_id,
        "start_time": str(instance.start_time),
        "end_time": str(instance.end_time),
        "status": _SEARCHED_STATUS.get(instance.status, instance.status),
        "serial_id": instance.serial_number,
        "link": {"pc_link": _link(instance)},
    }


def _task(task: Task) -> dict[str, Any]:
    return {
        "id": task.task_id,
        "open_id": task.open_id,
        "status": task.status,
        "node_id": task.node.node_id,
        "node_name": task.node.name,
        "type": task.node.mode,
        "start_time": str(task.start_time),
        "end_time": str(task.end_time),
    }


def _shown(comment: Comment) -> dict[str, Any]:
    return {
        "id": comment.comment_id,
        "content": "" if comment.is_deleted else comment.content,
        "create_time": str(comment.time),
        "update_time": str(comment.time),
        "is_delete": int(comment.is_deleted),
        "commentator": comment.open_id,
    }
