"""The roster of the standard HR edition through the gate: a file of it becomes a handle."""

import pytest

from tests.runtime.platforms.feishu.scenarios.hr_desk import CTX, desk

pytestmark = pytest.mark.anyio


async def test_a_file_of_the_roster_becomes_a_handle() -> None:
    """The roster gives the token of a file; what leaves is a handle, neither path nor bytes."""
    async with desk("ehr") as (fake, gate):
        people = await gate.call("ehr.list_employees", {"statuses": [2, 4]}, CTX)
        token = people.unwrap()["items"][0]["files"][0]["value"]
        fetched = await gate.call("ehr.download_attachment", {"file_token": token}, CTX)

    assert fetched.unwrap().keys() == {"file"}
    assert b"file of" not in repr(fetched.unwrap()).encode()
    (roster,) = fake.calls("GET /open-apis/ehr/v1/employees")
    assert [value for name, value in roster.query if name == "status"] == ["2", "4"]
    assert roster.first("view") == "full"
