"""Forms and comments of approval."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.platforms.feishu.codecs.approval_answers import COMMENT, FORM_VALUES, FORM_WIDGETS
from placet.platforms.feishu.codecs.approval_forms import FORM

START, END = "2026-06-03T00:00:00+08:00", "2026-06-05T00:00:00+08:00"

FITS = [
    pytest.param("input", "去深圳", None, id="input"),
    pytest.param("textarea", "", None, id="textarea-empty"),
    pytest.param("number", 3, None, id="number"),
    pytest.param("formula", 12.5, None, id="formula"),
    pytest.param("date", START, None, id="date"),
    pytest.param("dateInterval", {"start": START, "end": END, "interval": 3}, None, id="interval"),
    pytest.param("radioV2", "opt-a1-2", None, id="radio"),
    pytest.param("checkboxV2", ["opt-a1-2"], None, id="checkbox"),
    pytest.param("connect", ["B2C90F64"], None, id="connect"),
    pytest.param("document", {"token": "doxX", "type": "docx"}, None, id="document"),
    pytest.param("telephone", {"countryCode": "+86", "nationalNumber": "13100000000"}, None, id="telephone"),
    pytest.param("address", [{"id": "310042", "detailAddress": "一号"}], None, id="address"),
    pytest.param("image", ["D93653C3"], None, id="image"),
    pytest.param("attachmentV2", ["D93653C3"], None, id="attachment"),
    pytest.param("contact", ["ou_x", "ou_y"], {"value": [], "open_ids": ["ou_x", "ou_y"]}, id="contact"),
    pytest.param("contact", ["f8ca557e"], {"value": ["f8ca557e"], "open_ids": []}, id="contact-user-id"),
    pytest.param("department", ["od-1"], {"value": [{"open_id": "od-1"}]}, id="department"),
    pytest.param(
        "fieldList",
        [
            [{"id": "w5", "type": "input", "value": "出租车"}],
            [{"id": "w5", "type": "input", "value": "地铁"}],
        ],
        None,
        id="rows",
    ),
    pytest.param(
        "leaveGroupV2",
        [
            {"id": "widgetLeaveGroupType", "type": "radioV2", "value": "7402518839946715136"},
            {"id": "widgetLeaveGroupStartTime", "type": "date", "value": START},
        ],
        None,
        id="leave",
    ),
    pytest.param(
        "workGroup",
        [
            {"id": "who", "type": "contact", "value": ["ou_x"]},
            {"id": "when", "type": "fieldList", "value": [[{"id": "s", "type": "date", "value": START}]]},
        ],
        {
            "value": [
                {"id": "who", "type": "contact", "value": [], "open_ids": ["ou_x"]},
                {"id": "when", "type": "fieldList", "value": [[{"id": "s", "type": "date", "value": START}]]},
            ]
        },
        id="overtime",
    ),
    pytest.param("shiftGroup", {"shiftTime": START, "returnTime": END, "reason": "换班"}, None, id="shift"),
]


@pytest.mark.parametrize(("kind", "value", "wire"), FITS)
def test_a_field_is_written_as_its_type_wants(kind: str, value: Any, wire: dict[str, Any] | None) -> None:
    """Each type of guidance `approval/forms` in the platform's form."""
    written = FORM.encode([{"id": "w1", "type": kind, "value": value}])

    assert written == [{"id": "w1", "type": kind, **(wire or {"value": value})}]


