"""Searching records: conditions by the field's type, days in the base's zone, and an order.

Source: the platform's page on record filters, read 2026-11.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from placet.platforms.feishu.fake.bitable.errors import bitable_error
from placet.platforms.feishu.fake.bitable.state import Field, Record, Table

__all__ = ["Search"]

Test = Callable[[Any], bool]


class Search:
    """Finds records of one table.

    Args:
        zone: Name of the base's time zone.
        now_ms: Unix ms; what "Today" is told from.
    """

    def __init__(self, table: Table, zone: str, now_ms: int) -> None:
        self._table, self._zone = table, _zone(zone)
        self._today = self._day(now_ms)

    def find(self, conditions: Any, order: Any) -> list[Record]:
        """Records for which the filter holds, in order.

        Raises:
            ApiError: a field is unknown, or an operator does not fit its type.
        """
        holds = self._filter(conditions) if conditions else lambda record: True
        found = [record for record in self._table.records.values() if holds(record)]
        for rule in reversed(order or []):
            found = self._sorted(found, rule)
        return found

    def _sorted(self, records: list[Record], rule: Mapping[str, Any]) -> list[Record]:
        column = self._table.field_named(str(rule.get("field_name")))
        if column is None:
            raise bitable_error(1254016)
        filled = [record for record in records if column.field_id in record.cells]
        empty = [record for record in records if column.field_id not in record.cells]
        filled.sort(key=lambda record: _rank(record.cells[column.field_id]), reverse=bool(rule.get("desc")))
        return filled + empty

    def _filter(self, node: Mapping[str, Any]) -> Callable[[Record], bool]:
        tests = [self._condition(one) for one in node.get("conditions") or ()]
        tests += [self._filter(one) for one in node.get("children") or ()]
        if node.get("conjunction") not in ("and", "or") or not tests:
            raise bitable_error(1254018)
        joined = all if node["conjunction"] == "and" else any
        return lambda record: joined(test(record) for test in tests)

    def _condition(self, node: Mapping[str, Any]) -> Callable[[Record], bool]:
        column = self._table.field_named(str(node.get("field_name")))
        if column is None:
            raise bitable_error(1254045)
        operator, values = node.get("operator"), node.get("value") or []
        if operator in ("isEmpty", "isNotEmpty"):
            is_empty = operator == "isEmpty"
            return lambda record: (column.field_id not in record.cells) is is_empty
        test = self._test(column, str(operator), values)
        return lambda record: test(record.cells.get(column.field_id))

    def _test(self, column: Field, operator: str, values: Any) -> Test:
        if not isinstance(values, list) or not values or not all(isinstance(one, str) for one in values):
            raise bitable_error(1254018)
        try:
            match column.type:
                case 1 | 13 | 15 | 22 | 1005:
                    return _text_test(operator, values)
                case 2:
                    return _order_test(
                        operator, float(values[0]), float(values[0]), lambda value: float(value)
                    )
                case 3 | 4 | 11 | 18 | 21 | 23 | 1003 | 1004:
                    return _set_test(operator, values)
                case 5 | 1001 | 1002:
                    first, last = self._days(values)
                    return _order_test(operator, first, last, self._day)
                case 7:
                    return _flag_test(operator, values)
                case _:
                    raise bitable_error(1254018)
        except (KeyError, ValueError, IndexError):
            raise bitable_error(1254018) from None

    def _day(self, millis: Any) -> date:
        return datetime.fromtimestamp(millis / 1000, self._zone).date()

    def _days(self, values: Sequence[str]) -> tuple[date, date]:
        """First and last day that a date value means."""
        if values[0] == "ExactDate":
            day = self._day(int(values[1]))
            return day, day
        return _WORDS[values[0]](self._today)


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:  # machines without zone data; the platform's own default
        return timezone(timedelta(hours=8))


def _around(before: int, after: int) -> Callable[[date], tuple[date, date]]:
    return lambda today: (today + timedelta(days=before), today + timedelta(days=after))


def _week(shift: int) -> Callable[[date], tuple[date, date]]:
    def days(today: date) -> tuple[date, date]:
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=shift)
        return monday, monday + timedelta(days=6)

    return days


def _month(shift: int) -> Callable[[date], tuple[date, date]]:
    def days(today: date) -> tuple[date, date]:
        first = _first_of_month(today.year * 12 + today.month - 1 + shift)
        return first, _first_of_month(first.year * 12 + first.month) - timedelta(days=1)

    return days


def _first_of_month(months: int) -> date:
    return date(months // 12, months % 12 + 1, 1)


_WORDS: Mapping[str, Callable[[date], tuple[date, date]]] = {
    "Today": _around(0, 0),
    "Tomorrow": _around(1, 1),
    "Yesterday": _around(-1, -1),
    "CurrentWeek": _week(0),
    "LastWeek": _week(-1),
    "CurrentMonth": _month(0),
    "LastMonth": _month(-1),
    "TheLastWeek": _around(-7, -1),
    "TheNextWeek": _around(1, 7),
    "TheLastMonth": _around(-30, -1),
    "TheNextMonth": _around(1, 30),
}


def _text_test(operator: str, values: Sequence[str]) -> Test:
    wanted = values[0]

    def text(value: Any) -> str:
        return str(value.get("text", value["link"])) if isinstance(value, dict) else str(value or "")

    return {
        "is": lambda value: text(value) == wanted,
        "isNot": lambda value: text(value) != wanted,
        "contains": lambda value: wanted in text(value),
        "doesNotContain": lambda value: wanted not in text(value),
    }[operator]


def _order_test(operator: str, first: Any, last: Any, key: Callable[[Any], Any]) -> Test:
    tests: dict[str, Test] = {
        "is": lambda value: first <= value <= last,
        "isNot": lambda value: not first <= value <= last,
        "isGreater": lambda value: value > last,
        "isGreaterEqual": lambda value: value >= first,
        "isLess": lambda value: value < first,
        "isLessEqual": lambda value: value <= last,
    }
    test = tests[operator]
    return lambda value: operator == "isNot" if value is None else test(key(value))


def _set_test(operator: str, values: Sequence[str]) -> Test:
    wanted = set(values)
    return {
        "is": lambda value: _members(value) == wanted,
        "isNot": lambda value: _members(value) != wanted,
        "contains": lambda value: bool(_members(value) & wanted),
        "doesNotContain": lambda value: not _members(value) & wanted,
    }[operator]


def _flag_test(operator: str, values: Sequence[str]) -> Test:
    wanted = {"true": True, "false": False}[values[0]]
    if operator != "is":
        raise KeyError(operator)
    return lambda value: bool(value) is wanted


def _members(value: Any) -> set[str]:
    if value is None:
        return set()
    items: Iterable[Any] = [value] if isinstance(value, str) else value
    return {one["id"] if isinstance(one, dict) else one for one in items}


def _rank(value: Any) -> tuple[int, Any]:
    """Numbers before texts; anything else by its text."""
    return (0, value) if isinstance(value, int | float) else (1, str(value))
