"""The table of codes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.platforms.feishu.errors import classify, effect

CATEGORIES = {
    "token_invalid", "token_expired", "missing_scope", "rate_limited", "not_found", "no_permission",
    "invalid_argument", "conflict", "server", "other",
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "service", "status", "category", "is_listed"),
    [
        pytest.param(1254291, "bitable", 200, "conflict", True, id="own-service"),
        pytest.param(1254301, "base", 200, "other", True, id="sister-service"),
        pytest.param(1390001, "approval", 400, "invalid_argument", True, id="approval"),
        pytest.param(20026, "authen", 400, "token_invalid", True, id="refresh-token"),
        pytest.param(20026, "calendar", 400, "invalid_argument", False, id="same-number-elsewhere"),
        pytest.param(99991663, "anything", 400, "token_invalid", True, id="gateway-code-everywhere"),
        pytest.param(60012, "approval", 200, "conflict", True, id="generic-list"),
    ],
)
def test_a_code_counts_where_the_platform_lists_it(
    code: int, service: str, status: int, category: str, is_listed: bool
) -> None:
    """Small numbers are used again by other services, and mean something else there."""
    facts = classify(code, service, status)

    assert facts.is_listed is is_listed
    assert category == "other" or facts.category == category


@given(
    code=st.integers() | st.sampled_from([20026, 1254291, 99991663, 1255040]),
    service=st.text(max_size=8),
    status=st.integers(200, 599),
)
def test_every_code_has_a_category_and_proves_nothing_under_a_server_fault(
    code: int, service: str, status: int
) -> None:
    """Classifying never fails, and a 5xx proves that nothing was done only for calls turned away at the door."""
    facts = classify(code, service, status)

    assert facts.category in CATEGORIES
    if status >= 500 and effect(facts, status) == "none":
        assert facts.category in {"token_invalid", "token_expired", "missing_scope", "rate_limited"}
    if not facts.is_listed and status < 400:
        assert effect(facts, status) == "unknown"
