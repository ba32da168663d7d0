"""Printing changes: text grouped by tool for people, JSON for tools."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from itertools import groupby
from typing import Any

from placet_generator.diagnostics.render import visible
from placet_generator.diff.change import Change, Effect

__all__ = ["change_sentence", "changes_json", "changes_text", "count_changes"]

VALUE_CHARS = 60


def changes_text(changes: Iterable[Change]) -> str:
    """A block for each tool with aligned columns, and a closing line of counts."""
    found = tuple(changes)
    if not found:
        return "no change for the model or the host\n"
    width = max(len(one.audience) for one in found)
    lines: list[str] = []
    for tool, group in groupby(found, key=lambda one: one.tool):
        lines.append(visible(tool))
        lines.extend(f"  {one.effect:<8}  {one.audience:<{width}}  {change_sentence(one)}" for one in group)
    lines.append(count_changes(found))
    return "".join(f"{line}\n" for line in lines)


def count_changes(changes: Iterable[Change]) -> str:
    """`3 tools changed: 1 breaking, 2 widening, 4 text`."""
    found = tuple(changes)
    tools = len({one.tool for one in found})
    counts = ((sum(one.effect is effect for one in found), effect) for effect in Effect)
    return f"{tools} tool{'' if tools == 1 else 's'} changed: " + ", ".join(
        f"{n} {effect}" for n, effect in counts
    )


def changes_json(changes: Iterable[Change]) -> str:
    """An array of objects with the attributes of `Change`."""
    return json.dumps([asdict(one) for one in changes], ensure_ascii=False, indent=2) + "\n"


def change_sentence(one: Change) -> str:
    """What changed, in one line, with the old and the new value."""
    text = visible(f"{one.place}: {one.message}" if one.place else one.message)
    if one.old is None and one.new is None:
        return text
    if one.old is None:
        return f"{text} ({_value(one.new)})"
    return (
        f"{text} ({_value(one.old)})"
        if one.new is None
        else f"{text} ({_value(one.old)} -> {_value(one.new)})"
    )


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return visible(text if len(text) <= VALUE_CHARS else f"{text[: VALUE_CHARS - 3]}...")
