"""One operation of a document as a `Method`: its slots, its body, its answer."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from placet_generator.catalogue.model import Method, Node, Place, SlotInfo
from placet_generator.catalogue.openapi.references import follow
from placet_generator.catalogue.openapi.schemas import SchemaReader, TooLarge
from placet_generator.catalogue.openapi.text import is_clean, one_line

VERBS = ("get", "put", "post", "delete", "patch")
SUMMARY_MAX = 300

BodyKind = Literal["none", "json", "multipart", "urlencoded"]

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_UNSENT_HEADERS = frozenset({"authorization", "accept", "content-type", "content-length", "host", "cookie"})
_SUCCESS = re.compile(r"2(\d\d|XX)")
_CUTS = (8, 5, 3)
"""Depths at which the tree of an overlarge answer is tried again; what is deeper becomes `any`."""


class Unsupported(Exception):
    """The operation needs something that no tool can send; the text says what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation as it stands in the document.

    Attributes:
        name: Unique in the document, plain ASCII.
        operation_id: As written; empty when there is none.
        path: The path template as written; `route` has `:name` placeholders, empty when none can say it.
        placeholders: (name in the document, name in the route) of each.
        item, raw: The path item and the operation.
        tag: The first tag, as written; empty when there is none.
    """

    name: str
    operation_id: str
    http: str
    path: str
    route: str
    placeholders: tuple[tuple[str, str], ...]
    item: Mapping[str, Any]
    raw: Mapping[str, Any]
    tag: str

    @property
    def summary(self) -> str:
        """The document's own line about it, safe to show; may be empty."""
        for key in ("summary", "description"):
            text = self.raw.get(key)
            if isinstance(text, str) and text.strip():
                return one_line(text, SUMMARY_MAX)
        return ""


def read_method(
    root: Mapping[str, Any], operation: Operation, *, envelope: str, place: Place | None
) -> Method:
    """The method of an operation.

    Raises:
        Unsupported: no tool can send it.
        TooLarge: its body or its parameters are larger than anybody could want.
    """
    problem = unsendable(root, operation)
    if problem is not None:
        raise Unsupported(problem)
    slots: dict[str, dict[str, SlotInfo]] = {"path": {}, "query": {}, "header": {}}
    reader = SchemaReader(root, "request")
    for kind, slot in _slots(root, operation, reader):
        slots[kind].setdefault(slot.name, slot)
    body, body_kind, body_required = _body(root, operation)
    response, download = _response(root, operation)
    return Method(
        name=operation.name,
        http=operation.http,
        route=operation.route,
        tokens=_tokens(root, operation),
        path=tuple(slots["path"].values()),
        query=tuple(slots["query"].values()),
        header=tuple(slots["header"].values()),
        body=body,
        body_kind=body_kind,
        body_required=body_required,
        response=_below(response, envelope),
        download=download,
        place=place,
        summary=operation.summary,
    )


def unsendable(root: Mapping[str, Any], operation: Operation) -> str | None:
    """Why no tool can send the operation, as far as that shows without reading schemas."""
    if not operation.route:
        return f"the path {one_line(operation.path, 80)!r} cannot be written as a route"
    request = _opened(root, operation.raw.get("requestBody"))
    if request.get("required") is True:
        content = _content(request)
        if content and _pick(content) is None:
            listed = one_line(", ".join(content), 80)
            return f"its body is {listed}; JSON, multipart and urlencoded bodies are sent"
    for kind, name, raw in _parameters(root, operation):
        if raw.get("required") is True and kind == "query":
            if not is_clean(name):
                return f"its query parameter {one_line(name, 40)!r} has a name that cannot be sent"
            if raw.get("style") == "deepObject":
                return f"its query parameter {one_line(name, 40)!r} has the style deepObject"
    return None


