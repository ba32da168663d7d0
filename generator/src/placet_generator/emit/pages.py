"""What the Markdown templates lay out: a skill a domain, its tools in detail, its topics."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from placet_generator.emit.literals import markdown_text, visible_text, yaml_literal
from placet_generator.emit.names import path_part
from placet_generator.emit.prose import one_line
from placet_generator.emit.schemas import Shapes, arguments_of
from placet_generator.emit.texts import english_about
from placet_generator.ir import (
    DomainIR,
    FieldIR,
    Limits,
    ListType,
    MemberIR,
    ObjectType,
    ScalarType,
    SurfaceIR,
    ToolIR,
    TopicIR,
    TypeIR,
    UnionType,
)

__all__ = [
    "SkillView",
    "ToolsPageView",
    "TopicView",
    "skill_name",
    "skill_view",
    "tools_page_view",
    "topic_view",
]

DESCRIPTION_MAX = 1024
"""Longest description, in characters, that loaders of skills accept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillTool:
    name: str
    risk: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillView:
    """`SKILL.md`; `blocks` are Markdown as curated, everything else is plain text made safe."""

    name: str
    description: str
    title: str
    blocks: tuple[str, ...]
    tools: tuple[SkillTool, ...]
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A Markdown table, its cells ready."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSection:
    name: str
    blocks: tuple[str, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsPageView:
    """`references/tools.md`."""

    title: str
    tools: tuple[ToolSection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicView:
    """A page of guidance as curated: its title, and the Markdown below it."""

    title: str
    text: str


def skill_name(surface: SurfaceIR, domain: DomainIR) -> str:
    """`feishu-bitable`: lower case and hyphens, as skills are named."""
    return f"{surface.name}-{domain.name}".replace("_", "-")


def skill_view(surface: SurfaceIR, domain: DomainIR) -> SkillView:
    """A domain's skill, in English."""
    tools = sorted(domain.tools, key=lambda one: one.name)
    pages = [topic_view(one) for one in domain.guidance if not one.topic]
    topics = sorted((one for one in domain.guidance if one.topic), key=lambda one: one.topic)
    return SkillView(
        name=skill_name(surface, domain),
        description=yaml_literal(_description(surface, domain, tools)),
        title=pages[0].title if pages else markdown_text(domain.title["en"]),
        blocks=tuple(page.text for page in pages if page.text),
        tools=tuple(
            SkillTool(name=f"`{one.name}`", risk=one.risk.value, summary=markdown_text(one.summary["en"]))
            for one in tools
        ),
        links=(
            "[Arguments and answers of every tool](references/tools.md)",
            *(f"[{markdown_text(one.title['en'])}](references/{path_part(one.topic)}.md)" for one in topics),
        ),
    )


def _description(surface: SurfaceIR, domain: DomainIR, tools: Iterable[ToolIR]) -> str:
    """The domain's title, its tools, and as many of the words people use for them as fit."""
    tools = tuple(tools)
    text = one_line(
        f"{surface.title}: {domain.title['en'].rstrip('.')}. Tools: {', '.join(one.key for one in tools)}."
    )
    turns = zip_longest(*(one.keywords for one in tools))  # every tool's first word before any tool's second
    words = dict.fromkeys(one_line(word) for turn in turns for word in turn if word is not None)
    if len(text) > DESCRIPTION_MAX:
        return f"{text[: DESCRIPTION_MAX - 1]}…"
    start = " Words: "
    for word in words:
        if len(text) + len(start) + len(word) + 1 > DESCRIPTION_MAX:
            break
        text, start = f"{text}{start}{word}", ", "
    return text if start == " Words: " else f"{text}."


def topic_view(topic: TopicIR) -> TopicView:
    """English; a heading that opens the text becomes the title."""
    text = visible_text(topic.text.get("en", "")).strip()
    first, _, rest = text.partition("\n")
    if first.startswith("# "):
        return TopicView(title=first[2:].strip(), text=rest.strip())
    return TopicView(title=markdown_text(topic.title["en"]), text=text)


def tools_page_view(domain: DomainIR, shapes: Shapes) -> ToolsPageView:
    """Every tool of a domain with its arguments and the fields of its data."""
    tools = sorted(domain.tools, key=lambda one: one.name)
    return ToolsPageView(
        title=markdown_text(f"Tools of {domain.name}"), tools=tuple(_section(tool, shapes) for tool in tools)
    )


def _section(tool: ToolIR, shapes: Shapes) -> ToolSection:
    advice = (("Use when", tool.use_when), ("Not when", tool.avoid_when))
    told = [f"{label}: {markdown_text(texts['en'])}" for label, texts in advice if texts.get("en")]
    facts = f"Risk: {tool.risk.value}. Identity: {', '.join(tool.identity) or 'none'}."
    arguments = tuple(row for one in arguments_of(tool) for row in _rows(one, "", shapes, frozenset()))
    answer = tuple(row for one in tool.output for row in _rows(one, "", shapes, frozenset()))
    tables = (
        Table(columns=("argument", "type", "needed", "about"), rows=tuple(map(_cells, arguments))),
        Table(columns=("answer", "type", "about"), rows=tuple(map(_answer_cells, answer))),
    )
    return ToolSection(
        name=tool.name,
        blocks=(markdown_text(tool.summary["en"]), *told, facts),
        tables=tuple(table for table in tables if table.rows),
    )


_Row = tuple[str, MemberIR | FieldIR]
"""A place such as `filter[].value`, and what stands there."""


def _cells(row: _Row) -> tuple[str, ...]:
    place, one = row
    needed = "yes" if isinstance(one, MemberIR) and one.required else ""
    about = english_about(one) if isinstance(one, MemberIR) else ""
    return f"`{place}`", _type_words(one), needed, markdown_text(about)


def _answer_cells(row: _Row) -> tuple[str, ...]:
    place, one = row
    return f"`{place}`", _type_words(one), markdown_text(one.about.get("en", ""))


def _rows(
    one: MemberIR | FieldIR, within: str, shapes: Shapes, open_shapes: frozenset[str]
) -> Iterator[_Row]:
    """A row for the member and one for each member below it; a shape inside itself is not opened again."""
    place = f"{within}{one.name}"
    yield place, one
    kind = one.type
    while isinstance(kind, ListType):
        kind, place = kind.item, f"{place}[]"
    if isinstance(kind, ScalarType) or kind.name in open_shapes:
        return
    if kind.shared:
        kind, open_shapes = shapes.definition(kind), open_shapes | {kind.name}
    if isinstance(kind, ObjectType):
        for inner in kind.members:
            yield from _rows(inner, f"{place}.", shapes, open_shapes)
        return
    for tag, variant in kind.variants:
        for inner in (_tag_member(kind.tag, tag), *variant.members):
            yield from _rows(inner, f"{place}({tag}).", shapes, open_shapes)


def _tag_member(name: str, tag: str) -> MemberIR:
    return MemberIR(
        name=name, type=ScalarType(name="string"), required=True, about={}, limits=Limits(enum=(tag,))
    )


def _type_words(member: MemberIR | FieldIR) -> str:
    if isinstance(member, MemberIR) and member.limits.enum and isinstance(member.type, ScalarType):
        return " or ".join(markdown_text(str(one)) for one in member.limits.enum)
    words = _kind_words(member.type)
    return f"{words} or null" if isinstance(member, MemberIR) and member.nullable else words


def _kind_words(kind: TypeIR) -> str:
    if isinstance(kind, ListType):
        return f"list of {_kind_words(kind.item)}"
    if isinstance(kind, UnionType):
        return f"object with {markdown_text(kind.tag)}"
    return "object" if isinstance(kind, ObjectType) else kind.name
