"""Text is inert wherever it lands."""

import ast
import io
import json
import tokenize
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from placet.contract import Binding, Call, Identity, Risk, Scopes, Slot
from placet_generator.emit import literals
from tests.generator.emit.emitted import HOSTILE, hostile_texts

any_text = st.text(st.characters(exclude_categories=())) | hostile_texts
plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(plain_values)
def test_a_literal_evaluates_to_the_value_and_shows_every_character(value: Any) -> None:
    """Reading the source gives the value back, and the source holds nothing that hides or breaks a line."""
    source = literals.python_literal(value)

    assert ast.literal_eval(source) == value
    assert "\n" not in source
    assert literals.visible_text(source) == source


@given(any_text)
def test_a_wrapped_literal_is_the_same_text_in_parts(text: str) -> None:
    """Splitting a long text changes nothing but the layout."""
    assert ast.literal_eval(literals.wrapped_literal(text, width=10)) == text


@given(any_text)
def test_a_pattern_literal_is_the_pattern(text: str) -> None:
    """A raw literal is used only where it can hold the pattern."""
    assert ast.literal_eval(literals.pattern_literal(text)) == text


@given(any_text, st.sampled_from(["", "    "]))
def test_a_docstring_holds_its_text_and_nothing_else(text: str, indent: str) -> None:
    """Whatever the text, the literal is one string of the same lines."""
    source = literals.docstring_literal(text, indent)

    value = ast.literal_eval(source)
    lines = text.split("\n")
    expected = "\n".join([lines[0], *(indent + line if line else "" for line in lines[1:])])
    assert value == (f"{expected}\n{indent}" if len(lines) > 1 else expected)
    assert literals.visible_text(source) == source


@given(any_text)
def test_a_comment_stays_a_comment(text: str) -> None:
    """No text ends the line that a comment is on."""
    source = f"# {literals.comment_text(text)}\nx = 1\n"

    kinds = [one.type for one in tokenize.generate_tokens(io.StringIO(source).readline)]
    assert kinds.count(tokenize.COMMENT) == 1
    assert len(ast.parse(source).body) == 1


@given(st.dictionaries(hostile_texts, hostile_texts, max_size=4))
def test_json_round_trips_and_hides_nothing(value: dict[str, str]) -> None:
    """Both layouts read back as the value, with hidden characters escaped."""
    for source in (literals.json_line(value), literals.json_page(value)):
        assert json.loads(source) == value
        assert literals.visible_text(source) == source


@given(hostile_texts)
def test_markdown_text_is_one_plain_line(text: str) -> None:
    """A table cell keeps its row, opens no block and hides nothing."""
    line = literals.markdown_text(text)

    assert "\n" not in line
    assert "|" not in line.replace("\\\\", "").replace("\\|", "")
    assert "<" not in line
    assert literals.visible_text(line) == line
    assert not line.startswith(("#", ">", "-", "+", "*", "~", "="))


@given(hostile_texts)
def test_yaml_text_is_one_scalar(text: str) -> None:
    """A front matter's value is the visible text, whatever is in it."""
    assert yaml.safe_load(f"key: {literals.yaml_literal(text)}") == {"key": literals.comment_text(text)}


@pytest.mark.parametrize(
    ("char", "shown"),
    [
        pytest.param("\u202e", "U+202E", id="right-to-left-override"),
        pytest.param("\u200b", "U+200B", id="zero-width-space"),
        pytest.param("\U000e0041", "U+E0041", id="tag"),
        pytest.param("\x1b", "U+001B", id="escape"),
        pytest.param("\ud800", "U+D800", id="surrogate"),
    ],
)
def test_hidden_characters_are_shown_as_code_points(char: str, shown: str) -> None:
    """A reader of Markdown sees what is there."""
    assert literals.markdown_text(f"a{char}b") == f"a{shown}b"


def test_chinese_stays_readable() -> None:
    """Only what hides is escaped."""
    assert literals.python_literal("状态：已完成") == '"状态：已完成"'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"bytes", {1}, object()], ids=repr)
def test_what_has_no_literal_is_refused(value: object) -> None:
    """There is no way around the literal-maker."""
    with pytest.raises((TypeError, ValueError)):
        literals.python_literal(value)


def test_a_constructor_leaves_defaults_out_and_names_what_it_uses() -> None:
    """The source reads as one would write it."""
    names: set[str] = set()

    source = literals.constructor(
        Binding(calls=(Call(sdk="a.b", http="GET", route="/x"),), fixed={"b": [1], "a": "x"}), names
    )

    assert source == 'Binding(calls=(Call(sdk="a.b", http="GET", route="/x"),), fixed={"a": "x", "b": [1]})'
    assert names == {"Binding", "Call"}
    assert literals.constructor((Risk.WRITE, Identity.USER), names) == "(Risk.WRITE, Identity.USER)"


@given(st.lists(hostile_texts, max_size=3), hostile_texts)
def test_a_constructor_builds_the_value(texts: list[str], name: str) -> None:
    """Evaluating the source gives an equal binding, hostile names included."""
    binding = Binding(
        slots=(Slot(argument=name, to=tuple(texts), fields=(Slot(argument=name),)),),
        fixed=dict.fromkeys(texts, texts),
    )
    known: dict[str, Any] = {"Binding": Binding, "Slot": Slot, "Scopes": Scopes}

    assert eval(literals.constructor(binding, set()), known) == binding


def test_the_hostile_texts_are_hostile() -> None:
    """Written without care, most of them would break a file."""
    broken = 0
    for text in HOSTILE:
        try:
            broken += ast.literal_eval(f'"{text}"') != text
        except (SyntaxError, ValueError):
            broken += 1
    assert broken >= 5
