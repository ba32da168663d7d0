"""From checked arguments to a request: every slot filled as the binding says, and nothing else.

Compiled once per tool. Absent stays absent, null is sent only where it clears, booleans of a query are `true` and
`false`, and a path value that could change the route is refused.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from msgspec import UNSET, Struct

from placet.contract.binding import Binding, Call, Slot
from placet.contract.platform import Codec, FileContent, FilePart, WireCall
from placet.contract.words import Identity
from placet.segments import leads_elsewhere

__all__ = ["PLACES", "Draft", "Encoder", "Filling", "Unencodable"]


class Unencodable(ValueError):
    """An argument has no wire form. `argument` is its name; the sentence is for the model."""

    def __init__(self, argument: str, problem: str) -> None:
        super().__init__(f"{argument}: {problem}")
        self.argument, self.problem = argument, problem


class Filling(Struct, frozen=True, kw_only=True):
    """Values of slots that no argument fills, by slot: context, the native key, the page; and opened files."""

    slots: dict[str, Any] = {}
    files: dict[str, FileContent] = {}


Derive = Callable[[str, Any], str]
Codecs = Callable[[str], Codec]


class Encoder:
    """Builds the requests of one tool, in two stages.

    `draft` needs the arguments alone, so that a value without a wire form is refused before a person is asked;
    `complete` adds what only the call's context and its files can tell, as often as a list has pages.

    Args:
        codec: The platform's codecs by name.
        derive: The platform's derivations: name and argument to a slot's value.
        identities: Whose token the tool may carry; a platform refuses any other.
    """

    def __init__(
        self, binding: Binding, codec: Codecs, derive: Derive, *, identities: tuple[Identity, ...] = ()
    ) -> None:
        self._derive, self._identities = derive, identities
        self.file_arguments = frozenset(slot.argument for slot in binding.slots if slot.type == "file")
        """Names of the arguments that are file handles."""
        self._calls = frozenset(call.name for call in binding.calls)
        self._early = tuple(self._slot(slot, codec) for slot in binding.slots if not self._is_late(slot))
        self._late = tuple(self._slot(slot, codec) for slot in binding.slots if self._is_late(slot))
        self._empty = Draft({call.name: _Request(call) for call in binding.calls})
        for place, value in binding.fixed.items():
            self._empty.put(self._target(place), value)
        self._derived_early = tuple(one for one in binding.derive if one.argument not in self.file_arguments)
        self._derived_late = tuple(one for one in binding.derive if one.argument in self.file_arguments)

    def draft(self, arguments: Mapping[str, Any]) -> "Draft":
        """What the arguments alone come to.

        Raises:
            Unencodable: a value has no wire form.
        """
        draft = self._empty.copy()
        self._write(draft, self._early, arguments, _NOTHING)
        for one in self._derived_early:
            value = arguments.get(one.argument, UNSET)
            if value is not UNSET:
                draft.put(self._target(one.to), self._derived(one.argument, one.by, value, _NOTHING))
        return draft

    def complete(self, draft: "Draft", arguments: Mapping[str, Any], filling: Filling) -> dict[str, WireCall]:
        """The tool's requests by call name, which may share their values with the draft: neither is to be changed.

        Raises:
            Unencodable: a file handle is not among the opened files.
        """
        if not (filling.slots or self._late or self._derived_late):
            return draft.finish(self._identities)
        draft = draft.copy()
        self._write(draft, self._late, arguments, filling)
        for one in self._derived_late:
            value = arguments.get(one.argument, UNSET)
            if value is not UNSET:
                draft.put(self._target(one.to), self._derived(one.argument, one.by, value, filling))
        for slot, value in filling.slots.items():
            draft.put(self._target(slot), value)
        return draft.finish(self._identities)

    def _is_late(self, slot: Slot) -> bool:
        origin = (slot.default_from or "").partition(".")[0]
        return slot.argument in self.file_arguments or origin in self.file_arguments

    def _target(self, slot: str) -> "_Target":
        return _target(slot, self._calls)

    def _slot(self, slot: Slot, codec: Codecs) -> "_Slot":
        targets = tuple(map(self._target, slot.to))
        only = targets[0] if len(targets) == 1 else None
        return slot.argument, slot.default_from, only, targets, _writer(slot, codec)

    def _write(
        self,
        draft: "Draft",
        entries: tuple["_Slot", ...],
        arguments: Mapping[str, Any],
        filling: Filling,
    ) -> None:
        for argument, default_from, only, targets, write in entries:
            value = arguments.get(argument, UNSET)
            if value is UNSET:
                if default_from is None:
                    continue
                value = self._default(default_from, arguments, filling)
                if value is UNSET:
                    continue
            if only is not None:
                draft.put(only, write(value, filling))
                continue
            for one, written in zip(targets, write(value, filling), strict=True):
                draft.put(one, written)

    def _default(self, origin: str, arguments: Mapping[str, Any], filling: Filling) -> Any:
        name, _, by = origin.partition(".")
        value = arguments.get(name, UNSET)
        return self._derived(name, by, value, filling) if by and value is not UNSET else value

    def _derived(self, argument: str, by: str, value: Any, filling: Filling) -> Any:
        if argument in self.file_arguments:
            return getattr(_file(argument, value, filling), by)
        try:
            return self._derive(by, value)
        except ValueError as error:
            raise Unencodable(argument, str(error)) from error


_NOTHING = Filling()
_Write = Callable[[Any, Filling], Any]
"""The value of the one place it goes to, or a sequence of as many as there are places."""

_Entry = tuple[str, str | None, str | None, tuple[str, ...], _Write]
"""Argument, where its default comes from, its place if it has exactly one, all its places, and how it is written."""


def _entry(slot: Slot, codecs: Codecs) -> _Entry:
    place = slot.to[0] if len(slot.to) == 1 else None
    return slot.argument, slot.default_from, place, slot.to, _writer(slot, codecs)


def _writer(slot: Slot, codecs: Codecs) -> _Write:
    """How one argument's value becomes the values of its slots."""
    count = len(slot.to)
    encode = _form(slot, codecs)
    if count == 1:
        return encode
    if slot.codec is not None:
        return lambda value, filling: tuple(encode(value, filling))
    return lambda value, filling: (encode(value, filling),) * count


