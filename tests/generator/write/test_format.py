"""Laying out generated Python with one process."""

from pathlib import Path

import pytest

from placet_generator.format import FormatFailed, format_python


def test_python_is_laid_out_and_everything_else_is_left_alone() -> None:
    """Each file comes back under its own path, whatever folder names ruff would skip."""
    files = {
        "generated/pack/build/a.py": "x = {  'a':1 }",
        "venv/dist/b.py": "y=2",
        "c.pyi": "def f( ) -> int : ...",
        "golden/d.json": '{"a":1}',
    }

    assert format_python(files) == {
        "generated/pack/build/a.py": 'x = {"a": 1}\n',
        "venv/dist/b.py": "y = 2\n",
        "c.pyi": "def f() -> int: ...\n",
        "golden/d.json": '{"a":1}',
    }


def test_laid_out_text_stays_as_it_is() -> None:
    """A second run changes no byte, so drift cannot come from the formatter."""
    once = format_python({"a.py": 'x = {  "a":[1,2,3] }\nT = """多维表格"""\n'})

    assert format_python(once) == once


def test_without_python_no_process_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build of texts only works where no program can be found."""
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "")

    assert format_python({"a.json": "{}"}) == {"a.json": "{}"}


@pytest.mark.parametrize("text", ["def f(:\n", "\ud800"], ids=["syntax", "surrogate"])
def test_text_that_is_no_python_names_its_file(text: str) -> None:
    """The file at fault is named by its own path, not by the formatter's."""
    with pytest.raises(FormatFailed) as caught:
        format_python({"a.py": "x = 1\n", "domains/b.py": text})

    assert caught.value.path == "domains/b.py"
    assert str(caught.value).startswith("domains/b.py: ")


def test_settings_around_it_do_not_change_the_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a ruff file nor variables of the shell reach generated code."""
    (tmp_path / "ruff.toml").write_text(
        'line-length = 20\n[format]\nquote-style = "single"\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("RUFF_CONFIG", str(tmp_path / "ruff.toml"))
    monkeypatch.setenv("FORCE_COLOR", "1")

    assert format_python({"a.py": 'total = {"one": 1, "two": 2}'}) == {
        "a.py": 'total = {"one": 1, "two": 2}\n'
    }
