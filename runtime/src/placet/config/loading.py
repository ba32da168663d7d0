"""From a file to a configuration that can be used, or to the list of everything that is wrong with it."""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

import msgspec
from msgspec import Struct

from placet.config.checking import shape_faults
from placet.config.faults import ConfigFault, ConfigInvalid
from placet.config.lines import key_lines, line_of
from placet.config.references import is_reference, resolve
from placet.config.written import (
    AuditSection,
    BudgetsSection,
    ConfigFile,
    DoorsSection,
    FilesSection,
    PolicySection,
    SafetySection,
    StoresSection,
    TenantSection,
    TransportSection,
)
from placet.contract.platform import Secret, Tenant
from placet.contract.policy import Policy
from placet.contract.tool import Surface
from placet.policy import InvalidPolicy, Rules
from placet.transport.addresses import checked_base_url

__all__ = ["FILE_NAME", "VARIABLE", "Config", "Model", "Stores", "find_config", "load_config"]

FILE_NAME = "placet.toml"
VARIABLE = "PLACET_CONFIG"

MIN_KEY_CHARS = 32
_MAX_FILE_BYTES = 1024 * 1024
_TRUTH = ("sqlite", "postgresql", "memory")
_SHARED = ("redis", "rediss", "unix", *_TRUTH)

Brands = Mapping[str, Mapping[str, str]]
T = TypeVar("T")


class Stores(Struct, frozen=True, kw_only=True):
    """Addresses, which may hold passwords. A relative SQLite path has become absolute. `shared` None is `url`."""

    url: Secret
    shared: Secret | None = None


class Model(Struct, frozen=True, kw_only=True):
    """A model that can be used; `api_key` None for an endpoint that needs none."""

    model: str
    base_url: str | None = None
    api_key: Secret | None = None


class Config(Struct, frozen=True, kw_only=True):
    """A configuration in which every name is known and every secret is at hand.

    Attributes:
        path: The file; relative paths in it start at its folder.
        keys: Encrypt what is kept and sign the audit: the first does, all are tried when reading.
        tenants: By app.
        approvers: App to those who may approve its high-risk writes: persons, or `operator:NAME`.
        two_approvers: Writes that need two different yeses.
        files_folder: Where files are staged, absolute.
        proxy: The proxy's URL, when there is one.
        ca_file: Certificates to trust instead of the system's, absolute.
        operator_token: Of the web door.
    """

    path: Path
    locale: str
    keys: tuple[Secret, ...]
    tenants: dict[str, Tenant]
    policy: Policy
    stores: Stores
    approvers: dict[str, tuple[str, ...]]
    two_approvers: tuple[str, ...]
    budgets: BudgetsSection
    safety: SafetySection
    files: FilesSection
    files_folder: Path
    transport: TransportSection
    proxy: Secret | None
    ca_file: Path | None
    audit: AuditSection
    models: dict[str, Model]
    doors: DoorsSection
    operator_token: Secret | None

    def key_bytes(self) -> tuple[bytes, ...]:
        """The keys as those who derive from them take them."""
        return tuple(key.reveal().encode() for key in self.keys)


def find_config(option: Path | None, *, environ: Mapping[str, str], cwd: Path) -> Path:
    """The file every door reads: the option's, else `PLACET_CONFIG`, else `placet.toml` in the working directory.

    Raises:
        ConfigInvalid: it is not there; a file that was named is never replaced by another.
    """
    named = option if option is not None else Path(environ[VARIABLE]) if environ.get(VARIABLE) else None
    path = cwd / (named if named is not None else FILE_NAME)
    if path.is_file():
        return path
    source = "--config" if option is not None else VARIABLE if named is not None else "the working directory"
    move = (
        "`placet setup` writes a first one"
        if named is None
        else "correct the name, or write it with `placet setup`"
    )
    raise ConfigInvalid(path, (ConfigFault(0, "", f"there is no such file ({source}); {move}"),))


