"""Sealing: what is sealed for a place opens there, with a configured key, unchanged, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.sealing import SealBroken, Sealer

FIRST, SECOND = b"the first key, of thirty-two bytes!", b"the second key, also long enough ..."


@given(value=st.binary(max_size=300), place=st.text(max_size=20))
def test_what_was_sealed_opens_in_its_place(value: bytes, place: str) -> None:
    """Any bytes come back, for any name of a place that is text."""
    sealer = Sealer([FIRST])
    place = place.encode("utf-8", "ignore").decode()

    assert sealer.open(sealer.seal(value, place=place), place=place) == value


def test_the_value_is_hidden_and_each_sealing_differs() -> None:
    """Neither the value nor equality of values shows."""
    sealer = Sealer([FIRST])
    one, other = (sealer.seal(b"u-secret-token", place="p") for _ in range(2))

    assert one != other
    assert b"u-secret" not in one


def test_another_place_does_not_open_it() -> None:
    """A row copied over another person's row is worth nothing."""
    sealer = Sealer([FIRST])

    with pytest.raises(SealBroken):
        sealer.open(sealer.seal(b"token of a", place="user/ou_a"), place="user/ou_b")


@given(position=st.integers(min_value=0, max_value=60), change=st.integers(min_value=1, max_value=255))
def test_any_changed_byte_is_found(position: int, change: int) -> None:
    """Version, key id, nonce, content and tag are all covered."""
    sealer = Sealer([FIRST])
    sealed = bytearray(sealer.seal(b"x" * 24, place="p"))
    sealed[position] ^= change

    with pytest.raises(SealBroken):
        sealer.open(bytes(sealed), place="p")


@pytest.mark.parametrize("length", range(0, 62, 7))
def test_a_cut_value_does_not_open(length: int) -> None:
    """However short it is, the answer is the same error."""
    sealer = Sealer([FIRST])

    with pytest.raises(SealBroken):
        sealer.open(sealer.seal(b"x" * 24, place="p")[:length], place="p")


def test_keys_can_be_exchanged() -> None:
    """The new first key seals, the old one still opens, and what needs sealing anew is known."""
    old, both, new = Sealer([FIRST]), Sealer([SECOND, FIRST]), Sealer([SECOND])
    before, after = old.seal(b"v", place="p"), both.seal(b"v", place="p")

    assert both.open(before, place="p") == new.open(after, place="p") == b"v"
    assert (both.is_current(before), both.is_current(after)) == (False, True)
    with pytest.raises(SealBroken):
        new.open(before, place="p")


@pytest.mark.parametrize("secrets", [[], [b"short"], [FIRST, b"short"]], ids=["none", "short", "one-short"])
def test_no_key_no_start(secrets: list[bytes]) -> None:
    """Sealing without a real key would be a pretence."""
    with pytest.raises(ValueError, match="key"):
        Sealer(secrets)


def test_an_error_shows_nothing() -> None:
    """Neither key, value nor cause is in it."""
    sealer = Sealer([FIRST])

    with pytest.raises(SealBroken) as caught:
        sealer.open(sealer.seal(b"u-secret-token", place="p"), place="q")

    assert "secret" not in repr(caught.value) and caught.value.__cause__ is None
