"""The peer of the build: openapi-python-client, in an environment of its own, and a document for it."""

import json
from pathlib import Path
from typing import Any

from tests.bench.environment import peer_environment
from tests.bench.measuring import Failed

Schema = dict[str, Any]


def peer_command(workspace: Path) -> Path:
    """The peer's executable."""
    command = peer_environment(workspace) / "openapi-python-client"
    if not command.exists():
        raise Failed(
            f"{command.parent.parent.name} has no openapi-python-client; remove the folder and run again"
        )
    return command


def write_document(path: Path, operations: int) -> None:
    """Write an OpenAPI document of that many operations, each with five parameters, a body and an answer."""
    paths = {
        f"/service{number % 30}/things/{{thing_id}}/op{number}": {"post": _operation(number)}
        for number in range(operations)
    }
    parts = {f"Part{number}": _object("part", 6) for number in range(50)}
    answers = {f"Answer{number}": _answer() for number in range(50)}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Many operations", "version": "1"},
        "paths": paths,
        "components": {"schemas": parts | answers},
    }
    path.write_text(json.dumps(document), encoding="utf-8")


def _operation(number: int) -> Schema:
    body = _object("field", 8)
    body["properties"] |= {
        "texts": {"type": "array", "items": {"type": "string"}},
        "part": {"$ref": f"#/components/schemas/Part{number % 50}"},
    }
    kind = {"name": "id_kind", "in": "query", "schema": {"type": "string", "enum": ["open_id", "user_id"]}}
    numbers = ({"name": f"number_{one}", "in": "query", "schema": {"type": "integer"}} for one in range(3))
    answer = {"$ref": f"#/components/schemas/Answer{number % 50}"}
    return {
        "operationId": f"service{number % 30}_op{number}",
        "summary": f"Do the thing number {number}.",
        "parameters": [
            {"name": "thing_id", "in": "path", "required": True, "schema": {"type": "string"}},
            kind,
            *numbers,
        ],
        "requestBody": {"content": {"application/json": {"schema": {**body, "required": ["field_0"]}}}},
        "responses": {"200": {"description": "Done.", "content": {"application/json": {"schema": answer}}}},
    }


def _answer() -> Schema:
    code, message = {"type": "integer"}, {"type": "string"}
    return {"type": "object", "properties": {"code": code, "msg": message, "data": _object("result", 10)}}


def _object(stem: str, members: int) -> Schema:
    kinds = ("string", "integer", "boolean")
    properties = {
        f"{stem}_{number}": {
            "type": kinds[number % 3],
            "description": f"The {stem} number {number} of the thing.",
        }
        for number in range(members)
    }
    return {"type": "object", "properties": properties}
