"""`bitable.known_fields`."""

from collections.abc import Mapping
from typing import Any

import pytest

from placet.contract.binding import Binding, Scopes
from placet.contract.platform import ChildCaller
from placet.contract.result import Failed, Ok, Page, Refused, Result
from placet.contract.tool import Tool
from placet.contract.words import Identity, Risk
from placet.platforms.feishu.preflights import PREFLIGHTS

pytestmark = pytest.mark.anyio

TOOL: Tool[Any, Any] = Tool(
    name="bitable.query_records",
    wire_name="bitable_query_records",
    risk=Risk.READ,
    identity=(Identity.TENANT,),
    scopes=Scopes(),
    binding=Binding(),
    digest="",
    args=object,
    result=object,
)
TABLE = {"app_token": "bascnX", "table_id": "tblX"}


class Reads:
    """Answers reads from a list of results and notes what was asked."""

    def __init__(self, *results: Result[Any], enabled: bool = True) -> None:
        self._results, self._enabled = list(results), enabled
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def read(self, tool: str, arguments: Mapping[str, Any]) -> Result[Any]:
        self.asked.append((tool, dict(arguments)))
        return self._results.pop(0)

    def is_enabled(self, tool: str) -> bool:
        return self._enabled and tool == "bitable.list_fields"


def fields(*names: str, following: str | None = None, **more: Any) -> Ok[Any]:
    items = [{"field_id": f"fld{n}", "name": name} for n, name in enumerate(names)]
    return Ok(data={"items": items}, page=Page(next=following), **more)


async def check(reads: Reads, **arguments: Any) -> str | None:
    caller: ChildCaller = reads
    return await PREFLIGHTS["bitable.known_fields"](TOOL, {**TABLE, **arguments}, caller)


USES = [
    pytest.param({"filter": {"conditions": [{"field": "状太", "op": "is", "value": ["x"]}]}}, id="filter"),
    pytest.param({"sort": [{"field": "状太"}]}, id="sort"),
    pytest.param({"field_names": ["任务", "状太"]}, id="choice"),
    pytest.param({"fields": {"状太": "x"}}, id="record"),
    pytest.param({"records": [{"fields": {"任务": "x"}}, {"fields": {"状太": None}}]}, id="records"),
]


@pytest.mark.parametrize("arguments", USES)
async def test_an_unknown_name_is_said_with_the_nearest(arguments: dict[str, Any]) -> None:
    """Wherever a field name stands, one that the table lacks is named with what may have been meant."""
    reads = Reads(fields("任务", "状态", "负责人"))

    said = await check(reads, **arguments)

    assert said is not None
    assert "'状太'" in said and "did you mean '状态'" in said
    assert reads.asked == [("bitable.list_fields", {**TABLE, "fetch_all": True})]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        pytest.param("状态 ", "did you mean '状态'", id="space-behind"),
        pytest.param("due date", "did you mean 'Due Date'", id="case"),
        pytest.param("价格", "names must match exactly", id="nothing-near"),
    ],
)
async def test_names_match_to_the_space(name: str, hint: str) -> None:
    """Spaces and case count; with nothing near, the tool that lists the names is named."""
    said = await check(Reads(fields("任务", "状态", "Due Date")), fields={name: "x"})

    assert said is not None and hint in said


async def test_known_names_pass() -> None:
    """Names that the table has are no reason to stop."""
    assert await check(Reads(fields("任务", "状态")), fields={"任务": "x"}, sort=[{"field": "状态"}]) is None


async def test_nothing_is_read_for_a_caller_who_may_not_list_fields() -> None:
    """Names of a table are not told, not even by a refusal, to somebody for whom the list is off."""
    reads = Reads(fields("任务"), enabled=False)

    assert await check(reads, fields={"薪资": 1}) is None
    assert reads.asked == []


async def test_a_call_without_names_reads_nothing() -> None:
    """No names, no read."""
    reads = Reads()

    assert await check(reads) is None
    assert reads.asked == []


@pytest.mark.parametrize(
    "result",
    [
        pytest.param(Failed(code="1254302", category="no_permission"), id="failed"),
        pytest.param(Refused(code="calls_per_turn", reason="r"), id="refused"),
        pytest.param(fields("任务", withheld="content"), id="withheld"),
        pytest.param(fields("任务", truncated=True), id="cut-without-cursor"),
        pytest.param(fields("任务", drift=("the list stopped early",)), id="stopped-early"),
        pytest.param(Ok(data=None), id="no-data"),
    ],
)
async def test_a_list_that_cannot_be_had_whole_refuses_nothing(result: Result[Any]) -> None:
    """Without all names, the platform is left to say."""
    assert await check(Reads(result), fields={"薪资": 1}) is None


async def test_a_long_list_is_followed_to_its_end() -> None:
    """Names on later pages count, and pages are read only until all names are found."""
    pages = [fields("a", following="p2", truncated=True), fields("b", following="p3"), fields("c")]

    found = Reads(*pages)
    assert await check(found, fields={"b": 1}) is None
    assert [arguments.get("page_token") for _, arguments in found.asked] == [None, "p2"]

    missing = Reads(*pages)
    said = await check(missing, fields={"d": 1})
    assert said is not None and "'d'" in said
    assert [arguments.get("page_token") for _, arguments in missing.asked] == [None, "p2", "p3"]


async def test_an_endless_list_ends() -> None:
    """A list that never ends is given up after a few pages, and refuses nothing."""
    reads = Reads(*(fields(f"n{n}", following="again") for n in range(50)))

    assert await check(reads, fields={"x": 1}) is None
    assert len(reads.asked) == 10


async def test_a_flood_of_unknown_names_is_told_shortly() -> None:
    """A few names are told, the rest is counted."""
    said = await check(Reads(fields("a")), fields={f"x{n}": 1 for n in range(300)})

    assert said is not None and "and 295 more" in said and len(said) < 1000
