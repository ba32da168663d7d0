"""Sessions through the gate: seen, and ended by a person."""

import pytest

from placet.policy import ask_for_writes
from tests.runtime.platforms.feishu.scenarios.hr_desk import CTX, desk

pytestmark = pytest.mark.anyio


async def test_signing_out_waits_and_names_one_person() -> None:
    """A person decides; then only the named kind of device of the named person is signed out."""
    wanted = {"open_id": "ou_li", "devices": [3]}
    async with desk("passport", unattended=False, authoriser=ask_for_writes) as (fake, gate):
        held = await gate.call("passport.end_sessions", wanted, CTX)
        assert (held.kind, fake.calls("POST *logout")) == ("pending", [])
    async with desk("passport") as (fake, gate):
        sessions = await gate.call("passport.list_sessions", {"open_ids": ["ou_li"]}, CTX)
        done = await gate.call("passport.end_sessions", wanted, CTX)

    assert sessions.unwrap()["items"][0].keys() == {"open_id", "device", "since"}
    assert done.kind == "ok"
    (sent,) = fake.calls("POST /open-apis/passport/v1/sessions/logout")
    assert sent.json == {"logout_type": 1, "user_id": "ou_li", "terminal_type": [3]}
