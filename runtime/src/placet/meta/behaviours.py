"""What the meta tools do, by the names under which surfaces curate them."""

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any, Protocol

from placet.contract.tool import AnyTool, Surface, ToolEntry
from placet.meta.methods import Method, methods_of
from placet.meta.search import search
from placet.schemas import tool_record

__all__ = ["BEHAVIOURS", "Behaviour"]

NOTHING = "Nothing here fits. Do not guess a tool; tell the person, or ask what they mean."
IsOn = Callable[[str], bool]


class Behaviour(Protocol):
    """What a local tool does: no I/O but reading the pack's own files."""

    async def __call__(self, surface: Surface, arguments: dict[str, Any], is_on: IsOn) -> dict[str, Any]: ...


async def tool_search(surface: Surface, arguments: dict[str, Any], is_on: IsOn) -> dict[str, Any]:
    """Tools for a task, best first, each with the tools that supply its ids."""
    domain, risk, enabled = arguments.get("domain"), arguments.get("risk"), arguments.get("enabled")

    def keep(entry: ToolEntry) -> bool:
        return (
            (domain is None or entry.domain == domain)
            and (risk is None or entry.risk.value == risk)
            and (enabled is None or is_on(entry.name) is enabled)
        )

    hits = search(surface, arguments["query"], keep=keep, limit=arguments.get("limit", 5))
    found = [
        {
            "name": hit.entry.wire_name,
            "summary": hit.entry.summary,
            "domain": hit.entry.domain,
            "risk": hit.entry.risk.value,
            "enabled": is_on(hit.entry.name),
            "score": hit.score,
            "first": _first(surface, hit.entry),
            "source": _source(hit.entry),
        }
        for hit in hits
    ]
    return {"items": found} if found else {"items": [], "note": NOTHING}


async def schema_read(surface: Surface, arguments: dict[str, Any], is_on: IsOn) -> dict[str, Any]:
    """One tool's definition, or the places that the tools fill in one platform method."""
    if "tool" in arguments:
        entry = _entry(surface, arguments["tool"])
        if entry is None:
            return {"name": arguments["tool"], "summary": NOTHING}
        record = tool_record(surface, entry)
        return {
            "name": entry.wire_name,
            "summary": entry.summary,
            "risk": entry.risk.value,
            "enabled": is_on(entry.name),
            "identity": [one.value for one in entry.identity],
            "scopes": list(entry.scopes.any_of),
            "input_schema": record["wire"]["inputSchema"],
            "output_schema": record["output_schema"],
            **{name: value for name, value in _source(entry).items() if name != "sdk"},
        }
    users = [entry for entry in surface.tools if entry.source.sdk == arguments["method"]]
    if not users:
        return {"name": arguments["method"], "summary": "No tool uses this method."}
    return {"name": arguments["method"], **_source(users[0]), "slots": _slots(surface, users)}


async def capability_lookup(surface: Surface, arguments: dict[str, Any], is_on: IsOn) -> dict[str, Any]:
    """Methods of the platform, by name or by what they do, with the tools that use them; curated or not."""
    listed = methods_of(surface.package)
    users: dict[str, list[ToolEntry]] = {}
    for entry in surface.tools:
        if entry.source.sdk is not None:
            users.setdefault(entry.source.sdk, []).append(entry)
    if "method" in arguments:
        name = arguments["method"]
        names = [name] if name in users else [one.name for one in listed.named(name)]
    else:
        hits = [hit.entry.source.sdk for hit in search(surface, arguments["query"], limit=5)]
        more = [one.name for one in listed.about(arguments["query"], limit=10)]
        names = list(dict.fromkeys([name for name in hits if name is not None] + more))
    found = [_capability(name, listed.by_name.get(name), users.get(name, [])) for name in names]
    told: dict[str, Any] = {"items": found}
    if not found:
        told["note"] = (
            "The platform has no such method, or its name says it in other words; try English ones."
        )
    if any(not one["tools"] for one in found) or not found:
        told["next_step"] = (
            "A developer looks it up with `placet catalog search` and curates it with `placet new`."
        )
    return told


