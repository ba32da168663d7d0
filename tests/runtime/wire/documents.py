"""A supplement's request against the OpenAPI document it was curated from: there is no SDK to compare with."""

import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import yaml
from msgspec import UNSET

from placet.contract.platform import WireCall

__all__ = ["document_faults", "document_of"]


def document_of(wire: WireCall, workspace: Path) -> dict[str, Any]:
    """The document that a curated supplement names: `supplement:<document>.<operation>`."""
    name = wire.call.sdk.removeprefix("supplement:").partition(".")[0]
    text = (workspace / f"curation/feishu/supplement/{name}.yaml").read_text(encoding="utf-8")
    document: dict[str, Any] = yaml.safe_load(text)
    return document


def document_faults(document: dict[str, Any], wire: WireCall) -> list[str]:
    """Where a request leaves its document: an operation, parameter or body that is not described there."""
    route = re.sub(r":(\w+)", r"{\1}", wire.call.route)
    operation = document["paths"].get(route, {}).get(wire.call.http.lower())
    if operation is None:
        return [f"the document has no {wire.call.http} {route}"]
    wanted = wire.call.sdk.rpartition(".")[2]
    faults = [] if operation["operationId"] == wanted else [f"the operation is {operation['operationId']!r}"]
    given = {"path": set(wire.path), "query": {name for name, _ in wire.query}, "header": set(wire.headers)}
    for place, names in given.items():
        known = {one["name"]: one for one in operation.get("parameters", ()) if one["in"] == place}
        faults += [f"{place} parameter {name!r} is not described" for name in names - known.keys()]
        faults += [
            f"{place} parameter {name!r} is missing"
            for name, one in known.items()
            if one.get("required") and name not in names
        ]
    if wire.body is not UNSET:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        validator = jsonschema_rs.validator_for(schema)
        faults += [f"body: {error.message}" for error in validator.iter_errors(wire.body)]
    return faults
