"""Blocks within blocks, documents as lines, and what is said in comments."""

from typing import Any

import pytest

from placet.platforms.feishu.codecs import CODECS

NESTED, LINES, TEXT = CODECS["docx.nested_blocks"], CODECS["docx.lines"], CODECS["docx.text"]
COMMENT, COMMENTS = CODECS["drive.comment"], CODECS["drive.comments"]


def test_a_tree_becomes_a_flat_list_that_names_its_children() -> None:
    """Parents stand before their children, and the first level is named apart."""
    first, blocks = NESTED.encode(
        [
            {"type": "bullet", "text": "一", "children": [{"type": "bullet", "text": "二"}]},
            {"type": "callout", "children": [{"type": "text", "text": "注"}]},
        ]
    )

    assert first == ["b1", "b3"]
    assert [(one["block_id"], one["block_type"], one["children"]) for one in blocks] == [
        ("b1", 12, ["b2"]),
        ("b2", 12, []),
        ("b3", 19, ["b4"]),
        ("b4", 2, []),
    ]


def test_a_table_is_rows_of_texts() -> None:
    """Cells stand row by row below the table, each with one text."""
    first, blocks = NESTED.encode([{"type": "table", "rows": [["甲", "乙"], ["1", "2"]]}])

    table, cells = blocks[0], [one for one in blocks if one["block_type"] == 32]
    assert first == [table["block_id"]]
    assert table["table"] == {"property": {"row_size": 2, "column_size": 2}}
    assert table["children"] == [one["block_id"] for one in cells]
    texts = {
        one["block_id"]: one["text"]["elements"][0]["text_run"]["content"] for one in blocks if "text" in one
    }
    assert [texts[cell["children"][0]] for cell in cells] == ["甲", "乙", "1", "2"]


@pytest.mark.parametrize(
    "block",
    [
        pytest.param({"type": "table", "rows": [["a"], ["b", "c"]]}, id="ragged"),
        pytest.param({"type": "table", "rows": []}, id="no-rows"),
        pytest.param({"type": "table", "rows": [["a"] * 501]}, id="too-wide"),
        pytest.param({"type": "callout"}, id="empty-callout"),
        pytest.param({"type": "callout", "children": [], "text": "x"}, id="callout-with-text"),
        pytest.param({"type": "divider", "children": [{"type": "text", "text": "x"}]}, id="childless"),
        pytest.param({"type": "bullet", "text": "x", "children": {}, "more": 1}, id="unknown"),
        pytest.param("text", id="no-object"),
    ],
)
def test_a_tree_that_the_platform_would_refuse_is_refused_here(block: Any) -> None:
    """With a sentence that says what is wrong."""
    with pytest.raises(ValueError, match=r"\w"):
        NESTED.encode([block])


def test_a_document_reads_as_lines_with_their_ids() -> None:
    """Each line can be found again by its id."""
    run = {"text_run": {"content": "粗", "text_element_style": {"bold": True}}}
    blocks = [
        {"block_id": "p", "block_type": 1, "page": {"elements": [{"text_run": {"content": "周报"}}]}},
        {"block_id": "h", "block_type": 4, "heading2": {"elements": [{"text_run": {"content": "结论"}}]}},
        {"block_id": "t", "block_type": 17, "todo": {"elements": [run], "style": {"done": True}}},
        {"block_id": "d", "block_type": 22, "divider": {}},
        {"block_id": "i", "block_type": 27, "image": {"token": "x"}},
    ]

    assert LINES.decode(blocks) == ["[p] 周报", "[h] ## 结论", "[t] - [x] **粗**", "[d] ---", "[i] (image)"]


def test_a_text_is_plain_or_in_pieces() -> None:
    """One block's text alone."""
    assert TEXT.encode("x") == [{"text_run": {"content": "x", "text_element_style": {}}}]
    (piece,) = TEXT.encode([{"text": "x", "bold": True}])
    assert piece["text_run"]["text_element_style"] == {"bold": True}


def test_a_comment_mentions_people_and_reads_as_it_was_written() -> None:
    """`@ou_...` is a person, everything else a text."""
    written = COMMENT.encode("请 @ou_li 核对")

    assert written["elements"][1] == {"type": "person", "person": {"user_id": "ou_li"}}
    assert COMMENT.decode(written) == "请 @ou_li 核对"
    assert COMMENTS.encode("好") == {"replies": [{"content": COMMENT.encode("好")}]}


def test_what_was_said_is_told_with_who_and_when() -> None:
    """Links of documents read as their addresses."""
    link = {"type": "docs_link", "docs_link": {"url": "https://example.com/docx/x"}}
    reply = {"reply_id": "1", "user_id": "ou_li", "create_time": 5, "content": {"elements": [link]}}

    assert COMMENTS.decode({"replies": [reply]}) == [
        {"reply_id": "1", "open_id": "ou_li", "time": 5, "text": "https://example.com/docx/x"}
    ]


@pytest.mark.parametrize("text", ["", "  ", None, 3])
def test_a_comment_says_something(text: Any) -> None:
    """An empty one is refused."""
    with pytest.raises(ValueError, match="text"):
        COMMENT.encode(text)
