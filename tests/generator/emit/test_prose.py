"""Lines of prose fit their width and lose nothing."""

from hypothesis import given
from hypothesis import strategies as st

from placet_generator.emit.prose import chunks, display_width, one_line, wrapped

words = st.lists(st.text("ab表", min_size=1, max_size=9), min_size=1, max_size=20)


@given(words, st.integers(10, 40))
def test_wrapping_breaks_at_spaces_only(parts: list[str], width: int) -> None:
    """The words stay, in order, and only a lone long word is wider than asked."""
    lines = wrapped("  ".join(parts), width)

    assert " ".join(lines) == " ".join(parts)
    assert all(display_width(line) <= width or " " not in line for line in lines)


@given(st.text("ab 表", max_size=60), st.integers(4, 20))
def test_chunks_join_to_the_text(text: str, width: int) -> None:
    """No part is wider than asked, and none is lost."""
    parts = list(chunks(text, width))

    assert "".join(parts) == text
    assert all(display_width(part) <= width for part in parts)


def test_white_space_of_any_kind_becomes_one_space() -> None:
    """One line is one line."""
    assert one_line(" a\n\tb\u2028c  ") == "a b c"