def ignored(root: Mapping[str, Any], operation: Operation) -> Iterator[str]:
    """What the method leaves out, as far as that shows without reading schemas."""
    for kind, name, raw in _parameters(root, operation):
        if kind == "query" and (raw.get("style") == "deepObject" or not is_clean(name)):
            yield f"query parameter {one_line(name, 40)!r} is left out: its form cannot be sent"
        elif kind == "header" and not _TOKEN.fullmatch(name):
            yield f"header {one_line(name, 40)!r} is left out: that is no name of a header"
        elif kind == "cookie":
            yield f"cookie {one_line(name, 40)!r} is left out: cookies are not sent"


def _opened(root: Any, value: Any) -> Mapping[str, Any]:
    """A mapping, its reference followed; empty for anything else."""
    for _ in range(100):
        if not isinstance(value, dict):
            return {}
        target = value.get("$ref")
        if not isinstance(target, str):
            return value
        value = follow(root, target)[0]
    return {}


def _parameters(root: Any, operation: Operation) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """(place, name, parameter) of each, the path item's first, the operation's own in their stead."""
    merged: dict[tuple[str, str], Mapping[str, Any]] = {}
    for owner in (operation.item, operation.raw):
        listed = owner.get("parameters")
        for one in listed if isinstance(listed, list) else ():
            parameter = _opened(root, one)
            kind, name = parameter.get("in"), parameter.get("name")
            if isinstance(kind, str) and isinstance(name, str) and name:
                merged[kind, name] = parameter
    for (kind, name), parameter in merged.items():
        yield kind, name, parameter


def _slots(root: Any, operation: Operation, reader: SchemaReader) -> Iterator[tuple[str, SlotInfo]]:
    declared = {(kind, name): raw for kind, name, raw in _parameters(root, operation)}
    for original, name in operation.placeholders:
        raw = declared.get(("path", original))
        node = _parameter_node(raw, reader, "path") if raw is not None else Node(kind="string")
        yield "path", SlotInfo(name=name, node=node, required=True)
    for (kind, name), raw in declared.items():
        required = raw.get("required") is True
        if kind == "header":
            if _TOKEN.fullmatch(name) and name.lower() not in _UNSENT_HEADERS:
                yield kind, SlotInfo(name=name, node=_parameter_node(raw, reader, kind), required=required)
        elif kind == "query" and is_clean(name) and raw.get("style") != "deepObject":
            yield from ((kind, slot) for slot in _query_slots(name, required, raw, reader))


def _query_slots(
    name: str, required: bool, raw: Mapping[str, Any], reader: SchemaReader
) -> Iterator[SlotInfo]:
    """One slot, or one for each member of an object that is sent exploded, which is the default."""
    node = _parameter_node(raw, reader, "query")
    if node.kind == "object" and raw.get("explode", True) is True and raw.get("style", "form") == "form":
        for member, inner in node.fields.items():
            if is_clean(member):
                yield SlotInfo(name=member, node=inner, required=required and member in node.required)
    else:
        yield SlotInfo(name=name, node=node, required=required)


def _parameter_node(raw: Mapping[str, Any], reader: SchemaReader, kind: str) -> Node:
    """The type on the wire: what is sent as JSON text, or as a list in one text, is a string that says so."""
    content = raw.get("content")
    about = raw.get("description")
    if isinstance(content, dict) and content:
        media, described = next(iter(content.items()))
        node = reader.node(described.get("schema") if isinstance(described, dict) else None)
        if _is_json(media):
            node = Node(kind="string", constraints={"contentMediaType": "application/json"}, about=node.about)
    else:
        node = reader.node(raw.get("schema"))
        is_split = kind == "query" and raw.get("explode", True) is True and raw.get("style", "form") == "form"
        if node.kind == "array" and not is_split:
            node = replace(node, kind="string", constraints={"contentMediaType": "text/csv"}, enum=())
    return replace(node, about=one_line(about, 400)) if isinstance(about, str) and about.strip() else node


