"""Cursors: a place in one list, told to a model as text without meaning, and believed no more than an argument."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.cursors import Cursor, InvalidCursor, is_token, read_cursor, write_cursor


def written(*members: Any) -> str:
    return "p1." + base64.urlsafe_b64encode(json.dumps(members).encode()).decode().rstrip("=")


@given(
    token=st.text(max_size=50).filter(is_token),
    skip=st.integers(0, 10_000),
    size=st.none() | st.integers(1, 500),
)
def test_a_cursor_comes_back_as_it_was(token: str, skip: int, size: int | None) -> None:
    """Reading gives what was written, and the text is safe wherever a model may put it."""
    cursor = Cursor(token=token, skip=skip, size=size)

    text = write_cursor(cursor, "list")

    assert read_cursor(text, "list", size_max=500) == cursor
    assert set(text) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("p1.", id="no-body"),
        pytest.param("p2." + written("list", "t", 0, None)[3:], id="another-version"),
        pytest.param("eyJ0b2tlbiI6IngifQ", id="a-token-of-the-platform"),
        pytest.param("p1.!!!!", id="no-base64"),
        pytest.param("p1.AAAA", id="no-json"),
        pytest.param("p1." + base64.urlsafe_b64encode(b"[" * 100_000).decode(), id="deep"),
        pytest.param(written("list"), id="too-short"),
        pytest.param(written("list", "t", 0, None, 1), id="too-long"),
        pytest.param(written("other", "t", 0, None), id="of-another-list"),
        pytest.param(written("list", 7, 0, None), id="token-no-text"),
        pytest.param(written("list", "t", -1, None), id="negative"),
        pytest.param(written("list", "t", True, None), id="boolean"),
        pytest.param(written("list", "t", 1.5, None), id="fraction"),
        pytest.param(written("list", "t", 10**9, None), id="skip-too-far"),
        pytest.param(written("list", "t", 0, 0), id="no-size"),
        pytest.param(written("list", "t", 0, 51), id="size-over-the-limit"),
        pytest.param(written("list", "t" * 5000, 0, None), id="huge-token"),
        pytest.param(written("list", "t\u200b", 0, None), id="invisible-character"),
        pytest.param(written("list", "t\x00", 0, None), id="control-character"),
    ],
)
def test_what_no_list_gave_is_refused(text: str) -> None:
    """A forged, foreign, old or damaged cursor is refused with what to do, whatever it asks for."""
    with pytest.raises(InvalidCursor, match="send it unchanged"):
        read_cursor(text, "list", size_max=50)


@pytest.mark.parametrize("token", ["x", "-5", "1e3", "²", "9" * 40, "0x10", " 1"])
def test_an_offset_is_a_plain_number(token: str) -> None:
    """Where the platform counts, a cursor's token is a number and nothing else."""
    with pytest.raises(InvalidCursor):
        read_cursor(write_cursor(Cursor(token=token), "list"), "list", is_number=True)
    assert read_cursor(write_cursor(Cursor(token="20"), "list"), "list", is_number=True).token == "20"


@given(st.text())
def test_reading_any_text_raises_nothing_else(text: str) -> None:
    """Whatever a model sends as a cursor is a cursor or a refusal."""
    for attempt in (text, f"p1.{text}"):
        try:
            read_cursor(attempt, "list")
        except InvalidCursor:
            continue
