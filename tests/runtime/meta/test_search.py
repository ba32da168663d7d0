"""Finding tools: both languages, typing slips, the first link, and saying so when nothing fits."""

import time

import pytest

from placet.meta import search
from placet.meta.words import near, words
from placet_feishu import surface


@pytest.mark.parametrize(
    ("query", "tool"),
    [
        pytest.param("多维表格新增一条记录", "bitable.add_record", id="zh"),
        pytest.param("撤回刚才发的那条消息", "im.recall_message", id="zh-im"),
        pytest.param("add a row to the table", "bitable.add_record", id="en"),
        pytest.param("who has read the message I sent", "im.list_read_users", id="en-im"),
        pytest.param("find a meeting rooom", "vc.search_rooms", id="en-slip"),
        pytest.param("解散这个群", "chat.dissolve_chat", id="zh-chat"),
        pytest.param("待办任务 mark as done", "task.complete_task", id="mixed"),
        pytest.param("我的日程有哪些空闲时间 free busy", "calendar.list_busy_times", id="mixed-calendar"),
    ],
)
def test_a_request_finds_its_tool_among_the_first_three(query: str, tool: str) -> None:
    """In the words of a person, who knows no tool's name."""
    assert tool in [hit.entry.name for hit in search(surface, query, limit=3)]


@pytest.mark.parametrize(
    "query",
    [
        "推荐一家附近的火锅店",
        "compile the kernel with clang",
        "what is the capital of Peru",
        "给猫剪指甲",
        "!!!",
        "",
    ],
)
def test_nothing_is_better_than_a_guess(query: str) -> None:
    """What no tool does finds none."""
    assert search(surface, query) == []


def test_every_tool_is_found_by_its_own_summary() -> None:
    """Whoever says what a tool says of itself finds it, in either language."""
    lost = [
        entry.name
        for entry in surface.tools
        for text in (entry.summary, entry.summaries["zh"])
        if entry.name not in [hit.entry.name for hit in search(surface, text, limit=3)]
    ]

    assert lost == []


def test_the_same_query_gives_the_same_order_and_soon() -> None:
    """Ties are broken by name; a look takes a millisecond or two."""
    search(surface, "warm")
    took = []
    for _ in range(30):
        began = time.perf_counter()
        first = [hit.entry.name for hit in search(surface, "把会议改到明天下午两点 meeting", limit=10)]
        took.append(time.perf_counter() - began)
        assert first == [
            hit.entry.name for hit in search(surface, "把会议改到明天下午两点 meeting", limit=10)
        ]

    assert sorted(took)[15] < 0.02


def test_a_filter_filters() -> None:
    """By anything about a tool."""
    reads = search(surface, "delete record", keep=lambda entry: not entry.risk.is_write, limit=20)

    assert reads
    assert not any(hit.entry.risk.is_write for hit in reads)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Updating the records", ["updat", "record"]),
        ("今天的日程", ["日程", "日_", "程_"]),
        ("给Ann发message", ["发_", "ann", "messag"]),
    ],
)
def test_words_are_what_a_text_says(text: str, found: list[str]) -> None:
    """Small words say nothing; CJK counts by pairs, and by characters a little."""
    assert sorted(words(text)) == sorted(found)


def test_a_slip_of_one_letter_is_forgiven_and_two_are_not() -> None:
    """One more, one less, another, or two swapped; never in a short word."""
    known = frozenset({"shift", "night"})

    assert [near(one, known) for one in ("shfit", "nigth", "shiftt", "shoft")] == [
        "shift", "night", "shift", "shift",
    ]  # fmt: skip
    assert [near(one, known) for one in ("shxxt", "shif", "夜班")] == [None, None, None]
