"""What a tool lets out: a positive projection of the answer, each field with a type."""

from dataclasses import dataclass

from placet.contract import Project
from placet_generator.catalogue import Node
from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.models import OutputField
from placet_generator.diagnostics import Code
from placet_generator.ir import FieldIR, ListType, MemberIR, ObjectType, ScalarType, TypeIR
from placet_generator.resolve.naming import fault_of, pascal, singular, type_name
from placet_generator.resolve.places import BYTES, Step, node_at, parse_place, places_below
from placet_generator.resolve.scope import At, ToolScope
from placet_generator.resolve.wiretypes import accepts, derived_type, parse_type, type_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Roots:
    """Where the paths of an output start: the answers of the tool's requests, or one item of a list."""

    nodes: tuple[Node, ...]
    is_known: bool


def resolve_output(
    scope: ToolScope, taken: frozenset[str]
) -> tuple[tuple[FieldIR, ...], tuple[Project, ...]]:
    """The fields of a tool's data, in the file's order, and the projection that fills them.

    Args:
        taken: Type names that the arguments use.
    """
    nodes = tuple(call.method.response for call in scope.calls if call.method.response is not None)
    is_known = bool(scope.calls)
    roots = Roots(nodes=nodes, is_known=is_known)
    fields: list[FieldIR] = []
    projections: list[Project] = []
    for name, written in scope.entry.output.items():
        at = scope.at.sub("output", name)
        found = _field(scope, name, written, at, roots, type_name(scope.key, name), taken)
        kind, project = found if found is not None else _lost(name)
        about = written.about if isinstance(written, OutputField) else None
        fields.append(FieldIR(name=name, type=kind, about=scope.texts.at((*at.path, "about"), about)))
        projections.append(project)
    return tuple(fields), tuple(projections)


def _lost(name: str) -> tuple[TypeIR, Project]:
    """A field with a fault that was reported: it stays, so that nobody is told that it is missing."""
    return ScalarType(name="any"), Project(name=name, path=name, type="any")


def _field(
    scope: ToolScope,
    name: str,
    written: str | OutputField,
    at: At,
    roots: Roots,
    type_name: str,
    taken: frozenset[str],
) -> tuple[TypeIR, Project] | None:
    if fault := fault_of(name):
        scope.report.at_key(Code.NAME_ILLEGAL, at, f"{name!r} {fault}", "rename it")
        return None
    declared = written if isinstance(written, OutputField) else OutputField.model_validate({"from": written})
    place = at.sub("from") if isinstance(written, OutputField) else at
    if declared.from_ == BYTES:
        return _bytes(scope, name, place)
    steps = parse_place(declared.from_)
    if steps is None:
        scope.report.error(
            Code.OUTPUT_PATH, place, f"{declared.from_!r} is no place", "write it as `a.b` or `a[].b`"
        )
        return None
    found = _locate(scope, steps, declared, place, roots)
    if found is None:
        return None
    node, lists = found
    _check_codec(scope, declared, at)
    if declared.fields is not None:
        return _object(scope, name, declared, at, node, lists, type_name, taken)
    kind = _leaf(scope, declared, at, place, node, lists)
    if kind is None:
        return None
    return kind, Project(name=name, path=declared.from_, type=type_text(kind), codec=declared.codec)


def _bytes(scope: ToolScope, name: str, at: At) -> tuple[TypeIR, Project] | None:
    if not any(call.method.download for call in scope.calls):
        scope.report.error(Code.OUTPUT_PATH, at, "the answer is no file", "name a place of the answer")
        return None
    return ScalarType(name="file"), Project(name=name, path=BYTES, type="file")


def _locate(
    scope: ToolScope, steps: tuple[Step, ...], declared: OutputField, at: At, roots: Roots
) -> tuple[Node | None, int] | None:
    """The node at a place (None where the catalogue knows nothing) and the lists that lead there."""
    for root in roots.nodes:
        found = node_at(root, steps)
        if found is not None:
            return found
    lists = sum(one is None for step in steps for one in step.opened)
    if not roots.is_known or (not roots.nodes and declared.type is not None):
        return None, lists
    known = [place for root in roots.nodes for place in places_below(root)]
    close = nearest(declared.from_, known, limit=1)
    if close:
        hint = f"did you mean {close[0]!r}?"
    elif known:
        top = sorted({place for root in roots.nodes for place in root.fields})
        hint = f"its places are {', '.join(top)}"
    else:
        hint = "the catalogue types no answer; write `type:` to say what you know of it"
    names = " or ".join(repr(call.method.name) for call in scope.calls)
    scope.report.error(Code.OUTPUT_PATH, at, f"the answer of {names} has no place {declared.from_!r}", hint)
    return None


