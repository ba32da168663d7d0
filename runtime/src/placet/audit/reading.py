"""Looking at the chains: their last records, all of them as JSON lines, and their heads."""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from placet.contract.errors import PlacetError
from placet.stores.chain import Head, Misfit, Record, Trail

__all__ = [
    "ANCHOR_FILE_VERSION",
    "AnchorUnreadable",
    "anchor",
    "exported",
    "parse_anchor",
    "plain",
    "printable",
    "tail",
]

ANCHOR_FILE_VERSION = 1


class AnchorUnreadable(PlacetError):
    """A file is not what `placet audit anchor` prints."""


class _Head(Struct, frozen=True, forbid_unknown_fields=True):
    chain: str
    seq: int
    mac: str


class _AnchorFile(Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    at: float
    heads: tuple[_Head, ...]


def tail(trail: Trail, count: int) -> list[dict[str, Any]]:
    """The last records of all chains, oldest first, as JSON-like data."""
    return [_shown(record) for record in trail.latest(count)]


def exported(trail: Trail) -> Iterator[str]:
    """Every record, chain by chain, one JSON object a line; `body` is the exact text that the MAC covers."""
    for chain in trail.chains():
        for record in trail.records(chain):
            if isinstance(record, Misfit):
                yield printable({"chain": record.chain, "seq": record.seq, "misfit": list(record.columns)})
                continue
            yield printable(
                {
                    "chain": record.chain,
                    "seq": record.seq,
                    "key_id": record.key_id,
                    "mac": record.mac.hex(),
                    "body": record.body.decode("utf-8", "backslashreplace"),
                }
            )


def anchor(trail: Trail, *, at: float) -> str:
    """The heads of all chains as one line of JSON, to be kept where the store's owner cannot reach."""
    heads = []
    for chain in trail.chains():
        last = trail.head(chain)
        if last is not None:
            heads.append(_Head(chain, last.seq, last.mac.hex()))
    return msgspec.json.encode(_AnchorFile(ANCHOR_FILE_VERSION, at, tuple(heads))).decode()


def parse_anchor(text: str) -> tuple[Head, ...]:
    """Heads from lines that `anchor` gave; blank lines are skipped.

    Raises:
        AnchorUnreadable: a line is something else.
    """
    heads: list[Head] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            file = msgspec.json.decode(line, type=_AnchorFile)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise AnchorUnreadable(f"line {number} is not an anchor: {error}") from None
        if file.version != ANCHOR_FILE_VERSION:
            raise AnchorUnreadable(f"line {number} is an anchor of version {file.version}; this one reads 1")
        heads += [Head(head.chain, head.seq, head.mac) for head in file.heads]
    return tuple(heads)


def printable(value: Any) -> str:
    """One line of JSON in which everything that a terminal could obey is escaped."""
    return plain(json.dumps(value, ensure_ascii=False))


def plain(text: str) -> str:
    """A line in which everything that a terminal could obey is escaped."""
    return text if text.isprintable() else _UNPRINTABLE.sub(_escaped, text)


_UNPRINTABLE = re.compile(r"[^ -~]")


def _escaped(found: "re.Match[str]") -> str:
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]


def _shown(record: Record | Misfit) -> dict[str, Any]:
    if isinstance(record, Misfit):
        return {"chain": record.chain, "seq": record.seq, "entry": None}
    try:
        entry = json.loads(record.body)
    except (ValueError, RecursionError):
        entry = None
    return {"chain": record.chain, "seq": record.seq, "entry": entry}