def load_config(
    path: Path, *, platforms: Brands | None, surfaces: Sequence[Surface] | None, environ: Mapping[str, str]
) -> Config:
    """Read, check and resolve.

    Args:
        platforms: Platform to its brands and their base URLs, of those that are installed.
        surfaces: Whose tools the policy may name. None, here as above, leaves the names unchecked: for commands that
            call no tool.
    Raises:
        ConfigInvalid: with every fault at once.
    """
    text = _text(path)
    try:
        written = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigInvalid(path, (_syntax_fault(error),)) from None
    except RecursionError:
        raise ConfigInvalid(path, (ConfigFault(0, "", "is nested too deeply"),)) from None
    except ValueError:
        # The reader's own limit, which it does not make a fault of TOML.
        raise ConfigInvalid(path, (ConfigFault(0, "", "holds a number that is too long"),)) from None
    reading = _Reading(path.resolve().parent, environ, key_lines(text))
    for place, message in shape_faults(written, ConfigFile):
        reading.note(place, message)
    config = _resolved(written, reading, path, platforms, surfaces)
    if config is None or reading.faults:
        raise ConfigInvalid(path, tuple(sorted(set(reading.faults))))
    return config


class _Reading:
    """What was found so far. Parts with a fault of shape are not looked into further."""

    def __init__(self, folder: Path, environ: Mapping[str, str], lines: Mapping[str, int]) -> None:
        self.folder, self.environ, self.lines = folder, environ, lines
        self.faults: list[ConfigFault] = []

    def note(self, place: str, message: str) -> None:
        self.faults.append(ConfigFault(line_of(place, self.lines), place, message))

    def section(self, written: Mapping[str, Any], place: str, shape: type[T]) -> T | None:
        """A section as its struct, without the members of a wrong shape; None when it lacks what it needs."""
        value = written.get(place, {})
        if not isinstance(value, dict):
            return None
        wrong = {re.split(r"[.\[]", where, maxsplit=1)[0] for where, _ in shape_faults(value, shape)}
        try:
            return msgspec.convert({key: one for key, one in value.items() if key not in wrong}, shape)
        except msgspec.ValidationError:
            return None

    def secret(self, place: str, reference: Any) -> Secret | None:
        if not isinstance(reference, str) or not is_reference(reference):
            return None
        try:
            return resolve(reference, folder=self.folder, environ=self.environ)
        except ValueError as error:
            self.note(place, str(error))
            return None

    def checked(self, place: str, check: Callable[[str], T], value: str) -> T | None:
        try:
            return check(value)
        except ValueError as error:
            self.note(place, str(error))
            return None


def _resolved(
    written: dict[str, Any],
    reading: _Reading,
    path: Path,
    platforms: Brands | None,
    surfaces: Sequence[Surface] | None,
) -> Config | None:
    keys = _keys(written.get("keys"), reading)
    tenants = _tenants(written.get("tenants"), reading, platforms)
    policy = _policy(written, reading, surfaces)
    stores = _stores(written, reading)
    models = _models(written.get("models"), reading)
    _approvers(written, reading)
    _two_approvers(written, reading, surfaces)
    transport, doors = written.get("transport"), written.get("doors")
    host = doors.get("host") if isinstance(doors, dict) else None
    proxy = reading.secret("transport.proxy", transport.get("proxy")) if isinstance(transport, dict) else None
    operator = (
        reading.secret("doors.host.operator_token", host.get("operator_token"))
        if isinstance(host, dict)
        else None
    )
    _ca_file(written, reading)
    if reading.faults or policy is None or stores is None:
        return None
    file = msgspec.convert(written, ConfigFile)
    ca_file = file.transport.ca_file
    return Config(
        path=path,
        locale=file.locale,
        keys=keys,
        tenants=tenants,
        policy=policy,
        stores=stores,
        approvers=file.approvers,
        two_approvers=file.two_approvers,
        budgets=file.budgets,
        safety=file.safety,
        files=file.files,
        files_folder=reading.folder / file.files.folder,
        transport=file.transport,
        proxy=proxy,
        ca_file=None if ca_file is None else reading.folder / ca_file,
        audit=file.audit,
        models=models,
        doors=file.doors,
        operator_token=operator,
    )


