"""Cards in their short and whole form, mails as they go, bodies as they come, and conditions of a search."""

import base64
import json
from email import message_from_bytes, policy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.platforms.feishu.codecs.im_cards import CARD
from placet.platforms.feishu.codecs.im_messages import MESSAGE, TEXT
from placet.platforms.feishu.codecs.mail_filters import SEARCH_FILTER
from placet.platforms.feishu.codecs.mails import BODY, RAW

MAIL = {"sender": "zhang@example.com", "to": ["li@example.com"], "subject": "x", "text": "y"}


def parsed(mail: dict[str, Any]) -> Any:
    return message_from_bytes(base64.urlsafe_b64decode(RAW.encode(mail)), policy=policy.default)


def test_a_notice_is_a_card_with_a_title_a_text_and_links() -> None:
    """The short form has everything that most cards need."""
    button = {"text": "打开", "url": "https://example.com"}
    card = json.loads(
        CARD.encode({"notice": {"title": "上线", "color": "red", "markdown": "**是**", "buttons": [button]}})
    )

    assert card["header"] == {"title": {"tag": "plain_text", "content": "上线"}, "template": "red"}
    text, link = card["body"]["elements"]
    assert (text["tag"], text["content"], text["element_id"]) == ("markdown", "**是**", "text")
    assert link["behaviors"] == [{"type": "open_url", "default_url": "https://example.com"}]


def test_a_whole_card_goes_as_it_is() -> None:
    """Nothing is added to it or taken away."""
    card = {"schema": "2.0", "body": {"elements": []}}

    assert json.loads(CARD.encode({"card": card})) == card


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param({}, "exactly one", id="nothing"),
        pytest.param({"notice": {"markdown": "a"}, "card": {}}, "exactly one", id="both"),
        pytest.param({"notice": {"title": "a"}}, "markdown", id="no-text"),
        pytest.param({"notice": {"markdown": "a", "subtitle": "b"}}, "a notice has", id="stray"),
        pytest.param({"notice": {"markdown": "<at id=all></at>"}}, "<at>", id="tag"),
        pytest.param({"notice": {"markdown": "a", "buttons": [{"text": "b"}]}}, "text and url", id="no-url"),
        pytest.param(
            {"notice": {"markdown": "a", "buttons": [{"text": "b", "url": "javascript:c"}]}},
            "https",
            id="script",
        ),
        pytest.param({"card": "{}"}, "object", id="text"),
    ],
)
def test_a_card_that_would_surprise_is_refused(content: Any, words: str) -> None:
    """Neither people rung by a hidden tag nor links that are no addresses."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the sentence is compared below
        CARD.encode(content)

    assert words in str(caught.value)


def test_a_stored_card_and_a_video_are_messages() -> None:
    """Each is its type and its keys."""
    stored, video = MESSAGE.encode({"card_id": "7355"}), MESSAGE.encode({"video_key": "f", "cover_key": "i"})

    assert (stored[0], json.loads(stored[1])) == (
        "interactive",
        {"type": "card", "data": {"card_id": "7355"}},
    )
    assert (video[0], json.loads(video[1])) == ("media", {"file_key": "f", "image_key": "i"})


@pytest.mark.parametrize("message", [{"image_key": "i"}, {}, {"text": "a", "markdown": "b"}, "a"])
def test_only_text_replaces_text(message: Any) -> None:
    """What cannot be edited is refused before it is sent."""
    with pytest.raises(ValueError, match="exactly one of text and markdown"):
        TEXT.encode(message)


def test_a_mail_reads_as_it_was_written() -> None:
    """Names, subject, body and the lines of a conversation survive the way, and nobody else is in it."""
    mail = parsed(
        {
            "sender": "张三 <zhang@example.com>",
            "to": ["李四 <li@example.com>", "a@example.com"],
            "cc": ["b@example.com"],
            "bcc": ["c@example.com"],
            "subject": "Re: 续租",
            "html": "<p>同意</p>",
            "in_reply_to": "m1@example.com",
            "references": ["<m0@example.com>", "m1@example.com"],
            "replied_message_id": "TUlH+/=",
        }
    )

    assert (mail["From"], mail["Subject"]) == ("张三 <zhang@example.com>", "Re: 续租")
    assert [one.addr_spec for one in mail["To"].addresses] == ["li@example.com", "a@example.com"]
    assert (mail["Cc"], mail["Bcc"]) == ("b@example.com", "c@example.com")
    assert mail["In-Reply-To"] == "<m1@example.com>"
    assert mail["References"] == "<m0@example.com> <m1@example.com>"
    assert mail["X-LMS-Reply-To-Message-Id"] == "TUlH+/="
    assert mail.get_content_type() == "text/html"
    assert mail.get_content().rstrip("\n") == "<p>同意</p>"


@given(subject=st.text(min_size=1, max_size=200), text=st.text(min_size=1))
def test_no_text_of_a_mail_adds_a_line_to_its_head(subject: str, text: str) -> None:
    """Whatever is written, the head has the lines it should have; what would add one is refused."""
    try:
        raw = RAW.encode({**MAIL, "subject": subject, "text": text})
    except ValueError:
        return
    head = base64.urlsafe_b64decode(raw).partition(b"\n\n")[0].split(b"\n")

    assert [line.partition(b":")[0] for line in head] == [
        b"Subject",
        b"From",
        b"To",
        b"MIME-Version",
        b"Content-Type",
        b"Content-Transfer-Encoding",
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param({"subject": "a\nBcc: x@example.com"}, "one line", id="line-in-subject"),
        pytest.param({"to": ["a\r\nBcc: b <x@example.com>"]}, "one line", id="line-in-address"),
        pytest.param({"to": ["li"]}, "no mail address", id="no-address"),
        pytest.param({"to": "li@example.com"}, "list", id="no-list"),
        pytest.param({"in_reply_to": "a> <b"}, "no message id", id="two-ids"),
        pytest.param({"replied_message_id": "a"}, "goes with", id="half-an-answer"),
        pytest.param({"html": "b"}, "exactly one", id="two-bodies"),
        pytest.param({"text": ""}, "not empty", id="empty"),
        pytest.param({"from": "b"}, "a mail has", id="stray"),
        pytest.param({"sender": None}, "one line", id="nobody"),
    ],
)
def test_a_mail_that_is_none_is_refused(change: dict[str, Any], words: str) -> None:
    """The sentence says what is wrong."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the sentence is compared below
        RAW.encode({**MAIL, **change})

    assert words in str(caught.value)


@given(text=st.text())
def test_a_body_comes_back_with_and_without_padding(text: str) -> None:
    """Both spellings of base64url read as the text."""
    coded = base64.urlsafe_b64encode(text.encode()).decode()

    assert (BODY.decode(coded), BODY.decode(coded.rstrip("="))) == (text, text)


def test_a_body_that_is_plain_stays() -> None:
    """A text that no encoding made is shown as it is."""
    assert BODY.decode("三点见") == "三点见"


def test_a_condition_without_a_name_of_ours_is_refused() -> None:
    """An empty filter or a strange member finds nothing that was meant."""
    for value in ({}, {"from": ["a"]}, "a"):
        with pytest.raises(ValueError, match="a filter has"):
            SEARCH_FILTER.encode(value)
