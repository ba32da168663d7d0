"""What a model reads of a result: one JSON object, with what is worth its attention."""

import json
from typing import Any

import pytest

from placet.contract.result import Failed, Ok, Page, Pending, Refused, Unknown
from placet.rendering import for_model


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (Ok(data={}), {"kind": "ok", "data": {}}),
        (
            Ok(data={"名": "a"}, page=Page(next="c"), truncated=True),
            {"kind": "ok", "data": {"名": "a"}, "page": {"next": "c"}, "truncated": True},
        ),
        (Refused(code="x", reason="r"), {"kind": "refused", "code": "x", "reason": "r"}),
        (
            Failed(code="1", category="rate_limited", retryable=True, retry_after_s=2.0),
            {
                "kind": "failed",
                "code": "1",
                "category": "rate_limited",
                "retryable": True,
                "retry_after_s": 2.0,
            },
        ),
        (Unknown(id="i", reason="r"), {"kind": "unknown", "id": "i", "reason": "r"}),
    ],
    ids=["empty", "page", "refused", "failed", "unknown"],
)
def test_a_result_is_told_without_what_is_empty(result: Any, told: dict[str, Any]) -> None:
    """Fields at their default say nothing and are left out."""
    assert json.loads(for_model(result)) == told


def test_what_waits_says_what_to_do_and_not_what_a_person_sees() -> None:
    """An approval names its id; an authorisation says where to log in."""
    approval = json.loads(for_model(Pending(id="apr_1", needs="approval", view={"arguments": {"a": 1}})))
    login = json.loads(for_model(Pending(id="x", needs="authorisation", view={"url": "https://a.example"})))

    assert (approval["id"], "arguments" in approval, "not made yet" in approval["next"]) == (
        "apr_1",
        False,
        True,
    )
    assert login["url"] == "https://a.example"
