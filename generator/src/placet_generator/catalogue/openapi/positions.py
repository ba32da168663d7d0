"""Where something stands in a document, looked up only when there is something to say about it."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import Any, Protocol

from placet_generator.diagnostics import Span

Path = tuple[str | int, ...]
"""Keys and indexes from the root."""

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class Positions(Protocol):
    def spans(self, paths: Iterable[Path]) -> dict[Path, Span]:
        """The place of each path's key (in a list, of the value); the nearest known when it is not there."""
        ...


class NoPositions:
    """The whole file is meant."""

    def __init__(self, path: str) -> None:
        self._whole = Span(path)

    def spans(self, paths: Iterable[Path]) -> dict[Path, Span]:
        return dict.fromkeys(paths, self._whole)


class YamlPositions:
    """Places in a YAML node tree, each mapping indexed once for any number of paths."""

    def __init__(self, path: str, root: Any) -> None:
        self._path, self._root = path, root

    def spans(self, paths: Iterable[Path]) -> dict[Path, Span]:
        indexes: dict[int, dict[str, tuple[Any, Any]]] = {}
        return {one: self._span(one, indexes) for one in paths}

    def _span(self, path: Path, indexes: dict[int, dict[str, tuple[Any, Any]]]) -> Span:
        node = shown = self._root
        for part in path:
            if id(node) not in indexes:
                indexes[id(node)] = _children(node)
            found = indexes[id(node)].get(str(part))
            if found is None:
                break
            shown, node = found
        return Span(self._path, shown.start_mark.line + 1, shown.start_mark.column + 1)


def _children(node: Any) -> dict[str, tuple[Any, Any]]:
    """Key or index to (the node to show, the value's node); empty for a scalar."""
    listed = node.value if isinstance(node.value, list) else []
    if listed and isinstance(listed[0], tuple):
        return {str(key.value): (key, value) for key, value in reversed(listed)}
    return {str(index): (value, value) for index, value in enumerate(listed)}


class JsonPositions:
    """Places in JSON text that is known to be well-formed. One pass for any number of paths."""

    def __init__(self, path: str, text: str) -> None:
        self._path, self._text = path, text

    def spans(self, paths: Iterable[Path]) -> dict[Path, Span]:
        wanted = sorted(set(paths), key=len)
        found: dict[Path, int] = {}
        if wanted:
            start = self._skip(0)
            self._visit(start, start, 0, wanted, found)
        ends = [one.start() for one in re.finditer("\n", self._text)] if found else []
        return {one: self._span(found[one], ends) if one in found else Span(self._path) for one in wanted}

    def _span(self, at: int, ends: list[int]) -> Span:
        line = bisect_left(ends, at)
        return Span(self._path, line + 1, at - (ends[line - 1] if line else -1))

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return match.end() if match else at

    def _visit(self, at: int, shown_at: int, depth: int, wanted: list[Path], found: dict[Path, int]) -> None:
        """Record `shown_at` for every wanted path, then go down only where a path leads."""
        deeper: dict[str, list[Path]] = {}
        for one in wanted:
            found[one] = shown_at
            if len(one) > depth:
                deeper.setdefault(str(one[depth]), []).append(one)
        opening = self._text[at]
        if not deeper or opening not in "{[":
            return
        index = 0
        at = self._skip(at + 1)
        while self._text[at] not in "}]":
            key, key_at = str(index), at
            if opening == "{":
                key, at = _DECODER.raw_decode(self._text, at)
                at = self._skip(self._skip(at) + 1)
            if key in deeper:
                self._visit(at, key_at, depth + 1, deeper.pop(key), found)
                if not deeper:
                    return
            at = self._skip(_DECODER.raw_decode(self._text, at)[1])
            if self._text[at] == ",":
                at = self._skip(at + 1)
            index += 1
