"""Filters, types, access and cells of bitable."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.platforms.feishu.codecs.bitable_fields import ACCESS, FIELD_TYPE, TABLE_ACCESS, TYPES
from placet.platforms.feishu.codecs.bitable_filters import RECORD_FILTER, VIEW_FILTER
from placet.platforms.feishu.codecs.bitable_values import FIELD_VALUES

OPS = [
    "is", "is_not", "contains", "not_contains", "is_empty", "is_not_empty", "greater", "greater_or_equal", "less",
    "less_or_equal",
]  # fmt: skip
TEXTS = st.text(min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("condition", "wire"),
    [
        pytest.param(
            {"field": "负责人", "op": "contains", "value": ["ou_zw"]},
            {"field_name": "负责人", "operator": "contains", "value": ["ou_zw"]},
            id="person",
        ),
        pytest.param(
            {"field": "状态", "op": "is_not", "value": ["已完成"]},
            {"field_name": "状态", "operator": "isNot", "value": ["已完成"]},
            id="option",
        ),
        pytest.param(
            {"field": "截止日期", "op": "less", "value": ["Today"]},
            {"field_name": "截止日期", "operator": "isLess", "value": ["Today"]},
            id="date-word",
        ),
        pytest.param(
            {"field": "截止日期", "op": "less", "date": "2026-08-07T00:00:00+08:00"},
            {"field_name": "截止日期", "operator": "isLess", "value": ["ExactDate", "1786032000000"]},
            id="day",
        ),
        pytest.param(
            {"field": "负责人", "op": "is_empty"},
            {"field_name": "负责人", "operator": "isEmpty", "value": []},
            id="empty",
        ),
        pytest.param(
            {"field": "金额", "op": "greater_or_equal", "value": ["23.4"]},
            {"field_name": "金额", "operator": "isGreaterEqual", "value": ["23.4"]},
            id="number",
        ),
    ],
)
def test_a_condition_is_written_as_the_platform_reads_it(
    condition: dict[str, Any], wire: dict[str, Any]
) -> None:
    """Names, operators and values of record search."""
    assert RECORD_FILTER.encode({"conditions": [condition]}) == {"conjunction": "and", "conditions": [wire]}


@pytest.mark.parametrize(("match", "conjunction"), [("all", "and"), ("any", "or")])
def test_conditions_are_joined(match: str, conjunction: str) -> None:
    """All is and, any is or."""
    condition = {"field": "a", "op": "is_empty"}

    assert RECORD_FILTER.encode({"match": match, "conditions": [condition]})["conjunction"] == conjunction


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        pytest.param({"op": "is"}, "needs a value", id="no-value"),
        pytest.param({"op": "is", "value": []}, "needs a value", id="empty-list"),
        pytest.param({"op": "is_empty", "value": ["x"]}, "takes no value", id="value-for-empty"),
        pytest.param(
            {"op": "is", "value": ["x"], "date": "2026-08-07T00:00:00Z"}, "not with both", id="both"
        ),
        pytest.param({"op": "contains", "date": "2026-08-07T00:00:00Z"}, "greater (after)", id="date-op"),
        pytest.param({"op": "is", "date": "2026-08-07"}, "offset", id="day-without-offset"),
        pytest.param({"op": "isNot", "value": ["x"]}, "is_not", id="wire-operator"),
    ],
)
def test_a_condition_that_cannot_hold_is_said(condition: dict[str, Any], words: str) -> None:
    """A sentence for the model instead of one code for everything."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the sentence is compared below
        RECORD_FILTER.encode({"conditions": [{"field": "日期", **condition}]})

    assert words in str(caught.value)


def test_a_view_names_fields_by_id_and_gives_values_as_text() -> None:
    """The list of values travels as JSON text; a condition without values has none."""
    written = VIEW_FILTER.encode(
        {
            "match": "any",
            "conditions": [
                {"field_id": "fld1", "op": "is", "value": ["optA"]},
                {"field_id": "fld2", "op": "is_not_empty"},
            ],
        }
    )

    assert written == {
        "conjunction": "or",
        "conditions": [
            {"field_id": "fld1", "operator": "is", "value": '["optA"]'},
            {"field_id": "fld2", "operator": "isNotEmpty"},
        ],
    }


