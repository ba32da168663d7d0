"""Step 1: every fault of the arguments in one answer, with its place and the next move; nothing hidden gets in."""

import json
import time
from typing import Any

import pytest

from placet.contract.refusal import Reason
from placet.encoding import Unencodable
from placet.inbound import Checked, Fault, check_arguments
from placet.inbound.faults import MOST_FAULTS, told
from tests.runtime.inbound.tools import bound


def faults(name: str, arguments: Any) -> list[Fault]:
    found = check_arguments(arguments, bound(name).validator)
    return [] if isinstance(found, Checked) else found


def text_of(name: str, arguments: Any) -> str:
    return told(faults(name, arguments))


def test_all_faults_come_in_one_answer_with_their_places() -> None:
    """A model corrects everything at once: places, values, the nearest names and the bounds."""
    said = text_of(
        "shop.choose",
        {
            "kind": "medium",
            "lines": [{"code": "a", "cuont": 1}, {"count": 100}, {"code": 7}],
            "number": "12x",
            "share": 2,
            "note": "too long",
            "chat_id": "a",
            "open_id": "b",
            "at": "yesterday",
            "labls": ["a"],
        },
    )

    lines = dict(line.partition(": ")[::2] for line in said.splitlines())
    assert {
        "kind",
        "lines[0].cuont",
        "lines[1].code",
        "lines[1].count",
        "lines[2].code",
        "number",
        "share",
        "note",
        "at",
        "labls",
    } <= set(lines)
    assert "'count'" in lines["lines[0].cuont"]
    assert "'labels'" in lines["labls"]
    assert "required" in lines["lines[1].code"]
    assert "at most one of chat_id, open_id" in said


def test_faults_of_characters_and_of_the_schema_come_together() -> None:
    """Neither hides the other."""
    said = text_of("shop.choose", {"kind": "medium", "note": "a\u200b"})

    assert "U+200B" in said
    assert "kind" in said


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        pytest.param("not json", Reason.ARGUMENTS_INVALID, id="no-json"),
        pytest.param("[1]", Reason.ARGUMENTS_NOT_AN_OBJECT, id="a-list"),
        pytest.param("null", Reason.ARGUMENTS_NOT_AN_OBJECT, id="null"),
        pytest.param('"{}"', Reason.ARGUMENTS_NOT_AN_OBJECT, id="json-in-a-text"),
        pytest.param(None, Reason.ARGUMENTS_NOT_AN_OBJECT, id="none"),
        pytest.param([("id", "a")], Reason.ARGUMENTS_NOT_AN_OBJECT, id="pairs"),
        pytest.param('{"id": "a", "id": "b"}', Reason.ARGUMENTS_INVALID, id="a-key-twice"),
        pytest.param('{"id": {"x": 1, "x": 1}}', Reason.ARGUMENTS_INVALID, id="a-key-twice-inside"),
        pytest.param('{"id": NaN}', Reason.ARGUMENTS_INVALID, id="nan"),
        pytest.param('{"id": 1e999}', Reason.ARGUMENTS_INVALID, id="infinity"),
        pytest.param('{"id": ' + "9" * 5000 + "}", Reason.ARGUMENTS_INVALID, id="a-number-without-end"),
        pytest.param(b'{"id": "\xff"}', Reason.ARGUMENTS_INVALID, id="no-utf-8"),
        pytest.param('{"id": "a"}'.encode("utf-16"), Reason.ARGUMENTS_INVALID, id="utf-16"),
        pytest.param("\ufeff{}", Reason.ARGUMENTS_INVALID, id="byte-order-mark"),
        pytest.param("[" * 100_000, Reason.ARGUMENTS_TOO_LARGE, id="deep"),
        pytest.param('{"a":' * 33 + "1" + "}" * 33, Reason.ARGUMENTS_TOO_LARGE, id="a-little-too-deep"),
        pytest.param({"id": "a" * 500_001}, Reason.ARGUMENTS_TOO_LARGE, id="long"),
        pytest.param({"id": [0] * 20_001}, Reason.ARGUMENTS_TOO_LARGE, id="many"),
        pytest.param({"id": 2**53}, Reason.ARGUMENTS_INVALID, id="rounded-number"),
        pytest.param({"id": -(2**53)}, Reason.ARGUMENTS_INVALID, id="rounded-negative"),
        pytest.param({"id": 10**5000}, Reason.ARGUMENTS_INVALID, id="number-that-python-does-not-print"),
        pytest.param({"id": 1e17}, Reason.ARGUMENTS_INVALID, id="rounded-fraction"),
        pytest.param({"id": float("inf")}, Reason.ARGUMENTS_INVALID, id="python-infinity"),
        pytest.param({"id": b"a"}, Reason.ARGUMENTS_INVALID, id="bytes"),
        pytest.param({"id": {1: "a"}}, Reason.ARGUMENTS_INVALID, id="a-key-that-is-no-text"),
        pytest.param({"id": {"a"}}, Reason.ARGUMENTS_INVALID, id="a-set"),
    ],
)
def test_what_two_readers_would_read_differently_is_refused(arguments: Any, reason: Reason) -> None:
    """No guess is made about odd JSON, and the refusal is short whatever was sent."""
    found = faults("shop.get_item", arguments)

    assert found
    assert reason in {one.reason for one in found}
    assert len(told(found)) < 2000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a\x00b", id="null-byte"),
        pytest.param("a\x1b[31m", id="terminal-escape"),
        pytest.param("a\u200bb", id="zero-width-space"),
        pytest.param("a\u202eb", id="right-to-left-override"),
        pytest.param("a\u2066b", id="isolate"),
        pytest.param("a\ufeffb", id="byte-order-mark"),
        pytest.param("a\u00adb", id="soft-hyphen"),
        pytest.param("a\U000e0041b", id="tag-character"),
        pytest.param("a\ufe0fb", id="variation-selector"),
        pytest.param("a\ud800b", id="half-a-character"),
        pytest.param("a\x85b", id="next-line"),
    ],
)
@pytest.mark.parametrize("place", ["value", "key", "nested", "in-json-text"])
def test_what_nobody_can_see_does_not_enter(text: str, place: str) -> None:
    """Hidden characters are refused in values and in keys, at any depth, and named as code points."""
    places: dict[str, dict[str, Any]] = {
        "value": {"name": text},
        "key": {"name": "a", "extra": {text: 1}},
        "nested": {"name": "a", "extra": {"a": [{"b": text}]}},
        "in-json-text": {"name": text},
    }
    sent = places[place]

    found = faults("shop.add_item", json.dumps(sent) if place == "in-json-text" else sent)

    assert any("U+" in one.problem for one in found)


