"""Reading a list by its cursors gives the list: nothing lost, nothing twice, however it was cut."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from placet.contract.call import CallContext
from placet.contract.result import Failed, Ok
from placet.gate import Gate
from tests.runtime.gate.scripted import answer
from tests.runtime.gate.world import World, context
from tests.runtime.paging.shelf import Shelf

LISTS = ["shop.list_items", "shop.list_rows", "shop.list_sheets"]


class Reader:
    """A gate on a loop of its own, for laws that are no coroutines."""

    def __init__(self) -> None:
        self.world = World()
        self._runner = asyncio.Runner()
        self._open = self.world.gate(deadline_s=60.0)
        self.gate: Gate = self._runner.run(self._open.__aenter__())

    def close(self) -> None:
        self._runner.run(self._open.__aexit__(None, None, None))
        self._runner.close()

    def call(self, name: str, arguments: dict[str, Any], ctx: CallContext | None = None) -> Any:
        return self._runner.run(self.gate.call(name, arguments, ctx if ctx is not None else context()))

    def all_pages(self, name: str, options: list[dict[str, Any]], budget: int | None) -> list[list[Any]]:
        """The items of each answer, following the cursors to the end; options are used in turn."""
        pages: list[list[Any]] = []
        following: str | None = None
        while True:
            chosen = options[len(pages) % len(options)]
            arguments = dict(chosen) if following is None else {**chosen, "page_token": following}
            result = self.call(name, arguments, context(turn=None, result_chars=budget))
            assert isinstance(result, Ok), result
            assert result.drift == ()
            if budget is not None:
                assert len(json.dumps(result.data, ensure_ascii=False, separators=(",", ":"))) <= budget
            pages.append(result.data["items"])
            assert result.page is not None
            following = result.page.next
            if following is None:
                return pages
            assert len(pages) < 500, "the list does not end"


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    found = Reader()
    yield found
    found.close()


def numbered(lengths: list[int]) -> list[dict[str, Any]]:
    return [{"id": f"i{number}", "text": "语" * length} for number, length in enumerate(lengths)]


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "fetch_all": st.booleans(),
        "max_items": st.integers(1, 12),
        "page_size": st.integers(1, 60),
    },
)


@pytest.mark.parametrize("name", LISTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=120)
@given(
    lengths=st.lists(st.integers(0, 60) | st.integers(100, 900), max_size=40),
    breaks=st.none() | st.lists(st.integers(0, 9), max_size=8),
    options=st.lists(OPTIONS, min_size=1, max_size=3),
    budget=st.none() | st.integers(200, 3000),
)
def test_cursors_give_the_whole_list_once(
    reader: Reader,
    name: str,
    lengths: list[int],
    breaks: list[int] | None,
    options: list[dict[str, Any]],
    budget: int | None,
) -> None:
    """For any pages, budget, sizes and limits, all answers together are the list, in order."""
    items = numbered(lengths)
    reader.world.wire.answering = Shelf(items, breaks)

    pages = reader.all_pages(name, options, budget)

    given = [one for page in pages for one in page]
    assert [one["id"] for one in given] == [one["id"] for one in items]
    for one, whole in zip(given, items, strict=True):
        assert one["text"] == whole["text"] or "[cut: " in one["text"]
        assert one["text"] == whole["text"] or budget is not None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(lengths=st.lists(st.integers(0, 60), min_size=3, max_size=40), most=st.integers(1, 20))
def test_max_items_is_never_passed(reader: Reader, lengths: list[int], most: int) -> None:
    """However large the pages are, an answer has at most as many items as were asked for."""
    reader.world.wire.answering = Shelf(numbered(lengths))

    pages = reader.all_pages("shop.list_items", [{"fetch_all": True, "max_items": most}], None)

    assert max(map(len, pages)) <= most


def test_fetch_all_asks_for_large_pages_and_reads_them_all(reader: Reader) -> None:
    """Without a size it takes the platform's largest, and one answer has everything that fits."""
    shelf = reader.world.wire.answering = Shelf(numbered([1] * 120))

    result = reader.call("shop.list_items", {"fetch_all": True}, context(result_chars=None))

    assert isinstance(result, Ok)
    assert len(result.data["items"]) == 120
    assert (result.truncated, result.page and result.page.next) == (False, None)
    assert shelf.sizes == [50, 50, 50]


