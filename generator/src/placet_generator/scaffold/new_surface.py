"""`placet init`: a whole surface for somebody's own API, from its OpenAPI document.

Everything the document says is a stranger's text: it is cut, cleaned and quoted, and never decides a file name that
it did not earn as an identifier.
"""

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from placet.contract.words import WIRE_NAME_MAX
from placet_generator.catalogue.model import CatalogueError, Method, Node
from placet_generator.catalogue.openapi import OpenApiCatalogue, OpenApiDocument, Operation
from placet_generator.catalogue.openapi.names import route_key, slug
from placet_generator.catalogue.openapi.text import one_line
from placet_generator.scaffold.entry import Choices, Inexpressible, output_of, parameters_of, tool_name
from placet_generator.scaffold.yaml_text import Remarks, comment, lines

DOMAIN_MAX = 20
SUMMARY_MAX = 240
ABOUT_MAX = 160
GUIDANCE_TOOLS = 12

_RESERVED_DOMAINS = frozenset({"surface", "skills", "schemas", "index", "tools"})
_VERSION = re.compile(r"v\d+(_\d+)*|api|rest")
_RISKS = {"GET": "read", "DELETE": "high-risk-write"}
_DOTTED = re.compile(r"(?<=\w)\.(?=\w)")
_BUDGETS = {
    "tool_bytes": 24_000,
    "mean_bytes": 12_000,
    "domain_bytes": 2_000_000,
    "description_chars": 1_000,
    "guidance_bytes": 2_048,
}


