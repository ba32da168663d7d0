"""Where a list continues: derived where the method follows the platform's habit, else as written."""

from collections.abc import Iterator

from placet.contract import Paging
from placet_generator.catalogue import Node
from placet_generator.catalogue.nearest import nearest
from placet_generator.curation.models import PagingPlaces
from placet_generator.diagnostics import Code
from placet_generator.resolve.filling import Filled
from placet_generator.resolve.places import node_at, parse_place, places_below
from placet_generator.resolve.scope import At, ToolScope
from placet_generator.resolve.slots import find_slot

WRITES = ("write", "high-risk-write")


def resolve_paging(scope: ToolScope, filled: Filled) -> Paging | None:
    """The paging of a read, None when it is no paged list."""
    written = scope.entry.paging
    if isinstance(written, PagingPlaces) and (scope.entry.risk in WRITES or len(scope.calls) != 1):
        message = "only a read of one request is paged"
        scope.report.at_key(Code.PAGING_INVALID, scope.at.sub("paging"), message, "remove `paging:`")
    if written == "none" or scope.entry.risk != "read" or len(scope.calls) != 1:
        return None
    paging = _written(scope, written) if isinstance(written, PagingPlaces) else _derived(scope, filled)
    if paging is None:
        return None
    for key, slot in (("token", paging.token), ("size", paging.size)):
        if slot is not None:
            at = scope.at.sub("paging", key) if isinstance(written, PagingPlaces) else scope.at
            filled.add(scope, slot, "paging", at, found=find_slot(scope, slot, at))
    return paging


def _written(scope: ToolScope, written: PagingPlaces) -> Paging:
    at = scope.at.sub("paging")
    root = scope.calls[0].method.response
    if _check_place(scope, root, written.items, at.sub("items"), is_list=True):
        _check_let_out(scope, written.items.removesuffix("[]"))
    for key, place in (("next", written.next), ("more", written.more)):
        if place is not None:
            _check_place(scope, root, place, at.sub(key), is_list=False)
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
        is_stated=_is_stated(scope, written.size, None if written.style == "token" else written.token),
    )


def _check_place(scope: ToolScope, root: Node | None, place: str, at: At, *, is_list: bool) -> bool:
    """True for a place that the answer has, as far as anybody knows its type."""
    steps = parse_place(place)
    if root is None and steps is not None:
        return True
    found = node_at(root, steps) if root is not None and steps is not None else None
    if found is None:
        close = nearest(place, places_below(root), limit=1) if root is not None else ()
        hint = f"did you mean {close[0]!r}?" if close else "look at `placet catalog show`"
        scope.report.error(Code.PAGING_INVALID, at, f"the answer has no place {place!r}", hint)
    elif is_list and found[1] == 0 and found[0].kind not in ("array", "any"):
        scope.report.error(Code.PAGING_INVALID, at, f"{place!r} is {found[0]}, not a list", "name the list")
        return False
    return found is not None


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
    _check_let_out(scope, lists[0])
    size = "query.page_size" if any(slot.name == "page_size" for slot in method.query) else None
    return Paging(
        style="token",
        token="query.page_token",
        size=size,
        size_max=_size_max(scope, size),
        items=lists[0],
        next="page_token",
        more="has_more" if "has_more" in root.fields else None,
        is_stated=_is_stated(scope, size),
    )


def _is_stated(scope: ToolScope, *slots: str | None) -> bool:
    """True when the platform refuses a request without one of the slots, or without an object that holds it."""
    facts = scope.calls[0].facts
    places = [place for slot in slots if slot is not None for place in _down_to(slot)]
    fields = [facts.field(place) for place in places] if facts is not None else []
    return any(field is not None and field.required is True for field in fields)


def _down_to(slot: str) -> Iterator[str]:
    """`body.page`, then `body.page.size`: a place and what it lies in."""
    parts = slot.split(".")
    for end in range(2, len(parts) + 1):
        yield ".".join(parts[:end])


def _size_max(scope: ToolScope, slot: str | None) -> int | None:
    facts = scope.calls[0].facts
    if facts is None or slot is None:
        return None
    if facts.docs.paging is not None and facts.docs.paging.max_page_size is not None:
        return facts.docs.paging.max_page_size
    field = facts.field(slot)
    return int(field.max) if field is not None and field.max is not None else None


def _check_let_out(scope: ToolScope, items: str) -> None:
    """A paged tool that does not let its list out would page through nothing."""
    for written in scope.entry.output.values():
        place = written if isinstance(written, str) else written.from_
        if place == items or place.startswith((items + "[", items + ".")):
            return
    scope.report.at_key(
        Code.PAGING_INVALID,
        scope.at,
        f"the list {items!r} is not in the output",
        f'add `items: {{from: "{items}[]", fields: ...}}`, or `paging: none`',
    )
