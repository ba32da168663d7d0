"""Groups through the gate: made, filled, run, decorated, handed over and dissolved."""

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


async def made(desk: Desk, name: str = "设计群") -> str:
    created = await desk.call("chat.create_chat", name=name, owner_id=ME, member_ids=["ou_li"])
    return str(created["chat_id"])


async def test_a_group_is_made_found_changed_and_dissolved(desk: Desk) -> None:
    """The chain of a group, read back after each step."""
    chat_id = await made(desk)
    (found,) = (await desk.call("chat.search_chats", query="设计"))["items"]
    assert (found["chat_id"], found["owner_id"]) == (chat_id, ME)

    await desk.call("chat.update_chat", chat_id=chat_id, name="设计评审", who_adds="only_owner")
    read = await desk.call("chat.get_chat", chat_id=chat_id)
    assert (read["name"], read["who_adds"], read["people"]) == ("设计评审", "only_owner", "2")

    await desk.call("chat.dissolve_chat", chat_id=chat_id)
    assert (await desk.call("chat.list_chats"))["items"] == []
    gone = await desk.result("chat.get_chat", chat_id=chat_id)
    assert isinstance(gone, Failed)
    assert gone.code == "232006"


async def test_people_come_run_it_and_go(desk: Desk) -> None:
    """Members, managers and the owner; what did not work is named."""
    chat_id = await made(desk)
    added = await desk.call("chat.add_members", chat_id=chat_id, member_ids=["ou_wang", "ou_nobody"])
    assert added["unknown"] == ["ou_nobody"]
    members = (await desk.call("chat.list_members", chat_id=chat_id))["items"]
    assert [(one["open_id"], one["name"]) for one in members] == [
        (ME, "张三"),
        ("ou_li", "李四"),
        ("ou_wang", "王五"),
    ]

    promoted = await desk.call("chat.add_managers", chat_id=chat_id, manager_ids=["ou_wang"])
    assert promoted["manager_ids"] == ["ou_wang"]
    demoted = await desk.call("chat.remove_managers", chat_id=chat_id, manager_ids=["ou_wang"])
    assert demoted["manager_ids"] == []

    await desk.call("chat.transfer_owner", chat_id=chat_id, owner_id="ou_li")
    assert (await desk.call("chat.get_chat", chat_id=chat_id))["owner_id"] == "ou_li"
    removed = await desk.call("chat.remove_members", chat_id=chat_id, member_ids=["ou_wang"])
    assert removed["not_removed"] == []
    assert desk.tenant.im.chats[chat_id].members == [ME, "ou_li"]


async def test_one_joins_what_is_public(desk: Desk) -> None:
    """From outside to inside, each time told by the question whether one is in."""
    chat = desk.tenant.im.add_chat("足球", owner="ou_li")
    chat.settings["chat_type"] = "public"
    place: dict[str, Any] = {"chat_id": chat.chat_id, "identity": Identity.USER}
    assert (await desk.call("chat.check_membership", **place))["is_member"] is False

    await desk.call("chat.join_chat", **place)

    assert (await desk.call("chat.check_membership", **place))["is_member"] is True


async def test_an_announcement_grows_and_is_replaced(desk: Desk) -> None:
    """After a replacement only the new text is there; the new one went in before the old one went."""
    chat_id = await made(desk)
    for text in ("一", "二"):
        await desk.call("chat.append_announcement", chat_id=chat_id, blocks=[{"type": "text", "text": text}])
    await desk.call(
        "chat.replace_announcement",
        chat_id=chat_id,
        blocks=[{"type": "heading1", "text": "须知"}, {"type": "bullet", "text": "准时"}],
    )

    read = await desk.call("chat.get_announcement", chat_id=chat_id)
    shown = [(one["type"], one.get("text")) for one in read["blocks"][1:]]
    assert shown == [("heading1", "须知"), ("bullet", "准时")]
    assert (await desk.call("chat.get_announcement_info", chat_id=chat_id))["editor"] == "docx"
    order = [one.method for one in desk.fake.calls("*/children*")]
    assert order == ["POST", "POST", "GET", "POST", "DELETE"]


async def test_what_stands_on_top_is_set_and_cleared(desk: Desk) -> None:
    """Tabs, the banner, who may speak, and a link."""
    chat_id = await made(desk)
    chat = desk.tenant.im.chats[chat_id]
    tab = {"name": "规范", "kind": "url", "url": "https://example.com"}
    (added,) = (await desk.call("chat.add_tabs", chat_id=chat_id, tabs=[tab]))["tabs"]
    renamed = {**tab, "tab_id": added["tab_id"], "name": "设计规范"}
    await desk.call("chat.update_tabs", chat_id=chat_id, tabs=[renamed])
    (listed,) = (await desk.call("chat.list_tabs", chat_id=chat_id))["tabs"]
    assert (listed["name"], listed["url"]) == ("设计规范", "https://example.com")
    await desk.call("chat.remove_tabs", chat_id=chat_id, tab_ids=[added["tab_id"]])
    assert (await desk.call("chat.list_tabs", chat_id=chat_id))["tabs"] == []

    await desk.call("chat.set_top_notice", chat_id=chat_id, notice=[{"kind": "2"}])
    assert chat.top_notice == {"action_type": "2"}
    await desk.call("chat.clear_top_notice", chat_id=chat_id)
    assert chat.top_notice is None

    await desk.call("chat.set_moderation", chat_id=chat_id, who="moderator_list", allow=["ou_li"])
    moderation = await desk.call("chat.get_moderation", chat_id=chat_id)
    assert (moderation["who"], moderation["items"]) == ("moderator_list", [{"open_id": "ou_li"}])
    link = await desk.call("chat.create_share_link", chat_id=chat_id, valid_for="week")
    assert link["link"].endswith(chat_id)
