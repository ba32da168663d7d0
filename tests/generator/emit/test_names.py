"""Names of classes, exports and paths."""

import pytest

from placet_generator.emit.names import (
    class_name,
    constant_name,
    export_order,
    module_order,
    pascal,
    path_part,
)
from placet_generator.resolve.naming import singular, type_name


def test_pascal_joins_the_parts() -> None:
    """A tool's key becomes the stem of its structs."""
    assert pascal("update_record_v2") == "UpdateRecordV2"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("Message", "Message", id="free"),
        pytest.param("Call", "CallType", id="a-contract-type"),
        pytest.param("Any", "AnyType", id="a-typing-name"),
        pytest.param("None", "NoneType", id="a-keyword"),
    ],
)
def test_a_type_moves_aside_for_what_a_module_imports(name: str, expected: str) -> None:
    """No shape hides a name that its module needs."""
    assert class_name(name) == expected


def test_a_tool_called_unset_does_not_hide_the_marker() -> None:
    """`UNSET` stays msgspec's."""
    assert (constant_name("unset"), constant_name("update")) == ("UNSET_TOOL", "UPDATE")


def test_exports_are_ordered_as_ruff_orders_them() -> None:
    """Constants, classes, functions, digits by value."""
    names = ["b", "A10", "A2", "Bc", "AB", "a"]
    assert sorted(names, key=export_order) == ["A2", "A10", "AB", "Bc", "a", "b"]
    assert sorted(["x10", "x9"], key=module_order) == ["x9", "x10"]


@pytest.mark.parametrize("name", ["", "..", ".", "a/b", "a\\b", "/a", "a\n", "a\x00", "表"], ids=repr)
def test_a_path_part_cannot_leave_its_folder(name: str) -> None:
    """Every part of an output path is a plain name."""
    with pytest.raises(ValueError, match="cannot be part of a path"):
        path_part(name)


@pytest.mark.parametrize(
    ("tool", "member", "name"),
    [
        pytest.param("invite", "people", "InvitePeople", id="free"),
        pytest.param("invite", "result", "InviteResultValue", id="the-tools-data"),
        pytest.param("invite", "args", "InviteArgsValue", id="the-tools-arguments"),
    ],
)
def test_a_members_type_never_takes_the_name_of_the_tools_own(tool: str, member: str, name: str) -> None:
    """`InviteResult` is what `invite` returns, whatever its fields are called."""
    assert type_name(tool, member) == name


@pytest.mark.parametrize(
    ("name", "one"),
    [
        ("Entries", "Entry"),
        ("InviteResults", "InviteResultItem"),
        ("Boss", "BossItem"),
        ("InviteItems", "InviteItem"),
    ],
)
def test_one_of_several_has_a_name_of_its_own(name: str, one: str) -> None:
    """And never that of the tool's data."""
    assert singular(name) == one
