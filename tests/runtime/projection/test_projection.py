"""What of an answer leaves: declared fields that fit their declaration; the rest is named, never passed on."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.contract.binding import Project
from placet.projection import DRIFT_MOST, Projector, decode_data
from tests.runtime.gate.pack.shop import ITEM
from tests.runtime.gate.scripted import Upper

ITEMS = Projector(ITEM, lambda name: Upper())


def projector(type: str, *, path: str = "x", **more: Any) -> Projector:
    return Projector((Project(name="x", path=path, type=type, **more),), lambda name: Upper())


@pytest.mark.parametrize(
    ("type", "value", "kept"),
    [
        pytest.param("string", "汉", "汉", id="text"),
        pytest.param("string", "", "", id="empty-text"),
        pytest.param("integer", 0, 0, id="zero"),
        pytest.param("integer", 2**53 - 1, 2**53 - 1, id="largest-safe"),
        pytest.param("number", 1.5, 1.5, id="fraction"),
        pytest.param("number", 2, 2, id="whole-number"),
        pytest.param("boolean", False, False, id="false"),
        pytest.param("int64", 7400000000000000001, "7400000000000000001", id="long-as-number"),
        pytest.param("int64", "-7400000000000000001", "-7400000000000000001", id="long-as-text"),
        pytest.param("time", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", id="time"),
        pytest.param("object", {"a": 2**60}, {"a": str(2**60)}, id="object-with-a-long-number"),
        pytest.param("any", [1, {"b": [2**64]}, None], [1, {"b": [str(2**64)]}, None], id="anything"),
        pytest.param("list[string]", ["a", "b"], ["a", "b"], id="texts"),
        pytest.param("list[list[int64]]", [[1], []], [["1"], []], id="lists-in-lists"),
    ],
)
def test_what_fits_is_kept(type: str, value: Any, kept: Any) -> None:
    """Numbers of 64 bits leave as text wherever they stand; everything else as it came."""
    found = projector(type).project({"x": value, "y": "never declared"})

    assert (found.data, found.drift) == ({"x": kept}, ())


@pytest.mark.parametrize(
    ("type", "value"),
    [
        pytest.param("string", 7, id="number-for-text"),
        pytest.param("integer", "7", id="text-for-number"),
        pytest.param("integer", True, id="boolean-for-number"),
        pytest.param("integer", 1.0, id="fraction-for-whole"),
        pytest.param("integer", 2**53, id="too-large"),
        pytest.param("boolean", 1, id="one-for-true"),
        pytest.param("int64", "7x", id="not-a-number"),
        pytest.param("int64", "٣", id="digits-of-another-script"),
        pytest.param("int64", "", id="empty"),
        pytest.param("object", [], id="list-for-object"),
        pytest.param("list[string]", "a", id="text-for-list"),
        pytest.param("number", "NaN", id="text-for-number-2"),
    ],
)
def test_what_does_not_fit_is_named_and_left_out(type: str, value: Any) -> None:
    """An answer of another form is still an answer; its place is in drift, its value nowhere."""
    found = projector(type).project({"x": value})

    assert found.data == {}
    assert found.drift == ("x",)


@pytest.mark.parametrize("data", [None, [], 7, "text", {}, {"x": None}], ids=repr)
def test_what_is_not_there_stays_absent(data: Any) -> None:
    """Absent and null are no drift: every output field is optional."""
    found = projector("string").project(data)

    assert (found.data, found.drift) == ({}, ())


@pytest.mark.parametrize(
    ("path", "data", "kept"),
    [
        pytest.param("a.b", {"a": {"b": "v"}}, "v", id="nested"),
        pytest.param("a[0].b", {"a": [{"b": "v"}]}, "v", id="first"),
        pytest.param("a[3].b", {"a": [{"b": "v"}]}, None, id="beyond-the-end"),
        pytest.param("a.b", {"a": [1]}, None, id="through-a-list"),
        pytest.param("$", "v", "v", id="the-data-itself"),
    ],
)
def test_a_place_is_read_where_it_is(path: str, data: Any, kept: Any) -> None:
    """Paths are followed as far as the answer goes; a form that differs is absence, not a fault."""
    found = projector("string", path=path).project(data)

    assert found.data == ({} if kept is None else {"x": kept})


def test_a_value_of_each_item_is_a_list() -> None:
    """`items[].id` gives one value for each item that has one."""
    found = projector("list[string]", path="items[].id").project({"items": [{"id": "a"}, {}, {"id": "b"}]})

    assert found.data == {"x": ["a", "b"]}


def test_items_that_do_not_fit_are_left_out_and_named_once() -> None:
    """Of ten thousand odd items the place is told once."""
    answer = {"lines": [{"code": "a", "count": 1}, 7, {"code": 8, "count": 2}] + [9] * 10_000}

    found = ITEMS.project(answer)

    assert found.data == {"lines": [{"code": "a", "count": 1}, {"count": 2}]}
    assert found.drift == ("lines[]", "lines[].code")
    assert len(found.drift) <= DRIFT_MOST


def test_a_codec_that_does_not_know_a_value_leaves_it_out() -> None:
    """A translation that fails is drift like any other misfit."""
    assert ITEMS.project({"upper": "low"}).data == {"upper": "LOW"}
    assert ITEMS.project({"upper": "high"}).drift == ("upper",)


@pytest.mark.parametrize("kind", [IndexError, OverflowError, RecursionError, KeyError, AttributeError])
def test_a_codec_may_fail_as_it_likes(kind: type[Exception]) -> None:
    """A codec's own fault on an odd answer loses that field, not the answer of a write."""

    class Broken(Upper):
        def decode(self, value: Any) -> Any:
            raise kind("odd")

    found = Projector((Project(name="x", path="x", codec="c"),), lambda name: Broken()).project({"x": 1})

    assert (found.data, found.drift) == ({}, ("x",))


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"<html>", id="html"),
        pytest.param(b'{"a": 1', id="truncated"),
        pytest.param(b'{"a": "\xff"}', id="no-utf-8"),
        pytest.param(b'{"a": NaN}', id="nan"),
        pytest.param(b"[" * 200_000, id="deep"),
        pytest.param(b'{"a": "\\ud800"}', id="half-a-character"),
    ],
)
def test_bytes_that_are_no_json_are_one_error(raw: bytes) -> None:
    """Whatever a platform sends is JSON or a ValueError."""
    with pytest.raises(ValueError, match="answer"):
        decode_data(raw)


