"""Wikis through the gate: pages made, found, moved, copied and renamed; people let in and out."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from placet.contract.result import Failed
from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.im_desk import ME, Desk, opened

pytestmark = pytest.mark.anyio


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with opened() as found:
        yield found


async def test_a_page_is_made_found_renamed_copied_and_moved(desk: Desk) -> None:
    """The chain of a page, read back after each step."""
    desk.tenant.wiki.add_space("产品知识库")
    (space,) = (await desk.call("wiki.list_spaces"))["items"]
    of: dict[str, Any] = {"space_id": space["space_id"]}
    top = await desk.call("wiki.create_node", **of, title="入职", obj_type="docx", node_type="origin")
    page = await desk.call(
        "wiki.create_node",
        **of,
        title="第一周",
        obj_type="docx",
        node_type="origin",
        parent_node_token=top["node_token"],
    )
    await desk.call("docx.append_markdown", document_id=page["obj_token"], markdown="欢迎")

    await desk.call("wiki.rename_node", **of, node_token=page["node_token"], title="第一天")
    resolved = await desk.call("wiki.get_node", token=page["node_token"])
    assert (resolved["title"], resolved["obj_token"]) == ("第一天", page["obj_token"])
    assert (await desk.call("docx.get_markdown", document_id=resolved["obj_token"]))["content"] == "欢迎"

    copied = await desk.call(
        "wiki.copy_node",
        **of,
        node_token=page["node_token"],
        target_parent_token=top["node_token"],
        title="副本",
    )
    await desk.call(
        "wiki.move_node", **of, node_token=copied["node_token"], target_space_id=space["space_id"]
    )
    titles = [one["title"] for one in (await desk.call("wiki.list_nodes", **of))["items"]]
    assert titles == ["入职", "副本"]
    (found,) = (await desk.call("wiki.search_nodes", query="第一", identity=Identity.USER))["items"]
    assert found["node_token"] == page["node_token"]


async def test_a_document_moves_into_a_wiki(desk: Desk) -> None:
    """It leaves its folder and becomes a page of the same document."""
    space = desk.tenant.wiki.add_space("产品知识库")
    document = desk.tenant.docx.add("Q3 计划")

    moved = await desk.call(
        "wiki.move_docs_to_space", space_id=space.space_id, obj_type="docx", obj_token=document.document_id
    )
    (result,) = (await desk.call("wiki.get_task", task_id=moved["task_id"]))["results"]

    assert (result["status"], result["title"]) == (0, "Q3 计划")
    by_document = await desk.call("wiki.get_node", token=document.document_id, obj_type="docx")
    assert by_document["node_token"] == result["node_token"]
    assert (await desk.call("drive.list_files"))["items"] == []


async def test_people_are_let_in_and_out(desk: Desk) -> None:
    """Whoever makes a space manages it, and says who belongs to it."""
    space = await desk.call("wiki.create_space", name="产品知识库", identity=Identity.USER)
    of: dict[str, Any] = {"space_id": space["space_id"]}
    who: dict[str, Any] = {"member_type": "openid", "member_id": "ou_li", "member_role": "admin"}

    await desk.call("wiki.add_member", **of, **who)
    again = await desk.result("wiki.add_member", **of, **{**who, "member_role": "member"})
    members = (await desk.call("wiki.list_members", **of))["items"]
    assert isinstance(again, Failed)
    assert {one["member_id"]: one["role"] for one in members} == {ME: "admin", "ou_li": "admin"}

    await desk.call("wiki.remove_member", **of, **who)
    assert [one["member_id"] for one in (await desk.call("wiki.list_members", **of))["items"]] == [ME]
    changed = await desk.call("wiki.update_settings", **of, take_out="not_allow")
    assert changed["take_out"] == "not_allow"
    assert (await desk.call("wiki.get_space", **of))["name"] == "产品知识库"
