"""Filters of records and of views: the same conditions, written in two ways.

Records name fields by name and give values as a list; views name them by id and give the list as JSON text.
Source: the platform's pages on record search and on views, and its guide to filter values, read 2026-11.
"""

import json
from typing import Any

from placet.platforms.feishu.codecs.pair import Pair
from placet.platforms.feishu.codecs.times import millis_of

__all__ = ["RECORD_FILTER", "VIEW_FILTER"]

_OPERATORS = {
    "is": "is",
    "is_not": "isNot",
    "contains": "contains",
    "not_contains": "doesNotContain",
    "is_empty": "isEmpty",
    "is_not_empty": "isNotEmpty",
    "greater": "isGreater",
    "greater_or_equal": "isGreaterEqual",
    "less": "isLess",
    "less_or_equal": "isLessEqual",
}
_OPS = {wire: op for op, wire in _OPERATORS.items()}
_CONJUNCTIONS = {"all": "and", "any": "or"}
_MATCHES = {"and": "all", "or": "any"}
_VALUELESS = frozenset({"is_empty", "is_not_empty"})
_DATE_OPS = frozenset({"is", "greater", "less"})


def _encode_record_filter(value: Any) -> dict[str, Any]:
    return {
        "conjunction": _conjunction(value),
        "conditions": [
            {
                "field_name": condition["field"],
                "operator": _operator(condition, condition["field"]),
                "value": _record_values(condition),
            }
            for condition in _conditions(value)
        ],
    }


def _record_values(condition: dict[str, Any]) -> list[str]:
    field, op = condition["field"], condition["op"]
    if "date" not in condition:
        return _values(condition, field)
    if "value" in condition:
        raise ValueError(f"{field!r} is compared with value or date, not with both")
    if op not in _DATE_OPS:
        raise ValueError(f"{field!r}: a date is compared with is, greater (after) or less (before), not {op}")
    return ["ExactDate", str(millis_of(condition["date"]))]


def _values(condition: dict[str, Any], field: str) -> list[str]:
    op = condition["op"]
    values: list[str] = condition.get("value") or []
    if op in _VALUELESS and values:
        raise ValueError(f"{field!r}: {op} takes no value")
    if op not in _VALUELESS and not values:
        raise ValueError(f"{field!r}: {op} needs a value; use is_empty for empty cells")
    return values


def _encode_view_filter(value: Any) -> dict[str, Any]:
    conditions = []
    for condition in _conditions(value):
        field = condition["field_id"]
        written = {"field_id": field, "operator": _operator(condition, field)}
        values = _values(condition, field)
        if values:
            written["value"] = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
        conditions.append(written)
    return {"conjunction": _conjunction(value), "conditions": conditions}


def _decode_view_filter(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("a filter is an object")
    conditions = []
    for written in value.get("conditions") or []:
        condition = {"field_id": written["field_id"], "op": _OPS[written["operator"]]}
        values = _listed(written.get("value"))
        if values:
            condition["value"] = values
        conditions.append(condition)
    return {"match": _MATCHES[value.get("conjunction", "and")], "conditions": conditions}


def _listed(written: Any) -> list[str]:
    """The values of a view's condition: JSON text of a list, or of one value, or plain text."""
    if not isinstance(written, str) or not written:
        return []
    try:
        found = json.loads(written)
    except ValueError:
        return [written]
    if found is None:
        return []
    return [_text(one) for one in (found if isinstance(found, list) else [found])]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _conditions(value: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = value["conditions"]
    return found


def _conjunction(value: Any) -> str:
    return _CONJUNCTIONS[value.get("match", "all")]


def _operator(condition: dict[str, Any], field: str) -> str:
    operator = _OPERATORS.get(condition["op"])
    if operator is None:
        raise ValueError(f"{field!r}: there is no operator {condition['op']!r}; use {', '.join(_OPERATORS)}")
    return operator


RECORD_FILTER = Pair(encode=_encode_record_filter)
"""`bitable.filter`."""

VIEW_FILTER = Pair(encode=_encode_view_filter, decode=_decode_view_filter)
"""`bitable.view_filter`."""
