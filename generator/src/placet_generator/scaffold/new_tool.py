"""`placet new`: a tool entry to edit, from a method of the SDK and what the witness knows about it."""

from collections.abc import Mapping
from typing import Any

from placet.contract.names import PlatformNames
from placet.contract.words import WIRE_NAME_MAX
from placet_generator.catalogue.model import Method, Node
from placet_generator.scaffold.entry import Choices, Inexpressible, output_of, parameters_of, tool_name
from placet_generator.scaffold.yaml_text import Remarks, comment, lines
from placet_generator.witness.model import Bounds, EndpointFacts, FieldFacts

_PAGING = frozenset({"query.page_token", "query.page_size"})
_VERBS = {"GET": "read", "DELETE": "high-risk-write"}
_DEFAULTS = {"query.user_id_type": "open_id", "query.department_id_type": "open_department_id"}
_KEYS = ("client_token", "uuid", "idempotency_key")
_NO_NAMES = PlatformNames(platform="")
_ACTING_PLACES = ("query.", "body.")


def tool_entry(
    method: Method,
    facts: EndpointFacts | None,
    domain: str,
    *,
    names: PlatformNames = _NO_NAMES,
    defaults: Mapping[str, str] = _DEFAULTS,
) -> str:
    """The YAML of one tool, to stand under `tools:`. Every text in it is there to be replaced.

    Args:
        facts: What the witness knows; None when nothing is.
        domain: Where the tool will live; its name counts in the length of the tool's.
        names: The platform's, for slots that say who acts and for the context that fills them.
        defaults: Slots that the surface fills, with their values.

    Returns:
        Lines indented by two, ending in a newline; only a comment when curation cannot say the method.
    """
    name = tool_name(_wanted(method.name), domain, set(), longest=WIRE_NAME_MAX - len(domain) - 1)
    risk = facts.risk if facts is not None and facts.risk is not None else _VERBS.get(method.http, "write")
    native = _native(method, facts) if risk != "read" else None
    paging = _paging(method, facts) if risk == "read" else "none"
    context = _context(method, names)
    skipped = {slot for slot, value in defaults.items() if _may_be(facts, slot, value)}
    skipped |= context.keys() | ({native} if native else set())
    skipped |= _PAGING if paging == "derived" else _slots_in(paging)
    choices = Choices(
        wording=lambda key, node: f"Describe {key}.",
        skips=lambda slot: slot in skipped or _is_unsendable(facts, slot),
        requires=lambda slot: _is_required(facts, slot),
        refine=lambda slot, node: _refined(facts, slot, node),
    )
    identity = [one for one in ("tenant", "user") if one in method.tokens]
    if method.tokens and not identity:
        return f"  {comment(f'{method.name} cannot be a tool: it takes neither a tenant nor a user token')}\n"
    try:
        found = parameters_of(method, name, choices)
    except Inexpressible as reason:
        return f"  {comment(f'{method.name} cannot be a tool: {reason}')}\n"
    entry: dict[str, Any] = {"summary": "Say what it does, and to what."}
    entry["source"] = {"sdk": method.name, "http": method.http, "route": method.route}
    entry["risk"] = risk
    if method.http == "DELETE" and risk != "high-risk-write":
        entry["because"] = "Say why nothing of value is lost."
    if identity:
        entry["identity"] = identity
    entry |= _scopes(facts)
    for key, value in (("context", context), ("parameters", found.by_name)):
        if value:
            entry[key] = value
    if risk != "read":
        entry["idempotency"] = {"native": native, "form": "uuid4"} if native else "ledger"
        if method.http in ("PUT", "PATCH"):
            entry["before"] = {
                "because": "Name the read that shows the old values instead, or say why none does."
            }
    elif paging != "derived" and (isinstance(paging, dict) or _takes_token(method)):
        entry["paging"] = paging
    without = frozenset({"page_token", "has_more"}) if paging == "derived" else frozenset()
    output = output_of(method, name, choices, without=without)
    if output:
        entry["output"] = output
    remarks: Remarks = {(name, "risk"): "decide by effect"}
    text = [*lines({name: entry}, 2, remarks)]
    if found.left_out:
        text.append("    " + comment("not taken over: " + ", ".join(found.left_out)))
    return "\n".join(text) + "\n"


def _wanted(path: str) -> str:
    """`bitable.v1.app_table_record.batch_get` as `batch_get_app_table_record`."""
    parts = path.split(".")
    return "_".join((parts[-1], *parts[-2:-1]))


