"""The editors' schema agrees with the loader about the shape."""

import json
import tomllib
from typing import Any

import jsonschema_rs
import pytest

from placet.config import config_schema
from placet.config.checking import shape_faults
from placet.config.written import ConfigFile
from tests.runtime.config.test_loading import GOOD, SMALL


@pytest.fixture(scope="module")
def validator() -> Any:
    return jsonschema_rs.validator_for(config_schema())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(GOOD, id="whole"),
        pytest.param(SMALL, id="small"),
        pytest.param(SMALL + "[polices]\n", id="unknown-section"),
        pytest.param(SMALL + "[policy]\nceling = 'write'\n", id="unknown-key"),
        pytest.param(SMALL + "[policy]\nceiling = 'none'\n", id="unknown-word"),
        pytest.param(SMALL + "[policy]\nresult_chars = 10\n", id="bound"),
        pytest.param(SMALL + "[policy]\nresult_chars = 'off'\n", id="off"),
        pytest.param(SMALL + "[budgets]\ndeadline_s = '3'\n", id="type"),
        pytest.param(SMALL + "[models.x]\n", id="missing-key"),
        pytest.param(SMALL.replace("env:APP_SECRET", "s3cret"), id="plain-secret"),
        pytest.param(SMALL.replace('["file:placet.key"]', "[]"), id="no-key"),
        pytest.param("", id="empty"),
    ],
)
def test_schema_and_loader_agree(validator: Any, text: str) -> None:
    """What an editor underlines is what the start refuses."""
    written = tomllib.loads(text)

    assert validator.is_valid(written) is (not any(shape_faults(written, ConfigFile)))


def test_the_schema_is_closed_and_can_be_written_down() -> None:
    """Its root is a plain object; no section takes unknown keys; it is JSON."""
    schema = config_schema()

    assert schema["type"] == "object" and schema["additionalProperties"] is False
    assert all(
        section["additionalProperties"] is False
        for section in schema["$defs"].values()
        if "properties" in section
    )
    assert json.loads(json.dumps(schema)) == schema
