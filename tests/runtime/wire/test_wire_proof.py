"""What we put on the wire is what the real SDK would put there, for every tool."""

from pathlib import Path
from typing import Any

import anyio
import jsonschema_rs
import pytest

from placet.contract.binding import Binding
from placet.contract.platform import Platform
from placet.contract.tool import AnyTool
from placet.contract.words import Identity
from placet.platforms.feishu.fake.routes import installed_tools
from placet.platforms.feishu.platform import FeishuPlatform
from placet.schemas import tool_record
from placet_feishu import surface
from tests.runtime.wire.arguments import argument_sets, corners, reached
from tests.runtime.wire.conftest import REPORT
from tests.runtime.wire.documents import document_faults, document_of
from tests.runtime.wire.examples import FILE, FORM, MISNAMED, SUPPLEMENT, SUPPLEMENT_DOCUMENT
from tests.runtime.wire.exceptions import EXCEPTIONS
from tests.runtime.wire.proof import Case, NoServices, Proof, cases_of, prove

TOOLS = installed_tools()
ENTRIES = {entry.name: entry for entry in surface.tools}
BOTH = (Identity.TENANT, Identity.USER)

FORMS: dict[str, tuple[Binding, list[dict[str, Any]]]] = {
    "form": (FORM, [{"kind": "bitable_file", "place": "basc汉", "size": 16, "file": FILE}] * 2),
    "supplement": (
        SUPPLEMENT,
        [{"token": "sht/汉", "ranges": ["A1:B2"], "render": "汉 &"}, {"token": "s", "ranges": []}],
    ),
    "misnamed": (MISNAMED, [{"app_token": "basc1", "table_id": "tbl1", "name": "a"}]),
}
"""Bindings that prove the proof: kinds of body that no curated tool sends yet, and one that is wrong."""


def schema_of(tool: AnyTool) -> dict[str, Any]:
    schema: dict[str, Any] = tool_record(surface, ENTRIES[tool.name])["wire"]["inputSchema"]
    return schema


def kind_of(tool: AnyTool) -> str:
    """What a tool's requests are proven against."""
    sources = [call.sdk for call in tool.binding.calls]
    if not sources:
        return "local"
    return "supplement" if any(source.startswith("supplement:") for source in sources) else "sdk"


@pytest.fixture(scope="module")
def platform() -> Platform:
    return FeishuPlatform(NoServices())


@pytest.fixture(scope="module")
def cases(platform: Platform) -> dict[str, list[Case]]:
    """Cases of every tool that sends something, and of the bindings in `FORMS`."""
    found = {
        tool.name: cases_of(
            tool.name, tool.binding, tool.identity, platform, argument_sets(tool, schema_of(tool))
        )
        for tool in TOOLS
        if tool.binding.calls
    }
    for name, (binding, arguments) in FORMS.items():
        found[name] = cases_of(name, binding, BOTH, platform, arguments)
    return found


@pytest.fixture(scope="module")
def proof(cases: dict[str, list[Case]], platform: Platform, pytestconfig: pytest.Config) -> Proof:
    made = anyio.run(prove, [case for several in cases.values() for case in several], platform)
    kinds = [kind_of(tool) for tool in TOOLS]
    excused = ", ".join(f"{name} {count} times" for name, count in made.used.items())
    pytestconfig.stash[REPORT] = [
        f"{kinds.count('sdk')} tools against the SDK",
        f"{kinds.count('supplement')} tools against their document and the SDK's raw request",
        f"{kinds.count('local')} local tools, which send nothing",
        f"{made.counts.total()} requests compared; excused: {excused}",
    ]
    return made


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_sends_what_the_sdk_would(tool: AnyTool, proof: Proof, cases: dict[str, list[Case]]) -> None:
    """Method, decoded path, query pairs, identity and body are equal, or the SDK's fault has a name."""
    if kind_of(tool) == "local":
        assert tool.name not in cases
        return

    assert proof.counts[tool.name] >= 1
    assert proof.faults.get(tool.name, []) == []


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool.binding.calls], ids=lambda tool: tool.name)
def test_the_arguments_leave_out_no_corner(tool: AnyTool, cases: dict[str, list[Case]]) -> None:
    """Each optional is there and absent, each enum value and bound is reached, and every set is valid."""
    schema = schema_of(tool)
    sets = argument_sets(tool, schema)
    validator = jsonschema_rs.validator_for(schema)

    assert [one for one in sets if not validator.is_valid(one)] == []
    assert corners(tool, schema) - reached(schema, sets) == set()
    assert {case.identity for case in cases[tool.name]} == set(tool.identity)


def test_forms_and_supplements_are_proven_alike(proof: Proof) -> None:
    """A multipart form with a file and a request outside the SDK go the same way as everything else."""
    assert proof.faults.get("form", []) == []
    assert proof.faults.get("supplement", []) == []


def test_a_misspelt_field_is_seen(proof: Proof) -> None:
    """The proof fails for a binding that names a field the SDK does not have."""
    places = {one.place for one in proof.faults["misnamed"]}

    assert places == {"body/nmae"}


def test_a_supplement_keeps_to_its_document(cases: dict[str, list[Case]], workspace: Path) -> None:
    """Parameters and body of every supplement are described in its document; what is not is named."""
    wires = [case.wire for case in cases["supplement"]]
    other = cases["misnamed"][0].wire
    curated = [
        case.wire
        for tool in TOOLS
        for case in cases.get(tool.name, ())
        if case.wire.call.sdk.startswith("supplement:")
    ]

    assert [fault for wire in curated for fault in document_faults(document_of(wire, workspace), wire)] == []
    assert [document_faults(SUPPLEMENT_DOCUMENT, wire) for wire in wires] == [[], []]
    assert document_faults(SUPPLEMENT_DOCUMENT, other) != []


@pytest.mark.parametrize("exception", EXCEPTIONS, ids=lambda one: one.name)
def test_an_exception_still_excuses_something(exception: Any, proof: Proof) -> None:
    """An exception that no difference needs any more has to go."""
    assert proof.used[exception.name] > 0
