"""The end of an award: a moment, for ever, or none."""

import pytest

from placet.platforms.feishu.codecs.badge_ends import BADGE_END


@pytest.mark.parametrize(("said", "sent"), [("permanent", "0"), ("2022-04-11T23:59:59+08:00", "1649692799")])
def test_an_end_is_seconds_and_for_ever_is_zero(said: str, sent: str) -> None:
    """The platform's 0 has a word of its own, so that nobody takes it for 1970."""
    assert BADGE_END.encode(said) == sent


def test_an_answer_reads_as_it_would_be_written() -> None:
    """What a read shows can be repeated in a change; an anniversary has no end."""
    assert BADGE_END.decode("0") == "permanent"
    assert BADGE_END.decode(1649692799) == "2022-04-11T15:59:59Z"
    assert BADGE_END.decode("") == ""


@pytest.mark.parametrize("said", ["for ever", "2022-04-11", 0])
def test_another_text_is_no_end(said: object) -> None:
    """A day would leave the hour open, and the platform insists on the last second."""
    with pytest.raises(ValueError, match="no time"):
        BADGE_END.encode(said)


def test_an_answer_of_another_form_is_refused() -> None:
    """What is no number of seconds is not passed on as an end."""
    with pytest.raises(ValueError, match="number of seconds"):
        BADGE_END.decode("soon")
