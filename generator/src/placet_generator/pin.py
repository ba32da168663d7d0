"""The SDK pin: what every used method looked like when the surface was last generated.

A pin lists a method's verb, route, token kinds, all its top-level slots and answer members, and the deeper
places that tools use, each with its type; a digest stands for the rest. So an upgrade can say which tool it
touches, where, and what the old and the new value are, and the file stays small.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from placet.contract import Binding, Project, Slot, sha256_of
from placet_generator.catalogue.model import Method, Node
from placet_generator.diagnostics import Code, Diagnostic, Severity, Span
from placet_generator.ir import SurfaceIR, ToolIR

__all__ = ["compare_pins", "pin_document", "signature", "signatures"]

SLOT_KINDS = ("path", "query", "header", "body", "form")
DIGEST_CHARS = 16
HINT = "review the tool against the SDK, then run `make generate`"


@dataclass(frozen=True, slots=True)
class Use:
    """Places of one method that tools rely on.

    Attributes:
        slots: Places of the request, with all that lies below them.
        answers: Places of the answer, with all that lies below them.
        paging: Places of the answer of which only the type matters.
    """

    slots: set[str] = field(default_factory=set)
    answers: set[str] = field(default_factory=set)
    paging: set[str] = field(default_factory=set)


def signatures(methods: Mapping[str, Method], tools: Iterable[ToolIR]) -> dict[str, dict[str, Any]]:
    """The signature of each method, with the places that the tools use.

    Args:
        methods: By the name under which the tools' bindings call them (`Call.sdk`).
    """
    uses = _uses(tools)
    digests: dict[int, str] = {}
    return {name: signature(one, uses.get(name), digests) for name, one in sorted(methods.items())}


def signature(
    method: Method, use: Use | None = None, digests: dict[int, str] | None = None
) -> dict[str, Any]:
    """A method in a form that two SDK versions can be compared by.

    Args:
        use: The places that must be spelled out even when they are not at the top level.
        digests: A cache of trees' digests by identity, for methods that share their models.
    Returns:
        `http`, `route`, `tokens`, `body` and `answers` (how they travel), `slots` and `answer` (place to type
        in words), and `digest` over all of it and the whole trees.
    """
    use = use or Use()
    digests = {} if digests is None else digests
    slots = {
        f"{kind}.{one.name}": _words(one.node, one.required, digests)
        for kind, group in (("path", method.path), ("query", method.query), ("header", method.header))
        for one in group
    }
    slots |= _members(_prefix(method), method.body, digests)
    answer = _members("", method.response, digests)
    whole = [
        method.http,
        method.route,
        sorted(method.tokens),
        method.body_kind,
        method.download,
        slots,
        _digest(method.body, digests),
        _digest(method.response, digests),
    ]
    return {
        "http": method.http,
        "route": method.route,
        "tokens": sorted(method.tokens),
        "body": method.body_kind,
        "answers": "bytes" if method.download else "data",
        "slots": dict(sorted((slots | _used(_body_paths(use), method.body, digests, deep=True)).items())),
        "answer": dict(sorted((answer | _answer_places(use, method.response, digests)).items())),
        "digest": sha256_of(whole)[:DIGEST_CHARS],
    }


def pin_document(surface: SurfaceIR) -> dict[str, Any]:
    """The content of `golden/<surface>/sdk.pin.json`."""
    return {
        "sdk": surface.sdk,
        "files": dict(sorted(surface.sdk_files.items())),
        "methods": {name: dict(one) for name, one in sorted(surface.signatures.items())},
    }


def compare_pins(
    old: Mapping[str, Any], new: Mapping[str, Any], tools: Iterable[ToolIR], *, path: str
) -> tuple[Diagnostic, ...]:
    """What a changed SDK means: one finding for each tool and place, and one for the SDK itself.

    Methods that only one of the two knows come from the curation and are left out.

    Args:
        old: The committed pin.
        new: `pin_document` of the surface as it is now.
        path: The pin's path, for findings about no tool.
    """
    users = _users(tools)
    before, after = _mapping(old.get("methods")), _mapping(new.get("methods"))
    found: list[Diagnostic] = []
    touched: set[str] = set()
    for name in sorted(before.keys() & after.keys()):
        was, now = _mapping(before[name]), _mapping(after[name])
        if was.get("digest") == now.get("digest"):
            continue
        changes = tuple(_changes(was, now))
        for tool in users.get(name, ()) if changes else ():
            touched.add(tool.name)
            found += [
                Diagnostic(tool.defined_at, Code.PIN_CHANGED, f"{tool.name!r}: {name} {one}", HINT)
                for one in changes
            ]
        if not changes:
            text = f"{name} changed in places that no tool uses"
            found.append(Diagnostic(Span(path), Code.PIN_CHANGED, text, HINT, Severity.WARNING))
    if sentence := _sdk_sentence(old, new):
        text = f"{sentence}; it touches {_tools(touched)}"
        found.append(Diagnostic(Span(path), Code.PIN_CHANGED, text, "run `make generate` to pin it"))
    return tuple(found)


def _tools(names: set[str]) -> str:
    return "no tool" if not names else "1 tool" if len(names) == 1 else f"{len(names)} tools"


def _sdk_sentence(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    if old.get("sdk") != new.get("sdk"):
        return f"the SDK is {new.get('sdk')!r}, pinned is {old.get('sdk')!r}"
    was, now = _mapping(old.get("files")), _mapping(new.get("files"))
    differing = sorted(one for one in was.keys() & now.keys() if was[one] != now[one])
    if not differing:
        return ""
    return f"{len(differing)} files of {new.get('sdk')!r} differ from the pinned ones, as {differing[0]!r}"


def _changes(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for key, word in (
        ("http", "verb"),
        ("route", "route"),
        ("tokens", "tokens"),
        ("body", "body"),
        ("answers", "answer"),
    ):
        if was.get(key) != now.get(key):
            yield f"{word} was {_shown(was.get(key))}, is {_shown(now.get(key))}"
    for key, word in (("slots", "slot"), ("answer", "answer")):
        yield from _place_changes(word, _mapping(was.get(key)), _mapping(now.get(key)))


def _place_changes(word: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for place in sorted(was.keys() | now.keys()):
        name = f"{word} {place!r}"
        if place in was and place in now:
            old, new = str(was[place]), str(now[place])
            plain_old, plain_new = old.partition(" #")[0], new.partition(" #")[0]
            if plain_old != plain_new:
                yield f"{name} was {plain_old!r}, is {plain_new!r}"
            elif old != new and " #" in old and " #" in new:
                yield f"{name} has other members ({old.partition('#')[2]} was, {new.partition('#')[2]} is)"
        elif _is_top(word, place):
            yield (
                f"{name} is gone (was {was[place]!r})" if place in was else f"{name} is new ({now[place]!r})"
            )


def _is_top(word: str, place: str) -> bool:
    """True for a place that every signature lists, whether a tool uses it or not."""
    return place.count(".") == (1 if word == "slot" else 0) and "[" not in place


def _shown(value: Any) -> str:
    return repr(", ".join(value) if isinstance(value, list) else value)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _users(tools: Iterable[ToolIR]) -> dict[str, list[ToolIR]]:
    users: dict[str, list[ToolIR]] = {}
    for tool in tools:
        for name in {call.sdk for call in tool.binding.calls}:
            users.setdefault(name, []).append(tool)
    return users


# What tools use


def _uses(tools: Iterable[ToolIR]) -> dict[str, Use]:
    uses: dict[str, Use] = {}
    for tool in tools:
        slots = [_split_call(one) for one in _slot_texts(tool.binding)]
        answers = set(_answer_texts(tool.binding))
        for call in tool.binding.calls:
            use = uses.setdefault(call.sdk, Use())
            use.slots.update(slot for name, slot in slots if name in ("", call.name))
            use.answers.update(answers)
            use.paging.update(_paging_texts(tool.binding))
    return uses


def _split_call(text: str) -> tuple[str, str]:
    """A slot's call (empty when it names none) and the slot itself."""
    head, _, rest = text.partition(".")
    return ("", text) if head in SLOT_KINDS else (head, rest)


