"""Views decide; templates only lay out."""

import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from placet.contract import Risk
from placet_generator.emit import render, wire_tools
from placet_generator.emit.annotations import Annotator, Imports
from placet_generator.emit.schemas import Shapes
from placet_generator.emit.views import domain_views, index_view, package_view, shard_view
from placet_generator.ir import Limits, ListType, MemberIR, ScalarType, TypeIR
from tests.generator.emit.sample import MESSAGE, member, sample_surface, surface_with, tool

TEMPLATES = sorted(Path(render.__file__).parent.glob("templates/*.j2"))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda one: one.name)
def test_a_template_decides_nothing(template: Path) -> None:
    """No conditions, no computing filters, no macros."""
    text = template.read_text()

    assert set(re.findall(r"{%-?\s*(\w+)", text)) <= {"for", "endfor", "include"}
    assert set(re.findall(r"\|\s*(\w+)\(", text)) <= {"join"}


def test_a_name_that_a_template_misspells_fails_the_build() -> None:
    """Undefined names are errors."""
    with pytest.raises(UndefinedError):
        render.render("topic.md.j2", {"title": "x"})


@pytest.mark.parametrize(
    ("one", "argument", "parameter"),
    [
        pytest.param(member("x", required=True), "str", "str", id="required-text"),
        pytest.param(member("x"), "str | UnsetType = UNSET", "str | UnsetType = UNSET", id="optional-text"),
        pytest.param(
            member("x", limits=Limits(min_len=1, pattern="a|b")),
            r'Annotated[str, Meta(min_length=1, pattern=r"\A(?:a|b)\Z")] | UnsetType = UNSET',
            "str | UnsetType = UNSET",
            id="limits-are-the-structs",
        ),
        pytest.param(
            member("x", required=True, nullable=True, limits=Limits(enum=("a", "b"))),
            'Literal["a", "b"] | None',
            'Literal["a", "b"] | None',
            id="nullable-enum",
        ),
        pytest.param(
            member("x", ScalarType(name="int64"), required=True), "Int64", "Int64", id="int64-is-its-own-type"
        ),
        pytest.param(
            member("x", ScalarType(name="object"), required=True),
            "dict[str, Any]",
            "dict[str, Any]",
            id="free-object",
        ),
        pytest.param(
            member("x", ListType(item=MESSAGE), required=True, limits=Limits(max_items=2)),
            "Annotated[list[Message], Meta(max_length=2)]",
            "list[Message]",
            id="list-of-a-union",
        ),
        pytest.param(
            member("x", ScalarType(name="any"), nullable=True),
            "Any | UnsetType = UNSET",
            "Any | UnsetType = UNSET",
            id="any-includes-null",
        ),
    ],
)
def test_an_annotation_is(one: MemberIR, argument: str, parameter: str) -> None:
    """Structs carry the limits, functions the plain types."""
    annotator = Annotator(Imports(), frozenset())

    assert (annotator.argument(one), annotator.parameter(one)) == (argument, parameter)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        pytest.param(ScalarType(name="string"), "builtins.str | UnsetType = UNSET", id="text"),
        pytest.param(
            ListType(item=ScalarType(name="integer")),
            "builtins.list[int] | UnsetType = UNSET",
            id="list-of-integers",
        ),
        pytest.param(
            ScalarType(name="object"), "dict[builtins.str, Any] | UnsetType = UNSET", id="free-object"
        ),
    ],
)
def test_a_hidden_builtin_is_named_in_full(kind: TypeIR, expected: str) -> None:
    """A member called `list` or `str` does not change what its neighbours mean."""
    imports = Imports()

    assert Annotator(imports, frozenset({"str", "list"})).result(kind) == expected
    assert imports.lines()[0] == "import builtins"


def test_imports_stand_in_sections() -> None:
    """Standard library, msgspec, then Placet and the package, each sorted."""
    imports = Imports()
    imports.names("placet_feishu.im._shapes", "Message")
    imports.names("placet.contract", "Tool", "Binding")
    imports.names("msgspec", "Struct", "UNSET")
    imports.names("typing", "Any", "Annotated")

    assert imports.lines() == (
        "from typing import Annotated, Any",
        "",
        "from msgspec import UNSET, Struct",
        "",
        "from placet.contract import Binding, Tool",
        "from placet_feishu.im._shapes import Message",
    )


def test_a_tools_view_has_every_line() -> None:
    """Signature, settings and call are ready to be placed."""
    surface = surface_with(
        tool("im.one", params=(member("x", required=True),), risk=Risk.WRITE, sensitive=True)
    )

    view = domain_views(surface, surface.domains[0], Shapes(surface), wire_tools(surface)).tools["one"]

    assert view.signature == (
        "gate: Caller, ctx: CallContext, *, x: str, "
        "idempotency_key: str | UnsetType = UNSET, dry_run: bool | UnsetType = UNSET"
    )
    assert view.call == "OneArgs(x=x, idempotency_key=idempotency_key, dry_run=dry_run)"
    assert (view.kind, view.result, view.constant) == ("Tool[OneArgs, OneResult]", "Result[OneResult]", "ONE")
    assert view.settings[-1] == "sensitive=True"
    assert view.header == "# Generated by `make generate` from curation/feishu/domains/im.yaml. Do not edit."


def test_a_tool_without_arguments_has_no_bare_star() -> None:
    """`*` without a parameter behind it is no Python."""
    surface = surface_with(tool("im.one"))

    view = domain_views(surface, surface.domains[0], Shapes(surface), wire_tools(surface)).tools["one"]

    assert view.signature == "gate: Caller, ctx: CallContext"


def test_index_and_package_list_domains_in_order() -> None:
    """The index joins its shards by name; the package passes them on."""
    surface = sample_surface()
    wire = wire_tools(surface)

    assert index_view(surface).shards == ("*bitable.TOOLS", "*im.TOOLS")
    assert [one.partition(",")[0] for one in shard_view(surface, surface.domains[0], wire).entries] == [
        'ToolEntry(name="bitable.list"',
        'ToolEntry(name="bitable.query_records"',
        'ToolEntry(name="bitable.update_record"',
    ]
    assert package_view(surface).settings[0] == 'name="feishu"'
