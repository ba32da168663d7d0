"""From an answer's data to what may leave: a positive projection, each field checked against its declared type.

An answer that does not fit is still an answer: fitting fields are kept, the rest is named in `drift`. Numbers of 64
bits leave as text, because most readers round them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct

from placet.contract.binding import Project
from placet.contract.platform import Codec

__all__ = ["DRIFT_MOST", "ListDecoder", "Projected", "Projector", "decode_data", "in_parts"]

DRIFT_MOST = 20

FIRST_PART = 16
"""Items of a list that are read before anybody asks whether more are wanted; each further part is twice as long."""


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


class ListDecoder:
    """As `decode_data`, but the items of the data's list stay bytes until `in_parts` reaches them.

    Args:
        name: The list's name among the members of the data.
        others: Names of the other members that are wanted; the rest is left out.
    """

    def __init__(self, name: str, others: Iterable[str]) -> None:
        self._names = (name, *sorted(set(others) - {name}))
        members = {f"member_{at}": one for at, one in enumerate(self._names)}
        kinds = (list[Raw], *[Any] * (len(members) - 1))
        fields = [(member, kind, UNSET) for member, kind in zip(members, kinds, strict=True)]
        self._decode = msgspec.json.Decoder(msgspec.defstruct("Listed", fields, rename=members)).decode

    def decode(self, raw: bytes) -> Any:
        """The wanted members of the data, or all of it when it has no such list.

        Raises:
            ValueError: the bytes are no JSON.
        """
        try:
            found = msgspec.structs.astuple(self._decode(raw))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return decode_data(raw)  # or it says what is wrong
        return {name: value for name, value in zip(self._names, found, strict=True) if value is not UNSET}


def in_parts(data: Any, name: str) -> Iterator[Any]:
    """The data again and again, each time with the next items of the list `name`; at once unless they are bytes.

    Raises:
        ValueError: an item is no JSON.
    """
    items = data.get(name) if isinstance(data, dict) else None
    if not isinstance(items, list) or not items or type(items[0]) is not Raw:
        yield data
        return
    start, count = 0, FIRST_PART
    while start < len(items):
        yield {**data, name: [decode_data(one) for one in items[start : start + count]]}
        start, count = start + count, count * 2


_Read = Callable[[Any, list[str]], Any]
"""The value as it leaves, with what inside it did not fit noted; UNSET when it does not fit itself."""

_Fetch = Callable[[Any], Any]


class Projector:
    """Projects the answers of one tool; compiled once."""

    def __init__(self, output: tuple[Project, ...], codec: Callable[[str], Codec]) -> None:
        self._fields = _compiled(output, "", codec)

    def project(self, data: Any) -> Projected:
        """The declared fields of an answer's data; absent ones stay absent."""
        drift: list[str] = []
        result: dict[str, Any] = {}
        for one in self._fields:
            value = one.fetch(data)
            if value is UNSET or value is None:
                continue
            kept = one.read(value, drift)
            if kept is not UNSET:
                result[one.name] = kept
            else:
                drift.append(one.place)
        return Projected(result, tuple(dict.fromkeys(drift))[:DRIFT_MOST] if drift else ())


class _Field(Struct, frozen=True):
    """One declared field. `key` is its path where that is a plain name, else None."""

    name: str
    place: str
    key: str | None
    fetch: _Fetch
    read: _Read


def _compiled(fields: tuple[Project, ...], above: str, codec: Callable[[str], Codec]) -> tuple[_Field, ...]:
    return tuple(_field(one, f"{above}.{one.path}" if above else one.path, codec) for one in fields)


def _field(one: Project, place: str, codec: Callable[[str], Codec]) -> _Field:
    is_plain = not set(one.path) & set(".[]$")
    return _Field(
        one.name, place, one.path if is_plain else None, _fetcher(one.path), _reader(one, place, codec)
    )


