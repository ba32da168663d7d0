"""Slots: the places of a request, as `path.x`, `query.x`, `header.x`, `form.x` or `body.a.b[].c`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from placet_generator.catalogue import Method, Node
from placet_generator.catalogue.nearest import nearest
from placet_generator.diagnostics import Code
from placet_generator.resolve.scope import At, ResolvedCall, ToolScope
from placet_generator.witness.model import FieldFacts

PLACES = frozenset({"path", "query", "header", "body", "form"})
_TEXT_PLACES = frozenset({"path", "query", "header", "form"})


@dataclass(frozen=True, slots=True)
class SlotRef:
    """A slot, taken apart. `parts` are names with True where `[]` follows. `call` is the request's name or empty."""

    text: str
    call: str
    place: str
    parts: tuple[tuple[str, bool], ...]

    @property
    def local(self) -> str:
        """The slot without its call."""
        return self.text.removeprefix(f"{self.call}.") if self.call else self.text

    @property
    def is_text(self) -> bool:
        """True where every value travels as text anyway."""
        return self.place in _TEXT_PLACES

    @property
    def last(self) -> str:
        return self.parts[-1][0]


def parse_slot(text: str) -> SlotRef:
    """Take a slot apart; its form was checked when the file was read."""
    first, _, rest = text.partition(".")
    call = "" if first in PLACES else first
    place, _, names = (text if not call else rest).partition(".")
    parts = tuple((name.removesuffix("[]"), name.endswith("[]")) for name in names.split("."))
    return SlotRef(text, call, place, parts)


@dataclass(frozen=True, slots=True)
class Found:
    """A slot that a method has: its type, what the witness says about it, and the request it belongs to."""

    ref: SlotRef
    node: Node
    facts: FieldFacts | None
    call: ResolvedCall


def find_slot(scope: ToolScope, text: str, at: At) -> Found | None:
    """The slot in one of the tool's requests; reports it, with the nearest one, when none has it."""
    ref = parse_slot(text)
    calls = [call for call in scope.calls if not ref.call or call.name == ref.call]
    for call in calls:
        node = _lookup(call.method, ref)
        if node is not None:
            facts = call.facts.field(ref.local) if call.facts is not None else None
            return Found(ref, node, facts, call)
    if scope.calls:
        _report(scope, ref, calls, at)
    return None


def _report(scope: ToolScope, ref: SlotRef, calls: Sequence[ResolvedCall], at: At) -> None:
    if ref.call and not calls:
        names = ", ".join(call.name for call in scope.calls)
        scope.report.error(
            Code.SLOT_UNKNOWN, at, f"{ref.text!r} names no request of the tool", f"its requests are {names}"
        )
        return
    known = [slot for call in calls for slot in slots_of(call.method)]
    close = nearest(ref.local, known, limit=1)
    hint = f"did you mean {close[0]!r}?" if close else f"its slots are {', '.join(known) or 'none'}"
    names = " or ".join(repr(call.method.name) for call in calls)
    scope.report.error(Code.SLOT_UNKNOWN, at, f"{names} has no slot {ref.local!r}", hint)


def nearest_slot(scope: ToolScope, text: str) -> str | None:
    """What a misspelt slot probably was: so that one slip is one finding."""
    ref = parse_slot(text)
    known = [slot for call in scope.calls for slot in slots_of(call.method)]
    close = nearest(ref.local, known, limit=1)
    return close[0] if close else None


def slots_of(method: Method, depth: int = 3) -> list[str]:
    """The method's slots, bodies opened `depth` levels deep."""
    found = [f"path.{slot.name}" for slot in method.path]
    found += [f"query.{slot.name}" for slot in method.query]
    found += [f"header.{slot.name}" for slot in method.header]
    place = body_place(method)
    if method.body is not None:
        found += [f"{place}.{path}" for path in _members(method.body, depth)]
    return found


def body_place(method: Method) -> str:
    return "body" if method.body_kind in ("json", "none") else "form"


def _members(node: Node, depth: int) -> Iterator[str]:
    for name, member in node.fields.items():
        yield name
        inner, mark = (member.item, "[]") if member.kind == "array" else (member, "")
        if inner is not None and depth > 1:
            yield from (f"{name}{mark}.{path}" for path in _members(inner, depth - 1))


def _lookup(method: Method, ref: SlotRef) -> Node | None:
    if ref.place in ("path", "query", "header"):
        listed = {"path": method.path, "query": method.query, "header": method.header}[ref.place]
        name = ".".join(part + "[]" * opened for part, opened in ref.parts)
        return next((slot.node for slot in listed if slot.name == name), None)
    if method.body is None or ref.place != body_place(method):
        return None
    return descend(method.body, ref.parts)


def descend(node: Node, parts: Sequence[tuple[str, bool]]) -> Node | None:
    """The node below `node`; free-form parents have every member, as `any`."""
    for name, opened in parts:
        if node.kind in ("any", "map"):
            return node.item or Node(kind="any")
        inner = node.fields.get(name)
        if inner is None:
            return None
        if opened:
            if inner.kind == "any":
                return inner
            if inner.kind != "array" or inner.item is None:
                return None
            inner = inner.item
        node = inner
    return node
