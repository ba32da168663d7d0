"""Reading YAML with exact positions, in the dialect of curation files.

YAML 1.2 core scalars and nothing clever: anchors, aliases, merge keys, tags, directives and second documents are
diagnostics, duplicate keys name both places, and unquoted text inside `{...}` or `[...]` may hold no colon.
Positions are looked up only when there is something to report, so a clean file pays nothing for them.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml._yaml import CParser

from placet_generator.diagnostics import Code, Diagnostic, Span

LIMIT_BYTES = 2_000_000
LIMIT_DEPTH = 40

_PLAIN = "plain"
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_SUSPICIOUS = re.compile(r"(?m)(?:^|[\s\[{,:])(?:[&*](?=\S)|!)|^%")
"""Text that may hold an anchor, an alias, a tag or a directive; only then is the slower event stream read."""


class _Reader(CParser):
    """libyaml's composer without PyYAML's resolver: every node has the tag `plain`.

    The composer calls these three for each node; builtins that ignore what they get cost a third of functions.
    """

    resolve = _PLAIN.format
    descend_resolver = slice
    ascend_resolver = bool


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A file's value as plain data (keys are text), and the place of everything in it."""

    path: str
    value: Any
    root: Any = field(repr=False, compare=False)
    _members: dict[int, dict[str, tuple[Any, Any]]] = field(default_factory=dict, repr=False, compare=False)

    def span(self, at: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of the value at `at`, or of its key; the deepest existing parent when it is not there."""
        node, place = self.root, self.root
        for index, part in enumerate(at):
            found = self._child(node, part)
            if found is None:
                break
            key_node, node = found
            place = key_node if key and index == len(at) - 1 and key_node is not None else node
            if index < len(at) - 1 and key_node is not None:
                place = key_node
        return _span(self.path, place)

    def encloses(self, at: Sequence[str | int], span: Span) -> bool:
        """True when a place lies in the value at `at`, or in its key."""
        key_node, node = None, self.root
        for part in at:
            found = self._child(node, part)
            if found is None:
                return False
            key_node, node = found
        start = (key_node or node).start_mark
        place = (span.line - 1, span.column - 1)
        return (start.line, start.column) <= place < (node.end_mark.line, node.end_mark.column)

    def has(self, at: Sequence[str | int]) -> bool:
        node = self.root
        for part in at:
            found = self._child(node, part)
            if found is None:
                return False
            node = found[1]
        return True

    def _child(self, node: Any, part: str | int) -> tuple[Any, Any] | None:
        """A member's key and value nodes; mappings are indexed once, because findings come in thousands."""
        if isinstance(node, yaml.MappingNode):
            members = self._members.get(id(node))
            if members is None:
                members = self._members[id(node)] = {}
                for key_node, value_node in node.value:
                    if isinstance(key_node, yaml.ScalarNode):
                        members.setdefault(key_node.value, (key_node, value_node))
            return members.get(str(part))
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            return None, node.value[part]
        return None


def read_yaml(
    text: str, path: str, *, limit_bytes: int = LIMIT_BYTES
) -> tuple[YamlDocument | None, tuple[Diagnostic, ...]]:
    """Read one file.

    Returns:
        The document, or None when nothing usable could be read, and every finding.
    """
    if len(text) > limit_bytes or len(text.encode("utf-8", "replace")) > limit_bytes:
        return None, (_unreadable(Span(path, 1, 1), f"the file is larger than {limit_bytes} bytes"),)
    try:
        forbidden = tuple(_forbidden(text, path)) if _SUSPICIOUS.search(text) else ()
        if forbidden:
            return None, forbidden
        root = _Reader(text).get_single_node()
    except yaml.YAMLError as error:
        return None, (_from_yaml(error, path),)
    except UnicodeEncodeError as error:
        return None, (_unreadable(Span(path, 1, 1), f"the text cannot be encoded: {error.reason}"),)
    if root is None:
        return None, (_unreadable(Span(path, 1, 1), "the file is empty", "write it, or remove it"),)
    builder = _Builder(path, text)
    value = builder.build(root, depth=1, flow=False)
    return YamlDocument(path, value, root), tuple(builder.found)


class _Builder:
    """Turns nodes into plain data and collects what is wrong on the way."""

    def __init__(self, path: str, text: str) -> None:
        self._path, self._text = path, text
        self._built: set[int] = set()
        self.found: list[Diagnostic] = []

    def build(self, node: Any, *, depth: int, flow: bool) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, flow=flow)
        if depth > LIMIT_DEPTH:
            self.found.append(_unreadable(self._span(node), f"nested more than {LIMIT_DEPTH} levels deep"))
            return None
        if id(node) in self._built:
            # An alias that the text's look did not show; opening each again could take for ever.
            self.found.append(_banned(self._span(node), "an alias"))
            return None
        self._built.add(id(node))
        flow = flow or bool(node.flow_style)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(one, depth=depth + 1, flow=flow) for one in node.value]
        return self._mapping(node, depth=depth, flow=flow)

    def _mapping(self, node: Any, *, depth: int, flow: bool) -> dict[str, Any]:
        if flow and self._text[node.start_mark.index : node.start_mark.index + 1] != "{":
            self.found.append(_ambiguous(self._span(node), "unquoted text holds a colon"))
        value: dict[str, Any] = {}
        keys: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self._key(key_node, keys)
            if key is None:
                continue
            keys[key] = key_node
            if flow and _is_plain(value_node) and not value_node.value:
                self.found.append(_ambiguous(self._span(key_node), f"{key!r} has no value"))
                continue
            value[key] = self.build(value_node, depth=depth + 1, flow=flow)
        return value

    def _key(self, node: Any, keys: dict[str, Any]) -> str | None:
        if not isinstance(node, yaml.ScalarNode):
            self.found.append(_unreadable(self._span(node), "a key is a mapping or a list"))
            return None
        key: str = node.value
        if key == "<<" and _is_plain(node):
            self.found.append(_banned(self._span(node), "the merge key '<<'"))
            return None
        if key in keys:
            first = self._span(keys[key])
            message = f"key {key!r} is already at line {first.line}, column {first.column}"
            hint = "remove one of the two"
            self.found.append(
                Diagnostic(self._span(node), Code.YAML_DUPLICATE_KEY, message, hint, related=(first,))
            )
            return None
        return key

    def _scalar(self, node: Any, *, flow: bool) -> Any:
        text: str = node.value
        if not _is_plain(node):
            return text
        if text in _WORDS:
            return _WORDS[text]
        if text[0] in "+-.0123456789":
            if _INTEGER.fullmatch(text):
                return self._integer(node, text)
            if _FLOAT.fullmatch(text):
                return self._float(node, text)
        if flow and ":" in text:
            self.found.append(_ambiguous(self._span(node), f"unquoted text {text!r} holds a colon"))
        return text

    def _float(self, node: Any, text: str) -> float | str:
        value = float(text)
        if math.isfinite(value):
            return value
        message = f"the number {text[:24]} is too large"
        self.found.append(_unreadable(self._span(node), message, "quote it, if text is meant"))
        return text

    def _integer(self, node: Any, text: str) -> int | str:
        value = int(text, 0) if len(text) <= 24 else None
        if value is not None and -(2**63) <= value < 2**63:
            return value
        message = f"the number {text[:24]} has more than 64 bits"
        self.found.append(_unreadable(self._span(node), message, "quote it, if text is meant"))
        return text

    def _span(self, node: Any) -> Span:
        return _span(self._path, node)


