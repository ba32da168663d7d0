"""Every file of a surface: which paths there are, and what each holds."""

from collections.abc import Iterable, Mapping

from msgspec import Raw

from placet_generator.emit.golden import manifest_text, sdk_pin_text, tool_record_text
from placet_generator.emit.literals import json_line, json_object, visible_text
from placet_generator.emit.methods import looks_up, methods_text
from placet_generator.emit.names import path_part
from placet_generator.emit.pages import skill_name, skill_view, tools_page_view, topic_view
from placet_generator.emit.render import render
from placet_generator.emit.schemas import Shapes
from placet_generator.emit.views import domain_views, index_view, package_view, shard_view
from placet_generator.emit.wire import WireTool, wire_tools
from placet_generator.ir import DomainIR, SurfaceIR

__all__ = ["emit_surface"]

Files = dict[str, str]


def emit_surface(
    surface: SurfaceIR,
    wire: Mapping[str, WireTool] | None = None,
    methods: Iterable[tuple[str, str, str]] = (),
) -> Files:
    """Path below the repository, with `/`, to text. Python is valid but not yet laid out by a formatter.

    The result does not depend on the order of domains, tools, shapes or mappings, nor on locale, time or hash seed.

    Args:
        wire: What `wire_tools` gives for the surface, when the caller has it already.
        methods: Name, verb and route of every method of the catalogue, for a surface that looks them up.
    Raises:
        ValueError: a name cannot be part of a path.
    """
    wire = wire if wire is not None else wire_tools(surface)
    shapes = Shapes(surface)
    root = f"generated/src/{path_part(surface.package)}"
    golden = f"golden/{path_part(surface.name)}"
    files = {
        f"{root}/__init__.py": render("package_init.py.j2", package_view(surface)),
        f"{root}/py.typed": "",
        f"{root}/index/__init__.py": render("index_init.py.j2", index_view(surface)),
        f"{golden}/manifest.tsv": manifest_text(wire.values()),
        f"{golden}/sdk.pin.json": sdk_pin_text(surface),
    }
    if looks_up(surface) and (listed := methods_text(methods)):
        files[f"{root}/methods.tsv"] = listed
    for domain in surface.domains:
        files |= _python_files(surface, domain, shapes, wire, root)
        files |= _skill_files(surface, domain, shapes, root)
        files |= _guidance_files(domain, root)
        parts = {tool.key: wire[tool.name].parts() for tool in sorted(domain.tools, key=lambda one: one.key)}
        files[f"{root}/schemas/{domain.name}.json"] = _schemas_text(parts)
        for tool in domain.tools:
            record = tool_record_text(wire[tool.name], parts[tool.key])
            files[f"{golden}/tools/{domain.name}/{tool.key}.json"] = record
    return {path: files[path] for path in sorted(files)}


def _python_files(
    surface: SurfaceIR, domain: DomainIR, shapes: Shapes, wire: Mapping[str, WireTool], root: str
) -> Files:
    views = domain_views(surface, domain, shapes, wire)
    folder = f"{root}/{path_part(domain.name)}"
    files = {
        f"{folder}/__init__.py": render("domain_init.py.j2", views.exports),
        f"{root}/index/{domain.name}.py": render("index_shard.py.j2", shard_view(surface, domain, wire)),
    }
    if views.shapes is not None:
        files[f"{folder}/_shapes.py"] = render("shapes_module.py.j2", views.shapes)
    for key, view in views.tools.items():
        files[f"{folder}/_{path_part(key)}.py"] = render("tool_module.py.j2", view)
    return files


def _skill_files(surface: SurfaceIR, domain: DomainIR, shapes: Shapes, root: str) -> Files:
    folder = f"{root}/skills/{path_part(skill_name(surface, domain))}"
    files = {
        f"{folder}/SKILL.md": render("skill.md.j2", skill_view(surface, domain)),
        f"{folder}/references/tools.md": render("tools.md.j2", tools_page_view(domain, shapes)),
    }
    for topic in domain.guidance:
        if topic.topic:
            files[f"{folder}/references/{path_part(topic.topic)}.md"] = render(
                "topic.md.j2", topic_view(topic)
            )
    return files


def _guidance_files(domain: DomainIR, root: str) -> Files:
    """Guidance for the runtime to serve: as it was written, but for characters that nobody can see."""
    files: Files = {}
    for topic in domain.guidance:
        page = f"{domain.name}/{path_part(topic.topic)}" if topic.topic else domain.name
        for locale, text in topic.text.items():
            files[f"{root}/guidance/{path_part(locale)}/{page}.md"] = visible_text(text)
    return files


def _schemas_text(parts: Mapping[str, Mapping[str, Raw]]) -> str:
    """One JSON object, tool key to schemas, one tool a line."""
    lines = (f"{json_line(key)}: {json_object(record)}" for key, record in parts.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
