"""Places of an answer: `record.record_id`, `items[].name`, `items[0].fields`, `$` for the whole, `$bytes`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from placet_generator.catalogue import Node
from placet_generator.ir import FieldIR, ListType, ObjectType, TypeIR

_PART = re.compile(r"([^.\[\]]*)((?:\[\d*\])*)")
BYTES = "$bytes"
WHOLE = "$"


@dataclass(frozen=True, slots=True)
class Step:
    """One member, and how the lists in it are opened: None is each item (`[]`), a number is one item."""

    name: str
    opened: tuple[int | None, ...]


@cache
def parse_place(text: str) -> tuple[Step, ...] | None:
    """A place as steps, or None when its form is wrong. The whole answer has no steps."""
    if text == WHOLE:
        return ()
    steps: list[Step] = []
    for index, part in enumerate(text.split(".")):
        match = _PART.fullmatch(part)
        if match is None or (not match[1] and (index > 0 or not match[2])):
            return None
        opened = tuple(int(one) if one else None for one in re.findall(r"\[(\d*)\]", match[2]))
        steps.append(Step(match[1], opened))
    return tuple(steps)


def node_at(node: Node, steps: tuple[Step, ...]) -> tuple[Node, int] | None:
    """The type at a place and how many `[]` lead there; None when there is no such place."""
    lists = 0
    for step in steps:
        if step.name:
            if node.kind in ("any", "map"):
                node = node.item or Node(kind="any")
            else:
                inner = node.fields.get(step.name)
                if inner is None:
                    return None
                node = inner
        for index in step.opened:
            if node.kind == "any":
                lists += index is None
                continue
            if node.kind != "array" or node.item is None:
                return None
            node = node.item
            lists += index is None
    return node, lists


def places_below(node: Node, depth: int = 4) -> Iterator[str]:
    """Places of an answer, for did-you-mean; opened `depth` levels deep."""
    if node.kind == "array":
        for inner in places_below(node.item, depth) if node.item is not None else ():
            yield f"[].{inner}"
        return
    for name, member in node.fields.items():
        yield name
        mark, inner_node = ("[]", member.item) if member.kind == "array" else ("", member)
        if mark:
            yield name + mark
        if inner_node is not None and depth > 1:
            yield from (f"{name}{mark}.{inner}" for inner in places_below(inner_node, depth - 1))


def type_in_output(output: tuple[FieldIR, ...], text: str) -> TypeIR | None:
    """The type at a place of a tool's own output; None when there is no such place."""
    steps = parse_place(text)
    if not steps:
        return None
    members = {one.name: one.type for one in output}
    kind: TypeIR | None = None
    for index, step in enumerate(steps):
        if index:
            if not isinstance(kind, ObjectType):
                return kind if kind is not None and getattr(kind, "name", "") in ("object", "any") else None
            members = {member.name: member.type for member in kind.members}
        kind = members.get(step.name)
        for _ in step.opened:
            if isinstance(kind, ListType):
                kind = kind.item
            elif getattr(kind, "name", "") != "any":
                return None
        if kind is None:
            return None
    return kind


def output_places(output: tuple[FieldIR, ...]) -> Iterator[str]:
    """Every place of a tool's own output, for did-you-mean."""
    for one in output:
        yield from _places(one.name, one.type)


def _places(name: str, kind: TypeIR) -> Iterator[str]:
    yield name
    if isinstance(kind, ListType):
        yield from _places(f"{name}[]", kind.item)
    elif isinstance(kind, ObjectType):
        for member in kind.members:
            yield from _places(f"{name}.{member.name}", member.type)
