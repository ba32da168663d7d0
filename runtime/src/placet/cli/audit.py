"""`placet audit`: look at the chains, verify them, take their records and heads elsewhere."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from placet.audit.reading import anchor as heads_as_json
from placet.audit.reading import exported, parse_anchor, plain, printable
from placet.audit.reading import tail as last_records
from placet.audit.verify import Verification
from placet.audit.verify import verify as verified
from placet.contract.errors import PlacetError
from placet.contract.stores import StoreError
from placet.stores import ChainKeys, Trail, open_trail

__all__ = ["AuditSource", "command", "group"]

_FAULT = 1

StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="The store, as in the configuration's stores.url."),
]
KeyOption = Annotated[
    list[str] | None,
    typer.Option("--key", metavar="REF", help="A key that signed: env:NAME or file:PATH; may be repeated."),
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="The configuration to take both from.")
]


class AuditSource(Struct, frozen=True):
    """Where the audit lies and which keys signed it."""

    url: str
    secrets: tuple[bytes, ...] = ()

    def __repr__(self) -> str:
        return "AuditSource(...)"


def group(store_from: Callable[[Path | None], AuditSource | None]) -> typer.Typer:
    """The commands.

    Args:
        store_from: Reads the configuration; None when there is no configuration. Asked for what options leave out.
    """
    app = typer.Typer(help="Look at the audit and verify it.", no_args_is_help=True, add_completion=False)

    def source(
        store: str | None, keys: list[str] | None, config: Path | None, *, needs_keys: bool
    ) -> AuditSource:
        found = store_from(config) if store is None or (needs_keys and not keys) else None
        url = store or (found.url if found else None)
        if url is None:
            raise typer.BadParameter("name the store with --store URL, or a configuration with --config FILE")
        secrets = tuple(_secret(key) for key in keys or ()) or (found.secrets if found else ())
        if needs_keys and not secrets:
            raise typer.BadParameter("name the keys that signed with --key env:NAME or --key file:PATH")
        return AuditSource(url, secrets)

    @app.command()
    def tail(
        count: Annotated[
            int, typer.Option("-n", "--count", min=1, max=10_000, help="How many records.")
        ] = 20,
        as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
        store: StoreOption = None,
        config: ConfigOption = None,
    ) -> None:
        """Show the last records of all chains, oldest first."""
        with _trail(source(store, None, config, needs_keys=False)) as trail:
            for record in last_records(trail, count):
                print(printable(record) if as_json else plain(_line(record)))

    @app.command()
    def verify(
        anchor: Annotated[
            list[Path] | None,
            typer.Option("--anchor", metavar="FILE", help="Heads kept outside; may be repeated."),
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
        store: StoreOption = None,
        key: KeyOption = None,
        config: ConfigOption = None,
    ) -> None:
        """Check every record against its chain's keys and every anchor; exit code 1 when something is wrong."""
        where = source(store, key, config, needs_keys=True)
        outside = [head for path in anchor or () for head in parse_anchor(_text(path))]
        try:
            keys = ChainKeys(where.secrets)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--key") from None
        with _trail(where) as trail:
            found = verified(trail, keys, outside=outside)
        print(_as_json(found) if as_json else _as_text(found))
        if not found.is_whole:
            raise typer.Exit(_FAULT)

    @app.command()
    def anchor(store: StoreOption = None, config: ConfigOption = None) -> None:
        """Print the heads of all chains as one line, to be kept where nobody who can write the store can write."""
        with _trail(source(store, None, config, needs_keys=False)) as trail:
            print(heads_as_json(trail, at=time.time()))

    @app.command()
    def export(store: StoreOption = None, config: ConfigOption = None) -> None:
        """Print every record with its MAC, one JSON object a line."""
        with _trail(source(store, None, config, needs_keys=False)) as trail:
            for line in exported(trail):
                print(line)

    return app


@contextmanager
def _trail(source: AuditSource) -> Iterator[Trail]:
    try:
        trail = open_trail(source.url)
    except PlacetError as error:
        print(f"placet audit: {error}", file=sys.stderr)
        raise typer.Exit(_FAULT) from None
    try:
        yield trail
    except StoreError as error:
        print(f"placet audit: {error}", file=sys.stderr)
        raise typer.Exit(_FAULT) from None
    finally:
        trail.close()


def _secret(reference: str) -> bytes:
    kind, _, place = reference.partition(":")
    if kind == "env" and place:
        text = os.environ.get(place)
        if text is None:
            raise typer.BadParameter(f"the environment has no {place!r}", param_hint="--key")
        return text.strip().encode()
    if kind == "file" and place:
        return _text(Path(place)).strip().encode()
    raise typer.BadParameter("a key is written env:NAME or file:PATH", param_hint="--key")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise typer.BadParameter(f"{str(path)!r} cannot be read ({type(error).__name__})") from None


def _line(record: dict[str, object]) -> str:
    entry = record["entry"]
    if not isinstance(entry, dict):
        return f"{str(record['chain'])[:8]} {record['seq']}: unreadable"
    at = _moment(entry.get("at"))
    words = [entry.get(name) for name in ("event", "tenant", "actor", "tool", "outcome", "reason", "call_id")]
    told = " ".join(json.dumps(word, ensure_ascii=True).strip('"') for word in words if word)
    return f"{at} {str(record['chain'])[:8]}:{record['seq']} {told}"


def _moment(at: object) -> str:
    """A record's time; its own words for it when they are no time."""
    if isinstance(at, int | float):
        try:
            return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
        except (ValueError, OverflowError, OSError):
            pass  # a number that is no moment of any calendar
    return f"at {json.dumps(at)[:40]}"


def _as_text(found: Verification) -> str:
    lines = []
    for chain in found.chains:
        end = "closed" if chain.is_closed else "open"
        seen = f"anchored to {chain.anchored_to}" if chain.anchored_to else "not anchored"
        lines.append(f"chain {chain.chain}: {chain.records} records, {end}, {seen}")
    lines += [
        f"FAULT chain {fault.chain} record {fault.seq}"
        + (f" to {fault.last}" if fault.last != fault.seq else "")
        + f": {fault.kind}: {fault.detail}"
        for fault in found.faults
    ]
    lines.append(f"{len(found.chains)} chains, {len(found.faults)} faults")
    return "\n".join(map(plain, lines))


def _as_json(found: Verification) -> str:
    import msgspec

    return msgspec.json.encode(
        {"is_whole": found.is_whole, "chains": found.chains, "faults": found.faults}
    ).decode()


def _from_configuration(option: Path | None) -> AuditSource | None:
    """The store and keys of the configuration every door reads; None when there is none."""
    from placet.assembly import configuration
    from placet.config.loading import FILE_NAME, VARIABLE

    if option is None and not os.environ.get(VARIABLE) and not Path(FILE_NAME).exists():
        return None
    try:
        config = configuration(option)
    except PlacetError as error:
        print(f"placet audit: {error}", file=sys.stderr)
        raise typer.Exit(_FAULT) from None
    return AuditSource(config.stores.url.reveal(), config.key_bytes())


command = group(_from_configuration)