def _leaf(
    scope: ToolScope, declared: OutputField, at: At, place: At, node: Node | None, lists: int
) -> TypeIR | None:
    if declared.type is not None:
        kind = parse_type(declared.type)
        wanted = _wrapped(node, lists)
        if declared.codec is None and wanted is not None and not _readable(kind, wanted):
            scope.report.error(
                Code.OUTPUT_TYPE,
                at.sub("type"),
                f"the answer has {wanted} there, not {declared.type}",
                "correct it",
            )
        return kind
    if declared.codec is not None:
        return ScalarType(name="any")
    kind_or_none = derived_type(node)
    if kind_or_none is None or (
        node is not None and node.kind == "any" and node.model is None and not scope.calls
    ):
        what = str(node) if node is not None else "of a type nobody states"
        scope.report.error(
            Code.OUTPUT_TYPE,
            place,
            f"{declared.from_!r} is {what}",
            "list its `fields:`, or write `type: object` to let all of it out"
            if node is not None and node.kind in ("object", "array")
            else "write `type:`",
        )
        return None
    for _ in range(lists):
        kind_or_none = ListType(item=kind_or_none)
    return kind_or_none


def _readable(kind: TypeIR, node: Node) -> bool:
    """True when the answer's value can be given as the type: a 64-bit number may leave as text."""
    if isinstance(kind, ListType) and node.kind == "array":
        return node.item is None or _readable(kind.item, node.item)
    if isinstance(kind, ScalarType) and kind.name == "time":
        return node.kind in ("string", "any")
    return accepts(kind, node)


def _wrapped(node: Node | None, lists: int) -> Node | None:
    for _ in range(lists):
        node = Node(kind="array", item=node)
    return node


def _object(
    scope: ToolScope,
    name: str,
    declared: OutputField,
    at: At,
    node: Node | None,
    lists: int,
    type_name: str,
    taken: frozenset[str],
) -> tuple[TypeIR, Project] | None:
    if node is not None and node.kind == "array":
        scope.report.error(
            Code.OUTPUT_PATH,
            at.sub("from"),
            f"{declared.from_!r} is {node}",
            f'write `from: "{declared.from_}[]"` to take the fields of each item',
        )
        return None
    if node is not None and node.kind not in ("object", "map", "any"):
        scope.report.error(
            Code.OUTPUT_TYPE, at, f"{declared.from_!r} is {node} and has no fields", "remove `fields:`"
        )
        return None
    own = singular(type_name) if lists else type_name
    if own in taken:
        own = f"{own}Result"
    roots = Roots(nodes=(node,) if node is not None else (), is_known=node is not None)
    members: list[MemberIR] = []
    projections: list[Project] = []
    for key, written in (declared.fields or {}).items():
        inner = at.sub("fields", key)
        found = _field(scope, key, written, inner, roots, own + pascal(key), taken)
        kind, project = found if found is not None else _lost(key)
        about = written.about if isinstance(written, OutputField) else None
        text = scope.texts.at((*inner.path, "about"), about)
        members.append(MemberIR(name=key, type=kind, required=False, about=text))
        projections.append(project)
    result: TypeIR = ObjectType(name=own, members=tuple(members))
    for _ in range(lists):
        result = ListType(item=result)
    project = Project(
        name=name,
        path=declared.from_,
        type=type_text(result),
        codec=declared.codec,
        fields=tuple(projections),
    )
    return result, project


def _check_codec(scope: ToolScope, declared: OutputField, at: At) -> None:
    if declared.codec is None:
        return
    known = scope.inputs.names.codecs
    found = known.get(declared.codec)
    if found is None or not found.answers:
        readers = [name for name, one in known.items() if one.answers]
        close = nearest(declared.codec, readers, limit=1)
        what = "reads no answers" if found is not None else "does not exist"
        scope.report.error(
            Code.CODEC_UNKNOWN,
            at.sub("codec"),
            f"codec {declared.codec!r} {what}",
            f"did you mean {close[0]!r}?"
            if close
            else f"those that do: {', '.join(sorted(readers)) or 'none'}",
        )
