"""Reads the witness' folder. The lines stay text until somebody asks for one."""

import re
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec

from placet_generator.catalogue.methods import MethodEntry, MethodIndex
from placet_generator.catalogue.model import CatalogueError
from placet_generator.witness.model import DocumentFacts, EndpointFacts

ENDPOINTS = "endpoints.jsonl"
DOCUMENTS = "docs.jsonl"
SCOPES = "scopes.txt"

_HEAD = re.compile(rb'\{"sdk":"([^"\\]+)","http":"([A-Z]+)","route":"([^"\\]+)"')
_NAME = re.compile(rb'\{"sdk":"([^"\\]+)"')
_SCOPE_LIST = re.compile(rb'"(?:scopes|scopes_all_of|scopes_registry|field_scopes)":\[([^\]]*)\]')


class _DocumentLine(DocumentFacts, frozen=True, kw_only=True):
    sdk: str


_Line = TypeVar("_Line", EndpointFacts, _DocumentLine)


class Witness:
    """Facts by SDK path. Made with `Witness.load`; a folder that is not there gives an empty witness."""

    def __init__(
        self, folder: Path, endpoints: bytes = b"", documents: bytes = b"", scopes: bytes = b""
    ) -> None:
        self._folder = folder
        self._endpoints = _Lines(folder / ENDPOINTS, endpoints, _HEAD)
        self._documents_text, self._scopes_text = documents, scopes

    @classmethod
    def load(cls, folder: Path) -> "Witness":
        """Read the folder's files.

        Raises:
            CatalogueError: a line is not of the witness' form; `path` and `line` say which. Names are
                checked at once, the rest of a line when `facts` is asked for it.
        """
        return cls(folder, _read(folder / ENDPOINTS), _read(folder / DOCUMENTS), _read(folder / SCOPES))

    @cached_property
    def _documents(self) -> "_Lines":
        return _Lines(self._folder / DOCUMENTS, self._documents_text, _NAME)

    def facts(self, sdk: str) -> EndpointFacts | None:
        """What is known of a method; None when there is none, or no source besides the SDK knows it."""
        facts = self._endpoints.decode(sdk, EndpointFacts)
        if facts is None or not facts.sources:
            return None
        documented = self._documents.decode(sdk, _DocumentLine)
        return facts if documented is None else msgspec.structs.replace(facts, docs=documented)

    def methods(self) -> MethodIndex:
        """Every method of the SDK, whether or not another source knows it."""
        return self._methods

    @cached_property
    def _methods(self) -> MethodIndex:
        heads = (head.groups() for head in self._endpoints.heads.values())
        return MethodIndex(MethodEntry(*(part.decode(errors="replace") for part in head)) for head in heads)

    def by_route(self, http: str, route: str) -> str | None:
        """The method with that verb and route; placeholder names and a trailing slash do not count."""
        return self._methods.by_route(http, route)

    def scopes(self) -> frozenset[str]:
        """Every scope the platform is known to have, of endpoints the SDK lacks too."""
        return self._scopes

    @cached_property
    def _scopes(self) -> frozenset[str]:
        found = set(self._scopes_text.decode(errors="replace").split())
        for match in _SCOPE_LIST.finditer(self._endpoints.text):
            found.update(one.strip('"') for one in match[1].decode(errors="replace").split(",") if one)
        return frozenset(found)


class _Lines:
    """A file of JSON lines, each beginning with its `sdk`, found by that name without decoding."""

    def __init__(self, path: Path, text: bytes, head: re.Pattern[bytes]) -> None:
        self._path, self.text = path, text
        self.heads: dict[str, re.Match[bytes]] = {}
        start, number = 0, 0
        while start < len(text):
            number += 1
            match = head.match(text, start)
            if match is None:
                raise CatalogueError("not a line of the witness", path=str(path), line=number)
            name = match[1].decode(errors="replace")
            if name in self.heads:
                raise CatalogueError(f"a second line for {name!r}", path=str(path), line=number)
            self.heads[name] = match
            end = text.find(b"\n", start)
            start = len(text) if end < 0 else end + 1

    def decode(self, name: str, form: type[_Line]) -> _Line | None:
        match = self.heads.get(name)
        if match is None:
            return None
        end = self.text.find(b"\n", match.start())
        line = self.text[match.start() : end if end >= 0 else None]
        try:
            return msgspec.json.decode(line, type=form)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
            number = self.text.count(b"\n", 0, match.start()) + 1
            raise CatalogueError(
                f"{name!r} is not as expected: {fault}", path=str(self._path), line=number
            ) from fault


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as fault:
        raise CatalogueError(f"cannot be read: {fault.strerror}", path=str(path)) from fault
