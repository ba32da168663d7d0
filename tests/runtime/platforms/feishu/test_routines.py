"""Uploads, whole or in parts, and announcements that are replaced."""

import zlib
from typing import Any

import pytest

from placet.contract.errors import RequestRefused
from placet.contract.platform import FileContent, FilePart, RoutineStopped, WireCall
from placet.platforms.feishu.names import NAMES
from placet.platforms.feishu.routines import ROUTINES, WHOLE_BYTES
from tests.runtime.platforms.feishu.wire import call

pytestmark = pytest.mark.anyio

BASE = "/open-apis/drive/v1/files"


def calls(content: bytes, *, claimed: int | None = None) -> dict[str, WireCall]:
    async def read() -> bytes:
        return content

    file = FileContent(
        name="周报.pdf",
        media_type="application/pdf",
        size=len(content) if claimed is None else claimed,
        sha256="",
        read=read,
    )

    def multipart(action: str, *form: tuple[str, str | FilePart]) -> WireCall:
        return WireCall(call=call(f"{BASE}/{action}", http="POST", body="multipart"), form=form)

    def posted(action: str, **body: Any) -> WireCall:
        return WireCall(call=call(f"{BASE}/{action}", http="POST", body="json"), body=body)

    part = FilePart(name=file.name, content=file)
    return {
        "small": multipart("upload_all", ("file_name", "周报.pdf"), ("file", part)),
        "prepare": posted("upload_prepare", file_name="周报.pdf", parent_node="fldX", parent_type="explorer"),
        "part": multipart("upload_part"),
        "finish": posted("upload_finish"),
    }


class Drive:
    """Answers the requests of an upload and keeps what came."""

    def __init__(self, plan: Any = None) -> None:
        self._plan = plan
        self.sent: list[tuple[str, WireCall]] = []

    async def __call__(self, call: str, wire: WireCall) -> Any:
        self.sent.append((call, wire))
        if call == "prepare":
            return self._plan
        return {"file_token": "boxX"} if call in ("small", "finish") else {}

    async def wait(self, seconds: float) -> bool:
        raise AssertionError("nothing here waits")

    @property
    def order(self) -> list[str]:
        return [name for name, _ in self.sent]

    async def parts(self) -> list[dict[str, Any]]:
        found = []
        for name, wire in self.sent:
            if name == "part":
                fields = {key: value for key, value in wire.form if isinstance(value, str)}
                (file,) = [value for _, value in wire.form if isinstance(value, FilePart)]
                found.append({**fields, "bytes": await file.content.read(), "length": file.content.size})
        return found


async def test_a_small_file_is_one_request() -> None:
    """Up to 20 MB the tool's first request is sent as it stands."""
    drive, wires = Drive(), calls(b"x" * 100)

    got = await ROUTINES["drive.upload"](wires, {}, drive)

    assert got == {"file_token": "boxX"}
    assert drive.sent == [("small", wires["small"])]


async def test_a_large_file_goes_in_parts_of_the_platforms_size() -> None:
    """Prepared with its size, sent in order with checksums, finished with the count."""
    content = bytes(range(256)) * (WHOLE_BYTES // 256) + b"the rest"
    part_bytes = 4 * 1024 * 1024
    drive = Drive({"upload_id": "up1", "block_size": part_bytes, "block_num": 6})

    got = await ROUTINES["drive.upload"](calls(content), {}, drive)

    assert got == {"file_token": "boxX"}
    assert drive.order == ["prepare", *["part"] * 6, "finish"]
    assert drive.sent[0][1].body == {
        "file_name": "周报.pdf",
        "parent_node": "fldX",
        "parent_type": "explorer",
        "size": len(content),
    }
    assert drive.sent[-1][1].body == {"upload_id": "up1", "block_num": 6}
    parts = await drive.parts()
    assert b"".join(part["bytes"] for part in parts) == content
    assert [part["seq"] for part in parts] == ["0", "1", "2", "3", "4", "5"]
    for part in parts:
        assert part["upload_id"] == "up1"
        assert part["size"] == str(len(part["bytes"])) == str(part["length"])
        assert part["checksum"] == str(zlib.adler32(part["bytes"]))


async def test_what_the_routine_fills_is_what_its_name_says() -> None:
    """The slots a routine fills by itself are the ones that curation may leave out."""
    drive = Drive({"upload_id": "up1", "block_size": WHOLE_BYTES, "block_num": 2})
    before = calls(b"x" * (WHOLE_BYTES + 1))

    await ROUTINES["drive.upload"](before, {}, drive)

    filled = set()
    for name, wire in drive.sent:
        if isinstance(wire.body, dict):
            given = before[name].body
            assert isinstance(given, dict)
            filled |= {f"{name}.body.{key}" for key in wire.body.keys() - given.keys()}
        filled |= {f"{name}.form.{key}" for key, _ in wire.form}
    assert filled == NAMES.routines["drive.upload"].fills
    assert set(drive.order) | {"small"} == NAMES.routines["drive.upload"].calls


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(None, id="no-answer"),
        pytest.param({"block_size": 4096, "block_num": 1}, id="no-id"),
        pytest.param({"upload_id": "up1", "block_size": 0, "block_num": 1}, id="no-size"),
        pytest.param({"upload_id": "up1", "block_size": "4096", "block_num": 1}, id="size-is-text"),
        pytest.param({"upload_id": "up1", "block_size": True, "block_num": 1}, id="size-is-flag"),
        pytest.param({"upload_id": "up1", "block_size": 1, "block_num": WHOLE_BYTES + 1}, id="million-parts"),
        pytest.param({"upload_id": "up1", "block_size": WHOLE_BYTES, "block_num": 9}, id="other-count"),
    ],
)
async def test_a_plan_that_cannot_be_followed_stops_before_a_byte_is_sent(plan: Any) -> None:
    """An answer that names no usable parts ends the upload with a failure; nothing was stored."""
    drive = Drive(plan)

    with pytest.raises(RoutineStopped) as caught:
        await ROUTINES["drive.upload"](calls(b"x" * (WHOLE_BYTES + 1)), {}, drive)

    assert drive.order == ["prepare"]
    assert caught.value.failure.effect == "none"