def _is_plain(node: Any) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.style


def _forbidden(text: str, path: str) -> Iterator[Diagnostic]:
    for event in yaml.parse(text, Loader=yaml.CLoader):
        anchor = getattr(event, "anchor", None)
        if isinstance(event, yaml.AliasEvent):
            yield _banned(_span(path, event), f"the alias '*{anchor}'")
        elif anchor is not None:
            yield _banned(_span(path, event), f"the anchor '&{anchor}'")
        tag = getattr(event, "tag", None)
        if tag is not None:
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            yield _banned(_span(path, event), f"the tag {shown!r}")
        if isinstance(event, yaml.DocumentStartEvent) and (event.version or event.tags):
            yield _banned(_span(path, event), "a directive")


def _span(path: str, node: Any) -> Span:
    return Span(path, node.start_mark.line + 1, node.start_mark.column + 1)


def _unreadable(span: Span, message: str, hint: str = "mend the file at this place") -> Diagnostic:
    return Diagnostic(span, Code.YAML_UNREADABLE, message, hint)


def _banned(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        span, Code.YAML_FORBIDDEN, f"{what} is not part of curation's YAML", "write the value out"
    )


def _ambiguous(span: Span, message: str) -> Diagnostic:
    return Diagnostic(
        span, Code.YAML_FLOW_TEXT, f"{message} inside brackets", "quote it, or use several lines"
    )


def _from_yaml(error: yaml.YAMLError, path: str) -> Diagnostic:
    mark = getattr(error, "problem_mark", None)
    span = Span(path, mark.line + 1, mark.column + 1) if mark is not None else Span(path, 1, 1)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "not readable"
    if "expected a single document" in str(error) or "another document" in str(problem):
        return _banned(span, "a second document")
    message = f"not readable as YAML: {problem}"
    hint = "quote texts that hold a comma, a colon or a bracket, and close every quote and bracket above"
    return Diagnostic(span, Code.YAML_UNREADABLE, message, hint)