def _slot_texts(binding: Binding) -> Iterator[str]:
    for slot in binding.slots:
        yield from _leaf_slots(slot, "")
    yield from (one.to for one in binding.derive)
    yield from (*binding.fixed, *binding.context)
    if binding.paging:
        yield from (one for one in (binding.paging.token, binding.paging.size) if one)
    if binding.native_key:
        yield binding.native_key.slot


def _leaf_slots(slot: Slot, base: str) -> Iterator[str]:
    targets = slot.to or ((slot.argument,) if base else ())
    members = (*slot.fields, *(one for group in slot.variants.values() for one in group))
    for target in targets:
        place = f"{base}.{target}" if base else target
        if slot.codec or not members:
            yield place
        else:
            for member in members:
                yield from _leaf_slots(member, place)


def _answer_texts(binding: Binding) -> Iterator[str]:
    for one in binding.output:
        yield from _leaf_answers(one, "")


def _paging_texts(binding: Binding) -> Iterator[str]:
    if binding.paging:
        yield from (one for one in (binding.paging.items, binding.paging.next, binding.paging.more) if one)


def _leaf_answers(one: Project, base: str) -> Iterator[str]:
    place = f"{base}.{one.path}" if base else one.path
    if one.codec or not one.fields:
        yield place
    else:
        for member in one.fields:
            yield from _leaf_answers(member, place)


