"""`task.complete` and `task.reopen`: one request, with the moment that no argument carries."""

from typing import Any

import pytest

from placet.contract.platform import WireCall
from placet.platforms.feishu.routines import ROUTINES, completion
from tests.runtime.platforms.feishu.wire import call

pytestmark = pytest.mark.anyio

PATCH = WireCall(
    call=call("/open-apis/task/v2/tasks/:task_guid", http="PATCH", body="json"),
    path={"task_guid": "t1"},
    body={"update_fields": ["completed_at"]},
)


class Sent:
    """Keeps the bodies of what is sent."""

    def __init__(self) -> None:
        self.bodies: list[Any] = []

    async def __call__(self, call: str, wire: WireCall) -> Any:
        self.bodies.append((call, wire.body))
        return {"task": {"guid": "t1"}}

    async def wait(self, seconds: float) -> bool:
        return False


async def test_a_task_is_done_at_the_moment_it_is_sent() -> None:
    """The clock's moment goes out in milliseconds, beside the name that counts."""
    sent = Sent()

    answer = await completion(lambda: 1_780_000_000.5)({"patch": PATCH}, {"task_guid": "t1"}, sent)

    assert answer == {"task": {"guid": "t1"}}
    assert sent.bodies == [
        ("patch", {"update_fields": ["completed_at"], "task": {"completed_at": "1780000000500"}})
    ]


async def test_reopening_sends_a_zero_as_text() -> None:
    """Zero is not done."""
    sent = Sent()

    await ROUTINES["task.reopen"]({"patch": PATCH}, {"task_guid": "t1"}, sent)

    assert sent.bodies[0][1]["task"] == {"completed_at": "0"}
