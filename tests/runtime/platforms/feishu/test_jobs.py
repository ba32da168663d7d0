"""Exports, imports and Markdown: what is sent in which order, and what comes of a job that fails or lasts."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from placet.contract.errors import RequestRefused
from placet.contract.platform import CallStopped, Failure, FileContent, FilePart, RoutineStopped, WireCall
from placet.platforms.feishu.names import NAMES
from placet.platforms.feishu.routines import ROUTINES
from tests.runtime.platforms.feishu.wire import call

pytestmark = pytest.mark.anyio

DONE = {"result": {"job_status": 0, "file_token": "box1", "token": "doxcn1", "url": "https://x/doxcn1"}}
RUNNING = {"result": {"job_status": 2}}


class Scripted:
    """`Send` that answers each request by name from a list, the last one for ever; waits take no time."""

    def __init__(self, *, waits: int = 100, **answers: Any) -> None:
        self._answers = {name: [one] if not isinstance(one, list) else one for name, one in answers.items()}
        self._waits = waits
        self.sent: list[tuple[str, WireCall]] = []

    async def __call__(self, call: str, wire: WireCall) -> Any:
        self.sent.append((call, wire))
        several = self._answers.get(call, [{}])
        answer = several.pop(0) if len(several) > 1 else several[0]
        if isinstance(answer, Failure):
            raise CallStopped(answer)
        return answer

    async def wait(self, seconds: float) -> bool:
        self._waits -= 1
        return self._waits >= 0

    @property
    def order(self) -> list[str]:
        return [name for name, _ in self.sent]

    def last(self, name: str) -> WireCall:
        return [wire for one, wire in self.sent if one == name][-1]


def wires(*names: str, **more: WireCall) -> dict[str, WireCall]:
    plain = {
        name: WireCall(call=call(f"/open-apis/x/{name}", http="POST", body="json"), body={}) for name in names
    }
    return {**plain, **more}


def export_wires() -> dict[str, WireCall]:
    return wires(
        "create",
        check=WireCall(call=call("/open-apis/x/:ticket")),
        fetch=WireCall(call=call("/x/:file_token")),
    )


def import_wires(name: str = "周报.MD") -> dict[str, WireCall]:
    async def read() -> bytes:
        return b"# x"

    file = FileContent(name=name, media_type="text/markdown", size=3, sha256="", read=read)
    upload = WireCall(
        call=call("/x/upload", http="POST", body="multipart"),
        form=(("file", FilePart(name=name, content=file)),),
    )
    create = WireCall(call=call("/x/create", http="POST", body="json"), body={"type": "docx"})
    return {"upload": upload, "create": create, "check": WireCall(call=call("/open-apis/x/:ticket"))}


async def test_an_export_is_looked_at_until_it_is_done_and_then_fetched() -> None:
    """One call does all of it."""
    send = Scripted(create={"ticket": "t1"}, check=[RUNNING, RUNNING, DONE], fetch="bytes")

    got = await ROUTINES["drive.export"](export_wires(), {}, send)

    assert got == "bytes"
    assert send.order == ["create", "check", "check", "check", "fetch"]
    assert send.last("check").path == {"ticket": "t1"}
    assert send.last("fetch").path == {"file_token": "box1"}


async def test_an_export_that_outlives_the_call_names_its_job() -> None:
    """Whoever asked can go on from there; nothing is started again."""
    send = Scripted(waits=1, create={"ticket": "t1"}, check=RUNNING)

    with pytest.raises(RoutineStopped) as caught:
        await ROUTINES["drive.export"](export_wires(), {}, send)

    assert (caught.value.failure.code, caught.value.failure.retryable) == ("still_running", True)
    assert "'t1'" in caught.value.failure.message


async def test_a_job_is_gone_on_with_by_its_id() -> None:
    """The second tool looks and fetches, and starts nothing."""
    check = WireCall(call=call("/open-apis/x/:ticket"), path={"ticket": "t1"})
    send = Scripted(check=DONE, fetch="bytes")

    got = await ROUTINES["drive.fetch_export"]({**export_wires(), "check": check}, {}, send)

    assert (got, send.order) == ("bytes", ["check", "fetch"])


@pytest.mark.parametrize("answer", [None, {}, {"result": {"job_status": 110, "job_error_msg": "no right"}}])
async def test_a_job_without_a_result_is_a_failure(answer: Any) -> None:
    """Neither an odd answer nor a failed job is waited for."""
    send = Scripted(create={"ticket": "t1"}, check=answer)

    with pytest.raises(RoutineStopped):
        await ROUTINES["drive.export"](export_wires(), {}, send)

    assert send.order == ["create", "check"]


async def test_an_import_uploads_starts_and_looks() -> None:
    """The file's extension, in lower case, says what it is."""
    send = Scripted(upload={"file_token": "box1"}, create={"ticket": "t1"}, check=DONE)

    got = await ROUTINES["drive.import"](import_wires(), {"type": "docx"}, send)

    assert got["result"]["token"] == "doxcn1"
    assert got["result"]["ticket"] == "t1"
    extra = dict(send.last("upload").form)["extra"]
    assert json.loads(str(extra)) == {"obj_type": "docx", "file_extension": "md"}
    assert send.last("create").body == {"type": "docx", "file_token": "box1", "file_extension": "md"}


