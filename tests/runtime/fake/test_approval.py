"""Approvals move as the platform moves them, and remember who moved them."""

import json
from typing import Any

import pytest

from placet.contract.words import Identity
from placet.testing import FakeFeishu, Node
from tests.runtime.fake.client import PlainClient

pytestmark = pytest.mark.anyio

V4 = "/open-apis/approval/v4"
FORM = json.dumps([{"id": "widget1", "type": "input", "value": "休假"}], ensure_ascii=False)


class Office:
    """A kind of request with two steps, and one request on its way."""

    def __init__(self, fake: FakeFeishu, client: PlainClient) -> None:
        self.approval = fake.tenant("cli_a1").approval
        self.kind = self.approval.add_definition(
            "请假",
            nodes=[
                Node(node_id="n1", name="主管", approvers=("ou_a", "ou_b"), mode="AND"),
                Node(node_id="n2", name="人事", approvers=("ou_c",)),
            ],
        )
        self.instance = self.approval.file(self.kind, "ou_me", FORM)
        self._client = client

    async def act(self, what: str, who: str, **more: Any) -> int:
        """Decide the first pending task as somebody; the answer's code."""
        body = {
            "approval_code": self.kind.approval_code,
            "instance_code": self.instance.instance_code,
            "user_id": who,
            "task_id": self.task_of(who),
            **more,
        }
        return (await self._client.send("POST", f"{V4}/{what}", body)).code

    def task_of(self, who: str) -> str:
        return next((one.task_id for one in self.instance.pending if one.open_id == who), "1")

    async def waiting(self, who: str) -> list[str]:
        """Codes of requests that wait for somebody."""
        got = await self._client.send("GET", f"{V4}/tasks/query?user_id={who}&topic=1")
        return [item["process_code"] for item in got.data["tasks"]]


@pytest.fixture
def office(fake: FakeFeishu, client: PlainClient) -> Office:
    return Office(fake, client)


async def test_a_request_passes_step_by_step(office: Office) -> None:
    """Both approvers of the first step, then the second step, then it is granted."""
    codes = [await office.act("tasks/approve", "ou_a")]
    assert await office.waiting("ou_c") == []
    codes.append(await office.act("tasks/approve", "ou_b"))
    assert await office.waiting("ou_c") == [office.instance.instance_code]
    codes.append(await office.act("tasks/approve", "ou_c", comment="好"))

    assert codes == [0, 0, 0]
    assert office.instance.status == "APPROVED"
    acts = [(act.what, act.who, act.identity) for act in office.approval.acts]
    assert acts == [("approve", who, Identity.TENANT) for who in ("ou_a", "ou_b", "ou_c")]


async def test_a_rejection_ends_it_for_everybody(office: Office) -> None:
    """After a no nobody can decide any more."""
    assert await office.act("tasks/reject", "ou_a", comment="不行") == 0

    assert office.instance.status == "REJECTED"
    assert [task.status for task in office.instance.tasks] == ["REJECTED", "DONE"]
    assert await office.act("tasks/approve", "ou_b") == 1390010


async def test_a_transfer_moves_the_decision(office: Office) -> None:
    """The receiver decides instead."""
    assert await office.act("tasks/transfer", "ou_a", transfer_user_id="ou_d") == 0

    assert await office.act("tasks/approve", "ou_a") == 1390010
    assert await office.act("tasks/approve", "ou_d") == 0


async def test_only_the_author_withdraws(office: Office) -> None:
    """A withdrawal by somebody else is refused."""
    assert await office.act("instances/cancel", "ou_a") == 1390001
    assert await office.act("instances/cancel", "ou_me") == 0

    assert office.instance.status == "CANCELED"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        pytest.param({"instance_code": "none"}, 1390003, id="request"),
        pytest.param({"approval_code": "none"}, 1390002, id="kind"),
        pytest.param({"task_id": "1"}, 1390010, id="task"),
        pytest.param({"user_id": "ou_x"}, 1390010, id="somebody-elses"),
    ],
)
async def test_ids_that_do_not_exist_are_told_apart(office: Office, more: dict[str, str], code: int) -> None:
    """Each wrong id has its code, and nothing moves."""
    assert await office.act("tasks/approve", "ou_a", **more) == code

    assert office.approval.acts == []


async def test_filing_once_per_uuid(client: PlainClient, office: Office) -> None:
    """A uuid that was used is refused for ever, and a wrong form is refused before."""
    body = {"approval_code": office.kind.approval_code, "open_id": "ou_me", "form": FORM, "uuid": "u-1"}

    codes = [
        (await client.send("POST", f"{V4}/instances", {**body, "form": "[]"})).code,
        (await client.send("POST", f"{V4}/instances", body)).code,
        (await client.send("POST", f"{V4}/instances", body)).code,
    ]

    assert codes == [1390001, 0, 60012]
    assert len(office.approval.instances) == 2


async def test_comments_are_kept_with_their_replies(client: PlainClient, office: Office) -> None:
    """A comment is listed with its reply; a removed one leaves its mark."""
    path = f"{V4}/instances/{office.instance.instance_code}/comments"
    made = (await client.send("POST", f"{path}?user_id=ou_a", {"content": "发票?"})).data["comment_id"]
    reply = {"content": "补了", "parent_comment_id": made}
    await client.send("POST", f"{path}?user_id=ou_me", reply)
    foreign = await client.send("DELETE", f"{path}/{made}?user_id=ou_me")
    own = await client.send("DELETE", f"{path}/{made}?user_id=ou_a")

    (listed,) = (await client.send("GET", f"{path}?user_id=ou_a")).data["comments"]
    assert (foreign.code, own.code) == (1390001, 0)
    assert (listed["is_delete"], listed["content"], listed["replies"][0]["content"]) == (1, "", "补了")


async def test_one_suffices_and_one_after_another(fake: FakeFeishu, client: PlainClient) -> None:
    """OR ends with the first yes; SEQUENTIAL asks the next only after it."""
    office = Office(fake, client)
    kind = office.approval.add_definition(
        "采购",
        nodes=[
            Node(node_id="n1", name="任一", approvers=("ou_a", "ou_b"), mode="OR"),
            Node(node_id="n2", name="依次", approvers=("ou_c", "ou_d"), mode="SEQUENTIAL"),
        ],
    )
    office.kind, office.instance = kind, office.approval.file(kind, "ou_me", FORM)

    await office.act("tasks/approve", "ou_b")
    assert [task.open_id for task in office.instance.pending] == ["ou_c"]
    await office.act("tasks/approve", "ou_c")
    assert [task.open_id for task in office.instance.pending] == ["ou_d"]
    await office.act("tasks/approve", "ou_d")
    assert office.instance.status == "APPROVED"