@pytest.mark.parametrize("text", ["两行\n文字\t。", "emoji ❤️ 👨‍👩‍👧", "é ü ñ", "עברית", "हिन्दी", "a\r\nb"])
def test_what_people_write_enters(text: str) -> None:
    """Lines, emoji and every script pass."""
    assert faults("shop.add_item", {"name": text}) == []


@pytest.mark.parametrize(
    "word", ["confirmed", "confirm", "approved", "approve", "yes", "force", "identity", "app", "tenant"]
)
def test_an_argument_that_consents_is_refused_and_told_so(word: str) -> None:
    """A model that invents consent learns who decides."""
    assert "no argument can consent" in text_of("bitable.update_record", {word: True})


@pytest.mark.parametrize(
    ("name", "argument", "said"),
    [
        pytest.param("shop.get_item", "dry_run", "only writes", id="dry-run-of-a-read"),
        pytest.param("shop.get_item", "idempotency_key", "only writes", id="key-of-a-read"),
        pytest.param("shop.get_item", "page_token", "only lists", id="page-of-no-list"),
        pytest.param("shop.add_item", "fetch_all", "only lists", id="page-of-a-write"),
    ],
)
def test_arguments_of_other_kinds_of_tools_are_told_apart(name: str, argument: str, said: str) -> None:
    """What the generator adds elsewhere is refused here, with the reason."""
    assert said in text_of(name, {argument: True})


def test_a_whole_number_may_be_written_with_a_point() -> None:
    """2.0 is 2 to JSON, so it is here."""
    found = check_arguments('{"page_size": 2.0}', bound("shop.list_items").validator)

    assert isinstance(found, Checked)
    assert (found.options.page_size, type(found.options.page_size)) == (2, int)


def test_ten_thousand_faults_are_told_in_twenty_lines_and_at_once() -> None:
    """An attack by many wrong members costs no more than a few."""
    sent = {f"member{n}": 1 for n in range(15_000)}
    began = time.process_time()

    said = text_of("shop.choose", sent)

    assert time.process_time() - began < 5
    assert len(said.splitlines()) <= MOST_FAULTS + 1
    assert len(text_of("shop.choose", {"x" * 400_000: 1, "kind": "y" * 50_000})) < 3000
    assert (
        len(text_of("shop.choose", {"kind": "small", "lines": [{"code": 1}] * 9000}).splitlines())
        <= MOST_FAULTS + 1
    )


