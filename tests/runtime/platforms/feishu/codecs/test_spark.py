"""Rows of a Spark app's table."""

from typing import Any

import pytest

from placet.platforms.feishu.codecs import CODECS

ROWS = CODECS["spark.rows"]


@pytest.mark.parametrize(
    ("answered", "rows"),
    [
        pytest.param('[{"name": "张三", "age": 30}]', [{"name": "张三", "age": 30}], id="rows"),
        pytest.param('[{"id": 9007199254740993}]', [{"id": "9007199254740993"}], id="long-number"),
        pytest.param("[]", [], id="none"),
        pytest.param("", [], id="empty-text"),
        pytest.param(None, [], id="absent"),
    ],
)
def test_rows_are_read_from_their_text(answered: Any, rows: list[Any]) -> None:
    """Whole numbers that a reader would round leave as text."""
    assert ROWS.decode(answered) == rows


@pytest.mark.parametrize("answered", ['{"a": 1}', "no json", 7])
def test_what_is_no_list_is_refused(answered: Any) -> None:
    """An answer of another form is told, not passed on."""
    with pytest.raises(ValueError):  # noqa: PT011  # json's own sentence for one of them
        ROWS.decode(answered)