def test_a_value_nested_too_deeply_is_left_out() -> None:
    """Depth that cannot be walked loses its field and nothing else."""
    deep: Any = "bottom"
    for _ in range(5000):
        deep = {"a": deep}

    found = ITEMS.project({"id": "a", "anything": deep})

    assert (found.data, found.drift) == ({"id": "a"}, ("anything",))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
MEMBERS = st.dictionaries(st.sampled_from([one.path.removesuffix("[]") for one in ITEM] + ["secret"]), JSON)


@given(data=MEMBERS)
def test_only_declared_fields_leave_and_every_number_is_safe(data: dict[str, Any]) -> None:
    """For any answer: nothing undeclared, no integer that readers round, and the answer itself unchanged."""
    before = json.dumps(data)

    found = ITEMS.project(data)

    assert set(found.data) <= {one.name for one in ITEM}
    assert json.dumps(data) == before
    assert set(found.data) | {one.partition("[")[0].partition(".")[0] for one in found.drift} >= {
        name for name in data if name != "secret" and data[name] is not None
    }
    for number in _integers(found.data):
        assert -(2**53) < number < 2**53
    msgspec.json.encode(found.data)


def _integers(value: Any) -> list[int]:
    if isinstance(value, dict):
        return [number for inner in value.values() for number in _integers(inner)]
    if isinstance(value, list):
        return [number for inner in value for number in _integers(inner)]
    return [value] if type(value) is int else []