async def test_a_file_of_another_length_is_not_sent() -> None:
    """What was staged and approved is what is sent."""
    drive = Drive({"upload_id": "up1", "block_size": WHOLE_BYTES, "block_num": 2})

    with pytest.raises(RequestRefused):
        await ROUTINES["drive.upload"](calls(b"x", claimed=WHOLE_BYTES + 1), {}, drive)

    assert drive.order == ["prepare"]


ANNOUNCEMENT = "/open-apis/docx/v1/chats/:chat_id/announcement/blocks/:block_id/children"
NEW = {"children": [{"block_id": "b8"}, {"block_id": "b9"}]}


def announcement_calls() -> dict[str, WireCall]:
    path = {"chat_id": "oc_a", "block_id": "oc_a"}
    return {
        "look": WireCall(call=call(ANNOUNCEMENT), path=path, query=(("page_size", "500"),)),
        "write": WireCall(
            call=call(ANNOUNCEMENT, http="POST", body="json"), path=path, body={"children": [1, 2]}
        ),
        "clear": WireCall(call=call(f"{ANNOUNCEMENT}/batch_delete", http="DELETE", body="json"), path=path),
    }


class Announcement:
    """Answers with pages of old blocks and keeps what came."""

    def __init__(self, *pages: Any) -> None:
        self._pages = list(pages)
        self.sent: list[tuple[str, WireCall]] = []

    async def __call__(self, call: str, wire: WireCall) -> Any:
        self.sent.append((call, wire))
        return self._pages.pop(0) if call == "look" else NEW

    async def wait(self, seconds: float) -> bool:
        return False


async def test_a_new_announcement_is_written_before_the_old_one_goes() -> None:
    """All pages of the old one are counted; what lies below the new blocks is deleted."""
    page = {"items": [{}] * 3, "has_more": True, "page_token": "pt_1"}
    sent = Announcement(page, {"items": [{}], "has_more": False})

    got = await ROUTINES["chat.replace_announcement"](announcement_calls(), {"blocks": [1, 2]}, sent)

    assert got == NEW
    assert [name for name, _ in sent.sent] == ["look", "look", "write", "clear"]
    assert sent.sent[1][1].query == (("page_size", "500"), ("page_token", "pt_1"))
    assert sent.sent[2][1].body == {"children": [1, 2], "index": 0}
    assert sent.sent[3][1].body == {"start_index": 2, "end_index": 6}


async def test_an_empty_announcement_has_nothing_to_delete() -> None:
    """Then the first text is all there is."""
    sent = Announcement({"items": [], "has_more": False})

    await ROUTINES["chat.replace_announcement"](announcement_calls(), {"blocks": [1, 2]}, sent)

    assert [name for name, _ in sent.sent] == ["look", "write"]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("no page", id="no-object"),
        pytest.param({"items": "many"}, id="no-list"),
    ],
)
async def test_an_announcement_that_cannot_be_counted_stays(page: Any) -> None:
    """Nothing is written over what nobody can tell the length of."""
    sent = Announcement(page)

    with pytest.raises(RoutineStopped):
        await ROUTINES["chat.replace_announcement"](announcement_calls(), {"blocks": [1, 2]}, sent)

    assert [name for name, _ in sent.sent] == ["look"]
