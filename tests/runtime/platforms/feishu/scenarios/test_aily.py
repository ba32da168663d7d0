"""A conversation with an assistant, and a question to its knowledge, through the gate."""

import json
from uuid import UUID

import pytest

from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.office_desk import desk

pytestmark = pytest.mark.anyio

APP = "spring_e7004f87f1__c"


async def test_a_question_becomes_a_session_a_message_and_a_run() -> None:
    """Each id leads to the next call; the message carries a key by which a repeat is recognised."""
    async with desk("aily") as office:
        session = (await office.call("aily.create_session", {}))["session_id"]
        said = {"session_id": session, "text": "怎么重置 VPN？"}
        await office.call("aily.add_message", said)
        run = (await office.call("aily.start_run", {"session_id": session, "app_id": APP}))["run_id"]
        await office.call("aily.get_run", {"session_id": session, "run_id": run})
        answers = await office.call("aily.list_messages", {"session_id": session, "run_id": run})

    assert {"sender", "content", "status"} <= answers["items"][0].keys()
    message = office.sent(f"POST /open-apis/aily/v1/sessions/{session}/messages").json
    assert (message["content"], message["content_type"]) == ("怎么重置 VPN？", "MDX")
    assert UUID(message["idempotent_id"]).version == 4
    assert office.sent(f"POST /open-apis/aily/v1/sessions/{session}/runs").json == {"app_id": APP}
    listed = office.sent(f"GET /open-apis/aily/v1/sessions/{session}/messages")
    assert ("run_id", run) in listed.query


async def test_a_skill_runs_only_after_a_yes_and_gets_its_input_as_json() -> None:
    """What a skill does nobody here knows, so starting one is held."""
    async with desk("aily", unattended=False, authoriser=ask_for_writes) as office:
        (skill, *_) = (await office.call("aily.list_skills", {"app_id": APP}))["items"]
        wish = {"app_id": APP, "skill_id": skill["skill_id"], "message": "你好", "input": {"city": "北京"}}
        held = await office.result("aily.start_skill", wish)
        assert (held.kind, office.fake.calls("POST *")) == ("pending", [])
    async with desk("aily") as office:
        await office.call("aily.start_skill", wish)

    sent = office.sent("POST *").json
    assert sent["global_variable"] == {"query": "你好"}
    assert json.loads(sent["input"]) == {"city": "北京"}


async def test_a_question_can_be_limited_to_some_knowledge() -> None:
    """The list's ids are what the question takes."""
    async with desk("aily") as office:
        (asset, *_) = (await office.call("aily.list_data_assets", {"app_id": APP}))["items"]
        asked = {"app_id": APP, "question": "年假几天？", "data_asset_ids": [asset["data_asset_id"]]}
        told = await office.call("aily.ask_knowledge", asked)

    assert {"has_answer", "answer", "passages"} <= told.keys()
    sent = office.sent("POST *").json
    assert sent == {"message": {"content": "年假几天？"}, "data_asset_ids": [asset["data_asset_id"]]}
