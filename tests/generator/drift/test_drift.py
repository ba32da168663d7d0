"""Drift between the disk and the curation."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet_generator.diagnostics import Code
from placet_generator.drift import compare_outputs, drift_report, find_drift, read_pin
from placet_generator.workspace import UnsafePath
from placet_generator.write import write_files

OWNED = ("generated/pack", "golden/demo/manifest.tsv")
FILES = {
    "generated/pack/a.py": "one\ntwo\nthree\n",
    "generated/pack/b.py": "b\n",
    "golden/demo/manifest.tsv": "name\n",
    "golden/demo/sdk.pin.json": "{}\n",
}


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES, OWNED)
    return tmp_path


def test_what_was_just_written_has_no_drift(clean: Path) -> None:
    """A build followed by a check is clean, caches of other tools included."""
    (clean / "generated/pack/__pycache__").mkdir()
    (clean / "generated/pack/__pycache__/a.pyc").write_bytes(b"cache")

    assert compare_outputs(clean, FILES, OWNED) == ()
    assert drift_report(find_drift(clean, FILES, OWNED), FILES) == ""


def test_each_kind_of_drift_has_its_code_and_the_command_that_mends_it(clean: Path) -> None:
    """Missing, changed at the first line that differs, extra: one finding each, with what to run."""
    (clean / "generated/pack/b.py").unlink()
    (clean / "generated/pack/a.py").write_text("one\n2\nthree\n", encoding="utf-8")
    (clean / "generated/pack/old").mkdir()
    (clean / "generated/pack/old/c.py").write_text("", encoding="utf-8")

    found = compare_outputs(clean, FILES, OWNED, command="placet build")

    assert [(one.code, str(one.span)) for one in found] == [
        (Code.DRIFT_MISSING, "generated/pack/b.py"),
        (Code.DRIFT_CHANGED, "generated/pack/a.py:2:1"),
        (Code.DRIFT_EXTRA, "generated/pack/old/c.py"),
    ]
    assert all("`placet build`" in one.hint for one in found)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        pytest.param(b"one\ntwo\n", 3, id="cut-short"),
        pytest.param(b"one\ntwo\nthree\nfour\n", 4, id="longer"),
        pytest.param(b"one\r\ntwo\r\nthree\r\n", 4, id="line-ends-only"),
        pytest.param(b"\xff\xfe", 1, id="no-text"),
        pytest.param(b"", 1, id="empty"),
    ],
)
def test_any_other_byte_is_drift(clean: Path, content: bytes, line: int) -> None:
    """Bytes are compared, not lines."""
    (clean / "generated/pack/a.py").write_bytes(content)

    (found,) = compare_outputs(clean, FILES, OWNED)

    assert (found.code, found.span.line) == (Code.DRIFT_CHANGED, line)
    assert "three" in drift_report(find_drift(clean, FILES, OWNED), FILES) or line == 4


def test_a_link_in_the_place_of_a_file_is_drift(clean: Path) -> None:
    """Equal content behind a link is not what was generated; a link to nowhere is no traceback."""
    (clean / "generated/pack/a.py").rename(clean / "a.py")
    (clean / "generated/pack/a.py").symlink_to(clean / "a.py")
    (clean / "generated/pack/lost.py").symlink_to(clean / "nowhere")
    os.mkfifo(clean / "generated/pack/pipe")

    found = compare_outputs(clean, FILES, OWNED)

    assert [(one.code, one.span.path) for one in found] == [
        (Code.DRIFT_CHANGED, "generated/pack/a.py"),
        (Code.DRIFT_EXTRA, "generated/pack/lost.py"),
        (Code.DRIFT_EXTRA, "generated/pack/pipe"),
    ]


def test_an_owned_folder_behind_a_link_is_refused(clean: Path) -> None:
    """What lies elsewhere is not compared as if it were ours."""
    (clean / "generated/pack").rename(clean / "elsewhere")
    (clean / "generated/pack").symlink_to(clean / "elsewhere")

    with pytest.raises(UnsafePath):
        find_drift(clean, FILES, OWNED)


def test_the_report_lists_and_shows_and_stays_short(clean: Path) -> None:
    """Three lists with the command, a unified diff, and a line that says how much was left out."""
    (clean / "generated/pack/a.py").write_text("one\n\x1b[2Jtwo\nthree\n", encoding="utf-8")
    (clean / "golden/demo/manifest.tsv").write_text("x\n" * 500, encoding="utf-8")
    (clean / "golden/demo/sdk.pin.json").unlink()

    report = drift_report(find_drift(clean, FILES, OWNED), FILES, lines_per_file=20)

    lines = report.splitlines()
    assert lines[:5] == [
        "missing (1), mended by `make generate`:",
        "  golden/demo/sdk.pin.json",
        "changed (2), mended by `make generate`:",
        "  generated/pack/a.py",
        "  golden/demo/manifest.tsv",
    ]
    assert {"-<U+001B>[2Jtwo", "+two"} <= set(lines)
    assert lines[-1] == "... 484 more lines of golden/demo/manifest.tsv"
    assert len(lines) < 40


@given(
    disk=st.dictionaries(
        st.sampled_from(["generated/pack/a", "generated/pack/b/c", "golden/x"]), st.text(max_size=3)
    ),
    files=st.dictionaries(
        st.sampled_from(["generated/pack/a", "generated/pack/b/c", "golden/x"]), st.text(max_size=3)
    ),
)
def test_writing_mends_all_drift(
    tmp_path_factory: pytest.TempPathFactory, disk: dict[str, str], files: dict[str, str]
) -> None:
    """Whatever lay there before, after a build the check finds nothing."""
    root = tmp_path_factory.mktemp("root")
    write_files(root, disk, OWNED)

    write_files(root, files, OWNED)

    assert not find_drift(root, files, OWNED)


@pytest.mark.parametrize(
    ("text", "pin"),
    [
        pytest.param('{"sdk": "x 1"}', {"sdk": "x 1"}, id="a-pin"),
        pytest.param("[]", None, id="no-object"),
        pytest.param("{", None, id="no-json"),
        pytest.param("[" * 100_000, None, id="too-deep"),
        pytest.param(None, None, id="missing"),
    ],
)
def test_a_pin_is_read_or_left_to_drift(tmp_path: Path, text: str | None, pin: object) -> None:
    """A pin that cannot be read is no traceback; drift names the file by itself."""
    if text is not None:
        (tmp_path / "sdk.pin.json").write_text(text, encoding="utf-8")

    assert read_pin(tmp_path, "sdk.pin.json") == pin
