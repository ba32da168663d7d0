"""The company's legal name through the gate."""

import pytest

from tests.runtime.platforms.feishu.scenarios.hr_desk import CTX, desk

pytestmark = pytest.mark.anyio


async def test_it_needs_nothing() -> None:
    """The company's legal name is one request away."""
    async with desk("verification") as (_, gate):
        answer = await gate.call("verification.get_verification", {}, CTX)

    assert answer.unwrap().keys() == {"name", "verified"}