@pytest.mark.parametrize("value", ["", ".", ".."])
@pytest.mark.parametrize(
    ("name", "argument", "others"),
    [
        pytest.param("shop.get_item", "id", {}, id="shop"),
        pytest.param("bitable.list_tables", "app_token", {}, id="bitable"),
    ],
)
def test_a_path_value_that_would_change_the_route_is_refused(
    name: str, argument: str, others: dict[str, Any], value: str
) -> None:
    """Nothing, one dot and two dots lead to another route."""
    tool = bound(name)
    found = check_arguments({argument: value, **others}, tool.validator)
    if not isinstance(found, Checked):
        return

    with pytest.raises(Unencodable, match="route"):
        tool.encoder.draft(found.arguments)


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "汉", " a"])
def test_a_header_value_cannot_end_its_header(value: str) -> None:
    """A header takes one line of ASCII; a line break in it is no second header."""
    tool = bound("shop.choose")
    found = check_arguments({"kind": "small", "mark": value}, tool.validator)
    assert isinstance(found, Checked)

    with pytest.raises(Unencodable, match="ASCII"):
        tool.encoder.draft(found.arguments)


@pytest.mark.parametrize("value", ["a/b", "a?b=1", "a#b", "%2eb", "..a%2f", "a\\b", "汉 é"])
def test_a_path_value_stays_one_segment(value: str) -> None:
    """Slashes, marks and percent signs travel inside their segment."""
    from placet.platforms.requests import build_request

    tool = bound("shop.get_item")
    found = check_arguments({"id": value}, tool.validator)
    assert isinstance(found, Checked)
    calls = tool.encoder.complete(tool.encoder.draft(found.arguments), found.arguments, _nothing())

    request = build_request(calls["main"], base="https://shop.invalid", authorisation={})

    path = request.url.removeprefix("https://shop.invalid/items/")
    assert not set(path) & set("/?#\\ ")


def _nothing() -> Any:
    from placet.encoding import Filling

    return Filling()


@pytest.mark.parametrize(
    ("arguments", "body", "query"),
    [
        pytest.param({}, {}, {}, id="absent-stays-absent"),
        pytest.param({"lines": []}, {"lines": []}, {}, id="empty-stays-empty"),
        pytest.param(
            {"lines": [{"code": "a", "count": 0}]},
            {"lines": [{"sku": "a", "amount": 0}]},
            {},
            id="members-are-renamed",
        ),
        pytest.param(
            {"number": "7400000000000000001"}, {"number": 7400000000000000001}, {}, id="long-number"
        ),
        pytest.param({"at": "2026-01-01T08:00:00+08:00"}, {"at": 1767225600000}, {}, id="time"),
        pytest.param({"share": 0.5}, {}, {"share": "0.5"}, id="fraction"),
        pytest.param({"share": 1}, {}, {"share": "1"}, id="whole"),
        pytest.param({"labels": ["a", "b"]}, {}, {"labels": "a,b"}, id="csv"),
    ],
)
def test_arguments_become_what_the_wire_wants(
    arguments: dict[str, Any], body: dict[str, Any], query: dict[str, str]
) -> None:
    """Each form of the wire, with absent, empty and null kept apart."""
    tool = bound("shop.choose")
    found = check_arguments({"kind": "small", **arguments}, tool.validator)
    assert isinstance(found, Checked)

    wire = tool.encoder.complete(tool.encoder.draft(found.arguments), found.arguments, _nothing())["main"]

    assert wire.body == body
    assert dict(wire.query) == {"kind": "small", **query}


def test_a_list_that_is_joined_by_commas_takes_no_comma() -> None:
    """An item with a comma would become two."""
    tool = bound("shop.choose")
    found = check_arguments({"kind": "small", "labels": ["a,b"]}, tool.validator)
    assert isinstance(found, Checked)

    with pytest.raises(Unencodable, match="comma"):
        tool.encoder.draft(found.arguments)


def test_a_flood_of_characters_that_nobody_sees_is_looked_up_three_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Their names are told for the first few; the others cost nothing."""
    named: list[str] = []

    def name(char: str) -> str:
        named.append(char)
        return "U+200B"

    monkeypatch.setattr("placet.sanitise.unicode._named", name)

    assert faults("shop.get_item", {"id": "\u200b" * 400_000})
    assert len(named) == 3