def _keys(written: Any, reading: _Reading) -> tuple[Secret, ...]:
    found = []
    for index, reference in enumerate(written if isinstance(written, list) else ()):
        place = f"keys[{index}]"
        key = reading.secret(place, reference)
        if key is not None and len(key.reveal()) < MIN_KEY_CHARS:
            reading.note(
                place, f"a key has at least {MIN_KEY_CHARS} characters; `placet setup` shows how one is made"
            )
        elif key is not None:
            found.append(key)
    return tuple(found)


def _tenants(written: Any, reading: _Reading, platforms: Brands | None) -> dict[str, Tenant]:
    found: dict[str, Tenant] = {}
    first: dict[str, str] = {}
    for index, item in enumerate(written if isinstance(written, list) else ()):
        if not isinstance(item, dict):
            continue
        place = f"tenants[{index}]"
        app = item.get("app")
        if isinstance(app, str) and first.setdefault(app, place) != place:
            reading.note(f"{place}.app", f"{app!r} is already {first[app]}; an app has one entry")
        if platforms is not None:
            _instance(item, place, reading, platforms)
        base_url = item.get("base_url")
        if isinstance(base_url, str):
            base_url = reading.checked(f"{place}.base_url", checked_base_url, base_url)
        secret = reading.secret(f"{place}.secret", item.get("secret"))
        others = _secrets(item.get("secrets"), f"{place}.secrets", reading)
        if secret is not None and not any(shape_faults(item, TenantSection)):
            tenant = msgspec.convert(item, TenantSection)
            found[tenant.app] = Tenant(
                app=tenant.app,
                platform=tenant.platform,
                brand=tenant.brand,
                secret=secret,
                identities=tenant.identities,
                base_url=base_url,
                options=tenant.options,
                secrets=others,
            )
    return found


def _secrets(written: Any, place: str, reading: _Reading) -> dict[str, Secret]:
    """Those of a tenant that can be read; the others are noted."""
    named = written if isinstance(written, dict) else {}
    read = {name: reading.secret(f"{place}.{name}", reference) for name, reference in named.items()}
    return {name: secret for name, secret in read.items() if secret is not None}


def _instance(item: Mapping[str, Any], place: str, reading: _Reading, platforms: Brands) -> None:
    """That the platform is installed and knows where the brand lives. One without brands needs a base URL."""
    platform, brand = item.get("platform"), item.get("brand")
    if not isinstance(platform, str):
        return
    brands = platforms.get(platform)
    if brands is None:
        reading.note(f"{place}.platform", f"{platform!r} is not installed{_near(platform, platforms)}")
    elif not brands and "base_url" not in item:
        reading.note(f"{place}.base_url", f"is missing; {platform!r} has no hosts of its own")
    elif brands and isinstance(brand, str) and brand not in brands:
        reading.note(f"{place}.brand", f"{platform!r} has no brand {brand!r}{_near(brand, brands)}")


def _policy(written: dict[str, Any], reading: _Reading, surfaces: Sequence[Surface] | None) -> Policy | None:
    section = reading.section(written, "policy", PolicySection)
    if section is None:
        return None
    policy = Policy(
        reads=section.reads,
        write_allow=section.write_allow,
        deny=section.deny,
        ceiling=section.ceiling,
        identities=section.identities,
        unattended=section.unattended,
        calls_per_turn=section.calls_per_turn,
        result_chars=None if section.result_chars == "off" else int(section.result_chars),
    )
    if surfaces is None:
        return policy
    try:
        Rules(policy, {tool.name: tool for surface in surfaces for tool in surface.tools})
    except InvalidPolicy as error:
        for fault in error.faults:
            # Each sentence begins with its option.
            option = fault.partition(" ")[0]
            reading.note(f"policy.{option}", fault.removeprefix(option).strip())
    return policy


def _stores(written: dict[str, Any], reading: _Reading) -> Stores | None:
    section = reading.section(written, "stores", StoresSection)
    if section is None:
        return None
    url = _store(section.url, "stores.url", _TRUTH, reading)
    shared = None if section.shared is None else _store(section.shared, "stores.shared", _SHARED, reading)
    return None if url is None else Stores(url=url, shared=shared)


