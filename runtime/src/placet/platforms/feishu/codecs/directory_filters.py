"""Filters of the directory: named conditions for the model, operators and JSON in text on the wire.

Source: the platform's page on the use of conditions in the directory, dated 2025-06, read 2026-11.
"""

import json
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["DEPARTMENT_FILTER", "EMPLOYEE_FILTER"]

_FIELDS = {
    "department_ids": "base_info.departments.department_id",
    "emails": "base_info.email",
    "mobiles": "base_info.mobile",
    "job_numbers": "work_info.job_number",
}
STAFF_STATUS = "work_info.staff_status"
AT_WORK = 1


def _employees(value: Any) -> dict[str, Any]:
    """Conditions that must all hold; the platform takes a department and a status only together."""
    if not isinstance(value, dict):
        raise ValueError("a filter is an object")
    wanted = {name: value[name] for name in _FIELDS if value.get(name)}
    if not wanted:
        raise ValueError(f"name one of {', '.join(_FIELDS)}")
    if "department_ids" not in wanted and value.get("status") is not None:
        raise ValueError("status goes with department_ids only")
    conditions = [_condition(_FIELDS[name], "in", several) for name, several in wanted.items()]
    if "department_ids" in wanted:
        conditions.append(_condition(STAFF_STATUS, "eq", value.get("status") or AT_WORK))
    return {"conditions": conditions}


def _departments(value: Any) -> dict[str, Any]:
    if not isinstance(value, str):
        raise ValueError("a department is named by its id")
    return {"conditions": [_condition("parent_department_id", "eq", value)]}


def _condition(field: str, operator: str, value: Any) -> dict[str, str]:
    return {"field": field, "operator": operator, "value": json.dumps(value, ensure_ascii=False)}


EMPLOYEE_FILTER = Pair(encode=_employees)
"""`directory.employee_filter`: who is meant, by department, mail, mobile or staff number."""

DEPARTMENT_FILTER = Pair(encode=_departments)
"""`directory.department_filter`: the department whose next level is meant."""