@pytest.mark.parametrize(
    "check", [RUNNING, Failure(code="99991400", category="rate_limited")], ids=["lasts", "cannot-look"]
)
async def test_an_import_that_cannot_be_followed_to_its_end_is_under_way(check: Any) -> None:
    """It was accepted: the answer says so and names the job."""
    send = Scripted(waits=0, upload={"file_token": "box1"}, create={"ticket": "t1"}, check=check)

    got = await ROUTINES["drive.import"](import_wires(), {"type": "docx"}, send)

    assert got == {"result": {"job_status": 1, "ticket": "t1"}}


async def test_a_file_without_an_extension_is_not_uploaded() -> None:
    """Nobody could say what it is."""
    send = Scripted()

    with pytest.raises(RequestRefused):
        await ROUTINES["drive.import"](import_wires("README"), {"type": "docx"}, send)

    assert send.sent == []


CONVERTED = {
    "first_level_block_ids": ["a"],
    "blocks": [
        {"block_id": "a", "block_type": 31, "parent_id": "p", "children": [], "table": {"cells": ["c"], "property": {"row_size": 1, "merge_info": []}}}
    ],
    "block_id_to_image_urls": [{"block_id": "i", "image_url": "https://example.com/a.png"}],
}  # fmt: skip


async def test_markdown_goes_in_without_what_the_platform_refuses() -> None:
    """Parent ids, cells and merges of a conversion are read-only; a picture stays empty and is named."""
    send = Scripted(convert=CONVERTED, insert={"document_revision_id": 7})

    got = await ROUTINES["docx.append_markdown"](wires("convert", "insert"), {}, send)

    assert send.last("insert").body == {
        "children_id": ["a"],
        "descendants": [
            {"block_id": "a", "block_type": 31, "children": [], "table": {"property": {"row_size": 1}}}
        ],
    }
    assert got == {"document_revision_id": 7, "block_id_to_image_urls": CONVERTED["block_id_to_image_urls"]}


async def test_new_content_goes_in_before_old_content_goes_out() -> None:
    """In this order a failure loses nothing."""
    send = Scripted(
        convert=CONVERTED,
        page={"block": {"children": ["x", "y"]}},
        insert={"document_revision_id": 7},
        clear={"document_revision_id": 8},
    )

    got = await ROUTINES["docx.replace_content"](wires("convert", "page", "insert", "clear"), {}, send)

    assert send.order == ["convert", "page", "insert", "clear"]
    assert send.last("clear").body == {"start_index": 0, "end_index": 2}
    assert (got["document_revision_id"], got["block"]) == (8, {"children": []})


async def test_old_content_that_did_not_go_is_named() -> None:
    """Both are there: the answer says which of it is old."""
    send = Scripted(
        convert=CONVERTED,
        page={"block": {"children": ["x", "y"]}},
        insert={"document_revision_id": 7},
        clear=Failure(code="1770032", category="no_permission"),
    )

    got = await ROUTINES["docx.replace_content"](wires("convert", "page", "insert", "clear"), {}, send)

    assert got["block"] == {"children": ["x", "y"]}


@pytest.mark.parametrize(
    "converted",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"first_level_block_ids": ["a"], "blocks": [{"block_id": "a"}] * 1001}, id="too-much"),
    ],
)
async def test_what_cannot_go_in_changes_nothing(converted: Any) -> None:
    """An empty or too long text stops before the document is touched."""
    send = Scripted(convert=converted)

    with pytest.raises(RoutineStopped):
        await ROUTINES["docx.replace_content"](wires("convert", "page", "insert", "clear"), {}, send)

    assert send.order == ["convert"]


FLOWS: dict[str, tuple[Callable[[], dict[str, WireCall]], dict[str, Any]]] = {
    "drive.export": (export_wires, {"create": {"ticket": "t1"}, "check": DONE}),
    "drive.import": (
        import_wires,
        {"upload": {"file_token": "b"}, "create": {"ticket": "t1"}, "check": DONE},
    ),
    "docx.replace_content": (
        lambda: wires("convert", "page", "insert", "clear"),
        {"convert": CONVERTED, "page": {"block": {"children": ["x"]}}},
    ),
    "docx.append_markdown": (lambda: wires("convert", "insert"), {"convert": CONVERTED}),
}


@pytest.mark.parametrize("name", FLOWS)
async def test_what_a_routine_fills_is_what_its_name_says(name: str) -> None:
    """The slots a routine fills by itself are the ones that curation may leave out."""
    before, answers = FLOWS[name][0](), FLOWS[name][1]
    send = Scripted(**answers)

    await ROUTINES[name](before, {"type": "docx"}, send)

    filled: set[str] = set()
    for one, wire in send.sent:
        given = before[one]
        filled |= {f"{one}.path.{key}" for key in wire.path.keys() - given.path.keys()}
        filled |= {f"{one}.form.{key}" for key, _ in wire.form if key not in dict(given.form)}
        if isinstance(wire.body, dict) and isinstance(given.body, dict):
            filled |= {f"{one}.body.{key}" for key in wire.body.keys() - given.body.keys()}
    assert filled == NAMES.routines[name].fills
    assert set(send.order) == NAMES.routines[name].calls
