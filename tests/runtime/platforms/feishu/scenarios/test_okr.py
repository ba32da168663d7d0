"""From a person to a key result, and a word about it, through the gate."""

import pytest

from tests.runtime.platforms.feishu.scenarios.work_desk import ACTOR, desk

pytestmark = pytest.mark.anyio

OKR = "/open-apis/okr"


async def test_a_persons_key_results_are_reached_step_by_step() -> None:
    """Each reading gives the id of the next, and texts are plain lines."""
    async with desk("okr") as at:
        cycle = (await at.do("okr.list_cycles", owner_open_id=ACTOR))["items"][0]
        goal = (await at.do("okr.list_objectives", cycle_id=cycle["cycle_id"]))["items"][0]
        result = (await at.do("okr.list_key_results", objective_id=goal["objective_id"]))["items"][0]

        assert result["text"].startswith("text-")
        paths = [one.path for one in at.fake.calls()]
        assert paths == [
            f"{OKR}/v2/cycles",
            f"{OKR}/v2/cycles/{cycle['cycle_id']}/objectives",
            f"{OKR}/v2/objectives/{goal['objective_id']}/key_results",
        ]
        assert at.fake.calls()[0].first("user_id") == ACTOR


async def test_progress_leaves_as_the_first_version_writes_it() -> None:
    """Text, percentage and state reach the record, and the answer names it."""
    async with desk("okr") as at:
        arrived = await at.sent(
            "okr.add_progress",
            target_id="7301",
            target_type=3,
            text="试点推迟一周",
            percent=60,
            state=1,
            source_title="周会",
            source_url="https://example.com/w",
        )

        assert (arrived.method, arrived.path) == ("POST", f"{OKR}/v1/progress_records")
        assert arrived.json == {
            "target_id": "7301",
            "target_type": 3,
            "content": {
                "blocks": [
                    {
                        "type": "paragraph",
                        "paragraph": {"elements": [{"type": "textRun", "textRun": {"text": "试点推迟一周"}}]},
                    }
                ]
            },
            "progress_rate": {"percent": 60, "status": 1},
            "source_title": "周会",
            "source_url": "https://example.com/w",
        }


async def test_a_score_is_proposed_beside_the_old_one() -> None:
    """Before a score is written, the key result is read, and nothing is sent without a yes."""
    async with desk("okr", unattended=False) as at:
        asked = await at.gate.call("okr.update_key_result", {"key_result_id": "7301", "score": 0.7}, at.ctx)

        assert asked.kind == "pending"
        assert [one.method for one in at.fake.calls()] == ["GET"]


async def test_a_key_result_is_added_with_its_deadline() -> None:
    """The moment travels in milliseconds, the text in paragraphs."""
    async with desk("okr") as at:
        arrived = await at.sent(
            "okr.create_key_result",
            objective_id="7300",
            text="次月留存到四成",
            deadline="2026-06-30T23:59:59+08:00",
        )

        assert arrived.path == f"{OKR}/v2/objectives/7300/key_results"
        assert arrived.json["deadline"] == "1782835199000"
        (block,) = arrived.json["content"]["blocks"]
        assert block["paragraph"]["elements"][0]["text_run"] == {"text": "次月留存到四成"}
