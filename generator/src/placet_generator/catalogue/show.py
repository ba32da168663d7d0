"""What `placet catalog` prints: one method with the witness' facts beside, and a search over all methods.

Plain text for a terminal. Texts of documents are somebody else's, so nothing unprintable passes.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from placet_generator.catalogue.methods import MethodEntry, MethodIndex
from placet_generator.catalogue.model import Method, Node, SlotInfo
from placet_generator.witness.model import RATE_TIERS, Bounds, EndpointFacts, FieldFacts

_INDENT = "  "
_WORD = re.compile(r"[^\W_]+")
_PREFIX_LENGTH = 3
"""Shorter words must match a whole word of a name."""


class _Row(NamedTuple):
    name: str
    type: str
    notes: str


def show(method: Method, facts: EndpointFacts | None) -> str:
    """Verb, route, tokens, slots, body tree and answer tree of a method, ending in a line feed.

    Args:
        facts: None prints that no witness knows the endpoint.
    """
    blocks = [list(_head(method, facts))]
    for place, slots in (("path", method.path), ("query", method.query), ("header", method.header)):
        if slots:
            blocks.append([place, *_columns(_slot_row(place, slot, facts) for slot in slots)])
    if method.body is not None:
        place = "body" if method.body_kind == "json" else "form"
        title = f"{place}  {method.body_kind} {method.body}"
        blocks.append([title, *_columns(_tree(method.body, "body", facts))])
    blocks.append(list(_answer(method)))
    return "\n\n".join("\n".join(_printable(line) for line in block) for block in blocks) + "\n"


def search(words: str, index: MethodIndex, limit: int = 20) -> tuple[MethodEntry, ...]:
    """The methods whose names and routes have the most of the words, the best first, equal ones by name."""
    asked = [word.lower() for word in _WORD.findall(words)]
    ranked: list[tuple[int, int, str, MethodEntry]] = []
    for entry in index:
        named = _WORD.findall(entry.name.lower())
        routed = [*_WORD.findall(entry.route.lower()), entry.http.lower()]
        scores = [max(3 * _likeness(word, named), _likeness(word, routed)) for word in asked]
        if any(scores):
            matched = sum(1 for score in scores if score)
            ranked.append((-matched, -sum(scores), entry.name, entry))
    ranked.sort(key=lambda one: one[:3])
    return tuple(entry for *_, entry in ranked[:limit])


def listing(entries: Iterable[MethodEntry]) -> str:
    """One line a method: name, verb, route."""
    lines = _columns((_Row(*entry) for entry in entries), indent="")
    return "".join(f"{_printable(line)}\n" for line in lines)


def _likeness(word: str, tokens: list[str]) -> int:
    """2 for a word of the name, 1 for the beginning of one (`record` and `records`), else 0."""
    if word in tokens:
        return 2
    if len(word) < _PREFIX_LENGTH:
        return 0
    return int(
        any(one.startswith(word) or (len(one) >= _PREFIX_LENGTH and word.startswith(one)) for one in tokens)
    )


def _head(method: Method, facts: EndpointFacts | None) -> Iterator[str]:
    yield method.name
    yield f"{method.http} {method.route}"
    if method.summary:
        yield method.summary
    yield f"tokens: {_listed(sorted(method.tokens))}"
    if method.place is not None:
        yield f"read in: {method.place.path}:{method.place.line}"
    if facts is None:
        yield "witness: none knows this endpoint"
        return
    yield f"witness: {_listed(facts.sources)}"
    yield from (f"  disagrees: {flag}" for flag in facts.source_flags if not flag.startswith("has:"))
    yield f"scopes, any of: {_listed(facts.scopes)}"
    if facts.scopes_all_of:
        yield f"scopes, all of: {_listed(facts.scopes_all_of)}"
    if facts.field_scopes:
        yield f"scopes for more fields: {_listed(facts.field_scopes)}"
    yield f"risk: {facts.risk or 'not classed'}"
    if facts.rate_tier is not None:
        yield f"rate tier: {facts.rate_tier} ({RATE_TIERS.get(facts.rate_tier, 'meaning not known')})"
    if facts.native is not None:
        yield f"native idempotency: {facts.native.slot}{', required' if facts.native.required else ''}"
    if facts.docs.no_concurrent_writes:
        yield "no concurrent calls"
    if facts.app_types:
        yield f"app types: {_listed(facts.app_types)}"
    if facts.legacy:
        yield "legacy: the platform files it under its old versions"


def _answer(method: Method) -> Iterator[str]:
    if method.download:
        yield "answer  bytes"
    if method.response is not None:
        yield f"answer  {method.response}"
        yield from _columns(_tree(method.response, "", None))
    elif not method.download:
        yield "answer  no typed data"


def _slot_row(place: str, slot: SlotInfo, facts: EndpointFacts | None) -> _Row:
    path = f"{place}.{slot.name}"
    return _Row(slot.name, str(slot.node), _notes(path, slot.node, slot.required, facts))


def _tree(node: Node, path: str, facts: EndpointFacts | None) -> Iterator[_Row]:
    """Rows of a tree's members, each model opened where it first comes."""
    yield from _members(node, path, facts, set(), "")


