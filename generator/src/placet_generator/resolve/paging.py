"""Where a list continues: derived where the method follows the platform's habit, else as written."""

from placet.contract import Paging
from placet_generator.catalogue import Node
from placet_generator.curation.models import PagingPlaces
from placet_generator.diagnostics import Code
from placet_generator.resolve.filling import Filled
from placet_generator.resolve.places import node_at, parse_place
from placet_generator.resolve.scope import At, ToolScope
from placet_generator.resolve.slots import find_slot


def resolve_paging(scope: ToolScope, filled: Filled) -> Paging | None:
    """The paging of a read, None when it is no paged list."""
    written = scope.entry.paging
    if written == "none" or scope.entry.risk != "read" or len(scope.calls) != 1:
        return None
    paging = _written(scope, written) if isinstance(written, PagingPlaces) else _derived(scope, filled)
    if paging is None:
        return None
    at = scope.at.sub("paging") if isinstance(written, PagingPlaces) else scope.at
    for slot in (paging.token, paging.size):
        if slot is not None:
            filled.add(scope, slot, "paging", at, found=find_slot(scope, slot, at))
    _check_let_out(scope, paging)
    return paging


def _written(scope: ToolScope, written: PagingPlaces) -> Paging:
    at = scope.at.sub("paging")
    root = scope.calls[0].method.response
    for key in ("items", "next", "more"):
        place: str | None = getattr(written, key)
        if place is not None:
            _check_place(scope, root, place, at.sub(key), key)
    if written.style == "token" and written.next is None:
        scope.report.at_key(
            Code.PAGING_INVALID, at, "style token needs `next:`", "name the place of the next token"
        )
    size_max = written.size_max if written.size_max is not None else _size_max(scope, written.size)
    return Paging(
        style=written.style,
        token=written.token,
        size=written.size,
        size_max=size_max,
        items=written.items.removesuffix("[]"),
        next=written.next,
        more=written.more,
    )


def _check_place(scope: ToolScope, root: Node | None, place: str, at: At, key: str) -> None:
    steps = parse_place(place)
    found = node_at(root, steps) if root is not None and steps is not None else None
    if root is not None and found is None:
        scope.report.error(
            Code.PAGING_INVALID, at, f"the answer has no place {place!r}", "look at `placet catalog show`"
        )
    elif found is not None and key == "items" and found[1] == 0 and found[0].kind not in ("array", "any"):
        scope.report.error(Code.PAGING_INVALID, at, f"{place!r} is {found[0]}, not a list", "name the list")


def _derived(scope: ToolScope, filled: Filled) -> Paging | None:
    """The platform's habit: `query.page_token` in, one list, `page_token` and `has_more` out."""
    call = scope.calls[0]
    method, root = call.method, call.method.response
    if not any(slot.name == "page_token" for slot in method.query) or filled.has(
        "query.page_token", call.name
    ):
        return None
    lists = [name for name, node in root.fields.items() if node.kind == "array"] if root is not None else []
    if root is None or len(lists) != 1 or "page_token" not in root.fields:
        what = f"{len(lists)} lists" if root is not None and len(lists) != 1 else "no next token"
        scope.report.at_key(
            Code.PAGING_INVALID,
            scope.at,
            f"{method.name!r} takes a page_token, but its answer has {what}, so its paging cannot be derived",
            "write `paging:` in full, or `paging: none`",
        )
        return None
    size = "query.page_size" if any(slot.name == "page_size" for slot in method.query) else None
    return Paging(
        style="token",
        token="query.page_token",
        size=size,
        size_max=_size_max(scope, size),
        items=lists[0],
        next="page_token",
        more="has_more" if "has_more" in root.fields else None,
    )


def _size_max(scope: ToolScope, slot: str | None) -> int | None:
    facts = scope.calls[0].facts
    if facts is None or slot is None:
        return None
    if facts.docs.paging is not None and facts.docs.paging.max_page_size is not None:
        return facts.docs.paging.max_page_size
    field = facts.field(slot)
    return int(field.max) if field is not None and field.max is not None else None


def _check_let_out(scope: ToolScope, paging: Paging) -> None:
    """A paged tool that does not let its list out would page through nothing."""
    for written in scope.entry.output.values():
        place = written if isinstance(written, str) else written.from_
        if place == paging.items or place.startswith((paging.items + "[", paging.items + ".")):
            return
    scope.report.at_key(
        Code.PAGING_INVALID,
        scope.at,
        f"the list {paging.items!r} is not in the output",
        f'add `items: {{from: "{paging.items}[]", fields: ...}}`, or `paging: none`',
    )
