"""The day on which somebody is to start, on the wire."""

import pytest

from placet.platforms.feishu.codecs.hire_days import DAY


def test_a_day_is_an_object_in_a_text() -> None:
    """An offer takes the first day so, and in no other form."""
    assert DAY.encode("2026-06-01") == '{"date": "2026-06-01"}'


@pytest.mark.parametrize(
    "value", ["2026-02-30", "2026-6-1", "20260601", "2026-06-01T00:00:00Z", "", 20260601]
)
def test_what_is_no_day_is_refused(value: object) -> None:
    """A date that no calendar has never reaches an offer."""
    with pytest.raises(ValueError, match="is no day"):
        DAY.encode(value)
