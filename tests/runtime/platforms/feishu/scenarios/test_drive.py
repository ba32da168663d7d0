"""A drive through the gate: put away, found, shared, discussed, turned into other forms and thrown away."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from placet.contract.result import Failed
from tests.runtime.platforms.feishu.scenarios.im_desk import APP, Desk, opened

pytestmark = pytest.mark.anyio


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with opened() as found:
        yield found


async def content(desk: Desk, handle: str) -> bytes:
    found = await desk.files.open(handle, app=APP, session="oc_desk")
    assert found is not None
    return await found.read()


async def test_a_file_is_put_away_found_moved_and_thrown_away(desk: Desk) -> None:
    """The chain of a file, read back after each step."""
    root = (await desk.call("drive.get_root_folder"))["folder_token"]
    folder = (await desk.call("drive.create_folder", name="周报", folder_token=root))["token"]
    handle = await desk.stage(b"%PDF-1", "报告.pdf")
    uploaded = (await desk.call("drive.upload_file", file=handle, folder_token=root))["file_token"]

    await desk.call("drive.move_file", file_token=uploaded, type="file", folder_token=folder)
    (found,) = (await desk.call("drive.list_files", folder_token=folder))["items"]
    assert (found["token"], found["name"], found["parent_token"]) == (uploaded, "报告.pdf", folder)

    copied = await desk.call(
        "drive.copy_file", file_token=uploaded, type="file", name="副本.pdf", folder_token=root
    )
    await desk.call("drive.create_shortcut", folder_token=folder, file_token=copied["token"], type="file")
    listed = (await desk.call("drive.list_files", folder_token=folder))["items"]
    (shortcut,) = [one for one in listed if one["type"] == "shortcut"]
    assert shortcut["target_token"] == copied["token"]
    downloaded = await desk.call("drive.download_file", file_token=copied["token"])
    assert await content(desk, downloaded["file"]) == b"%PDF-1"

    await desk.call("drive.delete_file", file_token=folder, type="folder")
    gone = await desk.call("drive.get_file_metas", files=[{"token": uploaded, "type": "file"}])
    assert gone["failed"] == [{"token": uploaded, "code": 970005}]
    assert [one["token"] for one in (await desk.call("drive.list_files"))["items"]] == [copied["token"]]


async def test_access_is_given_changed_handed_over_and_taken_away(desk: Desk) -> None:
    """Each change of a right is what the list of collaborators says afterwards."""
    item = desk.tenant.drive.add("docx", "Q3 计划")
    place: dict[str, Any] = {"token": item.token, "type": "docx"}
    shared: dict[str, Any] = {"token": item.token, "shared_type": "docx"}

    await desk.call("drive.add_member", **shared, member_type="openid", member_id="ou_li", right="view")
    await desk.call("drive.update_member", **place, member_type="openid", member_id="ou_li", right="edit")
    members = (await desk.call("drive.list_members", **place))["items"]
    assert (members[-1]["name"], members[-1]["right"]) == ("李四", "edit")

    await desk.call(
        "drive.transfer_owner", **shared, member_type="openid", member_id="ou_wang", old_owner_right="view"
    )
    await desk.call("drive.remove_member", **shared, member_type="openid", member_id="ou_li")
    members = (await desk.call("drive.list_members", **place))["items"]
    assert {one["member_id"]: one["right"] for one in members} == {APP: "view", "ou_wang": "full_access"}
    assert (await desk.call("drive.check_permission", **place, action="edit"))["allowed"] is False

    closed = await desk.result("drive.update_sharing", **place, link="anyone_readable")
    assert isinstance(closed, Failed)
    await desk.call("drive.update_sharing", **place, link="tenant_readable")
    assert (await desk.call("drive.get_sharing", **place))["link"] == "tenant_readable"


async def test_a_comment_is_made_answered_resolved_and_partly_taken_back(desk: Desk) -> None:
    """What is said reads as it was written, mentions included."""
    item = desk.tenant.drive.add("docx", "Q3 计划")
    place: dict[str, Any] = {"file_token": item.token, "comment_file_type": "docx"}
    made = await desk.call(
        "drive.add_comment", file_token=item.token, file_type="docx", text="请 @ou_li 核对"
    )
    comment: dict[str, Any] = {**place, "comment_id": made["comment_id"]}

    answered = await desk.call("drive.reply_comment", **comment, text="已核对")
    await desk.call("drive.resolve_comment", **comment, is_solved=True)
    (listed,) = (await desk.call("drive.list_comments", **place, is_solved=True))["items"]
    assert [one["text"] for one in listed["said"]] == ["请 @ou_li 核对", "已核对"]

    await desk.call("drive.delete_reply", **comment, reply_id=answered["reply_id"])
    assert [one["text"] for one in (await desk.call("drive.get_comment", **comment))["said"]] == [
        "请 @ou_li 核对"
    ]


async def test_readers_versions_and_subscriptions(desk: Desk) -> None:
    """Who read, what was kept, and whether the app is told of changes."""
    item = desk.tenant.drive.add("docx", "Q3 计划")
    item.viewers["ou_li"] = 1_780_000_000
    of: dict[str, Any] = {"file_token": item.token, "file_type": "docx"}

    assert (await desk.call("drive.get_statistics", **of))["readers"] == 1
    (viewer,) = (await desk.call("drive.list_viewers", **of))["items"]
    assert viewer == {"open_id": "ou_li", "name": "李四", "opened": "1780000000"}
    await desk.call("drive.create_version", file_token=item.token, type="docx", name="送审稿")
    (version,) = (await desk.call("drive.list_versions", file_token=item.token, type="docx"))["items"]
    assert version["name"] == "送审稿"

    watched: dict[str, Any] = {"file_token": item.token, "event_file_type": "docx"}
    await desk.call("drive.subscribe", **watched)
    assert (await desk.call("drive.get_subscription", **watched))["subscribed"] is True
    await desk.call("drive.unsubscribe", **watched)
    assert item.is_watched is False


async def test_a_file_becomes_a_document_and_a_document_a_file(desk: Desk) -> None:
    """Import and export are one call each; the job is started, looked at and fetched behind it."""
    handle = await desk.stage("# 周报".encode(), "周报.md")
    made = await desk.call("drive.import_file", file=handle, type="docx", folder_token="")
    assert (made["status"], made["type"]) == (0, "docx")
    assert desk.tenant.drive.items[made["token"]].content == "# 周报".encode()
    (upload,) = desk.fake.calls("POST /open-apis/drive/v1/medias/upload_all")
    parts = {part.name: part.content.decode() for part in upload.parts}
    assert (parts["parent_type"], parts["extra"]) == (
        "ccm_import_open",
        '{"obj_type": "docx", "file_extension": "md"}',
    )
    assert (await desk.call("drive.get_import", job_id=made["job_id"]))["token"] == made["token"]

    exported = await desk.call("drive.export_document", token=made["token"], type="docx", format="pdf")
    assert await content(desk, exported["file"]) == "周报.md.pdf".encode()


async def test_a_job_that_fails_says_why(desk: Desk) -> None:
    """A failed job is a failure with the job's own status; nothing is fetched."""
    item = desk.tenant.drive.add("docx", "Q3 计划")
    desk.tenant.drive.job_status = 110

    failed = await desk.result("drive.export_document", token=item.token, type="docx", format="pdf")

    assert isinstance(failed, Failed)
    assert failed.code == "job_110"
    assert desk.fake.calls("GET /open-apis/drive/v1/export_tasks/file/*") == []