CONDITIONS = st.builds(
    lambda field, op, values: (
        {"field_id": field, "op": op} | ({} if op in ("is_empty", "is_not_empty") else {"value": values})
    ),
    TEXTS,
    st.sampled_from(OPS),
    st.lists(st.text(), min_size=1, max_size=4),
)
FILTERS = st.fixed_dictionaries(
    {"match": st.sampled_from(["all", "any"]), "conditions": st.lists(CONDITIONS, min_size=1, max_size=5)}
)


@given(value=FILTERS)
def test_a_views_filter_comes_back_as_it_was_written(value: dict[str, Any]) -> None:
    """Writing and reading a view's filter changes nothing."""
    assert VIEW_FILTER.decode(VIEW_FILTER.encode(value)) == value


@pytest.mark.parametrize(
    ("written", "values"),
    [
        pytest.param('["optA","optB"]', ["optA", "optB"], id="list"),
        pytest.param("optA", ["optA"], id="plain-text"),
        pytest.param('"optA"', ["optA"], id="one"),
        pytest.param("[1, true]", ["1", "true"], id="other-types"),
        pytest.param("null", None, id="null"),
        pytest.param("", None, id="empty"),
        pytest.param(None, None, id="absent"),
    ],
)
def test_values_of_a_views_condition_are_read_however_written(written: Any, values: list[str] | None) -> None:
    """The platform's own clients write them in several ways."""
    got = VIEW_FILTER.decode({"conditions": [{"field_id": "f", "operator": "is", "value": written}]})

    assert got["conditions"][0].get("value") == values


@pytest.mark.parametrize("name", sorted(TYPES))
def test_a_field_type_is_a_number_and_a_look(name: str) -> None:
    """Every look that curation offers has its number."""
    assert FIELD_TYPE.encode(name) == (TYPES[name], name)


@pytest.mark.parametrize("value", ["text", "Lookup", "", None, ["Text"]], ids=repr)
def test_an_unknown_field_type_is_said_with_the_known(value: Any) -> None:
    """The sentence lists what there is."""
    with pytest.raises(ValueError, match="SingleSelect"):
        FIELD_TYPE.encode(value)


@pytest.mark.parametrize(("name", "number"), [("none", 0), ("read", 1), ("edit", 2), ("manage", 4)])
def test_access_has_a_name(name: str, number: int) -> None:
    """Names and numbers belong together both ways."""
    assert TABLE_ACCESS.encode(name) == number == ACCESS[name]
    assert TABLE_ACCESS.decode(number) == name


@pytest.mark.parametrize("value", [3, True, "1", None, 5], ids=repr)
def test_an_unknown_access_is_not_taken_for_another(value: Any) -> None:
    """True is not read, and 3 is nothing."""
    with pytest.raises(ValueError, match="no access"):
        TABLE_ACCESS.decode(value)


