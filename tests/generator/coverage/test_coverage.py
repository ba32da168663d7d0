"""Curated against available methods."""

import json

from placet_generator.coverage import coverage, coverage_json, coverage_text
from tests.generator.example_surface import a_surface, a_tool, calling

METHODS = [
    "im.v1.message.create",
    "im.v1.message.get",
    "drive.v1.file.list",
    "drive.v1.file.copy",
    "ehr.v1.x.list",
]

SURFACE = a_surface(
    [
        a_tool("im.send", calling("im.v1.message.create")),
        a_tool("im.read", calling("im.v1.message.get")),
        a_tool("im.share", calling("im.v1.message.create", "drive.v1.file.copy")),
        a_tool("sheets.read", calling("supplement:sheets.read")),
        a_tool("feishu.tool_search", calling()),
    ]
)


def test_methods_are_counted_once_by_service() -> None:
    """A method that two tools call is curated once; a tool of two services stands at both."""
    table = coverage([*METHODS, METHODS[0]], SURFACE)

    assert [(s.name, s.available, s.curated, s.tools, s.domains) for s in table.services] == [
        ("drive", 2, 1, 1, ("im",)),
        ("ehr", 1, 0, 0, ()),
        ("im", 2, 2, 3, ("im",)),
    ]
    assert (table.available, table.curated, table.tools, table.supplements, table.local) == (5, 3, 5, 1, 1)
    assert table.services[0].uncurated == ("drive.v1.file.list",)


def test_text_is_a_table_with_a_total() -> None:
    """People see where the gaps are."""
    assert coverage_text(coverage(METHODS, SURFACE)) == (
        "service  available  curated  share  tools  domains\n"
        "drive            2        1    50%      1  im\n"
        "ehr              1        0     0%      0  -\n"
        "im               2        2   100%      3  im\n"
        "total            5        3    60%      5\n"
        "outside the catalogue: 1 supplement operations, 1 local tools\n"
    )


def test_operations_without_dots_are_one_service() -> None:
    """A document's operations count under the surface's name."""
    (service,) = coverage(["listThings", "getThing"], SURFACE).services

    assert (service.name, service.available) == ("demo", 2)


def test_an_empty_catalogue_is_a_table_too() -> None:
    """Nothing to cover is no division by zero."""
    assert "total" in coverage_text(coverage([], a_surface([])))


def test_json_names_what_is_not_curated() -> None:
    """Tools get the names, so that the next domain can be chosen from them."""
    table = json.loads(coverage_json(coverage(METHODS, SURFACE)))

    assert table["services"][1]["uncurated"] == ["ehr.v1.x.list"]
    assert table["curated"] == 3
