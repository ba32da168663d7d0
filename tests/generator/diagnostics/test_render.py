"""The printers: one model, four forms, and no character that hides what is said."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet_generator.diagnostics import CODES, Code, Diagnostic, Severity, Span
from placet_generator.diagnostics.render import FORMATS, count_line, render, visible

PATH = "curation/feishu/domains/calendar.yaml"

RISK = Diagnostic(
    Span(PATH, 14, 5), Code.RISK_MISSING, "risk is missing for 'calendar.delete_event'", "add `risk:`"
)
TWICE = Diagnostic(Span(PATH, 9, 3), Code.YAML_DUPLICATE_KEY, "'title' twice", related=(Span(PATH, 2, 1),))
LONE = Diagnostic(Span(PATH, 20, 1), Code.WITNESS_NONE, "no witness", severity=Severity.NOTE)
WHOLE = Diagnostic(
    Span("golden/x.json"), Code.DRIFT_MISSING, "'golden/x.json' is not there", severity=Severity.WARNING
)

spans = st.builds(Span, st.text(min_size=1, max_size=20), st.integers(0, 99), st.integers(0, 99))
diagnostics = st.builds(
    Diagnostic,
    spans,
    st.sampled_from(Code),
    st.text(max_size=40),
    st.text(max_size=20),
    st.sampled_from(Severity),
    st.lists(spans, max_size=2).map(tuple),
)


def test_text_is_a_line_a_finding_in_order_with_a_count() -> None:
    """People read place, code, message and hint, by place, each once, and how many there are."""
    assert render([RISK, LONE, TWICE, RISK, WHOLE], "text") == (
        f"{PATH}:9:3: YML003 'title' twice\n"
        f"    see {PATH}:2:1\n"
        f"{PATH}:14:5: RSK001 risk is missing for 'calendar.delete_event'; add `risk:`\n"
        f"{PATH}:20:1: WIT010 note: no witness\n"
        "golden/x.json: DRF001 warning: 'golden/x.json' is not there\n"
        "2 errors, 1 warning, 1 note\n"
    )


def test_nothing_found_prints_nothing_for_people_and_an_empty_list_for_tools() -> None:
    """A clean run leaves the last word to the summary line."""
    assert render([], "text") == render([], "github") == count_line([]) == ""
    assert json.loads(render([], "json")) == []


def test_json_has_the_same_keys_for_every_finding() -> None:
    """Tools find each key in each row, whether it has something to say or not."""
    rows = json.loads(render([RISK, TWICE, LONE, WHOLE], "json"))

    keys = {"code", "severity", "path", "line", "column", "message", "hint", "related"}
    assert [row.keys() for row in rows] == [keys] * 4
    assert rows[0]["related"] == [{"path": PATH, "line": 2, "column": 1}]
    assert (rows[1]["code"], rows[1]["line"], rows[1]["severity"]) == ("RSK001", 14, "error")


def has(value: Any, path: str, kind: type) -> Any:
    """The member at a dotted path; fails where it is not there or of another type."""
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    assert isinstance(value, kind), path
    return value


@given(st.lists(diagnostics, max_size=5))
def test_sarif_has_what_the_standard_requires(found: list[Diagnostic]) -> None:
    """SARIF 2.1.0, sections 3.13 to 3.30: version, runs, driver name, rules and results that point at each other."""
    log = json.loads(render(found, "sarif"))

    assert has(log, "version", str) == "2.1.0"
    assert len(has(log, "runs", list)) == 1
    assert has(log, "runs.0.tool.driver.name", str)
    rules = has(log, "runs.0.tool.driver.rules", list)
    assert [rule["id"] for rule in rules] == [str(code) for code in CODES]
    assert all(has(rule, "shortDescription.text", str) and has(rule, "help.text", str) for rule in rules)
    for result in has(log, "runs.0.results", list):
        assert rules[has(result, "ruleIndex", int)]["id"] == has(result, "ruleId", str)
        assert has(result, "level", str) in {"none", "note", "warning", "error"}
        assert isinstance(result["message"]["text"], str)
        for one in [*has(result, "locations", list), *result.get("relatedLocations", [])]:
            uri = has(one, "physicalLocation.artifactLocation.uri", str)
            assert re.fullmatch(r"(file://)?[A-Za-z0-9._~%/-]+", uri)
            region = one["physicalLocation"].get("region", {"startLine": 1, "startColumn": 1})
            assert region["startLine"] >= 1
            assert region["startColumn"] >= 1


@pytest.mark.parametrize(
    ("one", "line"),
    [
        pytest.param(
            RISK,
            f"::error file={PATH},line=14,col=5,title=RSK001::risk is missing for 'calendar.delete_event'; add `risk:`",
            id="error",
        ),
        pytest.param(
            WHOLE, "::warning file=golden/x.json,title=DRF001::'golden/x.json' is not there", id="whole-file"
        ),
        pytest.param(LONE, f"::notice file={PATH},line=20,col=1,title=WIT010::no witness", id="note"),
        pytest.param(
            Diagnostic(Span("a,b:c%.yaml", 1, 1), Code.KEY_UNKNOWN, "50%\r\n::error::x, y: z"),
            "::error file=a%2Cb%3Ac%25.yaml,line=1,col=1,title=CUR001::50%25%0D%0A::error::x, y: z",
            id="escapes",
        ),
    ],
)
def test_annotations_are_one_command_each(one: Diagnostic, line: str) -> None:
    """The CI's parser sees one command a finding, whatever characters a path or a message holds."""
    assert render([one], "github") == f"{line}\n"


@given(st.lists(diagnostics, min_size=1, max_size=4), st.sampled_from(FORMATS))
def test_no_form_lets_a_hidden_character_through(found: list[Diagnostic], form: Any) -> None:
    """Curated text cannot move the cursor, reorder a line, or add one."""
    printed = render(found, form)

    assert visible(printed, keep="\n") == printed
    if form == "github":
        assert all(line.startswith("::") for line in printed.split("\n")[:-1])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b[31m", "<U+001B>[31m", id="escape"),
        pytest.param("a\u202eb", "a<U+202E>b", id="bidi"),
        pytest.param("a\u200bb\ufeff", "a<U+200B>b<U+FEFF>", id="zero-width"),
        pytest.param("\U000e0041", "<U+E0041>", id="tag"),
        pytest.param("\ud800", "<U+D800>", id="surrogate"),
        pytest.param("多维表格, é", "多维表格, é", id="other-languages-stay"),
    ],
)
def test_hidden_characters_are_shown_as_code_points(text: str, shown: str) -> None:
    """What cannot be seen is named; what can be seen is left alone."""
    assert visible(text) == shown
