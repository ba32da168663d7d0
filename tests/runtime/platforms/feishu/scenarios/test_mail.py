"""Mail through the gate: read, filed, drafted as an answer, and sent."""

import base64
from collections.abc import AsyncIterator
from email import message_from_bytes
from typing import Any

import pytest

from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.im_desk import Desk, opened

pytestmark = pytest.mark.anyio

BOX = "/open-apis/mail/v1/user_mailboxes/me"


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with opened() as found:
        yield found


async def call(desk: Desk, tool: str, **arguments: Any) -> Any:
    """As the person, whose mailbox it is."""
    return await desk.call(tool, identity=Identity.USER, mailbox="me", **arguments)


async def test_new_mail_is_listed_read_and_filed(desk: Desk) -> None:
    """Ids, then contents with readable bodies, then marked as read."""
    listed = await call(desk, "mail.list_messages", folder_id="INBOX", only_unread=True)
    ids = listed["message_ids"]
    read = await call(desk, "mail.get_messages", message_ids=ids, detail="plain_text_full")
    one = await call(desk, "mail.get_message", message_id=ids[0])
    await call(desk, "mail.update_message", message_id=ids[0], remove_label_ids=["UNREAD"])

    assert len(read["messages"]) == 3
    assert one["text"].startswith("text-")
    received = desk.fake.calls()
    assert received[0].query[:2] == (("folder_id", "INBOX"), ("only_unread", "true"))
    assert (received[-1].method, received[-1].path) == ("PUT", f"{BOX}/messages/{ids[0]}/modify")
    assert received[-1].json == {"remove_label_ids": ["UNREAD"]}
    assert {one.identity for one in received} == {Identity.USER}


async def test_an_answer_is_a_draft_that_keeps_its_conversation(desk: Desk) -> None:
    """The mail on the wire has the lines that tie it to the one answered; sending it is a step of its own."""
    mail = {
        "sender": "张三 <zhang@example.com>",
        "to": ["li@example.com"],
        "subject": "Re: 租约",
        "text": "同意。",
        "in_reply_to": "<m1@example.com>",
        "references": ["<m1@example.com>"],
        "replied_message_id": "TUlH1",
    }
    draft = await call(desk, "mail.create_draft", mail=mail)
    await call(desk, "mail.send_draft", draft_id=draft["draft_id"], send_at="2026-12-02T09:00:00+08:00")

    (created,) = desk.fake.calls("POST */drafts")
    sent = message_from_bytes(base64.urlsafe_b64decode(created.json["raw"]))
    assert (sent["To"], sent["In-Reply-To"], sent["References"]) == (
        "li@example.com",
        "<m1@example.com>",
        "<m1@example.com>",
    )
    assert sent.get_payload(decode=True) == "同意。".encode()
    (gone,) = desk.fake.calls("POST */send")
    assert gone.path == f"{BOX}/drafts/{draft['draft_id']}/send"
    assert gone.json == {"send_time": "1796173200"}


async def test_a_new_mail_goes_at_once_and_only_once(desk: Desk) -> None:
    """Recipients as they were given, and a key by which the platform knows a repeat."""
    sent = await call(
        desk,
        "mail.send_message",
        to=[{"address": "li@example.com", "name": "李四"}],
        subject="周会",
        text="三点见",
    )

    (received,) = desk.fake.calls("POST */messages/send")
    assert received.json.pop("dedupe_key")
    assert received.json == {
        "to": [{"mail_address": "li@example.com", "name": "李四"}],
        "subject": "周会",
        "body_plain_text": "三点见",
    }
    assert sent["message_id"]


async def test_a_search_speaks_the_platforms_names(desk: Desk) -> None:
    """Conditions arrive under the names of the platform, times as a range."""
    await call(
        desk,
        "mail.search_messages",
        query="租约",
        filter={"senders": ["li@example.com"], "since": "2026-05-01T00:00:00+08:00"},
    )

    (received,) = desk.fake.calls("POST */search")
    assert received.json == {
        "query": "租约",
        "filter": {"from": ["li@example.com"], "create_time": {"start_time": "2026-05-01T00:00:00+08:00"}},
    }


async def test_members_of_a_mail_group_change_by_name(desk: Desk) -> None:
    """Under the app's token; who was in it is read before."""
    members = (await desk.call("mail.list_mail_group_members", mail_group_id="g1"))["items"]
    await desk.call(
        "mail.add_mail_group_members", mail_group_id="g1", members=[{"kind": "USER", "open_id": "ou_li"}]
    )
    await desk.call(
        "mail.remove_mail_group_members", mail_group_id="g1", member_ids=[members[0]["member_id"]]
    )

    added, removed = desk.fake.calls("* */members/batch_*")
    assert added.json == {"items": [{"type": "USER", "user_id": "ou_li"}]}
    assert removed.json == {"member_id_list": [members[0]["member_id"]]}