def _content(holder: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Media type, lower case and without parameters, to what is said about it."""
    content = holder.get("content")
    if not isinstance(content, dict):
        return {}
    return {
        key.split(";")[0].strip().lower(): value if isinstance(value, dict) else {}
        for key, value in content.items()
    }


def _is_json(media: str) -> bool:
    plain = media.split(";")[0].strip().lower()
    return plain in ("application/json", "text/json", "*/*", "application/*") or plain.endswith("+json")


def _pick(content: Mapping[str, Mapping[str, Any]]) -> tuple[BodyKind, Mapping[str, Any]] | None:
    """The form a body is sent in: JSON before forms."""
    ranked = sorted(
        (media for media in content if _is_json(media)), key=lambda one: one != "application/json"
    )
    if ranked:
        return "json", content[ranked[0]]
    if "multipart/form-data" in content:
        return "multipart", content["multipart/form-data"]
    if "application/x-www-form-urlencoded" in content:
        return "urlencoded", content["application/x-www-form-urlencoded"]
    return None


def _body(root: Any, operation: Operation) -> tuple[Node | None, BodyKind, bool | None]:
    request = _opened(root, operation.raw.get("requestBody"))
    picked = _pick(_content(request))
    if picked is None:
        return None, "none", None
    kind, media = picked
    required = request.get("required")
    node = SchemaReader(root, "request", files=kind == "multipart").node(media.get("schema"))
    if kind != "json":
        if node.kind not in ("object", "map"):
            raise Unsupported(f"its {kind} body is not an object")
        node = replace(node, fields={name: _form_field(one) for name, one in node.fields.items()})
    return node, kind, required if isinstance(required, bool) else None


def _form_field(node: Node) -> Node:
    """Objects travel in a form as JSON text."""
    if node.kind in ("object", "map"):
        return Node(
            kind="string",
            constraints={"contentMediaType": "application/json"},
            nullable=node.nullable,
            about=node.about,
        )
    return node


def _response(root: Any, operation: Operation) -> tuple[Node | None, bool]:
    """The tree of the first successful JSON answer, and whether the answer is bytes instead."""
    responses = operation.raw.get("responses")
    if not isinstance(responses, dict):
        return None, False
    codes = sorted(code for code in responses if _SUCCESS.fullmatch(code.upper()))
    if not codes and "default" in responses:
        codes = ["default"]
    contents = [_content(_opened(root, responses[code])) for code in codes]
    for content in contents:
        for media, described in content.items():
            if _is_json(media) and not _is_bytes(described):
                return _answer(root, described.get("schema")), False
    return None, any(contents)


def _is_bytes(described: Mapping[str, Any]) -> bool:
    schema = described.get("schema")
    return isinstance(schema, dict) and schema.get("format") == "binary"


def _answer(root: Any, schema: Any) -> Node:
    """The tree of an answer; one that is too large is read less deep."""
    try:
        return SchemaReader(root, "response").node(schema)
    except TooLarge:
        for depth in _CUTS:
            try:
                return SchemaReader(root, "response", depth_max=depth, cuts=True).node(schema)
            except TooLarge:
                continue
    return Node(kind="any", about="(larger than what can be shown)")


def _below(response: Node | None, envelope: str) -> Node | None:
    if response is not None and envelope and envelope in response.fields:
        return response.fields[envelope]
    return response


def _tokens(root: Mapping[str, Any], operation: Operation) -> frozenset[str]:
    """Kinds of token, by `x-placet-identity`: both where nobody says; none where security is off."""
    security = operation.raw.get("security", root.get("security"))
    if not isinstance(security, list):
        return frozenset({"tenant", "user"})
    schemes = {name for one in security if isinstance(one, dict) for name in one}
    return frozenset(kind for name in schemes for kind in _identity(root, name))


def _identity(root: Mapping[str, Any], scheme: str) -> tuple[str, ...]:
    components = root.get("components")
    listed = components.get("securitySchemes") if isinstance(components, dict) else None
    described = _opened(root, listed.get(scheme) if isinstance(listed, dict) else None)
    stated = described.get("x-placet-identity")
    return (stated,) if stated in ("tenant", "user") else ("tenant", "user")