def _members(
    node: Node, path: str, facts: EndpointFacts | None, opened: set[str], indent: str
) -> Iterator[_Row]:
    for name, member in node.fields.items():
        here = f"{path}.{name}" if path else name
        inner, below = _innermost(member, here)
        notes = _notes(here, member, True if name in node.required else None, facts)
        repeated = inner.model is not None and inner.model in opened and bool(inner.fields)
        if inner.recursive or repeated:
            notes = _joined([notes, "contains itself" if inner.recursive else "as above"])
        yield _Row(f"{indent}{name}", str(member), notes)
        if not repeated:
            if inner.model is not None:
                opened.add(inner.model)
            yield from _members(inner, below, facts, opened, indent + _INDENT)


def _innermost(node: Node, path: str) -> tuple[Node, str]:
    """The items of a list, or the values of a map, down to what is neither; with the path to it."""
    while node.item is not None:
        node, path = node.item, path + ("[]" if node.kind == "array" else ".{}")
    return node, path


def _notes(path: str, node: Node, required: bool | None, facts: EndpointFacts | None) -> str:
    known = facts.field(path) if facts is not None and path else None
    parts: list[str] = []
    if known is not None and known.sdk_only:
        parts.append("READ-ONLY")
    if required or (known is not None and known.required):
        parts.append("required")
    if known is not None:
        parts += _field_notes(known)
    elif node.enum:
        parts.append(_alternatives(node.enum))
    if facts is not None:
        parts += _bound_notes(facts.docs.limits, path)
    parts += [f"{key} {value}" for key, value in node.constraints.items()]
    if node.nullable:
        parts.append("or null")
    if node.about:
        parts.append(node.about)
    return _joined(parts)


def _field_notes(known: FieldFacts) -> Iterator[str]:
    if known.required_conflict:
        votes = ", ".join(
            f"{source} {'yes' if vote else 'no'}" for source, vote in known.required_conflict.items()
        )
        yield f"required by {votes}"
    if known.wire is not None:
        yield f"WIRE NAME {known.wire}"
    if known.not_in_route:
        yield "NOT IN THE ROUTE"
    if known.type_explorer is not None:
        yield f"platform: {known.type_explorer}"
    if known.enum:
        yield _alternatives(known.enum)
    if known.default is not None:
        yield f"default {json.dumps(known.default, ensure_ascii=False)}"
    if known.min is not None:
        yield f"at least {known.min}"
    if known.max is not None:
        yield f"at most {known.max}"


def _bound_notes(limits: Mapping[str, Bounds], path: str) -> Iterator[str]:
    bounds = limits.get(path)
    if bounds is None:
        return
    for name in ("min", "max", "min_len", "max_len", "min_items", "max_items", "pattern"):
        value = getattr(bounds, name)
        if value is not None:
            yield f"{name} {value}"


def _columns(rows: Iterable[_Row], indent: str = _INDENT) -> list[str]:
    listed = list(rows)
    name_width = max((len(row.name) for row in listed), default=0)
    type_width = max((len(row.type) for row in listed), default=0)
    return [
        f"{indent}{row.name:<{name_width}}  {row.type:<{type_width}}  {row.notes}".rstrip() for row in listed
    ]


def _alternatives(values: Iterable[object]) -> str:
    return " | ".join(str(value) for value in values)


def _listed(values: Iterable[str]) -> str:
    return ", ".join(values) or "none"


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(part for part in parts if part)


def _printable(line: str) -> str:
    return "".join(character if character.isprintable() else " " for character in line)
