"""`placet setup`: a first configuration and its key. It never replaces a file: what a lost key sealed stays sealed.

The key is named after the configuration. One that is there already is used, because something may be sealed with it.
"""

import json
import os
import secrets
import sys
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated

import typer

from placet.config.references import is_reference, resolve
from placet.contract.errors import PlacetError
from placet.transport.addresses import checked_base_url

__all__ = ["command", "first_config"]

MIN_KEY_CHARS = 32

_TEMPLATE = """\
# Every door of Placet reads this file; `placet doctor` explains what it comes to.
locale = {locale}

# Encrypt what is kept and sign the audit. Keep the file out of version control; without it, nothing opens again.
keys = [{key}]

[[tenants]]
app = {app}
platform = {platform}
brand = {brand}
{address}secret = {secret}
identities = ["tenant"]

[policy]
# Reads that are not sensitive are on. A write, and a sensitive read, is on when it is named here.
reads = ["*"]
write_allow = []
ceiling = "high-risk-write"

[stores]
url = "sqlite:///placet.db"
"""


class CannotSetUp(PlacetError):
    """Nothing was written, or what was written is gone again."""


def command(
    app: Annotated[str | None, typer.Option(help="The app's id, as its platform shows it.")] = None,
    platform: Annotated[str | None, typer.Option(help="The platform's name.")] = None,
    brand: Annotated[
        str | None, typer.Option(help="Which of the platform's brands the app belongs to.")
    ] = None,
    secret: Annotated[
        str,
        typer.Option(
            metavar="REF", help="Where the app's secret stands: env:NAME, file:PATH, keyring:SERVICE/NAME."
        ),
    ] = "env:PLACET_APP_SECRET",
    base_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Instead of the brand's host; a platform without hosts needs it."),
    ] = None,
    locale: Annotated[str, typer.Option(help="Language of texts for people: en or zh.")] = "en",
    config: Annotated[Path, typer.Option("--config", metavar="FILE", help="The file to write.")] = Path(
        "placet.toml"
    ),
) -> None:
    """Write a first placet.toml and its key; existing files are left alone."""
    known = sorted(entry_points(group="placet.platform_names").names)
    app = _asked("--app", app, "The app's id")
    platform = _asked("--platform", platform, f"Platform ({', '.join(known)})")
    if platform not in known:
        raise typer.BadParameter(
            f"{platform!r} is not installed; there is {', '.join(known)}", param_hint="--platform"
        )
    brands = _brands(platform)
    brand = _asked(
        "--brand", brand, f"Brand of the app ({', '.join(brands)})" if brands else "Brand of the app"
    )
    if brands and brand not in brands:
        raise typer.BadParameter(
            f"{platform!r} has no brand {brand!r}; there is {', '.join(brands)}", param_hint="--brand"
        )
    if locale not in ("en", "zh"):
        raise typer.BadParameter(f"{locale!r} is not known; use en or zh", param_hint="--locale")
    if not is_reference(secret):
        raise typer.BadParameter(
            "a secret itself is never written; name it as env:NAME, file:PATH or keyring:SERVICE/NAME",
            param_hint="--secret",
        )
    if base_url is not None:
        try:
            base_url = checked_base_url(base_url)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--base-url") from None
    if not config.parent.is_dir():
        raise CannotSetUp(f"the folder {str(config.parent)!r} does not exist; make it first")
    key = config.with_suffix(".key")
    text = first_config(
        app=app,
        platform=platform,
        brand=brand,
        secret=secret,
        locale=locale,
        base_url=base_url,
        key=key.name,
    )
    is_new = not _is_there(key)
    if is_new:
        _write(key, secrets.token_urlsafe(32) + "\n")
    else:
        _require_key(key)
    try:
        _write(config, text)
    except CannotSetUp:
        if is_new:
            with suppress(OSError):
                key.unlink()
        raise
    if is_new:
        print(f"wrote {config} and {key}; keep the key safe, and out of version control")
    else:
        print(f"wrote {config}; it uses the key that was there, {key}")
    if secret.startswith("env:"):
        print(f"next: export {secret.removeprefix('env:')} with the app's secret, then run `placet doctor`")
    else:
        print("next: run `placet doctor`")


def first_config(
    *,
    app: str,
    platform: str,
    brand: str,
    secret: str,
    locale: str,
    base_url: str | None = None,
    key: str = "placet.key",
) -> str:
    """The text of a first configuration.

    Args:
        key: The key's file, beside the configuration.

    Raises:
        CannotSetUp: a value is empty or holds characters that are not text.
    """
    values = {
        "app": app,
        "platform": platform,
        "brand": brand,
        "secret": secret,
        "locale": locale,
        "key": key,
    }
    for name, value in values.items():
        if not value.strip() or not value.isprintable():
            raise CannotSetUp(f"{name} is empty or holds characters that are not text")
    quoted = {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}
    address = "" if base_url is None else f"base_url = {json.dumps(base_url)}\n"
    quoted["key"] = json.dumps(f"file:{key}", ensure_ascii=False)
    return _TEMPLATE.format(address=address, **quoted)


def _brands(platform: str) -> list[str]:
    """The platform's brands; none where each tenant has an address of its own."""
    names = next(iter(entry_points(group="placet.platform_names", name=platform))).load()
    return sorted(names.brands)


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _require_key(path: Path) -> None:
    """Refuses to go on beside a file that has a key's name and is none."""
    try:
        length = len(resolve(f"file:{path.name}", folder=path.parent, environ={}).reveal())
        problem = "" if length >= MIN_KEY_CHARS else f"has fewer than {MIN_KEY_CHARS} characters"
    except ValueError as error:
        problem = str(error)
    if problem:
        raise CannotSetUp(
            f"{str(path)!r} is left alone, and cannot be this configuration's key: {problem}; "
            "write elsewhere with --config"
        )


def _asked(option: str, given: str | None, question: str) -> str:
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise typer.BadParameter("is needed where nobody can be asked", param_hint=option)
    answer: str = typer.prompt(question)
    return answer


def _write(path: Path, text: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise CannotSetUp(f"{str(path)!r} exists and is left alone; write elsewhere with --config") from None
    except OSError as error:
        raise CannotSetUp(f"{str(path)!r} cannot be written ({type(error).__name__})") from None