def test_a_page_size_above_the_limit_is_lowered_to_it(reader: Reader) -> None:
    """A curated limit is not the model's to pass."""
    shelf = reader.world.wire.answering = Shelf(numbered([1] * 3))

    reader.call("shop.list_items", {"page_size": 5000})

    assert shelf.sizes == [50]


def test_a_platform_that_wants_a_size_is_told_one(reader: Reader) -> None:
    """Where the size is required and nobody asked for one, the usual size is sent, and kept to by the cursor."""
    shelf = reader.world.wire.answering = Shelf(numbered([1] * 30))

    first = reader.call("shop.list_sheets", {})
    assert isinstance(first, Ok)
    assert first.page is not None
    reader.call("shop.list_sheets", {"page_token": first.page.next})

    assert shelf.sizes == [20, 20]


def test_a_cursor_keeps_to_the_page_size_it_counted_in(reader: Reader) -> None:
    """Inside a page that was cut, another page size would lose or repeat items."""
    items = numbered([200] * 30)
    shelf = reader.world.wire.answering = Shelf(items)

    pages = reader.all_pages("shop.list_rows", [{}, {"page_size": 3}, {"fetch_all": True}], 1000)

    assert [one["id"] for page in pages for one in page] == [one["id"] for one in items]
    assert set(shelf.sizes) == {None}


def test_a_repeated_token_ends_the_list_and_says_so(reader: Reader) -> None:
    """A platform that gives the same token twice would be read for ever, page by page as well as at once."""
    shelf = reader.world.wire.answering = Shelf(numbered([1] * 100))
    shelf.repeats_token = True

    whole = reader.call("shop.list_items", {"fetch_all": True, "page_size": 10}, context(result_chars=None))
    first = reader.call("shop.list_items", {"page_size": 10})
    second = reader.call("shop.list_items", {"page_token": first.page.next})

    for result in (whole, second):
        assert isinstance(result, Ok)
        assert result.page is not None
        assert result.page.next is None
        assert "twice" in result.drift[-1]
    assert len(whole.data["items"]) == 20


def test_a_later_page_that_fails_keeps_what_there_is(reader: Reader) -> None:
    """What was read is answered, with the cursor of the page that failed; the platform's words are not in it."""
    items = numbered([1] * 30)
    shelf = reader.world.wire.answering = Shelf(items)
    shelf.fails_at = {2}

    result = reader.call("shop.list_items", {"fetch_all": True, "page_size": 10}, context(result_chars=None))
    rest = reader.call(
        "shop.list_items", {"page_token": result.page.next, "fetch_all": True}, context(result_chars=None)
    )

    assert isinstance(result, Ok)
    assert len(result.data["items"]) == 10
    assert "503" in result.drift[-1]
    assert "SECRET" not in repr(result)
    assert [one["id"] for one in result.data["items"] + rest.data["items"]] == [one["id"] for one in items]


def test_a_first_page_that_fails_is_a_failure(reader: Reader) -> None:
    """Nothing was read, so there is nothing to keep."""
    shelf = reader.world.wire.answering = Shelf(numbered([1] * 3))
    shelf.fails_at = {1}

    result = reader.call("shop.list_items", {"fetch_all": True})

    assert isinstance(result, Failed)
    assert result.code == "503"