def _capability(name: str, method: Method | None, users: list[ToolEntry]) -> dict[str, Any]:
    told: dict[str, Any] = {"method": name, "tools": [entry.wire_name for entry in users]}
    if method is not None:
        told |= {"http": method.http, "route": method.route}
    elif users:
        told |= {"http": users[0].source.http, "route": users[0].source.route}
    if users:
        told["identity"] = sorted({identity.value for entry in users for identity in entry.identity})
    return told


async def guidance_read(surface: Surface, arguments: dict[str, Any], is_on: IsOn) -> dict[str, Any]:
    """A domain's first page, or one of its topics."""
    domain, topic = arguments["domain"], arguments.get("topic")
    root = files(surface.package).joinpath("guidance", surface.locales[0])
    pages = {page.name.removesuffix(".md") for page in root.iterdir() if page.name.endswith(".md")}
    if domain not in pages:
        return {"domain": domain, "text": f"There is no such domain. There is {', '.join(sorted(pages))}."}
    folder = root.joinpath(domain)
    topics = (
        {page.name.removesuffix(".md"): page for page in folder.iterdir() if page.name.endswith(".md")}
        if folder.is_dir()
        else {}
    )
    if topic is not None and topic not in topics:
        text = f"There is no such topic. There is {', '.join(sorted(topics)) or 'none'}."
    else:
        page = topics[topic] if topic is not None else root.joinpath(f"{domain}.md")
        text = page.read_text(encoding="utf-8")
    told = {"domain": domain, "title": _title(text), "text": text}
    if topic is not None:
        told["topic"] = topic
    listed = [
        {"topic": name, "title": _title(page.read_text(encoding="utf-8"))}
        for name, page in sorted(topics.items())
    ]
    return {**told, "topics": listed}


BEHAVIOURS: Mapping[str, Behaviour] = {
    "tool_search": tool_search,
    "schema_read": schema_read,
    "capability_lookup": capability_lookup,
    "guidance_read": guidance_read,
}


def _entry(surface: Surface, name: str) -> ToolEntry | None:
    return next((one for one in surface.tools if name in (one.name, one.wire_name, *one.aliases)), None)


def _tool(entry: ToolEntry) -> AnyTool:
    from importlib import import_module

    module, _, name = entry.target.partition(":")
    tool: AnyTool = getattr(import_module(module), name)
    return tool


def _source(entry: ToolEntry) -> dict[str, Any]:
    source = {"sdk": entry.source.sdk, "http": entry.source.http, "route": entry.source.route}
    return {name: value for name, value in source.items() if value is not None}


def _first(surface: Surface, entry: ToolEntry) -> list[str]:
    """Tools named in the arguments' descriptions as the place that an id comes from."""
    known = {one.wire_name for one in surface.tools}
    schema = tool_record(surface, entry)["wire"]["inputSchema"]
    found: dict[str, None] = {}
    for argument in schema.get("required", ()):
        text = schema["properties"].get(argument, {}).get("description", "")
        for word in text.replace(".", " ").replace(",", " ").replace(";", " ").split():
            if word in known and word != entry.wire_name:
                found[word] = None
    return list(found)


def _slots(surface: Surface, users: list[ToolEntry]) -> list[dict[str, Any]]:
    """Every place in the method's request that some tool fills, by name."""
    found: dict[str, dict[str, Any]] = {}
    for entry in users:
        required = tool_record(surface, entry)["wire"]["inputSchema"].get("required", ())
        for slot in _tool(entry).binding.slots:
            for name in slot.to:
                found[name] = {"name": name, "type": slot.type, "required": slot.argument in required}
    return [found[name] for name in sorted(found)]


def _title(text: str) -> str:
    return text.partition("\n")[0].lstrip("# ").strip()
