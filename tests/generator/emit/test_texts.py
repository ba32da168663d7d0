"""What a model reads, in both languages."""

from dataclasses import replace
from typing import Any

import pytest

from placet_generator.emit.texts import WireTexts
from placet_generator.ir import Limits, ScalarType
from tests.generator.emit.sample import UPDATE_RECORD, member, tool

NAMES = {"bitable.query_records": "bitable_query_records", "im.send": "im_send"}
ENGLISH, CHINESE = WireTexts("en", NAMES), WireTexts("zh", NAMES)


def test_a_description_is_summary_then_advice() -> None:
    """A line each, tools under the names that a model can call."""
    assert ENGLISH.description(UPDATE_RECORD).split("\n") == [
        "Change chosen fields of one record. Fields not named keep their value.",
        "Use when: You hold the record_id and know which fields change.",
        "Not when: Several records change at once; use bitable_query_records first.",
    ]
    assert CHINESE.description(UPDATE_RECORD).split("\n") == [
        "修改一条记录的部分字段，未提到的字段保持不变。",
        "适用：已知 record_id 和要改的字段。",
        "不适用：要改多条时先用 bitable_query_records。",
    ]


def test_a_tool_without_advice_has_its_summary_only() -> None:
    """Nothing is said where nothing was written."""
    assert ENGLISH.description(tool("im.one")) == "Do one."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Use bitable.query_records.", "Use bitable_query_records.", id="before-a-full-stop"),
        pytest.param("用bitable.query_records查", "用bitable_query_records查", id="within-chinese"),
        pytest.param("bitable.query_records#items[]", "bitable_query_records#items[]", id="a-place"),
        pytest.param("im.send_message", "im.send_message", id="a-longer-name"),
        pytest.param("xim.send", "xim.send", id="a-longer-domain"),
        pytest.param("v1.im.send", "v1.im.send", id="within-a-dotted-name"),
        pytest.param("e.g. this", "e.g. this", id="no-tool"),
    ],
)
def test_tools_are_named_as_a_model_calls_them(text: str, expected: str) -> None:
    """Exactly the names of tools are replaced."""
    assert ENGLISH.plain({"en": text}) == expected


@pytest.mark.parametrize(
    ("more", "english", "chinese"),
    [
        pytest.param({}, "The x", "x 说明。", id="about-alone-stays-as-written"),
        pytest.param({"default": True}, "The x. Default: true.", "x 说明。默认：true。", id="default"),
        pytest.param(
            {"example": {"状态": 1}}, 'The x. E.g. {"状态":1}', 'x 说明。例：{"状态":1}', id="example"
        ),
        pytest.param(
            {"obtain": ("person", "im.send#a", "bitable.query_records#b"), "default": "a", "example": "b"},
            "The x. Default: a. From im_send. E.g. b",
            "x 说明。默认：a。来自 im_send。例：b",
            id="first-tool-only",
        ),
        pytest.param({"obtain": ("guidance:ids",)}, "The x", "x 说明。", id="guidance-is-not-a-tool"),
        pytest.param(
            {"limits": Limits(max_bytes=20 * 2**20)},
            "The x. At most 20 MiB.",
            "x 说明。最大 20 MiB。",
            id="file-size",
        ),
    ],
)
def test_an_argument_says(more: dict[str, Any], english: str, chinese: str) -> None:
    """Its text, then default, origin and example, each a sentence."""
    one = member("x", ScalarType(name="string"), "The x", **more)

    assert (ENGLISH.about(one), CHINESE.about(one)) == (english, chinese)


def test_an_argument_without_text_says_nothing() -> None:
    """No bytes for nothing."""
    assert ENGLISH.about(member("x")) == ""


def test_a_language_that_lacks_a_text_takes_the_english_one() -> None:
    """A model never reads an empty description."""
    assert CHINESE.description(replace(UPDATE_RECORD, summary={"en": "Only English."})).startswith(
        "Only English."
    )
