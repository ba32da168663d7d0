"""Rows of a Spark app's table: a list for the model, JSON in text on the wire.

Source: the platform's page on reading records of a table, read 2026-12.
"""

import json
from typing import Any

from placet.platforms.feishu.codecs.numbers import safe_numbers
from placet.platforms.feishu.codecs.pair import Pair

__all__ = ["ROWS"]


def _rows(value: Any) -> list[Any]:
    if value in (None, ""):
        return []
    rows = json.loads(value) if isinstance(value, str) else None
    if not isinstance(rows, list):
        raise ValueError("rows are a list in JSON text")
    return [safe_numbers(one) for one in rows]


ROWS = Pair(decode=_rows)
"""`spark.rows`: column name to value, one object a row."""