def test_a_list_without_end_is_given_in_parts(reader: Reader) -> None:
    """Fifty requests are one answer; its cursor goes on."""
    shelf = reader.world.wire.answering = Shelf(numbered([1] * 200))

    first = reader.call("shop.list_items", {"fetch_all": True, "page_size": 2}, context(result_chars=None))

    assert isinstance(first, Ok)
    assert len(first.data["items"]) == 100
    assert first.page is not None
    assert first.page.next is not None
    assert len(shelf.sizes) == 50


@pytest.mark.parametrize("name", LISTS)
def test_without_a_budget_a_list_of_large_pages_is_given_in_parts(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The bytes of one call are bounded by themselves, and nothing is lost or repeated."""
    monkeypatch.setattr("placet.gate.pages.MOST_BYTES", 3000)
    items = numbered([1000] * 12)
    reader.world.wire.answering = Shelf(items)
    found: list[Any] = []
    options: dict[str, Any] = {"fetch_all": True, "page_size": 2}
    calls = 0
    while True:
        result = reader.call(name, options, context(result_chars=None))
        calls += 1
        found += result.data["items"]
        if result.page.next is None:
            break
        options = {"fetch_all": True, "page_token": result.page.next}

    assert [one["id"] for one in found] == [one["id"] for one in items]
    assert calls >= 3


@pytest.mark.parametrize(
    ("name", "arguments", "who"),
    [
        pytest.param("shop.list_rows", {}, context(), id="another-tool"),
        pytest.param("shop.list_items", {"shelf": "2"}, context(), id="other-arguments"),
        pytest.param("shop.list_items", {}, context("app2"), id="another-app"),
        pytest.param("shop.list_items", {}, context(user="bob"), id="another-person"),
        pytest.param("shop.list_items", {}, context(session="c2"), id="another-conversation"),
    ],
)
def test_a_cursor_of_another_list_is_refused(
    reader: Reader, name: str, arguments: dict[str, Any], who: CallContext
) -> None:
    """A cursor goes on with the list it came from, and nothing is sent for another."""
    shelf = reader.world.wire.answering = Shelf(numbered([1] * 30))
    first = reader.call("shop.list_items", {"page_size": 10})

    result = reader.call(name, {**arguments, "page_token": first.page.next}, who)

    assert result.kind == "refused"
    assert "page_token" in result.reason
    assert len(shelf.sizes) == 1


@pytest.mark.parametrize("text", ["", "p1.", "x", "p1.W10"])
@pytest.mark.parametrize("name", LISTS)
def test_a_malformed_cursor_is_refused(reader: Reader, name: str, text: str) -> None:
    """A page_token that no list gave sends nothing."""
    shelf = reader.world.wire.answering = Shelf(numbered([1] * 3))

    result = reader.call(name, {"page_token": text})

    assert result.kind == "refused"
    assert shelf.sizes == []


def test_an_item_that_does_not_fit_its_declaration_is_skipped_once(reader: Reader) -> None:
    """Items that drift are named and counted, so that an offset neither repeats nor loses their neighbours."""
    items: list[Any] = [*numbered([1] * 6)]
    items[1], items[4] = 7, "odd"
    reader.world.wire.answering = Shelf(items)

    given: list[Any] = []
    following = None
    for _ in range(10):
        arguments = {"page_size": 2} if following is None else {"page_token": following}
        result = reader.call("shop.list_rows", arguments)
        given += result.data["items"]
        following = result.page.next
        if following is None:
            break

    assert [one["id"] for one in given] == ["i0", "i2", "i3", "i5"]


def test_a_token_that_nobody_can_send_back_ends_the_list(reader: Reader) -> None:
    """A page token with invisible characters, or of a megabyte, is not handed to a model."""
    for token in ("t\u202e", "t" * 1_000_000):
        told = {"items": [{"id": "a"}], "more": True, "next": token}
        reader.world.wire.answering = lambda request, told=told: answer(told)  # type: ignore[misc]

        result = reader.call("shop.list_items", {"fetch_all": True})

        assert isinstance(result, Ok)
        assert result.page is not None
        assert result.page.next is None
        assert "send back" in result.drift[-1]
