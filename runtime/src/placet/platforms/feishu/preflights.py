"""Checks before a call is proposed. They read as the caller may read, and only what the caller has switched on."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from placet.contract.platform import ChildCaller, Preflight
from placet.contract.result import Ok
from placet.contract.tool import AnyTool

__all__ = ["PREFLIGHTS"]

LIST_FIELDS = "bitable.list_fields"
_PAGES_MOST = 10
_NAMED_MOST = 5


async def known_fields(tool: AnyTool, arguments: Mapping[str, Any], reads: ChildCaller) -> str | None:
    """`bitable.known_fields`: says which of the field names used are none of the table's.

    Without `bitable.list_fields` switched on nothing is read: an answer would tell names to somebody who may not list
    them. A read that fails or stays incomplete refuses nothing; the platform will say.
    """
    used = list(dict.fromkeys(_used_names(arguments)))
    if not used or not reads.is_enabled(LIST_FIELDS):
        return None
    names = await _table_names(arguments, reads, set(used))
    if names is None:
        return None
    unknown = [name for name in used if name not in names]
    if not unknown:
        return None
    told = "; ".join(_sentence(name, names) for name in unknown[:_NAMED_MOST])
    rest = f"; and {len(unknown) - _NAMED_MOST} more" if len(unknown) > _NAMED_MOST else ""
    return f"{told}{rest} (names must match exactly; {LIST_FIELDS} shows them)"


def _used_names(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Field names in a filter, a sort, a choice of fields, one record and several."""
    condition = arguments.get("filter")
    if isinstance(condition, Mapping):
        yield from _members(condition.get("conditions"), "field")
    yield from _members(arguments.get("sort"), "field")
    chosen = arguments.get("field_names")
    if isinstance(chosen, list):
        yield from (name for name in chosen if isinstance(name, str))
    fields = arguments.get("fields")
    if isinstance(fields, Mapping):
        yield from fields
    records = arguments.get("records")
    for record in records if isinstance(records, list) else []:
        if isinstance(record, Mapping) and isinstance(record.get("fields"), Mapping):
            yield from record["fields"]


def _members(entries: Any, name: str) -> Iterator[str]:
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, Mapping) and isinstance(entry.get(name), str):
            yield entry[name]


async def _table_names(
    arguments: Mapping[str, Any], reads: ChildCaller, wanted: set[str]
) -> frozenset[str] | None:
    """The table's field names, or enough of them to hold all `wanted`; None when they cannot all be had."""
    table = {name: arguments[name] for name in ("app_token", "table_id") if name in arguments}
    names: set[str] = set()
    page: dict[str, Any] = {"fetch_all": True}
    for _ in range(_PAGES_MOST):
        result = await reads.read(LIST_FIELDS, {**table, **page})
        if not isinstance(result, Ok) or result.withheld is not None or not isinstance(result.data, Mapping):
            return None
        names.update(_members(result.data.get("items"), "name"))
        if wanted <= names:
            return frozenset(names)
        following = result.page.next if result.page is not None else None
        if following is None:
            return None if result.truncated or result.drift else frozenset(names)
        page = {"page_token": following, "fetch_all": True}
    return None


def _sentence(name: str, names: frozenset[str]) -> str:
    close = get_close_matches(name, sorted(names), n=3, cutoff=0.5)
    stripped = [one for one in sorted(names) if one.strip().casefold() == name.strip().casefold()]
    meant = list(dict.fromkeys([*stripped, *close]))[:3]
    hint = f"; did you mean {' or '.join(repr(one) for one in meant)}?" if meant else ""
    return f"the table has no field {name!r}{hint}"


PREFLIGHTS: Mapping[str, Preflight] = {"bitable.known_fields": known_fields}
"""Every preflight by the name that curation uses."""
