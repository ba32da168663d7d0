"""Results within a budget: whole items first, texts after that, valid JSON always."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.budget import chars_of, fit, fitting

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=800),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=60), inner, max_size=12),
    max_leaves=60,
)


@given(data=st.dictionaries(st.sampled_from(["items", "total", "a"]), JSON), budget=st.integers(200, 4000))
def test_a_result_fits_its_budget_and_is_json(data: dict[str, Any], budget: int) -> None:
    """For any data and budget: at most so many characters, valid JSON, and left as it is where it fits."""
    found = fit(data, budget, "items")

    assert chars_of(found.data) <= budget
    assert json.loads(json.dumps(found.data)) == found.data
    assert found.truncated == (found.data != data)
    if chars_of(data) <= budget:
        assert found.data is data
    assert isinstance(data.get("items"), list) == (found.kept is not None)


@given(
    items=st.lists(
        st.dictionaries(st.sampled_from(["id", "text"]), JSON, min_size=1), min_size=1, max_size=20
    ),
    budget=st.integers(200, 4000),
)
def test_items_are_dropped_from_the_end_and_counted(items: list[Any], budget: int) -> None:
    """Whole items are kept from the start; the first one stays, shortened if it must be, so that a cursor moves on."""
    found = fit({"items": items}, budget, "items")

    assert found.kept is not None
    assert 1 <= found.kept <= len(items)
    assert len(found.data["items"]) == found.kept
    if found.kept > 1:
        assert found.data["items"] == items[: found.kept]


@pytest.mark.parametrize("budget", [None, 10**9], ids=["off", "large"])
def test_without_a_budget_nothing_is_cut(budget: int | None) -> None:
    """A host may turn the budget off."""
    data = {"items": ["x" * 100_000]}

    assert fit(data, budget, "items").data is data


def test_a_cut_text_says_how_much_is_missing() -> None:
    """A model learns that there is more, and how much."""
    found = fit({"text": "语" * 10_000}, 1000, None)

    text = found.data["text"]
    kept, _, rest = text.partition(" [cut: ")
    assert int(rest.removesuffix(" more characters]")) + len(kept) == 10_000


def test_declared_fields_are_not_dropped_for_one_that_is_large() -> None:
    """A result keeps all its fields; the large ones give way."""
    found = fit({"rows": [[n] * 50 for n in range(500)], "total": 500, "name": "a"}, 600, None)

    assert (found.data["total"], found.data["name"]) == (500, "a")
    assert 0 < len(found.data["rows"]) < 500


def test_what_cannot_be_shortened_is_named() -> None:
    """Keys as long as the budget leave a sentence, which is JSON."""
    found = fit({"k" * 5000: 1}, 300, None)

    assert chars_of(found.data) <= 300
    assert "too large" in json.dumps(found.data)


@given(items=st.lists(st.text(max_size=30), max_size=30), budget=st.integers(0, 300))
def test_fitting_counts_as_json_counts(items: list[str], budget: int) -> None:
    """As many items from the start as compact JSON has room for, brackets left out."""
    count = fitting(items, budget)

    assert chars_of(items[:count]) - 2 <= budget
    assert count == len(items) or chars_of(items[: count + 1]) - 2 > budget
