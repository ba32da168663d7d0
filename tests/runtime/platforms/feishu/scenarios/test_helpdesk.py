"""A ticket and an entry of the knowledge base through the gate."""

from base64 import b64decode

import pytest

from placet.contract.words import Identity
from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.office_desk import ME, desk

pytestmark = pytest.mark.anyio

TICKETS = "/open-apis/helpdesk/v1/tickets"


async def test_a_ticket_is_found_answered_and_solved() -> None:
    """The app finds and answers it, a person marks it; every request carries the desk's credential."""
    async with desk("helpdesk") as office:
        asked = {"statuses": [1, 2], "solved": 1, "page_size": 20}
        (first, *_) = (await office.call("helpdesk.list_tickets", asked))["items"]
        ticket = {"ticket_id": first["ticket_id"]}
        words = await office.call("helpdesk.list_messages", ticket)
        await office.call("helpdesk.send_message", {**ticket, "text": "已重置"})
        await office.call("helpdesk.update_ticket", {**ticket, "solved": 2}, Identity.USER)

    assert {"message_id", "content", "name", "open_id"} <= words["items"][0].keys()
    listed = office.sent(f"GET {TICKETS}")
    assert [value for name, value in listed.query if name == "status_list"] == ["1", "2"]
    said = office.sent(f"POST {TICKETS}/{first['ticket_id']}/messages")
    assert said.json == {"msg_type": "text", "content": '{"text":"已重置"}'}
    solved = office.sent(f"PUT {TICKETS}/{first['ticket_id']}")
    assert (solved.json, solved.identity) == ({"solved": 2}, Identity.USER)
    carried = {one.headers["x-lark-helpdesk-authorization"] for one in office.fake.calls()}
    assert [b64decode(one) for one in carried] == [b"682001:ht-1"]


async def test_a_ticket_is_opened_for_the_person_who_asks() -> None:
    """Whose ticket it is comes from the call, and it waits for a yes."""
    async with desk("helpdesk", unattended=False, authoriser=ask_for_writes) as office:
        held = await office.result("helpdesk.start_ticket", {"human": True})
    async with desk("helpdesk") as office:
        opened = await office.call("helpdesk.start_ticket", {"human": True})

    assert held.kind == "pending"
    assert opened.keys() == {"ticket_id", "chat_id"}
    assert office.sent("POST *").json == {"human_service": True, "open_id": ME}


async def test_an_answer_is_written_found_and_deleted() -> None:
    """The id that the search gives is the one that a person changes and deletes."""
    async with desk("helpdesk") as office:
        entry = {"question": "忘记密码", "answer": "在登录页点击找回"}
        await office.call("helpdesk.create_faq", entry, Identity.USER)
        (found, *_) = (await office.call("helpdesk.search_faqs", {"question": "密码"}))["items"]
        named = {"faq_id": found["faq_id"]}
        await office.call("helpdesk.update_faq", {**named, "question": "忘记密码"}, Identity.USER)
        await office.call("helpdesk.delete_faq", named, Identity.USER)

    assert office.sent("POST *").json == {"faq": entry}
    assert office.sent("PATCH *").path == f"/open-apis/helpdesk/v1/faqs/{found['faq_id']}"
    assert office.sent("DELETE *").path == f"/open-apis/helpdesk/v1/faqs/{found['faq_id']}"