PERSON = {
    "id": "ou_x",
    "name": "张三",
    "en_name": "Zhang San",
    "email": "zhangsan@example.com",
    "avatar_url": "https://example.com/a",
}
ATTACHMENT = {
    "file_token": "boxX",
    "name": "a.png",
    "size": 1,
    "tmp_url": "https://example.com/t",
    "type": "image/png",
    "url": "https://example.com/u",
}
READS = [
    pytest.param([{"text": "写周", "type": "text"}, {"text": "报", "type": "text"}], "写周报", id="text"),
    pytest.param(
        [
            {"text": "问 ", "type": "text"},
            {"text": "@张三", "type": "mention", "token": "ou_x", "name": "张三"},
        ],
        "问 @张三",
        id="text-with-mention",
    ),
    pytest.param(
        [{"text": "站点", "link": "https://example.com", "type": "url"}], "站点", id="text-with-link"
    ),
    pytest.param("写周报", "写周报", id="text-as-written"),
    pytest.param(12.5, 12.5, id="number"),
    pytest.param("进行中", "进行中", id="single-select"),
    pytest.param(["A", "B"], ["A", "B"], id="multi-select"),
    pytest.param(1786032000000, 1786032000000, id="date"),
    pytest.param(True, True, id="checkbox"),
    pytest.param([PERSON], [{"id": "ou_x", "name": "张三"}], id="person"),
    pytest.param(
        [{"id": "oc_x", "name": "项目群", "avatar_url": "u"}], [{"id": "oc_x", "name": "项目群"}], id="chat"
    ),
    pytest.param("13800000000", "13800000000", id="phone"),
    pytest.param(
        {"text": "设计稿", "link": "https://example.com"},
        {"text": "设计稿", "link": "https://example.com"},
        id="url",
    ),
    pytest.param([ATTACHMENT], [{"file_token": "boxX", "name": "a.png"}], id="attachment"),
    pytest.param({"link_record_ids": ["rec1", "rec2"]}, ["rec1", "rec2"], id="link"),
    pytest.param({"link_record_ids": None}, [], id="link-empty"),
    pytest.param(
        [{"record_ids": ["rec1"], "table_id": "tbl1", "text": "甲", "text_arr": ["甲"], "type": "text"}],
        ["rec1"],
        id="link-older-form",
    ),
    pytest.param(["rec1"], ["rec1"], id="link-as-written"),
    pytest.param(
        {"location": "116.4,39.9", "full_address": "天安门广场，北京市", "name": "天安门广场"},
        "天安门广场，北京市",
        id="location",
    ),
    pytest.param({"type": 2, "value": [12]}, 12, id="formula-number"),
    pytest.param({"type": 1, "value": [{"text": "甲", "type": "text"}]}, "甲", id="formula-text"),
    pytest.param({"type": 5, "value": [1786032000000]}, 1786032000000, id="lookup-date"),
    pytest.param({"type": 2, "value": [1, 2]}, [1, 2], id="lookup-several"),
    pytest.param({"type": 11, "value": [PERSON]}, [{"id": "ou_x", "name": "张三"}], id="lookup-person"),
    pytest.param({"type": 4, "ui_type": "MultiSelect", "value": ["A"]}, ["A"], id="lookup-options"),
    pytest.param({"type": 2, "value": []}, [], id="formula-empty"),
    pytest.param(2**60, str(2**60), id="beyond-2^53"),
    pytest.param({"odd": 2**60}, {"odd": str(2**60)}, id="unknown-shape"),
]


@pytest.mark.parametrize(("wire", "value"), READS)
def test_a_cell_is_read_as_guidance_says(wire: Any, value: Any) -> None:
    """Plain values, without addresses of pictures and files."""
    assert FIELD_VALUES.decode({"字段": wire}) == {"字段": value}


def test_an_empty_cell_is_left_out() -> None:
    """As in answers that never had it."""
    assert FIELD_VALUES.decode({"a": None, "b": "x"}) == {"b": "x"}


