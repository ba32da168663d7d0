"""Filters of the directory on the wire."""

from typing import Any

import pytest

from placet.platforms.feishu.codecs.directory_filters import DEPARTMENT_FILTER, EMPLOYEE_FILTER


def test_values_are_json_in_text() -> None:
    """Lists are `in`, and every condition has to hold."""
    assert EMPLOYEE_FILTER.encode({"emails": ["zhang@example.com"], "job_numbers": ["甲-7"]}) == {
        "conditions": [
            {"field": "base_info.email", "operator": "in", "value": '["zhang@example.com"]'},
            {"field": "work_info.job_number", "operator": "in", "value": '["甲-7"]'},
        ]
    }


@pytest.mark.parametrize(
    ("status", "sent"), [pytest.param(None, "1", id="absent"), pytest.param(5, "5", id="leaving")]
)
def test_a_department_always_comes_with_a_status(status: int | None, sent: str) -> None:
    """The platform refuses it otherwise; without a word those at work are meant."""
    value: dict[str, Any] = {"department_ids": ["od-1"]} | ({"status": status} if status else {})

    assert EMPLOYEE_FILTER.encode(value) == {
        "conditions": [
            {"field": "base_info.departments.department_id", "operator": "in", "value": '["od-1"]'},
            {"field": "work_info.staff_status", "operator": "eq", "value": sent},
        ]
    }


@pytest.mark.parametrize(
    ("value", "says"),
    [
        pytest.param({}, "name one of", id="empty"),
        pytest.param({"emails": ["a@example.com"], "status": 1}, "department_ids only", id="status-alone"),
        pytest.param("od-1", "object", id="text"),
    ],
)
def test_a_filter_that_does_not_fit_is_said(value: Any, says: str) -> None:
    """A filter of nothing would list everybody."""
    with pytest.raises(ValueError, match=says):
        EMPLOYEE_FILTER.encode(value)


def test_the_next_level_is_asked_for_by_its_parent() -> None:
    """One id, in quotes as JSON has them."""
    assert DEPARTMENT_FILTER.encode("0") == {
        "conditions": [{"field": "parent_department_id", "operator": "eq", "value": '"0"'}]
    }
    with pytest.raises(ValueError, match="id"):
        DEPARTMENT_FILTER.encode(0)
