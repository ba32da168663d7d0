"""A term looked up and proposed, through the gate."""

import pytest

from placet.contract.words import Identity
from tests.runtime.platforms.feishu.scenarios.work_desk import desk

pytestmark = pytest.mark.anyio

LINGO = "/open-apis/lingo/v1"


async def test_a_term_is_matched_read_and_proposed_anew() -> None:
    """Names are plain texts both ways."""
    async with desk("lingo") as at:
        hit = (await at.do("lingo.match_entry", word="灰度发布"))["items"][0]
        entry = await at.do("lingo.get_entry", entry_id=hit["entry_id"])
        assert entry["name"].startswith("name-")

        arrived = await at.sent(
            "lingo.create_draft",
            entry_id=hit["entry_id"],
            name="灰度发布",
            aliases=["金丝雀发布"],
            description="先对小部分用户发布",
            experts=["ou_li"],
        )

        shown = {"allow_highlight": True, "allow_search": True}
        assert arrived.path == f"{LINGO}/drafts"
        assert arrived.json == {
            "id": hit["entry_id"],
            "main_keys": [{"key": "灰度发布", "display_status": shown}],
            "aliases": [{"key": "金丝雀发布", "display_status": shown}],
            "description": "先对小部分用户发布",
            "related_meta": {"users": [{"id": "ou_li"}]},
        }


async def test_publishing_without_review_waits_for_a_yes() -> None:
    """What everybody reads at once is not sent unattended."""
    async with desk("lingo", identities=(Identity.TENANT,), unattended=False) as at:
        asked = await at.gate.call("lingo.create_entry", {"name": "灰度发布"}, at.ctx)

        assert asked.kind == "pending"
        assert at.fake.calls() == []
