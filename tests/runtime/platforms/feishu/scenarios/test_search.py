"""Documents found, and an own system made findable, through the gate."""

import pytest

from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.work_desk import desk

pytestmark = pytest.mark.anyio


async def test_a_search_says_where_and_turns_its_pages_in_the_body() -> None:
    """Both places are named, and the page's token goes where the first page's size went."""
    async with desk("search") as at:
        found = await at.do(
            "search.search_docs", query="差旅制度", documents={}, wiki={"only_title": True}, page_size=2
        )

        assert len(found["items"]) > 0
        (arrived,) = at.fake.calls()
        assert arrived.json == {
            "query": "差旅制度",
            "doc_filter": {},
            "wiki_filter": {"only_title": True},
            "page_size": 2,
        }


async def test_a_search_nowhere_is_refused() -> None:
    """Without a place there is nothing to search, and nothing is sent."""
    async with desk("search") as at:
        refused = await at.gate.call("search.search_docs", {"query": "差旅"}, at.ctx)

        assert refused.kind == "refused"
        assert at.fake.calls() == []


async def test_an_item_is_put_with_who_may_find_it_and_taken_out() -> None:
    """The access list leaves as it was approved."""
    async with desk("search", identities=(Identity.TENANT,)) as at:
        source = (await at.do("search.create_data_source", name="工单"))["data_source_id"]
        item = {"data_source_id": source, "item_id": "T-1"}
        access = [{"access": "allow", "type": "open_id", "value": "ou_li"}]

        arrived = await at.sent(
            "search.put_item",
            **item,
            title="打印机坏了",
            url="https://example.com/t/1",
            access=access,
            structured_data="{}",
            text="三楼",
            format="plaintext",
        )

        assert arrived.path == f"/open-apis/search/v2/data_sources/{source}/items"
        assert (arrived.json["id"], arrived.json["acl"]) == ("T-1", access)
        gone = await at.sent("search.delete_item", **item)
        assert (gone.method, gone.path) == ("DELETE", f"/open-apis/search/v2/data_sources/{source}/items/T-1")