def test_an_amount_has_its_currency_beside_it() -> None:
    """Value and currency are sibling members."""
    entry = {"id": "w1", "type": "amount", "value": 1280.5, "currency": "CNY"}

    assert FORM.encode([entry]) == [entry]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        pytest.param({"type": "input", "value": 7}, "text", id="text"),
        pytest.param({"type": "number", "value": "3"}, "not text", id="number-as-text"),
        pytest.param({"type": "number", "value": True}, "number", id="number-as-flag"),
        pytest.param({"type": "amount", "value": 1}, "currency", id="amount-without-currency"),
        pytest.param({"type": "input", "value": "x", "currency": "CNY"}, "amount", id="stray-currency"),
        pytest.param({"type": "date", "value": "2026-06-03"}, "offset", id="date"),
        pytest.param(
            {"type": "dateInterval", "value": {"start": END, "end": START, "interval": 3}}, "before it starts",
            id="backwards",
        ),
        pytest.param({"type": "dateInterval", "value": {"start": START, "end": END}}, "interval", id="no-length"),
        pytest.param({"type": "radioV2", "value": ["a"]}, "value of one option", id="list-for-radio"),
        pytest.param({"type": "checkboxV2", "value": "a"}, "list of option values", id="text-for-checkbox"),
        pytest.param({"type": "contact", "value": []}, "open_ids", id="nobody"),
        pytest.param({"type": "telephone", "value": "+8613100000000"}, "countryCode", id="telephone"),
        pytest.param({"type": "address", "value": [{"id": "1"}, {"id": "2"}]}, "one object", id="two-places"),
        pytest.param({"type": "fieldList", "value": [{"id": "a"}]}, "list of rows", id="no-rows"),
        pytest.param({"type": "leaveGroupV2", "value": [{"id": "a"}]}, "id and a type", id="child-without-type"),
        pytest.param(
            {"type": "leaveGroupV2", "value": [{"id": "a", "type": "date", "value": "x"}]}, "'a' (date)",
            id="fault-in-child",
        ),
        pytest.param({"type": "serialNumber", "value": "1"}, "leave it out", id="given-by-platform"),
        pytest.param({"type": "text", "value": "1"}, "leave it out", id="explanation"),
        pytest.param({"type": "tripGroup", "value": []}, "approval app", id="not-from-outside"),
        pytest.param({"type": "radio2", "value": "a"}, "did you mean 'radioV2'", id="misspelt-type"),
        pytest.param({"type": "input", "value": None}, "leave an optional field", id="null"),
        pytest.param({"type": "input"}, "has no value", id="no-value"),
        pytest.param({"type": "input", "value": "x", "name": "n"}, "not name", id="unknown-member"),
        pytest.param({"value": "x"}, "approval.get_definition", id="no-type"),
    ],
)  # fmt: skip
def test_a_wrong_entry_is_said_before_anybody_is_asked(entry: dict[str, Any], words: str) -> None:
    """Which field, and what its type takes."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the sentence is compared below
        FORM.encode([{"id": "w1", **entry}])

    assert words in str(caught.value)


def test_one_field_has_one_answer() -> None:
    """Two entries for a field would show the approver one and file the other."""
    entry = {"id": "w1", "type": "input", "value": "x"}

    with pytest.raises(ValueError, match="two entries"):
        FORM.encode([entry, {**entry, "value": "y"}])


DEEP: Any = [{"id": "w", "type": "input", "value": "x"}]
for _ in range(5000):
    DEEP = [{"id": "w", "type": "leaveGroupV2", "value": DEEP}]


def test_a_form_nested_without_end_is_refused() -> None:
    """It ends in a sentence, not in a broken step."""
    with pytest.raises(ValueError, match="too deeply"):
        FORM.encode(DEEP)


FILED = json.dumps(
    [
        {"id": "w1", "custom_id": "", "name": "事由", "type": "textarea", "ext": None, "value": "看家人"},
        {
            "id": "w2", "name": "类型", "type": "radioV2", "ext": None, "value": "年假",
            "option": {"key": "opt-1", "text": "年假"},
        },
        {"id": "w3", "name": "参与人", "type": "contact", "value": ["f8ca557e"], "open_ids": ["ou_x"]},
        {"id": "w4", "name": "金额", "type": "amount", "value": 12.5, "ext": {"currency": "CNY", "capitalValue": "x"}},
        {
            "id": "w5", "name": "明细", "type": "fieldList", "ext": [],
            "value": [[{"id": "w6", "name": "项目", "type": "input", "ext": None, "value": "出租车"}]],
        },
        {"id": "w7", "name": "编号", "type": "number", "value": 2**60},
        {"id": "w8", "name": "空", "type": "input", "value": None},
    ],
    ensure_ascii=False,
)  # fmt: skip


def test_a_filed_form_is_read_with_what_filing_it_again_needs() -> None:
    """Fields with id, name, type and value; option values, people and currencies beside; nothing else."""
    assert FORM_VALUES.decode(FILED) == [
        {"id": "w1", "name": "事由", "type": "textarea", "value": "看家人"},
        {
            "id": "w2", "name": "类型", "type": "radioV2", "value": "年假",
            "options": [{"value": "opt-1", "label": "年假"}],
        },
        {"id": "w3", "name": "参与人", "type": "contact", "value": ["f8ca557e"], "open_ids": ["ou_x"]},
        {"id": "w4", "name": "金额", "type": "amount", "value": 12.5, "currency": "CNY"},
        {
            "id": "w5", "name": "明细", "type": "fieldList",
            "value": [[{"id": "w6", "name": "项目", "type": "input", "value": "出租车"}]],
        },
        {"id": "w7", "name": "编号", "type": "number", "value": str(2**60)},
        {"id": "w8", "name": "空", "type": "input"},
    ]  # fmt: skip


DEFINED = json.dumps(
    [
        {
            "id": "w1", "custom_id": "x", "name": "类型", "type": "radioV2", "required": True, "printable": True,
            "option": [{"value": "opt-1", "text": "年假"}, {"value": "opt-2", "text": "病假"}],
        },
        {
            "id": "w2", "name": "明细", "type": "fieldList", "required": False,
            "option": {"input_type": "LIST", "print_type": "LIST"},
            "children": [{"id": "w3", "name": "项目", "type": "input", "required": True}],
        },
        {
            "id": "widgetLeaveGroupV2", "name": "", "type": "leaveGroupV2", "required": True, "option": None,
            "value": [
                {"id": "widgetLeaveGroupUnit", "name": "单位", "type": "radioV2", "required": True,
                 "option": [{"value": "DAY", "text": "天"}]},
            ],
        },
        {"id": "w4", "name": "日期", "type": "date", "required": True, "value": "YYYY-MM-DD"},
    ],
    ensure_ascii=False,
)  # fmt: skip


def test_a_definition_shows_what_to_fill_in() -> None:
    """Ids, types, option values with labels, and the children of tables and groups."""
    assert FORM_WIDGETS.decode(DEFINED) == [
        {
            "id": "w1", "name": "类型", "type": "radioV2", "required": True,
            "options": [{"value": "opt-1", "label": "年假"}, {"value": "opt-2", "label": "病假"}],
        },
        {
            "id": "w2", "name": "明细", "type": "fieldList", "required": False,
            "children": [{"id": "w3", "name": "项目", "type": "input", "required": True}],
        },
        {
            "id": "widgetLeaveGroupV2", "name": "", "type": "leaveGroupV2", "required": True,
            "children": [
                {
                    "id": "widgetLeaveGroupUnit", "name": "单位", "type": "radioV2", "required": True,
                    "options": [{"value": "DAY", "label": "天"}],
                }
            ],
        },
        {"id": "w4", "name": "日期", "type": "date", "required": True},
    ]  # fmt: skip


@pytest.mark.parametrize(
    "value",
    ["", "no json", "{}", "null", "[" * 100_000, '[{"value":' * 20_000, None, 7],
    ids=lambda one: str(one)[:9],
)
def test_a_form_that_is_none_does_not_fit(value: Any) -> None:
    """Text that is no form is drift for both readers, however it is built."""
    for codec in (FORM_VALUES, FORM_WIDGETS):
        with pytest.raises(ValueError):  # noqa: PT011  # no model reads this sentence
            codec.decode(value)


@given(text=st.text())
def test_a_comment_comes_back_as_it_was_written(text: str) -> None:
    """Plain text survives the JSON around it, JSON-looking text too."""
    assert COMMENT.decode(COMMENT.encode(text)) == text


@pytest.mark.parametrize(
    ("wire", "text"),
    [
        pytest.param('{"text":"好","files":[{"url":"https://example.com"}]}', "好", id="with-files"),
        pytest.param("好", "好", id="plain"),
        pytest.param("7", "7", id="plain-number"),
        pytest.param('{"files":[]}', '{"files":[]}', id="no-text"),
        pytest.param("", "", id="empty"),
    ],
)
def test_a_comment_is_its_text(wire: str, text: str) -> None:
    """What is no JSON of a comment is shown as it is."""
    assert COMMENT.decode(wire) == text


def test_a_comment_of_text_cannot_name_files() -> None:
    """JSON in a model's text stays text and attaches nothing."""
    written = COMMENT.encode('","file_codes":["D93653C3"],"x":"')

    assert list(json.loads(written)) == ["text"]