@pytest.mark.parametrize(
    ("value", "wire"),
    [
        pytest.param({"date": "2026-08-07T00:00:00+08:00"}, 1786032000000, id="date"),
        pytest.param(1786032000000, 1786032000000, id="date-as-read"),
        pytest.param(None, None, id="clear"),
        pytest.param("", "", id="empty-text"),
        pytest.param([{"id": "ou_x", "name": "张三"}], [{"id": "ou_x"}], id="person-as-read"),
        pytest.param([{"id": "ou_x"}], [{"id": "ou_x"}], id="person"),
        pytest.param(
            [{"file_token": "boxX", "name": "a"}], [{"file_token": "boxX"}], id="attachment-as-read"
        ),
        pytest.param(["rec1", "rec2"], ["rec1", "rec2"], id="link"),
        pytest.param({"text": "a", "link": "b"}, {"text": "a", "link": "b"}, id="url"),
        pytest.param([{"id": "ou_x", "role": "x"}], [{"id": "ou_x", "role": "x"}], id="left-to-the-platform"),
    ],
)
def test_a_cell_is_written_as_guidance_says(value: Any, wire: Any) -> None:
    """Dates become milliseconds, what was read loses its names, null stays null."""
    assert FIELD_VALUES.encode({"字段": value}) == {"字段": wire}


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        pytest.param({"date": "2026-08-07"}, "'截止' ", id="no-offset"),
        pytest.param({"date": 7}, "'截止'", id="no-text"),
        pytest.param({"date": "2026-08-07T00:00:00Z", "x": 1}, "nothing beside it", id="more"),
    ],
)
def test_a_date_that_is_none_names_its_field(cell: Any, words: str) -> None:
    """The sentence says in which field the mistake is."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the sentence is compared below
        FIELD_VALUES.encode({"截止": cell})

    assert words.strip() in str(caught.value)


@pytest.mark.parametrize(("wire", "value"), READS)
def test_what_was_read_can_be_written_back(wire: Any, value: Any) -> None:
    """A value that was read is taken by the write, and names the same people, files and records."""
    read = FIELD_VALUES.decode({"字段": wire})["字段"]

    written = FIELD_VALUES.encode({"字段": read})["字段"]

    assert identities(written) == identities(read)


def identities(cell: Any) -> Any:
    if isinstance(cell, list):
        return [identities(one) for one in cell]
    if isinstance(cell, dict):
        return cell.get("id") or cell.get("file_token") or cell
    return cell


CELLS = (
    st.none()
    | st.text()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.lists(st.text(), max_size=3)
    | st.lists(st.fixed_dictionaries({"id": TEXTS}), max_size=3)
    | st.lists(st.fixed_dictionaries({"file_token": TEXTS}), max_size=3)
    | st.fixed_dictionaries({"text": st.text(), "link": TEXTS})
)


@given(fields=st.dictionaries(TEXTS, CELLS, max_size=6))
def test_a_written_record_reads_back_as_it_was(fields: dict[str, Any]) -> None:
    """The answer to a write gives the values as written, and they read as they were meant."""
    back = FIELD_VALUES.decode(FIELD_VALUES.encode(fields))

    assert back == {name: cell for name, cell in fields.items() if cell is not None}


WIRE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "name", "text", "type", "value", "link", "file_token", "record_ids"]),
            inner,
        )
    ),
    max_leaves=10,
)


@given(fields=st.dictionaries(TEXTS, WIRE, max_size=4))
def test_no_answer_breaks_the_reader(fields: dict[str, Any]) -> None:
    """Whatever the platform puts into cells, every field that has a value is still there."""
    assert set(FIELD_VALUES.decode(fields)) == {name for name, cell in fields.items() if cell is not None}


@pytest.mark.parametrize(
    ("inner", "wrap"),
    [
        pytest.param(1, lambda one: [one], id="lists"),
        pytest.param(1, lambda one: {"a": one}, id="objects"),
        pytest.param(1, lambda one: {"type": 1, "value": one}, id="computed"),
        pytest.param(1, lambda one: [{"type": 1, "value": [one]}], id="computed-lists"),
        pytest.param("x", lambda one: {"link": "https://a.example", "text": one}, id="links"),
    ],
)
def test_a_cell_nested_too_deeply_does_not_fit(inner: Any, wrap: Callable[[Any], Any]) -> None:
    """A limit of our own, long before the interpreter's: a record that passes it is named in the drift."""
    deep = inner
    for _ in range(20):
        deep = wrap(deep)

    assert FIELD_VALUES.decode({"a": deep})
    for _ in range(100):
        deep = wrap(deep)
    with pytest.raises(ValueError, match="too deeply"):
        FIELD_VALUES.decode({"a": deep})


@pytest.mark.parametrize("value", [None, [], "x", 7], ids=repr)
def test_fields_are_an_object(value: Any) -> None:
    """Anything else is refused on the way out and does not fit on the way in."""
    with pytest.raises(ValueError, match="object"):
        FIELD_VALUES.encode(value)
    with pytest.raises(ValueError, match="object"):
        FIELD_VALUES.decode(value)
