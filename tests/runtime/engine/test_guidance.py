"""What a model is told before a conversation: the rules, the host's words, and as much guidance as fits."""

import pytest

import placet_feishu
from placet.contract.policy import Policy
from placet.engine.guidance import instructions
from placet.engine.tools import enabled_tools
from placet.gate import Gate
from placet.stores.memory import MemoryTruth

pytestmark = pytest.mark.anyio


async def told(reads: tuple[str, ...], *, locale: str = "en", most_chars: int = 16_000) -> str:
    async with Gate(
        surfaces=[placet_feishu.surface], tenants=[], store=MemoryTruth(), policy=Policy(reads=reads)
    ) as gate:
        return instructions(
            gate, enabled_tools(gate), own="You are Ada.", locale=locale, most_chars=most_chars
        )


@pytest.mark.parametrize(("locale", "page"), [("en", "# Calendar"), ("zh", "# 日历")])
async def test_the_pages_of_what_is_enabled_and_no_others(locale: str, page: str) -> None:
    """In the conversation's language, after the rules and the host's words."""
    text = await told(("calendar.*",), locale=locale)

    assert "You are Ada." in text
    assert page in text
    assert "bitable.query_records" not in text


async def test_what_does_not_fit_is_named_and_the_bound_holds() -> None:
    """A model that is told of everything is told nothing."""
    text = await told(("*",), most_chars=6000)

    assert len(text) <= 6000
    assert "is not shown here; read it" in text
    assert "wiki" in text
