"""Differences between two versions of golden tool files, tool by tool.

A file that differs in any way yields at least one change, and one with another contract digest at least one
that is not text: what no rule knows is reported as it stands, as breaking.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from placet_generator.diff.change import Audience, Change, Effect
from placet_generator.diff.schemas import Side, compare_schemas

__all__ = ["compare"]

Tool = Mapping[str, Any]

RISKS = ("read", "write", "high-risk-write")
IDEMPOTENCY = ("-", "ledger", "native", "native-forever")
"""Each repeats at least as safely as the one before."""

EFFECTS = tuple(Effect)


def compare(old: Mapping[str, Tool], new: Mapping[str, Tool]) -> tuple[Change, ...]:
    """Everything that changed, by tool, then breaking before widening before text.

    Args:
        old: Tool name to the content of its golden file, before.
        new: The same, after.
    """
    renamed = _renames(old, new)
    found: list[Change] = []
    for name in sorted({*old, *new}):
        if name in new:
            before = renamed.get(name, name)
            if before not in old:
                found += _added(name, new[name])
            elif json.dumps(old[before]) != json.dumps(new[name]):
                found += _tool(name, before, old[before], new[name])
        elif name not in renamed.values():
            found += _removed(name, old[name])
    return tuple(sorted(found, key=_order))


def _order(one: Change) -> tuple[str, int, str, str]:
    return one.tool, EFFECTS.index(one.effect), one.place, one.kind


def _renames(old: Mapping[str, Tool], new: Mapping[str, Tool]) -> dict[str, str]:
    """New name to old name: stated by an alias, or seen from a contract digest that only these two have."""
    gone, come = [one for one in old if one not in new], [one for one in new if one not in old]
    renamed: dict[str, str] = {}
    for name in sorted(come):
        aliases = [
            one for one in _words(new[name].get("aliases")) if one in gone and one not in renamed.values()
        ]
        if aliases:
            renamed[name] = aliases[0]
    for name in sorted(set(come) - renamed.keys()):
        digest = new[name].get("digest")
        twins = [one for one in come if new[one].get("digest") == digest]
        before = [one for one in gone if digest and old[one].get("digest") == digest]
        if len(twins) == len(before) == 1 and before[0] not in renamed.values():
            renamed[name] = before[0]
    return renamed


def _added(name: str, tool: Tool) -> list[Change]:
    return [
        _change(name, "tool-added", Effect.WIDENING, "both", f"tool added, {tool.get('risk', 'no')} risk")
    ]


def _removed(name: str, tool: Tool) -> list[Change]:
    return [
        _change(name, "tool-removed", Effect.BREAKING, "both", f"tool removed, {tool.get('risk', 'no')} risk")
    ]


def _tool(name: str, before: str, old: Tool, new: Tool) -> list[Change]:
    found = [*_names(name, before, old, new)]
    for part in (_permissions, _texts, _origins, _schemas, _binding):
        found += part(name, old, new)
    known = {"name", "aliases", "digest", "text_digest", *_KNOWN}
    for key in sorted((old.keys() | new.keys()) - known):
        if old.get(key) != new.get(key):
            found.append(_value(name, key, Effect.BREAKING, "host", old.get(key), new.get(key)))
    return [*found, *_unnamed(name, old, new, found)]


_KNOWN = (
    *("wire", "wire_zh", "output_schema", "binding", "risk", "identity", "scopes", "idempotency"),
    *("errors", "sensitive", "obtain"),
)


def _unnamed(name: str, old: Tool, new: Tool, found: list[Change]) -> Iterator[Change]:
    """What no rule has a word for."""
    if old.get("digest") != new.get("digest"):
        if all(one.effect is Effect.TEXT for one in found):
            yield _value(name, "digest", Effect.BREAKING, "both", old.get("digest"), new.get("digest"))
    elif not found:
        yield _value(name, "text_digest", Effect.TEXT, "both", old.get("text_digest"), new.get("text_digest"))


def _names(name: str, before: str, old: Tool, new: Tool) -> Iterator[Change]:
    if before != name:
        kept = before in _words(new.get("aliases"))
        effect = Effect.WIDENING if kept else Effect.BREAKING
        word = "the old name stays as an alias" if kept else "the old name is gone"
        yield _change(name, "tool-renamed", effect, "both", f"renamed; {word}", old=before, new=name)
    was, now = _wire(old).get("name"), _wire(new).get("name")
    if was != now:
        yield _value(
            name,
            "wire name",
            Effect.WIDENING if before in _words(new.get("aliases")) else Effect.BREAKING,
            "model",
            was,
            now,
        )
    dropped = [
        one for one in _words(old.get("aliases")) if one not in _words(new.get("aliases")) and one != name
    ]
    added = [
        one for one in _words(new.get("aliases")) if one not in _words(old.get("aliases")) and one != before
    ]
    for alias in dropped:
        yield _change(name, "alias-removed", Effect.BREAKING, "both", "alias removed", old=alias)
    for alias in added:
        yield _change(name, "alias-added", Effect.WIDENING, "both", "alias added", new=alias)


def _permissions(name: str, old: Tool, new: Tool) -> Iterator[Change]:
    yield from _ranked(
        name, "risk", RISKS, old, new, higher="raised", lower="lowered", rising=Effect.BREAKING
    )
    yield from _ranked(
        name,
        "idempotency",
        IDEMPOTENCY,
        old,
        new,
        higher="strengthened",
        lower="weakened",
        rising=Effect.WIDENING,
    )
    if bool(old.get("sensitive")) != bool(new.get("sensitive")):
        sensitive = bool(new.get("sensitive"))
        effect = Effect.BREAKING if sensitive else Effect.WIDENING
        text = "became sensitive: enabled by exact name only" if sensitive else "is no longer sensitive"
        yield _change(name, "sensitive", effect, "host", text)
    yield from _identity(name, _words(old.get("identity")), _words(new.get("identity")))
    yield from _scopes(name, _mapping(old.get("scopes")), _mapping(new.get("scopes")))


def _ranked(
    name: str,
    key: str,
    ranks: Sequence[str],
    old: Tool,
    new: Tool,
    *,
    higher: str,
    lower: str,
    rising: Effect,
) -> Iterator[Change]:
    was, now = old.get(key), new.get(key)
    if was == now:
        return
    if was not in ranks or now not in ranks:
        yield _value(name, key, Effect.BREAKING, "host", was, now)
        return
    rises = ranks.index(str(now)) > ranks.index(str(was))
    falling = Effect.WIDENING if rising is Effect.BREAKING else Effect.BREAKING
    word = higher if rises else lower
    yield _change(
        name, f"{key}-{word}", rising if rises else falling, "host", f"{key} {word}", old=was, new=now
    )


def _identity(name: str, was: list[str], now: list[str]) -> Iterator[Change]:
    for one in was:
        if one not in now:
            yield _change(
                name, "identity-removed", Effect.BREAKING, "host", f"identity {one!r} removed", old=one
            )
    for one in now:
        if one not in was:
            yield _change(name, "identity-added", Effect.WIDENING, "host", f"identity {one!r} added", new=one)
    if was and now and was[0] != now[0] and was[0] in now:
        text = "the identity used by default changed"
        yield _change(name, "identity-default", Effect.BREAKING, "host", text, old=was[0], new=now[0])
    elif was != now and sorted(was) == sorted(now):
        yield _value(name, "identity order", Effect.WIDENING, "host", was, now)


def _scopes(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    was, now = _words(old.get("any_of")), _words(new.get("any_of"))
    for scope in now:
        if scope not in was:
            effect = Effect.WIDENING if was else Effect.BREAKING
            text = f"scope {scope!r} added as one that suffices"
            yield _change(name, "scope-added", effect, "host", text, new=scope)
    for scope in was:
        if scope not in now:
            effect = Effect.BREAKING if now else Effect.WIDENING
            text = f"scope {scope!r} no longer suffices" if now else f"scope {scope!r} is not needed any more"
            yield _change(name, "scope-removed", effect, "host", text, old=scope)
    needed, needs = _words(old.get("all_of")), _words(new.get("all_of"))
    for scope in needs:
        if scope not in needed:
            yield _change(
                name, "scope-added", Effect.BREAKING, "host", f"scope {scope!r} needed besides", new=scope
            )
    for scope in needed:
        if scope not in needs:
            text = f"scope {scope!r} is not needed any more"
            yield _change(name, "scope-removed", Effect.WIDENING, "host", text, old=scope)
    for key, before, after in (("any_of", was, now), ("all_of", needed, needs)):
        if before != after and sorted(before) == sorted(after):
            yield _value(name, f"order of scopes.{key}", Effect.TEXT, "host", before, after)


def _texts(name: str, old: Tool, new: Tool) -> Iterator[Change]:
    for key, place in (("wire", "description"), ("wire_zh", "description (zh)")):
        was, now = _mapping(old.get(key)).get("description"), _mapping(new.get(key)).get("description")
        if was != now:
            yield _value(name, place, Effect.TEXT, "model", was, now)
    was_zh, now_zh = _mapping(old.get("wire_zh")), _mapping(new.get("wire_zh"))
    side = Side(tool=name, direction="in", noun="parameter (zh)", texts_only=True)
    yield from compare_schemas(_mapping(was_zh.get("inputSchema")), _mapping(now_zh.get("inputSchema")), side)
    errors, now_errors = _mapping(old.get("errors")), _mapping(new.get("errors"))
    for locale in sorted(errors.keys() | now_errors.keys()):
        language = "" if locale == "en" else f"({locale}) "
        advice, now_advice = _mapping(errors.get(locale)), _mapping(now_errors.get(locale))
        for code in sorted(advice.keys() | now_advice.keys()):
            was, now = advice.get(code), now_advice.get(code)
            if was != now:
                word = "added" if code not in advice else "removed" if code not in now_advice else "changed"
                place = f"error {language}{code!r}"
                yield _change(name, "error-text", Effect.TEXT, "model", f"advice {word}", place, was, now)


def _origins(name: str, old: Tool, new: Tool) -> Iterator[Change]:
    """Where values come from: told to the model and to search, nothing that a call depends on."""
    was, now = _mapping(old.get("obtain")), _mapping(new.get("obtain"))
    for key in sorted(was.keys() | now.keys()):
        if was.get(key) != now.get(key):
            place, text = f"parameter {key!r}", "its origin changed"
            yield _change(name, "obtain", Effect.TEXT, "model", text, place, was.get(key), now.get(key))


def _schemas(name: str, old: Tool, new: Tool) -> Iterator[Change]:
    taking = Side(tool=name, direction="in", noun="parameter")
    giving = Side(tool=name, direction="out", noun="output")
    yield from compare_schemas(
        _mapping(_wire(old).get("inputSchema")), _mapping(_wire(new).get("inputSchema")), taking
    )
    yield from compare_schemas(_mapping(old.get("output_schema")), _mapping(new.get("output_schema")), giving)


# The binding


def _binding(name: str, old: Tool, new: Tool) -> Iterator[Change]:
    was, now = _mapping(old.get("binding")), _mapping(new.get("binding"))
    yield from _calls(
        name, _keyed(was.get("calls"), "name", "main"), _keyed(now.get("calls"), "name", "main")
    )
    slots, now_slots = _keyed(was.get("slots"), "argument"), _keyed(now.get("slots"), "argument")
    yield from _same_named(name, "slot", slots, now_slots)
    answers, now_answers = _keyed(was.get("output"), "name"), _keyed(now.get("output"), "name")
    yield from _same_named(name, "answer", answers, now_answers)
    for key in ("fixed", "context", "codecs"):
        yield from _entries(name, key, _mapping(was.get(key)), _mapping(now.get(key)))
    yield from _entries(name, "derive", _keyed(was.get("derive"), "to"), _keyed(now.get("derive"), "to"))
    for key in ("rules", "preflight"):
        yield from _conditions(name, key, _listing(was.get(key)), _listing(now.get(key)))
    handled = {"calls", "slots", "output", "fixed", "context", "codecs", "derive", "rules", "preflight"}
    for key in sorted((was.keys() | now.keys()) - handled):
        if was.get(key) != now.get(key):
            effect = Effect.WIDENING if key in ("before", "rate_tier") else Effect.BREAKING
            yield _value(name, key.replace("_", " "), effect, "host", was.get(key), now.get(key))


def _calls(name: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    for call in sorted(was.keys() | now.keys()):
        place = "" if call == "main" else f"call {call!r}"
        if call not in now or call not in was:
            text = "request removed" if call not in now else "request added"
            yield _change(name, "call", Effect.BREAKING, "host", text, place, was.get(call), now.get(call))
            continue
        for key, word in (
            ("sdk", "method"),
            ("http", "verb"),
            ("route", "route"),
            ("body", "body"),
            ("answer", "answer"),
        ):
            before, after = was[call].get(key), now[call].get(key)
            if before != after:
                text = f"{word} changed"
                yield _change(name, f"call-{key}", Effect.BREAKING, "host", text, place, before, after)


def _same_named(name: str, word: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    """How an argument or an output field maps to the wire; schemas tell what is new or gone."""
    for key in sorted(was.keys() & now.keys()):
        for part in sorted(was[key].keys() | now[key].keys()):
            before, after = was[key].get(part), now[key].get(part)
            if before != after and part not in ("type", "argument", "name"):
                text = f"{part} of its mapping changed"
                yield _change(
                    name, f"{word}-{part}", Effect.BREAKING, "host", text, f"{word} {key!r}", before, after
                )


def _entries(name: str, key: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    for slot in sorted(was.keys() | now.keys()):
        if was.get(slot) != now.get(slot):
            word = "added" if slot not in was else "removed" if slot not in now else "changed"
            place = f"{key} {slot!r}"
            yield _change(
                name, f"{key}-{word}", Effect.BREAKING, "host", word, place, was.get(slot), now.get(slot)
            )


def _conditions(name: str, key: str, was: list[Any], now: list[Any]) -> Iterator[Change]:
    for one in now:
        if one not in was:
            yield _change(name, f"{key}-added", Effect.BREAKING, "both", "condition added", key, None, one)
    for one in was:
        if one not in now:
            yield _change(
                name, f"{key}-removed", Effect.WIDENING, "both", "condition removed", key, one, None
            )


def _keyed(values: Any, key: str, default: str = "") -> dict[str, Any]:
    return {str(one.get(key, default)): one for one in _listing(values) if isinstance(one, Mapping)}


def _change(
    tool: str,
    kind: str,
    effect: Effect,
    audience: Audience,
    message: str,
    place: str = "",
    old: Any = None,
    new: Any = None,
) -> Change:
    return Change(
        tool=tool, kind=kind, effect=effect, audience=audience, message=message, place=place, old=old, new=new
    )


def _value(tool: str, place: str, effect: Effect, audience: Audience, old: Any, new: Any) -> Change:
    kind = f"{place.replace(' ', '-')}-changed"
    return _change(tool, kind, effect, audience, "changed", place, old, new)


def _wire(tool: Tool) -> Mapping[str, Any]:
    return _mapping(tool.get("wire"))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _listing(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _words(value: Any) -> list[str]:
    return [str(one) for one in _listing(value)]
