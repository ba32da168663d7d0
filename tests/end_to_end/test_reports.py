"""What the commands print: findings in four forms, explanations, coverage, exports and the list of tools."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from placet.cli.main import main
from placet_generator.diagnostics import CODES, Code
from tests.end_to_end.project import Project, changed_files

BITABLE = "curation/feishu/domains/bitable.yaml"
SLOT = ("to: body.automatic_fields", "to: body.automatic_field")
RISK = (
    '    risk: read\n    identity: [tenant, user]\n    scopes:\n      any_of: ["base:record:retrieve"',
    '    risk: red\n    identity: [tenant, user]\n    scopes:\n      any_of: ["base:record:retrieve"',
)


def from_json(text: str) -> list[tuple[str, str]]:
    return [(one["code"], f"{one['path']}:{one['line']}:{one['column']}") for one in json.loads(text)]


def from_sarif(text: str) -> list[tuple[str, str]]:
    log = json.loads(text)
    assert log["version"] == "2.1.0"
    return [
        (one["ruleId"], _location(one["locations"][0]["physicalLocation"]))
        for one in log["runs"][0]["results"]
    ]


def _location(at: dict[str, Any]) -> str:
    region = at["region"]
    return f"{at['artifactLocation']['uri']}:{region['startLine']}:{region['startColumn']}"


def from_github(text: str) -> list[tuple[str, str]]:
    found = []
    for line in text.splitlines():
        command, _, message = line.removeprefix("::").partition("::")
        level, _, settings = command.partition(" ")
        parts = dict(one.split("=", 1) for one in settings.split(","))
        assert level == "error"
        assert message
        found.append((parts["title"].split()[0], f"{parts['file']}:{parts['line']}:{parts['col']}"))
    return found


def from_text(text: str) -> list[tuple[str, str]]:
    lines = [line for line in text.splitlines() if line.startswith("curation/")]
    return [(line.split(": ", 1)[1].split()[0], line.split(": ")[0]) for line in lines]


@pytest.mark.parametrize(
    ("form", "read"),
    [
        pytest.param("text", from_text, id="text"),
        pytest.param("json", from_json, id="json"),
        pytest.param("sarif", from_sarif, id="sarif"),
        pytest.param("github", from_github, id="github"),
    ],
)
def test_every_form_tells_the_same_findings(
    form: str, read: Callable[[str], list[tuple[str, str]]], project: Project
) -> None:
    """People, programs, code scanning and annotations get the same codes at the same places, and exit code 1."""
    project.edit(BITABLE, *SLOT)
    project.edit(BITABLE, *RISK)
    before = project.files()

    done = project.run("check", "--format", form)
    built = project.run("build")

    assert (done.returncode, built.returncode) == (1, 1)
    assert read(done.stderr if form == "text" else done.stdout) == [
        ("SLT001", place_of(project, "body.automatic_field")),
        ("CUR002", place_of(project, "red\n")),
    ]
    assert changed_files(before, project.files()) == set()


def place_of(project: Project, word: str) -> str:
    before = project.text(BITABLE).partition(word)[0]
    return f"{BITABLE}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


@pytest.mark.parametrize("code", list(CODES))
def test_every_code_is_explained(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`placet explain` has a page for each code that a check can print."""
    with pytest.raises(SystemExit) as ended:
        main(["explain", code])

    text = capsys.readouterr().out

    assert ended.value.code == 0
    assert text.startswith(code)
    assert CODES[Code(code)].remedy.split()[0] in text


def test_an_unknown_code_is_a_fault_of_use(project: Project) -> None:
    """Exit code 2 is for words the command does not know."""
    done = project.run("explain", "ZZZ999")

    assert done.returncode == 2
    assert "ZZZ999" in done.stderr


def test_coverage_counts_every_method_of_the_sdk(project: Project) -> None:
    """The table's totals are the sum of its services, and its curated methods are those of the manifest."""
    table = json.loads(project.run("coverage", "--json").stdout)
    sdks = {row["sdk"] for row in manifest(project) if row["sdk"] != "-"}

    assert sum(one["available"] for one in table["services"]) == 1642
    assert sum(one["curated"] for one in table["services"]) >= len(sdks)
    assert not sdks & {name for one in table["services"] for name in one["uncurated"]}
    assert "1642" in project.run("coverage").stdout


def test_the_export_is_a_valid_openapi_document_of_all_tools(project: Project) -> None:
    """Whoever wants the surface as OpenAPI 3.1 gets one operation a tool."""
    document = json.loads(project.run("export", "openapi").stdout)

    validate(document)
    operations = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert sorted(operations) == sorted(row["wire_name"] for row in manifest(project))


def test_the_list_of_tools_is_the_manifest(workspace: Path) -> None:
    """`placet tools --json` has what the manifest has of each tool, from the installed package."""
    listed = json.loads(Project(workspace).run("tools", "--json").stdout)

    assert [
        {
            "name": one["name"],
            "wire_name": one["wire_name"],
            "risk": one["risk"],
            "identity": ",".join(one["identity"]) or "-",
            "scopes": ",".join([*one["scopes"]["any_of"], *filter(None, ["+".join(one["scopes"]["all_of"])])])
            or "-",
            **{key: one["source"][key] or "-" for key in ("sdk", "http", "route")},
        }
        for one in listed
    ] == [{key: row[key] for key in KEYS} for row in manifest(Project(workspace))]
    assert [one["domain"] for one in listed] == [one["name"].partition(".")[0] for one in listed]


KEYS = ("name", "wire_name", "risk", "identity", "scopes", "sdk", "http", "route")


def manifest(project: Project) -> list[dict[str, str]]:
    head, *rows = (line.split("\t") for line in project.text("golden/feishu/manifest.tsv").splitlines())
    return [dict(zip(head, row, strict=True)) for row in rows]
