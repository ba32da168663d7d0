"""Ways in that a newcomer with bad intentions tried: each is closed as a kind."""

from pathlib import Path

import pytest

from placet_generator.curation.yaml_text import read_yaml
from placet_generator.diagnostics import Code
from placet_generator.resolve.naming import RESERVED_PACKAGES, is_topic
from placet_generator.surface_folder import compile_folder

DOMAIN = """\
domain: things
title: Things.
tools:
  drop_thing:
    summary: Remove one thing.
    source: {sdk: drop, http: DELETE, route: "/things/:id"}
    risk: %s
    because: nobody misses it
    identity: [tenant]
    parameters:
      thing_id: {to: path.id, about: The thing., obtain: person}
"""
DOCUMENT = """\
{"openapi": "3.1.0", "info": {"title": "Things", "version": "1"}, "paths": {"/things/{id}": {"delete": {"operationId":
"drop", "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}], "responses":
{"204": {"description": "gone"}}}}}}
"""
SURFACE = """\
surface: %s
title: Things
package: %s
platform: http
catalogue: {provider: openapi, document: openapi.json}
"""


def a_surface(root: Path, name: str, package: str, *, risk: str = "high-risk-write") -> None:
    folder = root / "curation" / name
    (folder / "domains").mkdir(parents=True)
    (folder / "guidance" / "en").mkdir(parents=True)
    (folder / "surface.yaml").write_text(SURFACE % (name, package), encoding="utf-8")
    (folder / "openapi.json").write_text(DOCUMENT, encoding="utf-8")
    domain = DOMAIN % risk + ("    idempotency: ledger\n" if risk != "read" else "")
    (folder / "domains" / "things.yaml").write_text(domain, encoding="utf-8")
    (folder / "guidance" / "en" / "things.md").write_text("# Things\n\nAsk first.\n", encoding="utf-8")


def codes_of(root: Path, name: str) -> set[Code]:
    return {one.code for one in compile_folder(root, name).diagnostics if one.severity == "error"}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"a":&x {"b":*x,"c":*x}}', id="alias-of-itself"),
        pytest.param('{"a":&t "x","b":{"a":*t}}', id="alias-after-a-quoted-key"),
        pytest.param('{"a":!!str "x"}', id="tag-after-a-quoted-key"),
        pytest.param('{"a":!!python/object/apply:os.system "x"}', id="python-tag"),
        pytest.param("a: &x 1\nb: *x", id="block"),
    ],
)
def test_yaml_that_points_or_tags_is_refused_wherever_it_stands(text: str) -> None:
    """An alias is told, never opened: seventy bytes must not keep a build busy."""
    document, found = read_yaml(text, "x.yaml")

    assert document is None or document.value is None or found
    assert Code.YAML_FORBIDDEN in {one.code for one in found}


def test_many_findings_in_one_mapping_are_placed_quickly() -> None:
    """Looking up eight thousand places costs one look at each key, not one at all of them for each."""
    text = "tools:\n" + "".join(f"  t{number}: 3\n" for number in range(8000))
    document, _ = read_yaml(text, "x.yaml")
    assert document is not None

    lines = [document.span(("tools", f"t{number}")).line for number in range(8000)]

    assert lines == list(range(2, 8002))
    assert len(document._members) == 2


def test_two_surfaces_with_one_package_are_refused(tmp_path: Path) -> None:
    """Each of their builds would remove the other's files."""
    a_surface(tmp_path, "one", "shared_tools")
    a_surface(tmp_path, "two", "shared_tools")

    assert Code.NAME_DUPLICATE in codes_of(tmp_path, "one")


@pytest.mark.parametrize("package", ["json", "os", "placet", "placet_generator"])
def test_a_package_that_would_lie_over_another_is_refused(tmp_path: Path, package: str) -> None:
    """Installed, it would replace a module of Python's or of ours."""
    a_surface(tmp_path, "one", package)

    assert package in RESERVED_PACKAGES
    assert Code.NAME_ILLEGAL in codes_of(tmp_path, "one")


def test_no_reason_makes_a_delete_a_read(tmp_path: Path) -> None:
    """A read asks nobody and keeps no ledger, whatever `because:` says."""
    a_surface(tmp_path, "one", "one_tools", risk="read")

    assert codes_of(tmp_path, "one") == {Code.RISK_DELETE}


def test_a_delete_may_be_a_plain_write_for_a_reason(tmp_path: Path) -> None:
    """The reason is read by people; the call is still a write."""
    a_surface(tmp_path, "one", "one_tools", risk="write")

    assert codes_of(tmp_path, "one") == set()


def test_no_topic_takes_the_place_of_the_tool_page() -> None:
    """`references/tools.md` is the generator's."""
    assert not is_topic("tools")


def test_guidance_leaves_with_nothing_unseen(tmp_path: Path) -> None:
    """Control, bidi and zero-width characters of a page are shown as code points to whoever reads it."""
    a_surface(tmp_path, "one", "one_tools")
    page = tmp_path / "curation" / "one" / "guidance" / "en" / "things.md"
    page.write_text("# Things\n\nAsk \u202efirst\u200b\x1b.\n", encoding="utf-8")

    files = compile_folder(tmp_path, "one").files

    text = files["generated/src/one_tools/guidance/en/things.md"]
    assert not {"\u202e", "\u200b", "\x1b"} & set(text)
    assert "202E" in text