def _native(method: Method, facts: EndpointFacts | None) -> str | None:
    """The slot of the platform's own idempotency key: the one the witness names, else one that is named like it."""
    slots = {f"query.{one.name}": one.node for one in method.query}
    if method.body is not None and method.body_kind == "json":
        slots |= {f"body.{name}": node for name, node in method.body.fields.items()}
    said = facts.native.slot if facts is not None and facts.native is not None else None
    named = [
        slot for slot, node in slots.items() if slot.partition(".")[2] in _KEYS and node.kind == "string"
    ]
    return said if said in slots else next(iter(named), None)


def _takes_token(method: Method) -> bool:
    return any(one.name == "page_token" for one in method.query)


def _paging(method: Method, facts: EndpointFacts | None) -> str | dict[str, Any]:
    """ "derived" where the habit holds, the places where a page of the documentation says them, else "none"."""
    fields: Mapping[str, Node] = method.response.fields if method.response is not None else {}
    lists = [name for name, node in fields.items() if node.kind == "array"]
    if _takes_token(method) and len(lists) == 1 and "page_token" in fields:
        return "derived"
    said = facts.docs.paging if facts is not None else None
    if said is None or said.style != "page_token" or said.items is None or said.next is None:
        return "none"
    written: dict[str, Any] = {"style": "token", "token": f"{said.place}.{said.page_token}"}
    if said.page_size:
        written["size"] = f"{said.place}.{said.page_size}"
    if said.max_page_size is not None:
        written["size_max"] = said.max_page_size
    written["items"] = said.items.removeprefix("data.") + "[]"
    written["next"] = said.next.removeprefix("data.")
    return written


def _slots_in(paging: str | dict[str, Any]) -> set[str]:
    return {paging[key] for key in ("token", "size") if key in paging} if isinstance(paging, dict) else set()


def _context(method: Method, names: PlatformNames) -> dict[str, str]:
    """Slots that say who acts, each with the actor's value of that kind."""
    if "tenant" not in method.tokens or not names.context_keys:
        return {}
    body = method.body.fields if method.body is not None else {}
    listed = [f"query.{one.name}" for one in method.query] + [f"body.{name}" for name in body]
    found: dict[str, str] = {}
    for slot in listed:
        last = slot.rpartition(".")[2]
        if last in names.acting_slots and slot.startswith(_ACTING_PLACES):
            keys = sorted(names.context_keys)
            found[slot] = f"actor.{last}" if f"actor.{last}" in keys else _actor(keys)
    return found


def _actor(keys: list[str]) -> str:
    if "actor.open_id" in keys:
        return "actor.open_id"
    return next((one for one in keys if one.startswith("actor.")), keys[0])


def _field(facts: EndpointFacts | None, slot: str) -> FieldFacts | None:
    return facts.field(slot) if facts is not None else None


def _may_be(facts: EndpointFacts | None, slot: str, value: str) -> bool:
    found = _field(facts, slot)
    return found is None or not found.enum or value in found.enum


def _is_unsendable(facts: EndpointFacts | None, slot: str) -> bool:
    """Read-only, dropped by the SDK in silence, or sent by it under a wrong name."""
    found = _field(facts, slot)
    return found is not None and (found.sdk_only or found.not_in_route or found.wire is not None)


def _is_required(facts: EndpointFacts | None, slot: str) -> bool:
    found = _field(facts, slot)
    return found is not None and bool(found.required)


def _refined(facts: EndpointFacts | None, slot: str, node: Node) -> dict[str, Any]:
    """What the witness adds to a parameter: the platform's own type, values, limits."""
    found = _field(facts, slot)
    if facts is None or found is None:
        return {}
    keys: dict[str, Any] = {}
    is_scalar = node.kind in ("string", "integer", "number", "boolean")
    if node.kind == "integer" and found.type_explorer == "str":
        keys["type"] = "int64"
    wanted = {"string": str, "integer": int}.get(node.kind)
    can_list = is_scalar and "type" not in keys and wanted is not None and found.enum
    if can_list and all(type(one) is wanted for one in found.enum):
        keys["enum"] = list(found.enum)
    bounds = facts.docs.limits.get(slot)
    if bounds is not None and "type" not in keys:
        keys |= _bounds(bounds, node)
    return keys


def _bounds(bounds: Bounds, node: Node) -> dict[str, Any]:
    match node.kind:
        case "integer" | "number":
            keys: tuple[str, ...] = ("min", "max")
        case "string":
            keys = ("min_len", "max_len")
        case "array":
            keys = ("min_items", "max_items")
        case _:
            keys = ()
    found = {key: getattr(bounds, key) for key in keys if getattr(bounds, key) is not None}
    return found if len(found) < 2 or found[keys[0]] <= found[keys[1]] else {}


def _scopes(facts: EndpointFacts | None) -> dict[str, Any]:
    if facts is None:
        return {}
    found = {"any_of": list(facts.scopes), "all_of": list(facts.scopes_all_of)}
    found = {key: value for key, value in found.items() if value}
    return {"scopes": found} if found else {}
