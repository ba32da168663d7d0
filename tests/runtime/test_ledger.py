"""Keys of the ledger: what makes two writes one, and what never does."""

import re
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.contract.binding import NativeKey
from placet.contract.words import Identity
from placet.ledger import Origin, ledger_key, native_key, request_digest, resend_s

SAME: dict[str, Any] = {
    "namespace": "n",
    "tenant": "t",
    "app": "cli_a",
    "identity": Identity.TENANT,
    "principal": "ou_1",
    "tool": "notes.write",
    "origin": Origin("caller", ("send-1",)),
}


def test_the_same_write_has_the_same_key() -> None:
    """A key is hex sha256 and depends on nothing else; it is fixed here because stored rows rest on it."""
    key = ledger_key(**SAME)

    assert key == ledger_key(**SAME)
    assert key == "e5c23e0508568e96f62e413f769341e92055997e764063e69b8c0e1018aa6c6a"


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"namespace": "m"}, id="namespace"),
        pytest.param({"tenant": "u"}, id="tenant"),
        pytest.param({"app": "cli_b"}, id="app"),
        pytest.param({"identity": Identity.USER}, id="identity"),
        pytest.param({"principal": "ou_2"}, id="another-person"),
        pytest.param({"principal": None}, id="nobody"),
        pytest.param({"principal": "None"}, id="a-person-called-none"),
        pytest.param({"tool": "notes.wipe"}, id="tool"),
        pytest.param({"origin": Origin("caller", ("send-2",))}, id="callers-key"),
        pytest.param({"origin": Origin("approval", ("send-1",))}, id="an-approval-of-that-name"),
        pytest.param({"origin": Origin("fresh", ("send-1",))}, id="a-fresh-id-of-that-name"),
        pytest.param({"tenant": "tcli_a", "app": ""}, id="parts-that-run-together"),
    ],
)
def test_every_part_keeps_writes_apart(changed: dict[str, Any]) -> None:
    """One person's key never replays another's result, nor another tool's."""
    assert ledger_key(**SAME) != ledger_key(**SAME | changed)


@pytest.mark.parametrize(
    ("given", "kind", "parts"),
    [
        ({"caller_key": "k", "run": "r", "call": "c", "approval": "a"}, "caller", ("k",)),
        ({"run": "r", "call": "c", "approval": "a"}, "call", ("r", "c")),
        ({"run": "r", "approval": "a"}, "approval", ("a",)),
        ({"call": "c"}, "fresh", ("f",)),
        ({}, "fresh", ("f",)),
        ({"caller_key": ""}, "caller", ("",)),
    ],
)
def test_the_first_origin_that_is_there_counts(
    given: dict[str, str], kind: str, parts: tuple[str, ...]
) -> None:
    """The caller's key, else run and call, else the approval, else an id of this call alone."""
    assert Origin.of(fresh="f", **given) == Origin(kind, parts)  # type: ignore[arg-type] # a table


@given(first=st.tuples(st.text(), st.text()), second=st.tuples(st.text(), st.text()))
def test_run_and_call_do_not_run_together(first: tuple[str, str], second: tuple[str, str]) -> None:
    """Different pairs have different keys, whatever their texts are."""
    keys = [ledger_key(**SAME | {"origin": Origin("call", pair)}) for pair in (first, second)]

    assert (keys[0] == keys[1]) is (first == second)


@given(arguments=st.dictionaries(st.text(max_size=3), st.none() | st.integers(-5, 5) | st.text(max_size=3)))
def test_the_order_of_arguments_does_not_matter(arguments: dict[str, Any]) -> None:
    """Equal arguments are the same request."""
    turned = dict(reversed(arguments.items()))

    assert request_digest("t", "c", arguments) == request_digest("t", "c", turned)


@pytest.mark.parametrize(
    "other",
    [("u", "c", {}, None), ("t", "d", {}, None), ("t", "c", {"a": None}, None), ("t", "c", {}, {"b": 1})],
)
def test_another_request_has_another_digest(other: tuple[Any, ...]) -> None:
    """Tool, contract, arguments (absent is not null) and context values all count."""
    assert request_digest("t", "c", {}) != request_digest(*other)


@given(key=st.text(alphabet="0123456789abcdef", min_size=64, max_size=64))
def test_a_native_uuid_is_one_of_version_4(key: str) -> None:
    """The platform's checks accept it, it is the same each time, and it does not show the ledger key."""
    native = native_key(key, NativeKey(slot="query.client_token", form="uuid4"))

    parsed = uuid.UUID(native)
    assert (parsed.version, parsed.variant, str(parsed)) == (4, uuid.RFC_4122, native)
    assert native == native_key(key, NativeKey(slot="body.uuid", form="uuid4", scope="forever"))
    assert native[:8] not in key


@pytest.mark.parametrize(("max_len", "length"), [(None, 36), (50, 50), (16, 16), (1000, 64)])
def test_a_native_text_fits(max_len: int | None, length: int) -> None:
    """It is as long as the platform takes, and no longer than what it is made of."""
    native = native_key("ab" * 32, NativeKey(slot="body.uuid", form="text", max_len=max_len))

    assert re.fullmatch(f"[0-9a-f]{{{length}}}", native)


def test_a_native_key_that_could_meet_another_is_refused() -> None:
    """A platform that takes only a few characters has no usable key."""
    with pytest.raises(ValueError, match="8 characters"):
        native_key("ab" * 32, NativeKey(slot="body.uuid", form="text", max_len=8))


def test_resending_is_bounded_by_the_platforms_memory() -> None:
    """Without a native key never, within a window briefly, for ever practically always."""
    window, forever = NativeKey(slot="s", form="uuid4"), NativeKey(slot="s", form="uuid4", scope="forever")

    assert resend_s(None) == 0.0
    assert 0 < resend_s(window) <= 3600 < resend_s(forever)
