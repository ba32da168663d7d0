"""A review cycle through the gate: found, followed and read, and never to somebody the host did not think of."""

import msgspec
import pytest

from tests.runtime.platforms.feishu.scenarios.hr_desk import CTX, desk

pytestmark = pytest.mark.anyio

SEMESTER = "7400000000000000001"


async def test_what_is_outstanding_in_a_cycle_is_listed() -> None:
    """Cycle and people go to the stage tasks, states as the platform numbers them."""
    async with desk("performance") as (fake, gate):
        cycle = (await gate.call("performance.list_semesters", {"year": 2026}, CTX)).unwrap()["items"][0]
        asked = {"semester_id": SEMESTER, "open_ids": ["ou_li"], "states": [1, 3]}
        tasks = await gate.call("performance.list_review_tasks", asked, CTX)

    assert {"semester_id", "name", "progress"} <= cycle.keys()
    assert {"stage", "deadline", "state", "to_do"} <= tasks.unwrap()["items"][0]["tasks"][0].keys()
    (sent,) = fake.calls("POST /open-apis/performance/v1/stage_tasks/find_by_user_list")
    assert sent.json == {"semester_id": SEMESTER, "user_id_lists": ["ou_li"], "task_option_lists": [1, 3]}


async def test_results_name_people_and_stages_and_keep_long_ids_exact() -> None:
    """A cycle's id of 64 bits arrives digit by digit, and the answer names scale and option."""
    asked = {"semester_ids": [SEMESTER], "reviewee_open_ids": ["ou_li"], "stages": ["leader_review"]}
    async with desk("performance") as (fake, gate):
        whole = msgspec.structs.replace(CTX, result_chars=None)
        data = (await gate.call("performance.query_review_data", asked, whole)).unwrap()
        unnamed = await gate.call("performance.query_review_data", {"semester_ids": [SEMESTER]}, CTX)

    assert unnamed.kind == "refused"
    (sent,) = fake.calls("POST /open-apis/performance/v2/review_datas/query")
    assert SEMESTER.encode() in sent.body
    answer = data["items"][0]["stages"][0]["records"][0]["answers"][0]["values"][0]
    assert answer.keys() == {"field_id", "indicator_id", "option_id", "score", "text"}


async def test_judgements_are_closed_unless_named() -> None:
    """A host that opens every read has not opened this one."""
    asked = {"semester_id": SEMESTER, "reviewee_open_ids": ["ou_li"]}
    async with desk() as (fake, gate):
        refused = await gate.call("performance.query_metrics", asked, CTX)

    assert (refused.kind, fake.calls()) == ("refused", [])
