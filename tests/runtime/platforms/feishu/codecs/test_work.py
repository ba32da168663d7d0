"""Dates and changes of tasks; texts of goals and of their progress; names in the dictionary."""

from typing import Any

import pytest

from placet.contract.platform import Codec
from placet.platforms.feishu.codecs.lingo_terms import TERM, TERMS
from placet.platforms.feishu.codecs.okr_texts import OKR_TEXT, PROGRESS_TEXT
from placet.platforms.feishu.codecs.tasks import CHANGES, TIME


@pytest.mark.parametrize(
    ("text", "wire", "back"),
    [
        pytest.param(
            "2026-05-01",
            {"timestamp": "1777593600000", "is_all_day": True},
            "2026-05-01",
            id="a-day-is-utc-midnight",
        ),
        pytest.param(
            "2026-05-01T18:00:00+08:00",
            {"timestamp": "1777629600000", "is_all_day": False},
            "2026-05-01T10:00:00Z",
            id="a-moment",
        ),
    ],
)
def test_a_date_is_a_day_or_a_moment(text: str, wire: dict[str, Any], back: str) -> None:
    """Both travel as a timestamp, and come back as what they are."""
    assert TIME.encode(text) == wire
    assert TIME.decode(wire) == back


@pytest.mark.parametrize("empty", [{"timestamp": "0"}, {"timestamp": ""}, {}])
def test_a_date_that_is_not_set_is_none(empty: dict[str, Any]) -> None:
    """The platform writes zero for no date."""
    assert TIME.decode(empty) is None


@pytest.mark.parametrize("bad", ["tomorrow", "2026-05-01T18:00:00", "2026-13-01", 5, None])
def test_no_other_text_is_a_date(bad: Any) -> None:
    """A moment without an offset would be another moment elsewhere."""
    with pytest.raises(ValueError, match=r".+"):
        TIME.encode(bad)


def test_a_change_names_what_it_sets_and_what_it_clears() -> None:
    """Null clears: the member is named and not given."""
    assert CHANGES.encode({"summary": "新", "due": None, "start": "2026-05-01"}) == (
        {"summary": "新", "start": {"timestamp": "1777593600000", "is_all_day": True}},
        ["due", "start", "summary"],
    )


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"summary": None}, id="a-title-cannot-be-cleared"),
        pytest.param({"completed_at": "1"}, id="done-is-another-tool"),
        pytest.param([], id="no-object"),
    ],
)
def test_other_changes_are_refused(bad: Any) -> None:
    """What is not a change of a task never leaves."""
    with pytest.raises(ValueError, match=r".+"):
        CHANGES.encode(bad)


@pytest.mark.parametrize("codec", [pytest.param(OKR_TEXT, id="v2"), pytest.param(PROGRESS_TEXT, id="v1")])
def test_lines_come_back_as_they_went(codec: Codec) -> None:
    """A line is a paragraph; an empty one stays."""
    text = "把次月留存提到四成\n\n三月前"

    assert codec.decode(codec.encode(text)) == text


def test_each_version_has_its_own_words() -> None:
    """The wire forms are those of the platform's two generations."""
    assert OKR_TEXT.encode("a") == {
        "blocks": [
            {
                "block_element_type": "paragraph",
                "paragraph": {"elements": [{"paragraph_element_type": "textRun", "text_run": {"text": "a"}}]},
            }
        ]
    }
    assert PROGRESS_TEXT.encode("a") == {
        "blocks": [
            {"type": "paragraph", "paragraph": {"elements": [{"type": "textRun", "textRun": {"text": "a"}}]}}
        ]
    }


def test_links_mentions_and_pictures_stay_readable() -> None:
    """What is no text is said in text."""
    elements = [
        {"text_run": {"text": "见 "}},
        {"docs_link": {"title": "方案", "url": "https://example.com/d"}},
        {"mention": {"user_id": "ou_x"}},
    ]
    blocks = [{"paragraph": {"elements": elements}}, {"gallery": {"images": [{}]}}]

    assert OKR_TEXT.decode({"blocks": blocks}) == "见 [方案](https://example.com/d)@ou_x\n[image]"


def test_names_of_entries_are_found_and_highlighted() -> None:
    """A name is one text; the wire has a list, each with its display."""
    shown = {"allow_highlight": True, "allow_search": True}

    assert TERM.encode("灰度发布") == [{"key": "灰度发布", "display_status": shown}]
    assert TERMS.decode(TERMS.encode(["a", "b"])) == ["a", "b"]
    assert (TERM.decode([]), TERMS.decode(None)) == ("", [])
    with pytest.raises(ValueError, match="not empty"):
        TERM.encode(" ")