@dataclass(slots=True)
class _Domain:
    name: str
    title: str
    tools: dict[str, dict[str, Any]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    type_names: set[str] = field(default_factory=set)


def surface_files(
    document: OpenApiDocument, document_text: str, package: str, surface: str
) -> dict[str, str]:
    """The curation of a new surface: file contents by path below the project's root.

    Every operation becomes a tool: reads for GET, writes for the rest, DELETE a high-risk one. What curation cannot
    say is named in a comment at the end of its domain, or of the surface file where the domain has no tool. The
    document itself is copied beside it.

    Raises:
        ValueError: `package` or `surface` is no lower-case identifier, or no operation can be a tool.
    """
    for name in (package, surface):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
            raise ValueError(f"{name!r} is no lower-case identifier")
    domains = _domains(document)
    kept = [one for one in domains if one.tools]
    if not kept:
        raise ValueError(f"{document.path!r} has no operation that can be a tool")
    lost = [reason for one in domains if not one.tools for reason in one.left_out]
    ending = "json" if document_text.lstrip("\ufeff \t\r\n").startswith("{") else "yaml"
    folder = f"curation/{surface}"
    files = {
        f"{folder}/surface.yaml": _surface(document, package, surface, f"openapi.{ending}", lost),
        f"{folder}/openapi.{ending}": document_text,
    }
    for domain in kept:
        files[f"{folder}/domains/{domain.name}.yaml"] = _domain_file(domain)
        files[f"{folder}/guidance/en/{domain.name}.md"] = _guidance(domain)
    return files


def _surface(
    document: OpenApiDocument, package: str, surface: str, document_name: str, lost: list[str]
) -> str:
    head = "# yaml-language-server: $schema=../schema/surface.schema.json"
    written = {
        "surface": surface,
        "title": document.title or surface,
        "package": package,
        "platform": "http",
        "catalogue": {"provider": "openapi", "document": document_name},
        "budgets": _BUDGETS,
    }
    remarks: Remarks = {("budgets",): "wide, for a first draft; tighten them as you edit"}
    return "\n".join([head, *lines(written, 0, remarks), *_comments(lost)]) + "\n"


def _domains(document: OpenApiDocument) -> list[_Domain]:
    catalogue = OpenApiCatalogue(document)
    domains: dict[str, _Domain] = {}
    wire_names: set[str] = set()
    routes: set[tuple[str, str]] = set()
    named = [(one, *_domain_of(one)) for one in document.operations]
    words = {name for _, name, _ in named}
    for operation, name, title in named:
        domain = domains.setdefault(name, _Domain(name, _plain(title, 80, words) or name))
        route = (operation.http, route_key(operation.route))
        try:
            if operation.route and route in routes:
                raise Inexpressible("another operation has the same verb and route")
            method = catalogue.method(operation.name)
            if method is None:
                continue
            _add(domain, operation, method, wire_names, words)
            routes.add(route)
        except (Inexpressible, CatalogueError) as reason:
            said = reason.message if isinstance(reason, CatalogueError) else str(reason)
            domain.left_out.append(f"{operation.http} {operation.path}: {said}")
    return sorted(domains.values(), key=lambda one: one.name)


def _domain_of(operation: Operation) -> tuple[str, str]:
    """Name and title: of the first tag, else of the first telling segment of the route."""
    segments = [slug(one) for one in operation.path.split("/") if one and not one.startswith("{")]
    telling = [one for one in segments if one and not _VERSION.fullmatch(one)]
    name = slug(operation.tag) or (telling[0] if telling else "") or "api"
    name = (f"d{name}" if name[0].isdigit() else name)[:DOMAIN_MAX].strip("_")
    if keyword.iskeyword(name) or name in _RESERVED_DOMAINS:
        name = f"{name}_api"
    return name, operation.tag


def _add(
    domain: _Domain, operation: Operation, method: Method, wire_names: set[str], words: set[str]
) -> None:
    longest = WIRE_NAME_MAX - len(domain.name) - 1
    wanted = slug(operation.operation_id) or slug(f"{operation.http} {operation.path}")
    taken = set(domain.tools)
    key = tool_name(wanted, domain.name, taken, longest=longest)
    while f"{domain.name}_{key}" in wire_names:
        taken.add(key)
        key = tool_name(wanted, domain.name, taken, longest=longest)
    domain.type_names |= {f"{_pascal(key)}Args", f"{_pascal(key)}Result"}
    choices = Choices(wording=lambda name, node: _about(name, node, words), type_names=domain.type_names)
    found = parameters_of(method, key, choices)
    risk = _RISKS.get(method.http, "write")
    summary = _plain(method.summary, SUMMARY_MAX, words)
    entry: dict[str, Any] = {
        "summary": summary or f"Send {method.http} {one_line(operation.path, 120)}.",
        "source": {"sdk": method.name, "http": method.http, "route": method.route},
        "risk": risk,
    }
    identity = [one for one in ("tenant", "user") if one in method.tokens]
    if identity:
        entry["identity"] = identity
    if found.by_name:
        entry["parameters"] = found.by_name
    if risk == "read":
        entry["paging"] = "none"
    else:
        entry["idempotency"] = "ledger"
        if method.http in ("PUT", "PATCH"):
            entry["before"] = {
                "because": "Name the read that shows the old values instead, or say why none does."
            }
    output = output_of(method, key, choices)
    if output:
        entry["output"] = output
    domain.tools[key] = entry
    wire_names.add(f"{domain.name}_{key}")
    if found.left_out:
        domain.left_out.append(f"{key}, optional: {', '.join(found.left_out)}")


def _pascal(key: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in key.split("_"))


def _about(name: str, node: Node, words: set[str]) -> str:
    return _plain(node.about, ABOUT_MAX, words) or f"The {name.replace('_', ' ')}."


def _plain(text: str, limit: int, domains: set[str]) -> str:
    """Text on one line, in which nothing reads like the name of a tool."""
    line = one_line(text, limit)
    if any(f"{domain}." in line for domain in domains):
        line = _DOTTED.sub(" ", line)
    return line


def _domain_file(domain: _Domain) -> str:
    head = "# yaml-language-server: $schema=../../schema/domain.schema.json"
    tools = dict(sorted(domain.tools.items()))
    written = {"domain": domain.name, "title": domain.title, "tools": tools}
    return "\n".join([head, *lines(written), *_comments(domain.left_out)]) + "\n"


def _comments(left_out: list[str]) -> Iterator[str]:
    if left_out:
        yield ""
        yield comment("Left out:")
        yield from (comment(f"- {one}") for one in left_out)


def _guidance(domain: _Domain) -> str:
    """A first page to be rewritten: our words and names of tools that exist."""
    tools = sorted(domain.tools)
    reads = [one for one in tools if domain.tools[one]["risk"] == "read"]
    writes = [one for one in tools if domain.tools[one]["risk"] != "read"]
    text = [f"# {domain.name}", "", "Say here which tool comes first, and which chain leads to the goal."]
    for what, listed in (("Reading", reads), ("Writing, each after a person's yes", writes)):
        if listed:
            shown = ", ".join(f"`{domain.name}.{one}`" for one in listed[:GUIDANCE_TOOLS])
            text += ["", f"{what}: {shown}{' and more' if len(listed) > GUIDANCE_TOOLS else ''}."]
    return "\n".join(text) + "\n"
