"""When an event is and whom it invites, on the wire."""

from typing import Any

import pytest

from placet.platforms.feishu.codecs.calendar_events import ATTENDEES, EVENT_TIME


def test_start_and_end_carry_the_zone() -> None:
    """Both moments get it, as the platform asks; without one nothing is added."""
    when = {"start": "2026-05-04T10:00:00+08:00", "end": "2026-05-04T11:00:00+08:00"}

    assert EVENT_TIME.encode({**when, "time_zone": "Asia/Shanghai"}) == (
        {"timestamp": "1777860000", "timezone": "Asia/Shanghai"},
        {"timestamp": "1777863600", "timezone": "Asia/Shanghai"},
    )
    assert EVENT_TIME.encode(when) == ({"timestamp": "1777860000"}, {"timestamp": "1777863600"})


def test_days_have_no_zone() -> None:
    """An all-day event is the same day everywhere."""
    days = {"start": "2026-05-04", "end": "2026-05-04", "time_zone": "Europe/Berlin"}

    assert EVENT_TIME.encode(days) == ({"date": "2026-05-04"}, {"date": "2026-05-04"})


@pytest.mark.parametrize(
    ("value", "says"),
    [
        pytest.param({"start": "2026-05-04", "end": "2026-05-04T11:00:00+08:00"}, "both", id="day-and-time"),
        pytest.param({"start": "2026-05-05", "end": "2026-05-04"}, "before it starts", id="days-reversed"),
        pytest.param(
            {"start": "2026-05-04T10:00:00+08:00", "end": "2026-05-04T10:00:00+09:00"},
            "before it starts",
            id="times-reversed",
        ),
        pytest.param({"start": "2026-05-04T10:00:00", "end": "2026-05-04"}, "offset", id="no-offset"),
        pytest.param("2026-05-04", "object", id="no-object"),
    ],
)
def test_a_time_that_does_not_fit_is_said(value: Any, says: str) -> None:
    """Nothing is guessed: a model reads what is wrong and writes it anew."""
    with pytest.raises(ValueError, match=says):
        EVENT_TIME.encode(value)


def test_an_id_tells_the_kind_of_attendee() -> None:
    """People, chats, rooms and outsiders go into one list."""
    assert ATTENDEES.encode(["ou_x", "oc_x", "omm_x", "zhao@example.com"]) == [
        {"type": "user", "user_id": "ou_x"},
        {"type": "chat", "chat_id": "oc_x"},
        {"type": "resource", "room_id": "omm_x"},
        {"type": "third_party", "third_party_email": "zhao@example.com"},
    ]


@pytest.mark.parametrize("value", [["张三"], ["ou_"], [1], ["a@b c"], "ou_x", None], ids=repr)
def test_a_name_is_no_attendee(value: Any) -> None:
    """Names have to become ids first."""
    with pytest.raises(ValueError, match=r"attendees are a list|is no ou_"):
        ATTENDEES.encode(value)
