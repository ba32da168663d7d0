"""Folders, files, uploads, downloads, exports and imports over the state."""

import json
from typing import Any

from placet.platforms.feishu.fake.answers import ApiError, FileAnswer
from placet.platforms.feishu.fake.drive.state import Drive, Item, Job
from placet.platforms.feishu.fake.paging import page_of
from placet.platforms.feishu.fake.world import Handler, Question

__all__ = ["handlers"]

_V1 = "/open-apis/drive/v1"
_FILES, _MEDIAS = f"{_V1}/files", f"{_V1}/medias"
_WHOLE_BYTES = 20 * 1024 * 1024


def handlers(drive: Drive) -> dict[tuple[str, str], Handler]:
    files, jobs = _Files(drive), _Jobs(drive)
    return {
        ("GET", "/open-apis/drive/explorer/v2/root_folder/meta"): files.root,
        ("GET", _FILES): files.list,
        ("POST", f"{_V1}/metas/batch_query"): files.metas,
        ("POST", f"{_FILES}/create_folder"): files.create_folder,
        ("POST", f"{_FILES}/create_shortcut"): files.create_shortcut,
        ("POST", f"{_FILES}/:file_token/copy"): files.copy,
        ("POST", f"{_FILES}/:file_token/move"): files.move,
        ("DELETE", f"{_FILES}/:file_token"): files.delete,
        ("GET", f"{_FILES}/task_check"): files.task,
        ("POST", f"{_FILES}/upload_all"): files.upload,
        ("GET", f"{_FILES}/:file_token/download"): files.download,
        ("POST", f"{_MEDIAS}/upload_all"): files.upload_media,
        ("GET", f"{_MEDIAS}/:file_token/download"): files.download_media,
        ("POST", f"{_V1}/export_tasks"): jobs.export,
        ("GET", f"{_V1}/export_tasks/:ticket"): jobs.exported,
        ("GET", f"{_V1}/export_tasks/file/:file_token/download"): jobs.fetch,
        ("POST", f"{_V1}/import_tasks"): jobs.import_,
        ("GET", f"{_V1}/import_tasks/:ticket"): jobs.imported,
    }


def _link(item: Item) -> str:
    return f"https://example.feishu.cn/{item.type}/{item.token}"


def _shown(item: Item) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "token": item.token,
        "name": item.name,
        "type": item.type,
        "parent_token": item.parent,
        "url": _link(item),
        "created_time": str(item.created),
        "modified_time": str(item.changed),
        "owner_id": item.owner,
    }
    if item.target is not None:
        shown["shortcut_info"] = {"target_type": item.target.type, "target_token": item.target.token}
    return shown


class _Files:
    def __init__(self, drive: Drive) -> None:
        self._drive = drive

    def root(self, question: Question) -> Any:
        root = self._drive.root
        return {"token": root.token, "id": "7400000000000000001", "user_id": "7400000000000000002"}

    def list(self, question: Question) -> Any:
        folder = self._drive.folder(question.query("folder_token") or "")
        items = [_shown(one) for one in self._drive.children(folder)]
        page = page_of(question.request, items, name="files", most=200, usual=100)
        token = page.pop("page_token", None)
        return {**page, "next_page_token": token} if token else page

    def metas(self, question: Question) -> Any:
        metas, failed = [], []
        for asked in question.body.get("request_docs", []):
            found = self._drive.items.get(asked["doc_token"])
            if found is None or found.type != asked["doc_type"]:
                failed.append({"token": asked["doc_token"], "code": 970005 if found is None else 970002})
                continue
            metas.append(
                {
                    "doc_token": found.token,
                    "doc_type": found.type,
                    "title": found.name,
                    "owner_id": found.owner,
                    "create_time": str(found.created),
                    "latest_modify_user": found.owner,
                    "latest_modify_time": str(found.changed),
                    "url": _link(found),
                    "sec_label_name": "",
                }
            )
        return {"metas": metas, "failed_list": failed}

    def create_folder(self, question: Question) -> Any:
        parent = self._drive.folder(str(question.body.get("folder_token") or ""))
        made = self._drive.add("folder", question.body["name"], parent=parent.token, owner=question.user)
        return {"token": made.token, "url": _link(made)}

    def create_shortcut(self, question: Question) -> Any:
        refer = question.body["refer_entity"]
        target = self._drive.get(refer["refer_token"], refer["refer_type"])
        parent = self._drive.folder(question.body["parent_token"])
        made = self._drive.add("shortcut", target.name, parent=parent.token, owner=question.user)
        made.target = target
        return {"succ_shortcut_node": _shown(made)}

    def copy(self, question: Question) -> Any:
        body = question.body
        found = self._drive.get(question.path["file_token"], body.get("type"))
        parent = self._drive.folder(str(body.get("folder_token") or ""))
        made = self._drive.add(
            found.type, body["name"], parent=parent.token, owner=question.user, content=found.content
        )
        return {"file": _shown(made)}

    def move(self, question: Question) -> Any:
        body = question.body
        found = self._drive.get(question.path["file_token"], body.get("type"))
        found.parent = self._drive.folder(str(body.get("folder_token") or "")).token
        return {"task_id": self._drive.world.new_number()} if found.type == "folder" else {}

    def delete(self, question: Question) -> Any:
        found = self._drive.get(question.path["file_token"], question.query("type"))
        self._drive.remove(found)
        return {"task_id": self._drive.world.new_number()} if found.type == "folder" else {}

    def task(self, question: Question) -> Any:
        return {"status": "success"}

    def upload(self, question: Question) -> Any:
        form = _form(question)
        parent = self._drive.folder(form["parent_node"].decode())
        made = self._drive.add(
            "file",
            form["file_name"].decode(),
            parent=parent.token,
            owner=question.user,
            content=form["file"],
        )
        return {"file_token": made.token}

    def upload_media(self, question: Question) -> Any:
        form = _form(question)
        token = self._drive.world.new_id("mdacn")
        self._drive.media[token] = (form["file"], form["parent_type"].decode())
        return {"file_token": token}

    def download(self, question: Question) -> Any:
        found = self._drive.get(question.path["file_token"], "file")
        return FileAnswer(name=found.name, content=found.content)

    def download_media(self, question: Question) -> Any:
        found = self._drive.media.get(question.path["file_token"])
        if found is None:
            raise ApiError(1061003, "not found.", status=404)
        return FileAnswer(name="media", content=found[0])


