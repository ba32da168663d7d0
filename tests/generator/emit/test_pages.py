"""Skills read as pages: a short first one, the details behind it."""

from dataclasses import replace

import yaml

from placet_generator.emit import emit_surface
from placet_generator.emit.pages import skill_view, tools_page_view, topic_view
from placet_generator.emit.schemas import Shapes
from placet_generator.ir import TopicIR
from tests.generator.emit.sample import sample_surface, surface_with, tool

SURFACE = sample_surface()
BITABLE, IM = SURFACE.domains
SKILL = "generated/src/placet_feishu/skills/feishu-bitable"


def test_a_skill_opens_with_name_and_description() -> None:
    """The front matter is what a loader reads first."""
    text = emit_surface(SURFACE)[f"{SKILL}/SKILL.md"]

    _, front, body = text.split("---\n", 2)
    assert yaml.safe_load(front) == {
        "name": "feishu-bitable",
        "description": "Feishu and Lark: Bitable, tables used as a small database. "
        "Tools: list, query_records, update_record. Words: 多维表格, 改记录, update.",
    }
    assert body.startswith("\n# Bitable\n\nFirst bitable.query_records.\n\n## Tools\n")
    assert "| `bitable.update_record` | write | Change chosen fields" in body
    assert "- [Filters](references/filters.md)\n" in body


def test_a_domain_without_guidance_still_has_a_skill() -> None:
    """Its title stands in."""
    view = skill_view(SURFACE, IM)

    assert (view.title, view.blocks) == ("Messages", ())


def test_a_description_stays_within_what_loaders_take() -> None:
    """Words that do not fit are left out, whole; so is the tail of a long list of tools."""
    many = tuple(tool(f"im.tool_number_{number}", keywords=(f"word{number}",)) for number in range(45))
    surface = surface_with(*many)
    description = yaml.safe_load(skill_view(surface, surface.domains[0]).description)

    assert len(description) <= 1024
    assert "word0" in description
    assert description.endswith(".")

    surface = surface_with(*many, *(replace(one, name=f"{one.name}x", key=f"{one.key}x") for one in many))
    assert len(yaml.safe_load(skill_view(surface, surface.domains[0]).description)) == 1024


def test_the_tools_page_opens_nested_arguments() -> None:
    """Members have rows, items of lists and variants of unions included, and recursion ends."""
    page = tools_page_view(IM, Shapes(SURFACE))

    tables = {one.name: one.tables for one in page.tools}
    rows = [row[:3] for row in tables["im.send_message"][0].rows]
    assert rows == [
        ("`message`", "object with type", "yes"),
        ("`message(text).type`", "text", "yes"),
        ("`message(text).text`", "string", "yes"),
        ("`message(image).type`", "image", "yes"),
        ("`message(image).image_key`", "string", "yes"),
        ("`message(divider).type`", "divider", "yes"),
        ("`receive_id`", "string", "yes"),
        ("`idempotency_key`", "string", ""),
        ("`dry_run`", "boolean", ""),
    ]
    places = [row[0] for row in tables["im.all_kinds"][0].rows]
    assert [one for one in places if one.startswith("`departments")] == [
        "`departments`",
        "`departments[].name`",
        "`departments[].parts`",
    ]


def test_every_tool_has_a_word_before_any_has_two() -> None:
    """When words are left out, no tool loses all of its own."""
    surface = surface_with(tool("im.a", keywords=("a1", "a2")), tool("im.b", keywords=("b1", "a2")))

    assert skill_view(surface, surface.domains[0]).description.endswith('Words: a1, b1, a2."')


def test_a_heading_that_opens_a_topic_is_its_title() -> None:
    """A page has one title."""
    topic = TopicIR(domain="im", topic="a", title={"en": "Title"}, text={"en": "# Own\n\nText.\n"})

    assert (topic_view(topic).title, topic_view(topic).text) == ("Own", "Text.")
    assert topic_view(replace(topic, text={"en": "Text.\n"})).title == "Title"
