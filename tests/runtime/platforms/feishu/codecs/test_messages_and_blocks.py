"""Messages of im and blocks of documents."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from placet.platforms.feishu.codecs.docx_blocks import BLOCKS
from placet.platforms.feishu.codecs.im_messages import MESSAGE


@pytest.mark.parametrize(
    ("message", "kind", "content"),
    [
        pytest.param({"text": "你好"}, "text", {"text": "你好"}, id="text"),
        pytest.param(
            {"text": "你好", "mentions": ["ou_x"]},
            "text",
            {"text": '<at user_id="ou_x"></at> 你好'},
            id="mention",
        ),
        pytest.param(
            {"markdown": "**a**", "title": "周报", "mentions": ["all"]},
            "post",
            {
                "zh_cn": {
                    "title": "周报",
                    "content": [[{"tag": "at", "user_id": "all"}], [{"tag": "md", "text": "**a**"}]],
                }
            },
            id="markdown",
        ),
        pytest.param({"image_key": "img_x"}, "image", {"image_key": "img_x"}, id="image"),
        pytest.param({"file_key": "file_x"}, "file", {"file_key": "file_x"}, id="file"),
        pytest.param({"audio_key": "file_x"}, "audio", {"file_key": "file_x"}, id="audio"),
        pytest.param({"chat_id": "oc_x"}, "share_chat", {"chat_id": "oc_x"}, id="chat"),
        pytest.param({"open_id": "ou_x"}, "share_user", {"user_id": "ou_x"}, id="person"),
        pytest.param({"card": {"elements": []}}, "interactive", {"elements": []}, id="card"),
    ],
)
def test_a_message_is_a_type_and_its_content_as_text(message: Any, kind: str, content: Any) -> None:
    """Two slots: the type, and JSON text."""
    msg_type, text = MESSAGE.encode(message)

    assert (msg_type, json.loads(text)) == (kind, content)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        pytest.param({}, "exactly one", id="nothing"),
        pytest.param({"text": "a", "image_key": "b"}, "exactly one", id="two"),
        pytest.param({"text": "a", "title": "b"}, "takes no title", id="stray"),
        pytest.param({"text": ""}, "not empty", id="empty"),
        pytest.param({"text": 'hi <at user_id="all"></at>'}, "mentions", id="tag-in-text"),
        pytest.param({"text": "hi <AT id=all>"}, "mentions", id="tag-in-capitals"),
        pytest.param({"markdown": "x</at>"}, "mentions", id="tag-in-markdown"),
        pytest.param({"card": {"elements": [{"content": "<at id=all></at>"}]}}, "<at>", id="tag-in-card"),
        pytest.param({"card": {"elements": [{"tag": "at", "user_id": "all"}]}}, "<at>", id="element-in-card"),
        pytest.param({"text": "a", "mentions": ['ou_x"></at>']}, "nobody", id="id-breaks-out"),
        pytest.param({"text": "a", "mentions": "ou_x"}, "list", id="no-list"),
        pytest.param("hi", "object", id="no-object"),
    ],
)
def test_a_message_notifies_only_whom_it_names(message: Any, words: str) -> None:
    """Mentions stand in `mentions`, where a person who approves sees them; no text smuggles one in."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the sentence is compared below
        MESSAGE.encode(message)

    assert words in str(caught.value)


@given(text=st.text(min_size=1).filter(lambda one: "<at" not in one.lower() and "</at" not in one.lower()))
def test_a_text_comes_back_as_it_was_sent(text: str) -> None:
    """The content of a text message reads as the text."""
    _, content = MESSAGE.encode({"text": text})

    assert MESSAGE.decode(content) == text


def test_a_text_may_speak_of_less_than() -> None:
    """A comparison is no tag."""
    assert MESSAGE.encode({"text": "x < at most 5"})[0] == "text"


POST = {
    "title": "周报",
    "content": [
        [
            {"tag": "text", "text": "见 "},
            {"tag": "a", "text": "文档", "href": "https://example.com"},
            {"tag": "at", "user_id": "@_user_1", "user_name": "张三"},
        ],
        [{"tag": "img", "image_key": "img_x"}],
    ],
}
CARD = {
    "header": {"title": {"tag": "plain_text", "content": "请假"}},
    "elements": [
        {"tag": "div", "text": {"tag": "lark_md", "content": "三天"}},
        [{"tag": "text", "text": "好"}],
        {"tag": "action", "actions": [{"tag": "button", "text": {"content": "同意"}}]},
    ],
}


@pytest.mark.parametrize(
    ("wire", "text"),
    [
        pytest.param(json.dumps(POST), "周报\n见 文档 (https://example.com)@张三\n[image img_x]", id="post"),
        pytest.param(
            json.dumps({"zh_cn": POST}),
            "周报\n见 文档 (https://example.com)@张三\n[image img_x]",
            id="locale",
        ),
        pytest.param('{"image_key":"img_x"}', "[image img_x]", id="image"),
        pytest.param('{"file_key":"f","file_name":"a.pdf"}', "[file a.pdf]", id="file"),
        pytest.param('{"chat_id":"oc_x"}', "[chat oc_x]", id="chat"),
        pytest.param("Merged and Forwarded Message", "Merged and Forwarded Message", id="no-json"),
        pytest.param(
            {
                "msg_type": "text",
                "body": {"content": '{"text":"@_user_1 @_user_11 好"}'},
                "mentions": [{"key": "@_user_1", "name": "张三"}, {"key": "@_user_11", "name": "李四"}],
            },
            "@张三 @李四 好",
            id="message-with-mentions",
        ),
        pytest.param(json.dumps(CARD), "请假\n三天\n好\n同意", id="card"),
    ],
)
def test_a_message_reads_as_a_person_sees_it(wire: Any, text: str) -> None:
    """Texts of all kinds, names for placeholders, a word for what is no text."""
    assert MESSAGE.decode(wire) == text


