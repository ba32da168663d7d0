"""The OpenAPI document is one that other tools take."""

from typing import Any

import msgspec
from openapi_spec_validator import OpenAPIV31SpecValidator

from placet.contract import Failed, Ok, Pending, Refused, Unknown
from placet_generator.emit import openapi_document
from tests.generator.emit.sample import sample_surface

DOCUMENT = openapi_document(sample_surface())


def test_the_document_is_valid() -> None:
    """OpenAPI 3.1, references resolved."""
    assert list(OpenAPIV31SpecValidator(DOCUMENT).iter_errors()) == []


def test_every_tool_is_one_post() -> None:
    """Found by its wire name, under its domain, with its risk."""
    assert len(DOCUMENT["paths"]) == 7
    operation = DOCUMENT["paths"]["/tools/bitable_update_record"]["post"]
    assert (operation["operationId"], operation["tags"], operation["x-risk"]) == (
        "bitable_update_record",
        ["bitable"],
        "write",
    )
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    assert body["required"] == ["app_token", "fields", "record_id"]


def test_shapes_are_components() -> None:
    """Nothing refers to `$defs`, which a document does not have."""
    components = DOCUMENT["components"]["schemas"]

    assert {"im_Message", "im_Department", "bitable_RecordFilter"} <= components.keys()
    assert "$defs" not in repr(DOCUMENT)


def test_results_are_those_of_the_contract() -> None:
    """Each kind of result has the fields that its struct has."""
    operation = DOCUMENT["paths"]["/tools/im_send_message"]["post"]
    ok = operation["responses"]["200"]["content"]["application/json"]["schema"]["oneOf"][0]
    written: dict[str, Any] = {"ok": ok} | {
        one["properties"]["kind"]["const"]: one
        for one in DOCUMENT["components"]["schemas"].values()
        if "kind" in one.get("properties", {}) and "const" in one["properties"]["kind"]
    }
    for result in (Ok, Refused, Pending, Failed, Unknown):
        fields = msgspec.structs.fields(result)
        schema = written[str(result.__struct_config__.tag)]
        assert set(schema["properties"]) == {"kind", *(one.name for one in fields)}
        assert set(schema["required"]) == {"kind", *(one.name for one in fields if one.required)}
