"""Reading a document: text to operations, with every finding and its place. Nothing but the text is read."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from placet_generator.catalogue.openapi.names import name_operations, route_of
from placet_generator.catalogue.openapi.operations import VERBS, Operation, ignored, unsendable
from placet_generator.catalogue.openapi.positions import (
    JsonPositions,
    NoPositions,
    Path,
    Positions,
    YamlPositions,
)
from placet_generator.catalogue.openapi.references import bad_references, follow
from placet_generator.catalogue.openapi.structure import mend
from placet_generator.catalogue.openapi.text import one_line, shown
from placet_generator.diagnostics import Code, Diagnostic, Severity, Span, sort_diagnostics

BYTES_MAX = 20_000_000
DEPTH_MAX = 100
FINDINGS_MAX = 200

_OTHER_VERBS = ("head", "options", "trace")
_MEMBERS = frozenset({*VERBS, *_OTHER_VERBS, "parameters", "servers", "summary", "description", "$ref"})


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenApiDocument:
    """A document that was read.

    Attributes:
        path: As given to the reader.
        sha256: Of the text, hex.
        version: "3.0" or "3.1".
        title, release: The document's own, safe to show; may be empty.
        root: The document as plain data, malformed values taken out.
        operations: In document order.
    """

    path: str
    sha256: str
    version: str
    title: str
    release: str
    root: Mapping[str, Any] = field(repr=False)
    operations: tuple[Operation, ...] = field(repr=False)
    positions: Positions = field(repr=False, compare=False)

    def lines(self) -> dict[str, int]:
        """The line of every operation, by its name; 0 where it is not known."""
        places = {one.name: _place_of(one) for one in self.operations}
        spans = self.positions.spans(places.values())
        return {name: spans[path].line for name, path in places.items()}


@dataclass(frozen=True, slots=True)
class _Finding:
    at: Path
    code: Code
    message: str
    hint: str
    severity: Severity = Severity.WARNING


def read_document(text: str, path: str) -> tuple[OpenApiDocument | None, tuple[Diagnostic, ...]]:
    """Read an OpenAPI 3.0 or 3.1 document, JSON or YAML.

    YAML is read as curation is: anchors, aliases and tags are refused.

    Returns:
        The document, or None when it is none, and every finding: errors for what makes it unusable and for
        references that lead out of it, warnings for operations and details that are left out.
    """
    root, positions, found = _parse(text, path)
    if root is None:
        return None, found
    version, problem = _version(root)
    if version is None:
        place = positions.spans([problem.at])[problem.at]
        return None, (*found, Diagnostic(place, problem.code, problem.message, problem.hint))
    collected = [*_reference_findings(root)]
    collected += [_structure_finding(at, message) for at, message in mend(root, version)]
    operations = tuple(_operations(root))
    collected += _operation_findings(root, operations)
    info = root.get("info") if isinstance(root.get("info"), dict) else {}
    document = OpenApiDocument(
        path=path,
        sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        version=version,
        title=_text(info, "title"),
        release=_text(info, "version"),
        root=root,
        operations=operations,
        positions=positions,
    )
    return document, sort_diagnostics([*found, *_placed(collected, positions, path)])


def _text(info: Any, key: str) -> str:
    value = info.get(key)
    return one_line(str(value), 100) if isinstance(value, str | int | float) else ""


def _parse(text: str, path: str) -> tuple[dict[str, Any] | None, Positions, tuple[Diagnostic, ...]]:
    text = text.removeprefix("\ufeff")
    if len(text) > BYTES_MAX or len(text.encode("utf-8", "surrogatepass")) > BYTES_MAX:
        return _refused(Span(path), f"the document is larger than {BYTES_MAX} bytes")
    if text.lstrip()[:1] in ("{", "["):
        return _parse_json(text, path)
    return _parse_yaml(text, path)


def _refused(span: Span, message: str) -> tuple[None, Positions, tuple[Diagnostic, ...]]:
    found = Diagnostic(span, Code.OPENAPI_UNREADABLE, message, "mend the document at this place")
    return None, NoPositions(span.path), (found,)


class _TwiceError(ValueError):
    """A key stands twice in one object."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise _TwiceError(f"the key {one_line(twice, 60)!r} stands twice in one object")
    return value


def _constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON value")


def _parse_json(text: str, path: str) -> tuple[dict[str, Any] | None, Positions, tuple[Diagnostic, ...]]:
    try:
        root = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant)
    except json.JSONDecodeError as error:
        return _refused(Span(path, error.lineno, error.colno), f"not readable as JSON: {error.msg}")
    except RecursionError:
        return _refused(Span(path), f"the document is nested more than {DEPTH_MAX} levels deep")
    except ValueError as error:
        return _refused(Span(path), f"not readable as JSON: {one_line(str(error), 120)}")
    return _checked(root, path, JsonPositions(path, text), ())


def _parse_yaml(text: str, path: str) -> tuple[dict[str, Any] | None, Positions, tuple[Diagnostic, ...]]:
    from placet_generator.curation.yaml_text import read_yaml

    document, found = read_yaml(text, path, limit_bytes=BYTES_MAX)
    if document is None:
        return None, NoPositions(path), found
    return _checked(document.value, path, YamlPositions(path, document.root), found)


def _checked(
    root: Any, path: str, positions: Positions, found: tuple[Diagnostic, ...]
) -> tuple[dict[str, Any] | None, Positions, tuple[Diagnostic, ...]]:
    if not isinstance(root, dict):
        return _refused(Span(path, 1, 1), f"the document is {shown(root)}, not a mapping")
    if _is_deeper(root, DEPTH_MAX):
        return _refused(Span(path), f"the document is nested more than {DEPTH_MAX} levels deep")
    return root, positions, found


