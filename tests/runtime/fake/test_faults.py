"""Faults strike the calls they are meant for, and leave what they promise to leave."""

import aiohttp
import anyio
import pytest

from placet.testing import FakeFeishu, Fault, rate_limit
from tests.runtime.fake.client import PlainClient

pytestmark = pytest.mark.anyio


class Site:
    """A base with one table, and where its records are added."""

    def __init__(self, fake: FakeFeishu) -> None:
        self.base = fake.tenant("cli_a1").bitable.add_base()
        self.table = self.base.add_table("任务", {"任务": "Text"})
        self.tables = f"/open-apis/bitable/v1/apps/{self.base.app_token}/tables"
        self.records = f"{self.tables}/{self.table.table_id}/records"
        self.row = {"fields": {"任务": "写周报"}}


@pytest.fixture
def site(fake: FakeFeishu) -> Site:
    return Site(fake)


async def test_an_error_code_comes_with_its_details(
    fake: FakeFeishu, client: PlainClient, site: Site
) -> None:
    """Code, log id, violations and scopes stand where the platform puts them; nothing was done."""
    fault = Fault(
        code=99991672,
        msg="Access denied.",
        log_id="log1",
        violations={"page_size": "too large"},
        scopes=("bitable:app",),
    )
    fake.inject("POST */records", fault)

    got = await client.send("POST", site.records, site.row)

    assert (got.status, got.code, got.headers["x-tt-logid"]) == (400, 99991672, "log1")
    assert got.json["error"]["log_id"] == "log1"
    assert got.json["error"]["field_violations"][0]["field"] == "page_size"
    assert got.json["error"]["permission_violations"][0]["subject"] == "bitable:app"
    assert site.table.values == []


async def test_a_rate_limit_strikes_after_so_many_calls(
    fake: FakeFeishu, client: PlainClient, site: Site
) -> None:
    """The first calls pass, then one is told how long to wait, then calls pass again."""
    fake.inject("GET *", rate_limit(reset_s=3, after=2, times=1))

    got = [await client.send("GET", site.tables) for _ in range(4)]

    assert [one.code for one in got] == [0, 0, 99991400, 0]
    assert (got[2].status, got[2].headers["x-ogw-ratelimit-reset"]) == (429, "3")


@pytest.mark.parametrize(
    ("effect", "rows"), [pytest.param("none", 0, id="before"), pytest.param("applied", 1, id="after")]
)
async def test_a_connection_drops_before_or_after_the_effect(
    fake: FakeFeishu, client: PlainClient, site: Site, effect: str, rows: int
) -> None:
    """A dropped connection tells the caller nothing; whether the row is there is the fault's choice."""
    await client.log_in()
    fake.inject("POST */records", Fault(drop=True, effect="applied" if effect == "applied" else "none"))

    with pytest.raises(aiohttp.ClientError):
        await client.send("POST", site.records, site.row)

    assert len(site.table.values) == rows
    assert fake.requests[-1].answered is None


async def test_an_answer_waits_for_an_event(fake: FakeFeishu, client: PlainClient, site: Site) -> None:
    """Latency is an event: the effect is there while the caller still waits."""
    await client.log_in()
    held = fake.inject("POST */records", Fault(hold=anyio.Event(), effect="applied"))
    codes = []

    async def send() -> None:
        codes.append((await client.send("POST", site.records, site.row)).code)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(send)
            await held.reached.wait()
            assert (len(site.table.values), codes) == (1, [])
            assert held.fault.hold is not None
            held.fault.hold.set()

    assert codes == [0]


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Fault(cut_at=10), id="cut"),
        pytest.param(Fault(content_length=100_000), id="promises-more"),
        pytest.param(Fault(content_length=5), id="promises-less"),
    ],
)
async def test_an_answer_of_another_length_is_an_error_for_the_client(
    fake: FakeFeishu, client: PlainClient, site: Site, fault: Fault
) -> None:
    """A body that is shorter or longer than it says reaches the caller as a failure, not as an answer."""
    await client.log_in()
    fake.inject("GET *", fault)

    with pytest.raises(aiohttp.ClientError):
        await client.send("GET", site.tables)


@pytest.mark.parametrize(
    ("fault", "status", "start"),
    [
        pytest.param(Fault(status=502), 502, b"<html>", id="html"),
        pytest.param(Fault(body=b"not json"), 200, b"not json", id="no-json"),
        pytest.param(Fault(body=b"[" * 1_000_000), 200, b"[[[[", id="huge"),
    ],
)
async def test_other_bodies_arrive_as_given(
    fake: FakeFeishu, client: PlainClient, site: Site, fault: Fault, status: int, start: bytes
) -> None:
    """Bodies and statuses that are no answers arrive unchanged."""
    await client.log_in()
    fake.inject("GET *", fault)
    async with aiohttp.ClientSession() as plain, plain.get(fake.base_url + site.tables) as answer:
        body = await answer.read()

    assert answer.status == status
    assert body.startswith(start)


async def test_a_removed_fault_strikes_no_more(fake: FakeFeishu, client: PlainClient, site: Site) -> None:
    """Faults count their hits and can be taken away."""
    injection = fake.inject("GET *", Fault(status=500))

    assert (await client.send("GET", site.tables)).status == 500
    injection.remove()
    assert (await client.send("GET", site.tables)).code == 0
    assert injection.hits == 1