def _fetcher(path: str) -> _Fetch:
    """Reads a place: `a.b`, `a[].b` (a value for each item), `a[0].b`, `[]`, `$`."""
    # The reader sees whether a list is one, so that another form is named and not taken for absence.
    path = path.removesuffix("[]")
    if path in ("", "$"):
        return lambda data: data
    steps = [_step(part) for part in path.split(".")]
    if len(steps) == 1 and not steps[0][1]:
        name = steps[0][0]
        return lambda data: data.get(name, UNSET) if type(data) is dict else UNSET
    if not any(opened for _, opened in steps):
        names = tuple(name for name, _ in steps)
        return lambda data: _inside(data, names)
    return lambda data: _walk(data, steps)


def _inside(data: Any, names: tuple[str, ...]) -> Any:
    for name in names:
        if type(data) is not dict:
            return UNSET
        data = data.get(name, UNSET)
    return data


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


def _reader(one: Project, place: str, codec: Callable[[str], Codec]) -> _Read:
    if one.codec is not None:
        return _through(codec(one.codec))
    depth = one.type.count("list[")
    if one.fields:
        return _listed(_object(_compiled(one.fields, place, codec)), place, depth)
    return _listed(_LEAVES[one.type[5 * depth : len(one.type) - depth]], place, depth)


def _through(codec: Codec) -> _Read:
    def read(value: Any, _: list[str]) -> Any:
        try:
            return codec.decode(value)
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
            return UNSET

    return read


def _object(members: tuple[_Field, ...]) -> _Read:
    plain = tuple((one.name, one.place, one.key, one.fetch, one.read) for one in members)

    def read(value: Any, drift: list[str]) -> Any:
        if type(value) is not dict:
            return UNSET
        result: dict[str, Any] = {}
        for name, place, key, fetch, reader in plain:
            found = value.get(key) if key is not None else fetch(value)
            if found is None or found is UNSET:
                continue
            kept = reader(found, drift)
            if kept is not UNSET:
                result[name] = kept
            else:
                drift.append(place)
        return result

    return read


def _listed(read: _Read, place: str, depth: int) -> _Read:
    """The reader of a list of such values; items that do not fit are left out and named."""
    if depth == 0:
        return read
    inner = _listed(read, place, depth - 1)

    def read_list(value: Any, drift: list[str]) -> Any:
        if type(value) is not list:
            return UNSET
        kept = []
        for one in value:
            found = inner(one, drift)
            if found is not UNSET:
                kept.append(found)
            else:
                drift.append(place)
        return kept

    return read_list


def _leaf(*kinds: type) -> _Read:
    return lambda value, _: value if type(value) in kinds else UNSET


def _read_int64(value: Any, _: list[str]) -> Any:
    kind = type(value)
    if kind is str:
        return value if value.removeprefix("-").isdecimal() and value.isascii() else UNSET
    try:
        return str(value) if kind is int else UNSET
    except ValueError:  # more digits than Python writes
        return UNSET


def _read_integer(value: Any, _: list[str]) -> Any:
    return value if type(value) is int and -(2**53) < value < 2**53 else UNSET


def _read_any(value: Any, _: list[str]) -> Any:
    try:
        return safe_numbers(value)
    except (RecursionError, ValueError):  # nested too deeply, or more digits than Python writes
        return UNSET


_LEAVES: Mapping[str, _Read] = {
    "string": _leaf(str),
    "time": _leaf(str),
    "file": _leaf(str),
    "int64": _read_int64,
    "integer": _read_integer,
    "number": _leaf(int, float),
    "boolean": _leaf(bool),
    "object": lambda value, drift: _read_any(value, drift) if type(value) is dict else UNSET,
    "any": _read_any,
}


DEPTH_MOST = 200
"""Nesting that is walked; not the interpreter's own limit, which a host may have moved."""


def safe_numbers(value: Any, depth: int = 0) -> Any:
    """The value with integers beyond 2^53 as text, at any depth up to `DEPTH_MOST`.

    Raises:
        RecursionError: it is nested more deeply.
    """
    kind = type(value)
    if kind is str:
        return value
    if depth > DEPTH_MOST:
        raise RecursionError
    if kind is dict:
        return {key: safe_numbers(inner, depth + 1) for key, inner in value.items()}
    if kind is list:
        return [safe_numbers(inner, depth + 1) for inner in value]
    if kind is int and not -(2**53) < value < 2**53:
        return str(value)
    return value
