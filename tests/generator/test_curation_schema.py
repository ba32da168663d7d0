"""The editors' schemas: made from the loader's models, committed, and named by every curation file."""

import json
import os
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from placet_generator.curation.models import DomainFile, ToolEntry
from placet_generator.curation.schema import domain_schema, locale_schema, schema_files, surface_schema
from placet_generator.curation.yaml_text import read_yaml
from tests.generator.compiled import WORKSPACE
from tests.generator.golden_cases import CASES, case_names

CURATION = WORKSPACE / "curation"
SCHEMAS = {"surface.yaml": surface_schema, "domains": domain_schema, "locales": locale_schema}


def kind_of(path: Path) -> str:
    """`surface.yaml`, `domains` or `locales`."""
    return path.relative_to(CURATION).parts[1]


def curation_files() -> list[Path]:
    """Every committed YAML file that people write, except API documents."""
    return sorted(one for one in CURATION.rglob("*.yaml") if kind_of(one) in SCHEMAS)


def value_of(path: Path) -> Any:
    document, found = read_yaml(path.read_text(encoding="utf-8"), path.name)
    assert document is not None and not found
    return document.value


def is_valid(schema: dict[str, Any], value: Any) -> bool:
    return jsonschema_rs.Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize("path", curation_files(), ids=lambda one: str(one.relative_to(CURATION)))
def test_committed_curation_is_valid(path: Path) -> None:
    """An editor has nothing to say against a committed file."""
    validator = jsonschema_rs.Draft202012Validator(SCHEMAS[kind_of(path)]())

    assert [error.message for error in validator.iter_errors(value_of(path))] == []


@pytest.mark.parametrize("path", curation_files(), ids=lambda one: str(one.relative_to(CURATION)))
def test_every_file_names_its_schema(path: Path) -> None:
    """The first line of a file names the committed schema of its kind, by a path that leads there."""
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    named = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)

    assert named is not None, first
    target = Path(os.path.normpath(path.parent / named[1]))
    kind = {"surface.yaml": "surface", "domains": "domain", "locales": "locale"}[kind_of(path)]
    assert target == CURATION / "schema" / f"{kind}.schema.json"
    assert target.is_file()


def test_schemas_are_committed_as_made() -> None:
    """The committed schemas are those that the models give."""
    for path, text in schema_files().items():
        assert (WORKSPACE / path).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("make", SCHEMAS.values(), ids=SCHEMAS)
def test_schemas_are_sound(make: Any) -> None:
    """Each is a valid 2020-12 schema, and has no keyword that an editor with draft-07 reads otherwise."""
    schema = make()

    assert jsonschema_rs.meta.is_valid(schema)
    text = json.dumps(schema)
    for keyword in ("prefixItems", "unevaluatedProperties", "dependentSchemas", "$dynamicRef", "definitions"):
        assert f'"{keyword}"' not in text


SLIPS = [
    pytest.param("domains", ("tools", "query_records", "sumary"), "x", id="unknown-key-of-a-tool"),
    pytest.param("domains", ("tools", "query_records", "risk"), "reads", id="value-that-is-not-listed"),
    pytest.param("domains", ("tools", "query_records", "fixed"), {"queries.x": 1}, id="key-that-is-no-slot"),
    pytest.param("domains", ("tools", "queryRecords"), {"summary": "x"}, id="name-that-is-no-identifier"),
    pytest.param(
        "domains", ("shapes", "record_filter", "fields", "match", "type"), "text", id="type-deep-in-a-shape"
    ),
    pytest.param("domains", ("tools", "query_records", "summary"), 5, id="number-where-text-belongs"),
    pytest.param("locales", ("tools", "query_records", "sumary"), "x", id="unknown-key-of-a-translation"),
    pytest.param("locales", ("tools", "query_records", "risk"), "read", id="translation-of-what-is-no-text"),
    pytest.param("surface.yaml", ("catalog",), {}, id="unknown-key-of-the-surface"),
    pytest.param("surface.yaml", ("budgets", "tool_bytes"), 0, id="budget-of-nothing"),
]


@pytest.mark.parametrize(("kind", "at", "value"), SLIPS)
def test_a_slip_is_shown_in_the_editor(kind: str, at: tuple[str, ...], value: Any) -> None:
    """A typo in a committed file is invalid."""
    path = next(
        one for one in curation_files() if kind_of(one) == kind and one.stem in ("bitable", "surface")
    )
    whole = value_of(path)
    inner = whole
    for key in at[:-1]:
        inner = inner.setdefault(key, {})
    assert is_valid(SCHEMAS[kind](), value_of(path))

    inner[at[-1]] = value

    assert not is_valid(SCHEMAS[kind](), whole)


def test_editor_and_loader_agree_on_golden_cases() -> None:
    """What the loader takes, an editor takes: every golden domain file that the model accepts is valid."""
    validator = jsonschema_rs.Draft202012Validator(domain_schema())
    accepted = 0
    for name in case_names():
        path = CASES / name / "curation.yaml"
        emitted = (CASES / name / "emitted").is_dir()
        if path.is_file() and emitted:
            value = value_of(path)
            DomainFile.model_validate(value)
            accepted += 1
            assert [error.message for error in validator.iter_errors(value)] == [], name
    assert accepted > 20


def test_every_key_is_described_or_plain() -> None:
    """The schema has every key of a tool, so that an editor can complete it."""
    assert set(domain_schema()["$defs"]["ToolEntry"]["properties"]) == {
        info.alias or name for name, info in ToolEntry.model_fields.items()
    }
