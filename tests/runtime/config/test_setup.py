"""`placet setup`: a first configuration that loads, and never a second one over it."""

import os
import tomllib
from pathlib import Path

import pytest

from placet.cli.setup import CannotSetUp, command, first_config
from placet.config import load_config


def setup(folder: Path, **changes: str) -> None:
    named = {"app": "cli_a1", "platform": "http", "brand": "own", **changes}
    command(config=folder / "placet.toml", **named)


def test_what_it_writes_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the secret in the environment nothing else is missing, and no output holds the key."""
    setup(tmp_path)

    config = load_config(
        tmp_path / "placet.toml", platforms={"http": {"own": "https://a.example"}}, surfaces=None,
        environ={"PLACET_APP_SECRET": "s3cret"},
    )  # fmt: skip
    assert (list(config.tenants), config.policy.write_allow) == (["cli_a1"], ())
    (key,) = config.key_bytes()
    assert len(key) >= 32
    out = capsys.readouterr().out
    assert "PLACET_APP_SECRET" in out and key.decode() not in out


def test_a_platform_without_hosts_gets_its_address(tmp_path: Path) -> None:
    """One command is enough where the tenant has an address of its own, and it stands in one spelling."""
    setup(tmp_path, base_url="https://A.example/api/")

    config = load_config(
        tmp_path / "placet.toml",
        platforms={"http": {}},
        surfaces=None,
        environ={"PLACET_APP_SECRET": "s3cret"},
    )
    assert config.tenants["cli_a1"].base_url == "https://a.example/api"


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_both_files_are_private(tmp_path: Path) -> None:
    """Mode 0600, whatever the mask."""
    old = os.umask(0)
    try:
        setup(tmp_path)
    finally:
        os.umask(old)

    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize("existing", ["placet.toml", "placet.key"])
def test_nothing_is_overwritten(tmp_path: Path, existing: str) -> None:
    """A key that is gone opens nothing again; the half that was written goes."""
    (tmp_path / existing).write_text("mine")

    with pytest.raises(CannotSetUp, match="left alone"):
        setup(tmp_path)

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(existing, "mine")]


def test_a_key_that_is_there_is_used_and_never_said_to_be_in_the_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Something may be sealed with it; what fails after that leaves it alone."""
    (tmp_path / "placet.key").write_text("k" * 43 + "\n")
    (tmp_path / "placet.key").chmod(0o600)
    setup(tmp_path)

    assert (tmp_path / "placet.key").read_text() == "k" * 43 + "\n"
    assert 'keys = ["file:placet.key"]' in (tmp_path / "placet.toml").read_text()
    assert "was there" in capsys.readouterr().out
    with pytest.raises(CannotSetUp) as caught:
        setup(tmp_path)
    assert (tmp_path / "placet.key").exists()
    assert "remove" not in str(caught.value)


def test_another_configuration_in_the_folder_has_a_key_of_its_own(tmp_path: Path) -> None:
    """The key is named after the file."""
    setup(tmp_path)
    command(config=tmp_path / "second.toml", app="cli_b2", platform="http", brand="own")

    assert {one.name for one in tmp_path.iterdir()} == {
        "placet.toml", "placet.key", "second.toml", "second.key"
    }  # fmt: skip
    assert 'keys = ["file:second.key"]' in (tmp_path / "second.toml").read_text()


@pytest.mark.parametrize(("text", "mode"), [("short", 0o600), ("k" * 43, 0o644)], ids=["short", "readable"])
def test_a_file_that_is_no_key_stops_the_set_up(tmp_path: Path, text: str, mode: int) -> None:
    """It says why, and neither removes the file nor says that somebody should."""
    (tmp_path / "placet.key").write_text(text)
    (tmp_path / "placet.key").chmod(mode)
    with pytest.raises(CannotSetUp, match="left alone") as caught:
        setup(tmp_path)

    assert "remove" not in str(caught.value)
    assert [one.name for one in tmp_path.iterdir()] == ["placet.key"]


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    """It is for the person to make."""
    with pytest.raises(CannotSetUp, match="make it first"):
        setup(tmp_path / "nowhere")


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """The key is not written where a link points."""
    (tmp_path / "placet.key").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(CannotSetUp):
        setup(tmp_path)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("text", ['a"b', "a\\b", "待办", "a = 1", "#", "'"])
def test_any_printable_value_is_one_value(text: str) -> None:
    """Nothing breaks out of its quotes."""
    written = tomllib.loads(first_config(app=text, platform=text, brand=text, secret=text, locale="en"))

    assert written["tenants"] == [
        {"app": text, "platform": text, "brand": text, "secret": text, "identities": ["tenant"]}
    ]


@pytest.mark.parametrize("text", ["", " ", "a\nb", "a\x7f", "a\u202eb"])
def test_other_values_are_refused(text: str) -> None:
    """A value is text that a person can read."""
    with pytest.raises(CannotSetUp):
        first_config(app=text, platform="p", brand="b", secret="env:A", locale="en")


@pytest.mark.parametrize(
    "changes",
    [
        {"platform": "htp"},
        {"platform": "feishu", "brand": "fieshu"},
        {"locale": "de"},
        {"secret": "s3cret"},
        {"base_url": "http://a:s3cret@b"},
    ],
)
def test_a_wrong_option_writes_nothing(tmp_path: Path, changes: dict[str, str]) -> None:
    """Neither file is there afterwards, and a secret given by mistake is not repeated."""
    import typer

    with pytest.raises(typer.BadParameter) as caught:
        setup(tmp_path, **changes)
    assert list(tmp_path.iterdir()) == [] and "s3cret" not in str(caught.value)


def test_where_nobody_can_be_asked_the_options_are_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script does not hang on a question."""
    import typer

    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    with pytest.raises(typer.BadParameter, match="needed"):
        command(app="cli_a1", config=tmp_path / "placet.toml")
