"""Where secrets stand: the environment, a private file, the system's keyring. Values never enter a message."""

import os
import stat
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from placet.contract.platform import Secret

__all__ = ["is_reference", "resolve"]

_MAX_BYTES = 64 * 1024


def is_reference(text: str) -> bool:
    """True for env:, file: and keyring:."""
    return text.startswith(("env:", "file:", "keyring:"))


def resolve(reference: str, *, folder: Path, environ: Mapping[str, str]) -> Secret:
    """The secret.

    Args:
        folder: Where a relative path starts: the configuration's own.
    Raises:
        ValueError: it is not there, or others can read it; the sentence says what to do and holds no value.
    """
    kind, _, place = reference.partition(":")
    match kind:
        case "env":
            text = _from_environment(place, environ)
        case "file":
            text = _from_file(folder / _expanded(place))
        case "keyring":
            text = _from_keyring(place)
        case _:
            raise ValueError(
                "is not a reference to a secret; write env:NAME, file:PATH or keyring:SERVICE/NAME"
            )
    if not text:
        raise ValueError("names an empty secret")
    if "\x00" in text or "\n" in text or "\r" in text:
        raise ValueError("names a secret of several lines; it must be one")
    return Secret(text)


def _from_environment(name: str, environ: Mapping[str, str]) -> str:
    if not name.isidentifier() or not name.isascii():
        raise ValueError("names no variable; write env:NAME")
    if name not in environ:
        raise ValueError(f"the environment has no {name}; export it before the start")
    return environ[name].strip()


def _expanded(place: str) -> Path:
    try:
        return Path(place).expanduser()
    except RuntimeError:
        raise ValueError("names the home of nobody") from None


def _from_file(path: Path) -> str:
    try:
        # Not blocking: a named pipe would wait for its other end.
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise ValueError("the file does not exist") from None
    except OSError as error:
        raise ValueError(f"the file cannot be read ({type(error).__name__})") from None
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("names no plain file")
        if os.name == "posix" and found.st_mode & 0o077:
            raise ValueError("others can read the file; give it mode 0600")
        with os.fdopen(number, "rb", closefd=False) as file:
            content = file.read(_MAX_BYTES + 1)
    finally:
        os.close(number)
    if len(content) > _MAX_BYTES:
        raise ValueError("the file is too large to be a secret")
    try:
        return content.decode().strip()
    except UnicodeDecodeError:
        raise ValueError("the file is not text") from None


def _from_keyring(place: str) -> str:
    service, _, name = place.partition("/")
    if not service or not name:
        raise ValueError("names no entry; write keyring:SERVICE/NAME")
    try:
        keyring = import_module("keyring")
    except ImportError:
        raise ValueError("the keyring needs an extra: pip install 'placet[keyring]'") from None
    try:
        text = keyring.get_password(service, name)
    except Exception as error:  # back ends raise what they like
        raise ValueError(f"the keyring failed ({type(error).__name__})") from None
    if text is None:
        raise ValueError(f"the keyring has no entry {name!r} of {service!r}")
    return str(text).strip()