WIRE = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["tag", "text", "title", "content", "elements", "header", "href", "zh_cn"]), inner
        )
    ),
    max_leaves=12,
)


@example(content={"title": None, "content": [{"tag": []}]})
@given(content=st.dictionaries(st.sampled_from(["title", "content", "elements", "zh_cn", "text"]), WIRE))
def test_no_message_breaks_the_reader(content: dict[str, Any]) -> None:
    """Whatever somebody sends into a chat, it reads as text."""
    assert isinstance(MESSAGE.decode(json.dumps(content)), str)


STYLED = st.fixed_dictionaries(
    {"text": st.text(max_size=8)},
    optional={
        "bold": st.just(True),
        "italic": st.just(True),
        "underline": st.just(True),
        "strikethrough": st.just(True),
        "code": st.just(True),
        "link": st.text(max_size=8).map(lambda tail: f"https://example.com/{tail}"),
    },
)
KINDS = ["text", "heading1", "heading9", "bullet", "ordered", "quote"]
TEXT = st.text(max_size=20)
DOCUMENT = st.lists(
    st.fixed_dictionaries({"type": st.sampled_from(KINDS), "text": TEXT})
    | st.fixed_dictionaries({"type": st.just("todo"), "text": TEXT, "done": st.booleans()})
    | st.fixed_dictionaries(
        {"type": st.just("code"), "text": TEXT, "language": st.sampled_from(["plaintext", "python", "sql"])}
    )
    | st.just({"type": "divider"})
    | st.fixed_dictionaries(
        {"type": st.just("text"), "text": st.lists(STYLED, min_size=1, max_size=3)}
    ).filter(lambda block: any(len(piece) > 1 for piece in block["text"])),
    max_size=6,
)


@given(blocks=DOCUMENT)
def test_blocks_come_back_as_they_were_written(blocks: list[dict[str, Any]]) -> None:
    """Kinds, texts, styles, links, ticks and languages survive the wire."""
    assert BLOCKS.decode(BLOCKS.encode(blocks)) == blocks


def test_a_block_is_written_as_the_platform_reads_it() -> None:
    """Number, member and elements; a link's address is encoded."""
    written = BLOCKS.encode(
        [
            {"type": "heading2", "text": "标题"},
            {
                "type": "todo",
                "text": [{"text": "看", "bold": True, "link": "https://example.com/?a=1"}],
                "done": True,
            },
        ]
    )

    assert written == [
        {
            "block_type": 4,
            "heading2": {
                "elements": [{"text_run": {"content": "标题", "text_element_style": {}}}],
                "style": {},
            },
        },
        {
            "block_type": 17,
            "todo": {
                "elements": [
                    {
                        "text_run": {
                            "content": "看",
                            "text_element_style": {
                                "bold": True,
                                "link": {"url": "https%3A%2F%2Fexample.com%2F%3Fa%3D1"},
                            },
                        }
                    }
                ],
                "style": {"done": True},
            },
        },
    ]


@pytest.mark.parametrize(
    ("block", "words"),
    [
        pytest.param({"type": "title", "text": "x"}, "heading1", id="unknown-type"),
        pytest.param({"type": "text", "text": "x", "done": True}, "takes no done", id="stray"),
        pytest.param({"type": "code", "text": "x", "language": "klingon"}, "python", id="language"),
        pytest.param(
            {"type": "text", "text": [{"text": "x", "link": "javascript:alert(1)"}]}, "https", id="link"
        ),
        pytest.param({"type": "text", "text": [{"text": "x", "colour": 1}]}, "bold", id="unknown-style"),
        pytest.param({"type": "text", "text": 7}, "list of pieces", id="no-text"),
        pytest.param("x", "block type", id="no-object"),
    ],
)
def test_a_wrong_block_is_said(block: Any, words: str) -> None:
    """What there is instead is in the sentence."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the sentence is compared below
        BLOCKS.encode([block])

    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("wire", "block"),
    [
        pytest.param(
            {"block_id": "b1", "block_type": 27, "image": {"token": "x"}},
            {"type": "image", "block_id": "b1"},
            id="image",
        ),
        pytest.param(
            {"block_id": "b1", "block_type": 999}, {"type": "other_999", "block_id": "b1"}, id="unknown"
        ),
        pytest.param(
            {
                "block_type": 2,
                "text": {
                    "elements": [
                        {"mention_user": {"user_id": "ou_x"}},
                        {"equation": {"content": "E=mc^2\n"}},
                        {"file": {}},
                    ]
                },
            },
            {"type": "text", "text": "@ou_xE=mc^2"},
            id="other-elements",
        ),
        pytest.param(
            {
                "block_type": 2,
                "text": {"elements": [{"mention_doc": {"title": "周报", "url": "https%3A%2F%2Fe.com"}}]},
            },
            {"type": "text", "text": [{"text": "周报", "link": "https://e.com"}]},
            id="document",
        ),
    ],
)
def test_other_blocks_read_by_name_and_text(wire: Any, block: Any) -> None:
    """What is no text is named; what stands for text is shown as text."""
    assert BLOCKS.decode([wire]) == [block]