def _is_deeper(root: Any, limit: int) -> bool:
    level = [root]
    for _ in range(limit):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _version(root: Mapping[str, Any]) -> tuple[str | None, _Finding]:
    """ "3.0" or "3.1", or what is wrong with the document as a whole."""
    hint = "write an OpenAPI document of version 3.0 or 3.1"
    stated = root.get("openapi")
    version = str(stated)[:3] if isinstance(stated, str | float) else ""
    if version not in ("3.0", "3.1") or str(stated)[3:4] not in ("", "."):
        other = root.get("swagger", stated)
        message = "`openapi:` is missing" if other is None else f"version {shown(other)} is not read"
        return None, _Finding(("openapi",), Code.OPENAPI_UNREADABLE, message, hint)
    if not isinstance(root.get("paths", {} if version == "3.1" else None), dict):
        return None, _Finding(("paths",), Code.OPENAPI_UNREADABLE, "`paths:` is missing or no mapping", hint)
    return version, _Finding((), Code.OPENAPI_UNREADABLE, "", "")


def _reference_findings(root: Mapping[str, Any]) -> Iterator[_Finding]:
    for one in bad_references(root):
        target = repr(one_line(one.target, 100))
        hint = "bring the schema into the document"
        if one.fault == "outside":
            message = f"{target} leads out of the document; nothing outside it is opened"
            yield _Finding(one.path, Code.OPENAPI_REFERENCE, message, hint, Severity.ERROR)
        elif one.fault == "circle":
            message = f"{target} leads in a circle of references"
            yield _Finding(one.path, Code.OPENAPI_REFERENCE, message, "describe one of them")
        else:
            message = f"{target} leads to nothing; any value is taken there"
            yield _Finding(one.path, Code.OPENAPI_REFERENCE, message, "correct the reference")


def _structure_finding(at: Path, message: str) -> _Finding:
    name = ".".join(one_line(str(part), 40) for part in at[-2:])
    return _Finding(at, Code.OPENAPI_UNREADABLE, f"{name}: {message}", "correct the value")


def _items(root: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Path templates and their items; a reference to an item is followed."""
    for path, item in root.get("paths", {}).items():
        if path.startswith("x-") or not isinstance(item, dict):
            continue
        target = item.get("$ref")
        if isinstance(target, str):
            other = follow(root, target)[0]
            item = {**other, **item} if isinstance(other, dict) else item
        yield path, item


def _operations(root: Mapping[str, Any]) -> Iterator[Operation]:
    listed = [
        (path, item, verb)
        for path, item in _items(root)
        for verb in VERBS
        if isinstance(item.get(verb), dict)
    ]
    ids = [_operation_id(item[verb]) for _, item, verb in listed]
    names = name_operations([(one, verb, path) for one, (path, _, verb) in zip(ids, listed, strict=True)])
    for name, operation_id, (path, item, verb) in zip(names, ids, listed, strict=True):
        route = route_of(path)
        tags = item[verb].get("tags")
        yield Operation(
            name=name,
            operation_id=operation_id,
            http=verb.upper(),
            path=path,
            route=route[0] if route else "",
            placeholders=route[1] if route else (),
            item=item,
            raw=item[verb],
            tag=tags[0] if isinstance(tags, list) and tags and isinstance(tags[0], str) else "",
        )


def _operation_id(raw: Mapping[str, Any]) -> str:
    value = raw.get("operationId")
    return value if isinstance(value, str) else ""


def _place_of(operation: Operation) -> Path:
    return ("paths", operation.path, operation.http.lower())


def _operation_findings(root: Mapping[str, Any], operations: tuple[Operation, ...]) -> Iterator[_Finding]:
    first: dict[str, Operation] = {}
    for one in operations:
        at = _place_of(one)
        if one.operation_id and first.setdefault(one.operation_id, one) is not one:
            message = f"operationId {one_line(one.operation_id, 60)!r} stands twice; this one is {one.name!r}"
            hint = "give each operation its own id"
            yield _Finding((*at, "operationId"), Code.OPENAPI_UNREADABLE, message, hint)
        problem = unsendable(root, one)
        if problem is not None:
            message = f"operation {one.name!r} is left out: {problem}"
            yield _Finding(at, Code.OPENAPI_UNSUPPORTED, message, "leave it out, or simplify it")
            continue
        for text in ignored(root, one):
            message = f"operation {one.name!r}: {text}"
            hint = "nothing to do if it is not needed"
            yield _Finding(at, Code.OPENAPI_UNSUPPORTED, message, hint, Severity.NOTE)
    for path, item in _items(root):
        for verb in _OTHER_VERBS:
            if isinstance(item.get(verb), dict):
                message = f"{verb.upper()} {one_line(path, 80)} is left out: no tool sends {verb.upper()}"
                at = ("paths", path, verb)
                yield _Finding(at, Code.OPENAPI_UNSUPPORTED, message, "nothing to do", Severity.NOTE)


def _placed(found: list[_Finding], positions: Positions, path: str) -> Iterator[Diagnostic]:
    """Findings with their places, errors first when there are too many to show."""
    order = list(Severity)
    ranked = sorted(found, key=lambda one: order.index(one.severity))
    spans = positions.spans([one.at for one in ranked[:FINDINGS_MAX]])
    for one in ranked[:FINDINGS_MAX]:
        yield Diagnostic(spans[one.at], one.code, one.message, one.hint, one.severity)
    if len(ranked) > FINDINGS_MAX:
        message = f"{len(ranked) - FINDINGS_MAX} more findings are not shown"
        severity = ranked[FINDINGS_MAX].severity
        yield Diagnostic(Span(path), Code.OPENAPI_UNREADABLE, message, "mend the first ones", severity)