def _store(written: str, place: str, schemes: tuple[str, ...], reading: _Reading) -> Secret | None:
    address: Secret | None = Secret(written)
    if is_reference(written):
        address = reading.secret(place, written)
    elif _has_password(written):
        reading.note(
            place,
            "holds a password; put the address into the environment or a file, and name it env:NAME or file:PATH",
        )
        return None
    if address is None:
        return None
    scheme, mark, path = address.reveal().partition("://")
    if not mark or scheme not in schemes:
        reading.note(place, f"must begin with one of {', '.join(f'{one}://' for one in schemes)}")
        return None
    is_relative = scheme == "sqlite" and path.startswith("/") and not path.startswith("//") and path != "/"
    return Secret(f"sqlite:///{reading.folder / path[1:]}") if is_relative else address


def _has_password(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "@" in address
    secret_options = [name for name, _ in parse_qsl(parts.query) if "pass" in name.lower()]
    return parts.password is not None or bool(secret_options)


def _models(written: Any, reading: _Reading) -> dict[str, Model]:
    found: dict[str, Model] = {}
    for name, item in written.items() if isinstance(written, dict) else ():
        if not isinstance(item, dict):
            continue
        place = f"models.{name}"
        base_url = item.get("base_url")
        if isinstance(base_url, str) and base_url:
            base_url = reading.checked(f"{place}.base_url", checked_base_url, base_url)
        key = reading.secret(f"{place}.api_key", item.get("api_key"))
        if isinstance(item.get("model"), str):
            found[name] = Model(model=item["model"], base_url=base_url, api_key=key)
    return found


def _approvers(written: dict[str, Any], reading: _Reading) -> None:
    tenants, approvers = written.get("tenants"), written.get("approvers")
    items = [item for item in tenants if isinstance(item, dict)] if isinstance(tenants, list) else []
    apps = {app: None for item in items if isinstance(app := item.get("app"), str)}
    for app in approvers if isinstance(approvers, dict) else ():
        if app not in apps:
            reading.note(f"approvers.{app}", f"no tenant has the app {app!r}{_near(app, apps)}")


def _two_approvers(written: dict[str, Any], reading: _Reading, surfaces: Sequence[Surface] | None) -> None:
    names = written.get("two_approvers")
    if surfaces is None or not isinstance(names, list):
        return
    writes = {tool.name: None for surface in surfaces for tool in surface.tools if tool.risk.is_write}
    for index, name in enumerate(names):
        if isinstance(name, str) and name not in writes:
            reading.note(f"two_approvers[{index}]", f"no write is called {name!r}{_near(name, writes)}")


def _ca_file(written: dict[str, Any], reading: _Reading) -> None:
    section = written.get("transport")
    name = section.get("ca_file") if isinstance(section, dict) else None
    if isinstance(name, str) and name and not (reading.folder / name).is_file():
        reading.note("transport.ca_file", "the file does not exist; name a file of certificates")


def _near(name: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(name, known, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; there is {', '.join(sorted(known))}" if known else ""


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_FILE_BYTES + 1)
        if len(content) > _MAX_FILE_BYTES:
            raise ConfigInvalid(path, (ConfigFault(0, "", "the file is too large to be a configuration"),))
        return content.decode().removeprefix("\ufeff")
    except OSError as error:
        reason = f"the file cannot be read ({type(error).__name__})"
    except UnicodeDecodeError:
        reason = "the file is not UTF-8"
    raise ConfigInvalid(path, (ConfigFault(0, "", reason),))


def _syntax_fault(error: tomllib.TOMLDecodeError) -> ConfigFault:
    """The reader's own words, with the line as a number."""
    place = re.search(r" \(at line (\d+), column (\d+)\)\Z", str(error))
    if place is None:
        return ConfigFault(0, "", f"is not TOML: {error}")
    return ConfigFault(int(place[1]), "", f"is not TOML: {str(error)[: place.start()]} (column {place[2]})")