def _form(slot: Slot, codecs: Codecs) -> Callable[[Any, Filling], Any]:
    inner = _inner(slot, codecs)
    name = slot.argument
    match slot.wire:
        case None | "base64":  # a file's bytes are read when its request is sent, see `placet.inlining`
            return inner
        case "json_text":
            return lambda value, filling: json.dumps(
                inner(value, filling), ensure_ascii=False, separators=(",", ":")
            )
        case "csv":
            return lambda value, filling: _csv(name, inner(value, filling))
        case "repeat":
            return lambda value, filling: _Repeat(inner(value, filling))
        case "number":
            return lambda value, filling: _number(inner(value, filling))
        case "seconds_text":
            return lambda value, filling: str(_moment(name, value) // 1000)
        case "millis":
            return lambda value, filling: _moment(name, value)


def _inner(slot: Slot, codecs: Codecs) -> Callable[[Any, Filling], Any]:
    """The value itself: through its codec, member by member, or as it is."""
    if slot.codec is not None:
        codec = codecs(slot.codec)
        return lambda value, filling: _through(slot.argument, codec, value)
    if slot.type == "file":
        return lambda value, filling: _file(slot.argument, value, filling)
    if slot.variants and slot.tag is not None:
        return _variant(slot, codecs)
    if slot.fields:
        members = _members(slot.fields, codecs)
        if slot.type.startswith("list["):
            return lambda value, filling: [members(one, filling) for one in value]
        return lambda value, filling: None if value is None else members(value, filling)
    return lambda value, filling: value


def _through(argument: str, codec: Codec, value: Any) -> Any:
    try:
        return codec.encode(value)
    except ValueError as error:
        raise Unencodable(argument, str(error)) from error


def _file(argument: str, handle: Any, filling: Filling) -> FileContent:
    content = filling.files.get(handle)
    if content is None:
        raise Unencodable(
            argument, "there is no such file here; use a handle that was given in this conversation"
        )
    return content


def _members(fields: tuple[Slot, ...], codecs: Codecs) -> Callable[[Any, Filling], dict[str, Any]]:
    entries = tuple(_entry(slot, codecs) for slot in fields)

    def build(value: Any, filling: Filling) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for name, _, place, places, write in entries:
            if name not in value:
                continue
            written = write(value[name], filling)
            if place is not None:
                _put(result, place, written)
                continue
            for one, part in zip(places, written, strict=True):
                _put(result, one, part)
        return result

    return build


def _variant(slot: Slot, codecs: Codecs) -> Callable[[Any, Filling], dict[str, Any]]:
    tag = slot.tag or ""
    variants = {name: _members(fields, codecs) for name, fields in slot.variants.items()}
    return lambda value, filling: {tag: value[tag], **variants[value[tag]](value, filling)}


class _Repeat(list[Any]):
    """A list that a query sends as one pair an item."""


class Draft:
    """Requests by call name while their slots are filled."""

    __slots__ = ("_requests",)

    def __init__(self, requests: dict[str, "_Request"]) -> None:
        self._requests = requests

    def copy(self) -> "Draft":
        """A draft that can be filled without touching this one."""
        return Draft({name: one.copy() for name, one in self._requests.items()})

    def put(self, target: "_Target", value: Any) -> None:
        call, put, name = target
        if call is not None:
            put(self._requests[call], name, value)
            return
        for request in self._requests.values():
            put(request, name, value)

    def finish(self, identities: tuple[Identity, ...]) -> dict[str, WireCall]:
        return {name: one.finish(identities) for name, one in self._requests.items()}


class _Request(Struct):
    """One call's slots so far."""

    call: Call
    path: dict[str, str] = {}
    query: list[tuple[str, str]] = []
    headers: dict[str, str] = {}
    body: dict[str, Any] = {}
    form: list[tuple[str, str | FilePart]] = []

    def copy(self) -> "_Request":
        return _Request(
            self.call,
            self.path.copy(),
            self.query.copy(),
            self.headers.copy(),
            _copied(self.body),
            self.form.copy(),
        )

    def put_path(self, name: str, value: Any) -> None:
        self.path[name] = _segment(name, value)

    def put_query(self, name: str, value: Any) -> None:
        values = value if isinstance(value, _Repeat) else (value,)
        self.query += [(name, _text(one)) for one in values]

    def put_header(self, name: str, value: Any) -> None:
        self.headers[name] = _header(name, value)

    def put_form(self, name: str, value: Any) -> None:
        self.form.append((name, _part(value)))

    def put_body(self, name: str, value: Any) -> None:
        _put(self.body, name, value)

    def finish(self, identities: tuple[Identity, ...]) -> WireCall:
        call = self.call
        return WireCall(
            call=call,
            path=self.path,
            query=tuple(self.query),
            headers=self.headers,
            body=self.body if call.body == "json" else UNSET,
            form=tuple(self.form) if call.body in ("multipart", "urlencoded") else (),
            identities=identities,
        )


_Target = tuple[str | None, Callable[[_Request, str, Any], None], str]
"""The one call it belongs to, None for every call; what puts a value there; and its name in that place."""

_Slot = tuple[str, str | None, _Target | None, tuple[_Target, ...], _Write]
"""As an entry, with targets for places."""

_PUTS: Mapping[str, Callable[[_Request, str, Any], None]] = {
    "path": _Request.put_path,
    "query": _Request.put_query,
    "header": _Request.put_header,
    "body": _Request.put_body,
    "form": _Request.put_form,
}

PLACES = frozenset(_PUTS)
"""First parts of slots; what stands before one of them is the name of a call."""


@lru_cache(maxsize=8192)
def _target(slot: str, calls: frozenset[str]) -> _Target:
    """Where a slot of a binding is; a slot without a call's name belongs to every call."""
    first, _, rest = slot.partition(".")
    if first in PLACES or first not in calls:
        return None, _PUTS[first], rest
    place, _, name = rest.partition(".")
    return first, _PUTS[place], name


def _copied(value: Any) -> Any:
    """Other containers with the same leaves."""
    if type(value) is dict:
        return {key: _copied(one) if type(one) in _CONTAINERS else one for key, one in value.items()}
    return [_copied(one) if type(one) in _CONTAINERS else one for one in value]


_CONTAINERS = (dict, list)


def _put(target: dict[str, Any], place: str, value: Any) -> None:
    if "." in place or place.endswith("[]"):
        _set(target, place.split("."), value)
    else:
        target[place] = value


def _set(target: dict[str, Any], parts: list[str], value: Any) -> None:
    """Put a value at a place of a body; below `[]`, one value for each item of a list."""
    head, *rest = parts
    if head.endswith("[]"):
        items = target.setdefault(head[:-2], [{} for _ in value])
        for item, one in zip(items, value, strict=True):
            if rest:
                _set(item, rest, one)
    elif rest:
        _set(target.setdefault(head, {}), rest, value)
    else:
        target[head] = value


def _segment(name: str, value: Any) -> str:
    text = value if type(value) is str else _text(value)
    if not text or leads_elsewhere(text):
        raise Unencodable(name, f"{text!r} would change the route; give a real value")
    return text


def _header(name: str, value: Any) -> str:
    text = _text(value)
    if not text.isascii() or not text.isprintable() or text != text.strip():
        raise Unencodable(name, "a header takes one line of ASCII characters")
    return text


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value) if isinstance(value, float) and not value.is_integer() else str(int(value))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _part(value: Any) -> str | FilePart:
    return FilePart(name=value.name, content=value) if isinstance(value, FileContent) else _text(value)


def _csv(argument: str, value: Sequence[Any]) -> str:
    for one in value:
        if isinstance(one, str) and "," in one:
            raise Unencodable(argument, f"{one!r} holds a comma, which this list cannot carry")
    return ",".join(_text(one) for one in value)


def _number(value: Any) -> Any:
    return [_number(one) for one in value] if isinstance(value, list) else int(value)


def _moment(argument: str, value: str) -> int:
    """Unix milliseconds of an RFC 3339 text."""
    try:
        return round(datetime.fromisoformat(value.upper()).timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise Unencodable(argument, f"{value!r} is no time with an offset") from error
