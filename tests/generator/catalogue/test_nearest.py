"""Did you mean."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet_generator.catalogue.nearest import nearest

NAMES = [
    "bitable.v1.app_table_record.update",
    "bitable.v1.app_table_record.batch_update",
    "bitable.v1.app_table_record.get",
    "calendar.v4.calendar_event.create",
    "im.v1.message.create",
    "im.v1.image.create",
]
words = st.text(alphabet="abcd_.-", max_size=12)


@pytest.mark.parametrize(
    ("word", "first"),
    [
        pytest.param("bitable.v1.app_table_record.updat", "bitable.v1.app_table_record.update", id="letter-missing"),
        pytest.param("calendar.v4.calender_event.create", "calendar.v4.calendar_event.create", id="letter-wrong"),
        pytest.param("im.message.create", "im.v1.message.create", id="part-missing"),
        pytest.param("IM.V1.Message.Create", "im.v1.message.create", id="case"),
        pytest.param("bitable.v1.app-table-record.get", "bitable.v1.app_table_record.get", id="dashes"),
    ],
)  # fmt: skip
def test_a_slip_finds_the_name_that_was_meant(word: str, first: str) -> None:
    """The meant name comes first."""
    assert nearest(word, NAMES)[0] == first


def test_nothing_alike_names_nothing() -> None:
    """A guess that helps nobody is not made."""
    assert nearest("xyz", NAMES) == ()
    assert nearest("", NAMES) == ()
    assert nearest("x" * 100_000, NAMES) == ()
    assert nearest("im.v1.message.create", []) == ()


@given(word=words, choices=st.lists(words, max_size=20), limit=st.integers(1, 4), order=st.randoms())
def test_the_answer_does_not_depend_on_the_order_of_choices(
    word: str, choices: list[str], limit: int, order: Random
) -> None:
    """The same choices in any order, also doubled, give the same names: no more than asked, none twice."""
    shuffled = choices * 2
    order.shuffle(shuffled)

    found = nearest(word, shuffled, limit)

    assert found == nearest(word, choices, limit)
    assert len(found) == len(set(found)) <= limit


@given(word=words.filter(bool), choices=st.lists(words, max_size=20), limit=st.integers(1, 4))
def test_stopping_early_changes_nothing(word: str, choices: list[str], limit: int) -> None:
    """A smaller limit gives the beginning of the longer answer, and a name that is there is found."""
    everything = nearest(word, [*choices, word], len(choices) + 1)

    assert nearest(word, [*choices, word], limit) == everything[:limit]
    assert word in everything
