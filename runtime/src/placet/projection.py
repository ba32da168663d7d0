"""From an answer's data to what may leave: a positive projection, each field checked against its declared type.

An answer that does not fit is still an answer: fitting fields are kept, the rest is named in `drift`. Numbers of 64
bits leave as text, because most readers round them.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from placet.contract.binding import Project
from placet.contract.platform import Codec

__all__ = ["DRIFT_MOST", "Projected", "Projector", "decode_data"]

DRIFT_MOST = 20


class Projected(Struct, frozen=True):
    """What a tool lets out of one answer; `drift` has the places that did not fit."""

    data: dict[str, Any]
    drift: tuple[str, ...] = ()


def decode_data(raw: bytes) -> Any:
    """JSON bytes as plain values.

    Raises:
        ValueError: they are no JSON.
    """
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"the answer is no JSON: {error}") from error
    except RecursionError:
        raise ValueError("the answer is nested too deeply to be read") from None


_Read = Callable[[Any, str, list[str]], Any]
_Fetch = Callable[[Any], Any]


class Projector:
    """Projects the answers of one tool; compiled once."""

    def __init__(self, output: tuple[Project, ...], codec: Callable[[str], Codec]) -> None:
        self._fields = tuple((one.name, one.path, _fetcher(one.path), _reader(one, codec)) for one in output)

    def project(self, data: Any) -> Projected:
        """The declared fields of an answer's data; absent ones stay absent."""
        drift: list[str] = []
        result: dict[str, Any] = {}
        for name, path, fetch, read in self._fields:
            value = fetch(data)
            if value is UNSET or value is None:
                continue
            kept = read(value, path, drift)
            if kept is not UNSET:
                result[name] = kept
        return Projected(result, tuple(dict.fromkeys(drift))[:DRIFT_MOST] if drift else ())


def _fetcher(path: str) -> _Fetch:
    """Reads a place: `a.b`, `a[].b` (a value for each item), `a[0].b`, `[]`, `$`."""
    if path == "$":
        return lambda data: data
    steps = [_step(part) for part in path.split(".")]
    if len(steps) == 1 and not steps[0][1]:
        name = steps[0][0]
        return lambda data: data.get(name, UNSET) if type(data) is dict else UNSET
    return lambda data: _walk(data, steps)


_Step = tuple[str, tuple[int | None, ...]]


def _step(part: str) -> _Step:
    name, *opened = part.split("[")
    return name, tuple(int(one[:-1]) if one[:-1] else None for one in opened)


def _walk(data: Any, steps: list[_Step]) -> Any:
    for index, (name, opened) in enumerate(steps):
        if name:
            if not isinstance(data, dict):
                return UNSET
            data = data.get(name, UNSET)
        for one in opened:
            if not isinstance(data, list):
                return UNSET
            if one is None:
                rest = steps[index + 1 :]
                if not rest:
                    return data
                return [found for item in data if (found := _walk(item, rest)) is not UNSET]
            data = data[one] if one < len(data) else UNSET
    return data


def _reader(one: Project, codec: Callable[[str], Codec]) -> _Read:
    if one.codec is not None:
        return _through(codec(one.codec))
    if one.fields:
        members = tuple(
            (member.name, member.path, _fetcher(member.path), _reader(member, codec)) for member in one.fields
        )
        return _listed(_object(members), one.type.count("list["))
    depth = one.type.count("list[")
    return _listed(_LEAVES[one.type[5 * depth : len(one.type) - depth]], depth)


def _through(codec: Codec) -> _Read:
    def read(value: Any, path: str, drift: list[str]) -> Any:
        try:
            return codec.decode(value)
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
            drift.append(path)
            return UNSET

    return read


def _object(members: tuple[tuple[str, str, _Fetch, _Read], ...]) -> _Read:
    def read(value: Any, path: str, drift: list[str]) -> Any:
        if type(value) is not dict:
            drift.append(path)
            return UNSET
        result: dict[str, Any] = {}
        for name, inner, fetch, reader in members:
            found = fetch(value)
            if found is UNSET or found is None:
                continue
            kept = reader(found, f"{path}.{inner}", drift)
            if kept is not UNSET:
                result[name] = kept
        return result

    return read


def _listed(read: _Read, depth: int) -> _Read:
    """The reader of a list of such values; items that do not fit are left out and named."""
    if depth == 0:
        return read
    inner = _listed(read, depth - 1)

    def read_list(value: Any, path: str, drift: list[str]) -> Any:
        if type(value) is not list:
            drift.append(path)
            return UNSET
        return [kept for one in value if (kept := inner(one, path, drift)) is not UNSET]

    return read_list


def _leaf(fits: Callable[[Any], bool], convert: Callable[[Any], Any] | None = None) -> _Read:
    def read(value: Any, path: str, drift: list[str]) -> Any:
        if fits(value):
            if convert is None:
                return value
            try:
                return convert(value)
            except (RecursionError, ValueError):  # nested too deeply, or more digits than Python writes
                pass
        drift.append(path)
        return UNSET

    return read


def _is_int64(value: Any) -> bool:
    if type(value) is int:
        return True
    return type(value) is str and value.removeprefix("-").isdecimal() and value.isascii()


_LEAVES: Mapping[str, _Read] = {
    "string": _leaf(lambda value: type(value) is str),
    "time": _leaf(lambda value: type(value) is str),
    "file": _leaf(lambda value: type(value) is str),
    "int64": _leaf(_is_int64, str),
    "integer": _leaf(lambda value: type(value) is int and -(2**53) < value < 2**53),
    "number": _leaf(lambda value: type(value) in (int, float)),
    "boolean": _leaf(lambda value: type(value) is bool),
    "object": _leaf(lambda value: type(value) is dict, lambda value: safe_numbers(value)),
    "any": _leaf(lambda value: True, lambda value: safe_numbers(value)),
}


def safe_numbers(value: Any) -> Any:
    """The value with integers beyond 2^53 as text, at any depth."""
    kind = type(value)
    if kind is dict:
        return {key: safe_numbers(inner) for key, inner in value.items()}
    if kind is list:
        return [safe_numbers(inner) for inner in value]
    if kind is int and not -(2**53) < value < 2**53:
        return str(value)
    return value