# Types in words


def _prefix(method: Method) -> str:
    return "form" if method.body_kind in ("multipart", "urlencoded") else "body"


def _body_paths(use: Use) -> Iterator[tuple[str, str]]:
    """Used slots of the body, with their path below it."""
    for slot in use.slots:
        kind, _, path = slot.partition(".")
        if kind in ("body", "form"):
            yield slot, path


def _answer_places(use: Use, tree: Node | None, digests: dict[int, str]) -> dict[str, str]:
    paging = _used(((one, one) for one in use.paging), tree, digests, deep=False)
    return paging | _used(((one, one) for one in use.answers), tree, digests, deep=True)


def _members(prefix: str, tree: Node | None, digests: dict[int, str]) -> dict[str, str]:
    """The top level of a tree: its members, or the tree itself when it is no object."""
    if tree is None:
        return {}
    if not tree.fields:
        return {prefix or "$": _words(tree, None, digests)}
    dotted = f"{prefix}." if prefix else ""
    return {
        f"{dotted}{name}": _words(node, name in tree.required or None, digests)
        for name, node in tree.fields.items()
    }


def _used(
    paths: Iterable[tuple[str, str]], tree: Node | None, digests: dict[int, str], *, deep: bool
) -> dict[str, str]:
    """The type of each place that exists in the tree, as `_words` says it."""
    words = {}
    for name, path in paths:
        if found := _find(tree, path):
            node, required = found
            words[name] = _words(node, required, digests, deep=deep)
    return words


def _find(tree: Node | None, path: str) -> tuple[Node, bool | None] | None:
    """The node at a path, lists entered with or without `[]`, and whether its parent requires it."""
    node, required = tree, None
    for part in path.split("."):
        name = part.rstrip("[]")
        while node is not None and node.kind in ("array", "map") and name not in node.fields:
            node = node.item
        if node is None or name not in node.fields:
            return None
        required = name in node.required or None
        node = node.fields[name]
        if part.endswith("[]") and node.item is not None:
            node = node.item
    return (node, required) if node is not None else None


def _words(node: Node, required: bool | None, digests: dict[int, str], *, deep: bool = False) -> str:
    """A type in words: `list[object], required`, with `#digest` of everything below when `deep`."""
    text = _kind(node)
    if node.nullable:
        text += " or null"
    if node.enum:
        text += f" of {', '.join(map(str, node.enum))}"
    text += "".join(f", {key} {value}" for key, value in sorted(node.constraints.items()))
    if required is not None:
        text += ", required" if required else ", optional"
    return f"{text} #{_digest(node, digests)}" if deep and (node.fields or node.item) else text


def _kind(node: Node) -> str:
    if node.kind in ("array", "map"):
        return f"{'list' if node.kind == 'array' else 'map'}[{_kind(node.item) if node.item else 'any'}]"
    return node.kind


def _digest(node: Node | None, digests: dict[int, str]) -> str:
    """Hash of a tree without its models' names and texts, which never travel."""
    if node is None:
        return "-"
    if (known := digests.get(id(node))) is not None:
        return known
    parts = [
        node.kind,
        node.nullable,
        node.recursive,
        [str(one) for one in node.enum],
        sorted(node.required),
        {key: str(value) for key, value in node.constraints.items()},
        {name: _digest(member, digests) for name, member in node.fields.items()},
        _digest(node.item, digests),
    ]
    digests[id(node)] = made = sha256_of(parts)[:DIGEST_CHARS]
    return made
