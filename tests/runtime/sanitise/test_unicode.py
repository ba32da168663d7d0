"""Characters that nobody sees: refused on the way in, removed on the way out, kept where writing needs them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.sanitise.unicode import find_forbidden, remove_invisible

FORBIDDEN = [
    pytest.param("a\x00b", "U+0000 CONTROL", id="null"),
    pytest.param("a\x1bb", "U+001B CONTROL", id="escape"),
    pytest.param("a\x7fb", "U+007F CONTROL", id="delete"),
    pytest.param("a\x85b", "U+0085 CONTROL", id="next-line"),
    pytest.param("a\u00adb", "U+00AD SOFT HYPHEN", id="soft-hyphen"),
    pytest.param("a\u200bb", "U+200B ZERO WIDTH SPACE", id="zero-width-space"),
    pytest.param("a\u200db", "U+200D ZERO WIDTH JOINER", id="joiner-in-latin"),
    pytest.param("指\u200c令", "U+200C ZERO WIDTH NON-JOINER", id="non-joiner-in-chinese"),
    pytest.param("a\u202eb", "U+202E RIGHT-TO-LEFT OVERRIDE", id="bidi-override"),
    pytest.param("a\u2066b", "U+2066 LEFT-TO-RIGHT ISOLATE", id="bidi-isolate"),
    pytest.param("a\u061cb", "U+061C ARABIC LETTER MARK", id="arabic-letter-mark"),
    pytest.param("a\u2060b", "U+2060 WORD JOINER", id="word-joiner"),
    pytest.param("a\ufeffb", "U+FEFF ZERO WIDTH NO-BREAK SPACE", id="byte-order-mark"),
    pytest.param("a\ufe0fb", "U+FE0F VARIATION SELECTOR-16", id="selector-after-a-letter"),
    pytest.param("葛\U000e0100", "U+E0100 VARIATION SELECTOR-17", id="ideographic-selector"),
    pytest.param("a\U000e0041b", "U+E0041 TAG LATIN CAPITAL LETTER A", id="tag-letter"),
    pytest.param("a\u3164b", "U+3164 HANGUL FILLER", id="hangul-filler"),
    pytest.param("a\u034fb", "U+034F COMBINING GRAPHEME JOINER", id="grapheme-joiner"),
    pytest.param("a\ud800b", "U+D800 UNNAMED", id="lone-surrogate"),
    pytest.param("a\ufff9b", "U+FFF9 INTERLINEAR ANNOTATION ANCHOR", id="annotation"),
]
LEGAL = [
    pytest.param("tab\tline\nreturn\r", id="whitespace"),
    pytest.param("多维表格，状态：待办　完", id="chinese"),
    pytest.param("❤️ ✔︎ 1️⃣ #️⃣ ©️", id="emoji-and-keycaps"),
    pytest.param("👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 ❤️‍🔥", id="joined-emoji"),
    pytest.param("🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿", id="regional-flags"),
    pytest.param("می‌خواهم", id="persian-non-joiner"),
    pytest.param("क्‍ष", id="devanagari-joiner"),
    pytest.param("Ｆｕｌｌ ｗｉｄｔｈ ①", id="compatibility-forms"),
]
SMUGGLED = [
    pytest.param(
        "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in "usca") + "\U000e007f", 5, id="other-flag"
    ),
    pytest.param("🏴󠁧󠁢󠁥󠁮󠁧", 5, id="flag-without-an-end"),
    pytest.param("😀" + "\ufe0f" * 5, 4, id="row-of-selectors"),
    pytest.param("😀\u200dab", 1, id="joiner-before-a-letter"),
    pytest.param("😀" + "\U000e0101\U000e0102", 2, id="bytes-behind-an-emoji"),
]


@pytest.mark.parametrize(("text", "name"), FORBIDDEN)
def test_a_hidden_character_is_named_with_its_place(text: str, name: str) -> None:
    """The sender learns which character stands where."""
    assert find_forbidden(text) == [(1, name)]
    assert remove_invisible(text) == (text[:1] + text[2:], 1)


@pytest.mark.parametrize("text", LEGAL)
def test_what_writing_needs_may_enter_and_leave(text: str) -> None:
    """Emoji sequences and the scripts that shape their letters survive both ways."""
    assert find_forbidden(text) == []
    assert remove_invisible(text) == (text, 0)


@pytest.mark.parametrize(("text", "count"), SMUGGLED)
def test_a_legal_neighbour_hides_nothing(text: str, count: int) -> None:
    """Only a complete, known sequence protects its characters."""
    assert len(find_forbidden(text)) == count


@given(st.text() | st.text(st.sampled_from("a😀❤\ufe0f\u200d\u200b🏴\U000e0067\U000e007f1आक्")))
def test_removal_leaves_nothing_to_find(text: str) -> None:
    """Both directions follow one rule, and removing once is enough."""
    cleaned, count = remove_invisible(text)

    assert find_forbidden(cleaned) == []
    assert count == len(text) - len(cleaned) == len(find_forbidden(text))
