"""Messages through the gate: said, found, answered, changed, marked and taken back."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from placet.contract.result import Failed, Refused
from placet.contract.words import Identity
from placet.platforms.feishu.fake import Chat
from tests.runtime.platforms.feishu.scenarios.im_desk import APP, ME, Desk, opened

pytestmark = pytest.mark.anyio


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with opened() as found:
        yield found


@pytest.fixture
def chat(desk: Desk) -> Chat:
    return desk.tenant.im.add_chat("发布群", owner=ME, members=["ou_li"])


async def say(desk: Desk, chat: Chat, **message: Any) -> str:
    sent = await desk.call("im.send_message", receive_id=chat.chat_id, message=message)
    return str(sent["message_id"])


async def test_a_message_is_sent_found_edited_and_recalled(desk: Desk, chat: Chat) -> None:
    """The chain of a message, read back after each step."""
    message_id = await say(desk, chat, text="构建通过", mentions=["ou_li"])
    (listed,) = (await desk.call("im.list_messages", container_id=chat.chat_id))["items"]
    assert (listed["message_id"], listed["sender_type"]) == (message_id, "app")
    assert listed["text"].endswith("构建通过")

    (found,) = (await desk.call("im.search_messages", query="构建", identity=Identity.USER))["items"]
    assert (found["message_id"], found["chat_id"]) == (message_id, chat.chat_id)

    await desk.call("im.edit_message", message_id=message_id, message={"text": "构建失败"})
    (edited,) = (await desk.call("im.get_message", message_id=message_id))["items"]
    assert edited["text"] == "构建失败"

    await desk.call("im.recall_message", message_id=message_id)
    gone = await desk.result("im.get_message", message_id=message_id)
    assert isinstance(gone, Failed)
    assert gone.code == "230110"


async def test_an_answer_opens_a_thread_that_can_be_read_and_passed_on(desk: Desk, chat: Chat) -> None:
    """A thread is read by its own id; forwarding it makes one bundle with its messages."""
    asked = desk.tenant.im.say(chat, "什么时候上线？", by="ou_li")
    answered = await desk.call(
        "im.reply_message", message_id=asked.message_id, message={"text": "周五"}, in_thread=True
    )
    thread = await desk.call("im.list_messages", container_id=answered["thread_id"])
    assert [one["text"] for one in thread["items"]] == ["什么时候上线？", "周五"]

    other = desk.tenant.im.add_chat("法务")
    passed = await desk.call("im.forward_thread", thread_id=answered["thread_id"], receive_id=other.chat_id)
    bundle = await desk.call("im.get_message", message_id=passed["message_id"])
    assert [one.get("inside") for one in bundle["items"]] == [
        None,
        passed["message_id"],
        passed["message_id"],
    ]


async def test_messages_are_bundled_for_another_chat(desk: Desk, chat: Chat) -> None:
    """Several messages arrive as one that opens to them; one alone arrives as it was."""
    ids = [desk.tenant.im.say(chat, text, by="ou_li").message_id for text in ("一", "二")]
    merged = await desk.call("im.merge_forward", message_ids=ids, receive_id="ou_wang")
    bundle = await desk.call("im.get_message", message_id=merged["message_id"])
    assert [one["text"] for one in bundle["items"][1:]] == ["一", "二"]

    single = await desk.call("im.forward_message", message_id=ids[0], receive_id=chat.chat_id)
    assert desk.tenant.im.messages[single["message_id"]].content == '{"text": "一"}'


async def test_reactions_and_pins_come_and_go(desk: Desk, chat: Chat) -> None:
    """What was put on a message is listed, and is gone after it was taken off."""
    message_id = await say(desk, chat, markdown="**周报**", title="本周")
    reaction = await desk.call("im.add_reaction", message_id=message_id, emoji="OK")
    (listed,) = (await desk.call("im.list_reactions", message_id=message_id, emoji="OK"))["items"]
    assert (listed["reaction_id"], listed["by"]) == (reaction["reaction_id"], APP)
    await desk.call("im.remove_reaction", message_id=message_id, reaction_id=reaction["reaction_id"])
    assert (await desk.call("im.list_reactions", message_id=message_id))["items"] == []

    await desk.call("im.pin_message", message_id=message_id)
    assert [
        one["message_id"] for one in (await desk.call("im.list_pins", chat_id=chat.chat_id))["items"]
    ] == [message_id]
    await desk.call("im.unpin_message", message_id=message_id)
    assert (await desk.call("im.list_pins", chat_id=chat.chat_id))["items"] == []


async def test_a_file_goes_up_into_a_message_and_down_again(desk: Desk, chat: Chat) -> None:
    """By handles on both ends; the key travels in the message."""
    handle = await desk.stage("季度报告".encode(), "报告.pdf")
    uploaded = await desk.call("im.upload_file", file=handle, kind="pdf")
    message_id = await say(desk, chat, file_key=uploaded["file_key"])

    (read,) = (await desk.call("im.get_message", message_id=message_id))["items"]
    key = json.loads(read["raw"])["file_key"]
    fetched = await desk.call("im.download_resource", message_id=message_id, file_key=key, kind="file")

    content = await desk.files.open(fetched["file"], app=APP, session="oc_desk")
    assert content is not None
    assert await content.read() == "季度报告".encode()
    (form,) = desk.fake.calls("POST */files")
    assert {one.name for one in form.parts} == {"file", "file_name", "file_type"}


async def test_a_notice_becomes_a_card_that_can_be_changed(desk: Desk, chat: Chat) -> None:
    """The short form arrives as card JSON; editing replaces it for everybody."""
    message_id = await say(desk, chat, notice={"title": "上线", "color": "orange", "markdown": "待发布"})
    await desk.call("im.edit_card_message", message_id=message_id, content={"notice": {"markdown": "已发布"}})

    sent, changed = (json.loads(one.json["content"]) for one in desk.fake.calls("*/messages*") if one.json)
    assert sent["header"]["template"] == "orange"
    assert changed["body"]["elements"][0]["content"] == "已发布"
    (read,) = (await desk.call("im.get_message", message_id=message_id))["items"]
    assert read["text"] == "已发布"


async def test_who_read_it_is_told_to_the_sender_only(desk: Desk, chat: Chat) -> None:
    """Read receipts of an own message; a refusal with an advice for somebody else's."""
    mine, theirs = desk.tenant.im.say(chat, "通知"), desk.tenant.im.say(chat, "收到", by="ou_li")
    mine.readers["ou_li"] = 1_780_000_000_000

    read = await desk.call("im.list_read_users", message_id=mine.message_id)
    other = await desk.result("im.list_read_users", message_id=theirs.message_id)

    assert read["items"] == [{"open_id": "ou_li", "read": "1780000000000"}]
    assert isinstance(other, Failed)
    assert other.code == "230012"


async def test_urging_and_sending_to_many_reach_whom_they_name(desk: Desk, chat: Chat) -> None:
    """Both say who was not reached; a message to many can be followed and taken back."""
    message_id = await say(desk, chat, text="故障")
    urged = await desk.call("im.urge_by_app", message_id=message_id, open_ids=["ou_li", "ou_wang"])
    assert urged["not_reached"] == ["ou_wang"]

    sent = await desk.call("im.send_to_many", text="明日停机", open_ids=["ou_li", "ou_wang"])
    batch = sent["batch_message_id"]
    assert (await desk.call("im.get_batch_progress", batch_message_id=batch))["reached"] == 2
    await desk.call("im.recall_batch", batch_message_id=batch)
    assert (await desk.call("im.get_batch_progress", batch_message_id=batch))["recalling"] is True


async def test_a_text_cannot_ring_people_it_does_not_name(desk: Desk, chat: Chat) -> None:
    """The platform's tag inside a text is refused before anything is sent."""
    refused = await desk.result(
        "im.send_message", receive_id=chat.chat_id, message={"text": '<at user_id="all"></at>'}
    )

    assert isinstance(refused, Refused)
    assert desk.fake.calls("POST */messages") == []