class _Jobs:
    def __init__(self, drive: Drive) -> None:
        self._drive = drive

    def export(self, question: Question) -> Any:
        body = question.body
        found = self._drive.get(body["token"], body["type"], code=1069904)
        token, extension = self._drive.world.new_id("expcn"), body["file_extension"]
        content = f"{found.name}.{extension}".encode()
        result = {
            "file_extension": extension,
            "token": found.token,
            "type": found.type,
            "file_name": found.name,
            "file_token": token,
            "file_size": len(content),
            "job_error_msg": "success",
        }
        self._drive.exported[token] = content
        return {"ticket": self._start(result)}

    def exported(self, question: Question) -> Any:
        job = self._drive.jobs.get(question.path["ticket"])
        if job is None or job.result.get("token") != question.query("token"):
            raise ApiError(1069904, "param is invalid")
        return {"result": self._look(job)}

    def fetch(self, question: Question) -> Any:
        content = self._drive.exported.get(question.path["file_token"])
        if content is None:
            raise ApiError(1060001, "not found", status=404)
        return FileAnswer(name=content.decode(), content=content)

    def import_(self, question: Question) -> Any:
        body, drive = question.body, self._drive
        content, use = drive.media.get(body["file_token"], (b"", ""))
        if use != "ccm_import_open":
            raise ApiError(1069904, "param is invalid")
        parent = drive.folder(body["point"]["mount_key"])
        made = drive.add(
            body["type"],
            body.get("file_name") or "导入",
            parent=parent.token,
            owner=question.user,
            content=content,
        )
        result = {"type": made.type, "token": made.token, "url": _link(made), "job_error_msg": "success"}
        return {"ticket": self._start(result)}

    def imported(self, question: Question) -> Any:
        job = self._drive.jobs.get(question.path["ticket"])
        if job is None:
            raise ApiError(1069904, "param is invalid")
        return {"result": {"ticket": job.ticket, **self._look(job)}}

    def _start(self, result: dict[str, Any]) -> str:
        drive = self._drive
        ended = {**result, "job_status": drive.job_status}
        made = Job(ticket=drive.world.new_number(), result=ended, looks=drive.job_looks)
        drive.jobs[made.ticket] = made
        return made.ticket

    def _look(self, job: Job) -> dict[str, Any]:
        if job.looks:
            job.looks -= 1
            return {"job_status": 2}
        return job.result


def _form(question: Question) -> dict[str, bytes]:
    form = {part.name: part.content for part in question.request.parts}
    if len(form.get("file", b"")) != int(form.get("size", b"-1")):
        raise ApiError(1062009, "file size does not match")
    if len(form["file"]) > _WHOLE_BYTES:
        raise ApiError(1061043, "file size beyond limit")
    if "extra" in form:
        json.loads(form["extra"])
    return form
