"""Times on the wire."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.platforms.feishu.codecs.times import MILLIS_TEXT, SECONDS, TIME_INFO

OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1), timezones=OFFSETS)  # noqa: DTZ001  # zones are drawn


@pytest.mark.parametrize(
    ("text", "millis"),
    [
        ("1970-01-01T00:00:00Z", "0"),
        ("2026-08-07T00:00:00+08:00", "1786032000000"),
        ("2026-08-06t16:00:00z", "1786032000000"),
        ("2026-08-06T16:00:00.123456Z", "1786032000123"),
    ],
)
def test_a_moment_is_milliseconds(text: str, millis: str) -> None:
    """The offset counts, the case does not, and what is below a millisecond is left out."""
    assert MILLIS_TEXT.encode(text) == millis


@given(moment=MOMENTS)
def test_milliseconds_are_exact(moment: datetime) -> None:
    """No moment is moved by rounding."""
    millis = int(MILLIS_TEXT.encode(moment.isoformat(timespec="milliseconds")))

    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    assert millis == since // timedelta(milliseconds=1)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "2026-05-01",
        "2026-05-01T09:00:00",
        "2026-13-01T09:00:00Z",
        "2026-05-01 09:00:00Z",
        "tomorrow",
        None,
        7,
    ],
    ids=repr,
)
def test_what_is_no_moment_is_said(value: Any) -> None:
    """A time without offset would be read in somebody else's zone, so it is refused with an example."""
    with pytest.raises(ValueError, match="offset"):
        MILLIS_TEXT.encode(value)


@given(moment=MOMENTS)
def test_a_moment_of_an_event_comes_back(moment: datetime) -> None:
    """The same second, whatever the zone it is shown in."""
    whole = moment.replace(microsecond=0)

    back = datetime.fromisoformat(TIME_INFO.decode(TIME_INFO.encode(whole.isoformat())))

    assert back == whole


@pytest.mark.parametrize(
    ("wire", "text"),
    [
        pytest.param({"date": "2026-06-03"}, "2026-06-03", id="day"),
        pytest.param({"timestamp": "1786032000"}, "2026-08-06T16:00:00Z", id="no-zone"),
        pytest.param(
            {"timestamp": "1786032000", "timezone": "Asia/Shanghai"}, "2026-08-07T00:00:00+08:00", id="zone"
        ),
        pytest.param(
            {"timestamp": "1786032000", "timezone": "../etc"}, "2026-08-06T16:00:00Z", id="odd-zone"
        ),
    ],
)
def test_a_time_of_an_event_is_shown_in_its_zone(wire: dict[str, str], text: str) -> None:
    """All-day events are days, others moments in the event's zone, or in UTC when that is unknown."""
    assert TIME_INFO.decode(wire) == text


def test_a_day_is_an_all_day_event() -> None:
    """A day without a time stays a day."""
    assert TIME_INFO.encode("2026-06-03") == {"date": "2026-06-03"}


@pytest.mark.parametrize(
    "wire", [{}, {"timestamp": ""}, {"timestamp": "x"}, {"timestamp": "9" * 12}, "2026", None], ids=repr
)
def test_a_time_that_cannot_be_read_does_not_fit(wire: Any) -> None:
    """It is drift, not a wrong time."""
    with pytest.raises(ValueError):  # noqa: PT011  # no model reads this sentence
        TIME_INFO.decode(wire)


@given(moment=MOMENTS)
def test_seconds_come_back(moment: datetime) -> None:
    """The same second, as the number that is sent and as the text that some answers hold."""
    whole = moment.replace(microsecond=0)
    seconds = SECONDS.encode(whole.isoformat())

    assert datetime.fromisoformat(SECONDS.decode(seconds)) == whole
    assert SECONDS.decode(str(seconds)) == SECONDS.decode(seconds)


@pytest.mark.parametrize("wire", [True, 1.5, "x", None, "9" * 12], ids=repr)
def test_what_is_no_number_of_seconds_does_not_fit(wire: Any) -> None:
    """It is drift, not a wrong time."""
    with pytest.raises(ValueError):  # noqa: PT011  # no model reads this sentence
        SECONDS.decode(wire)


@pytest.mark.parametrize("wire", [0, "0", ""], ids=repr)
def test_no_seconds_are_no_time(wire: Any) -> None:
    """A meeting that still runs has not ended in 1970."""
    assert SECONDS.decode(wire) == ""
