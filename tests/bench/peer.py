"""The peer of the build: openapi-python-client, in an environment of its own, and a document for it."""

import json
import sys
from pathlib import Path
from typing import Any

from tests.bench.measuring import Failed, run

LOCK = "requirements-bench.lock"
ENVIRONMENT = ".venv-bench"


def peer_command(workspace: Path) -> Path:
    """The peer's executable; its environment is made on first use and whenever its lock is newer."""
    place, lock = workspace / ENVIRONMENT, workspace / LOCK
    command = place / "bin" / "openapi-python-client"
    ready = place / ".ready"
    if not ready.exists() or ready.stat().st_mtime < lock.stat().st_mtime:
        print(f"setting up {ENVIRONMENT} (once)", file=sys.stderr)
        run([sys.executable, "-m", "venv", "--clear", str(place)], workspace)
        pip = [str(place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
        run([*pip, "install", "--require-hashes", "--only-binary", ":all:", "-r", str(lock)], workspace)
        ready.touch()
    if not command.exists():
        raise Failed(f"{ENVIRONMENT} has no openapi-python-client; remove the folder and run again")
    return command


def write_document(path: Path, operations: int) -> None:
    """Write an OpenAPI document of that many operations, each about as large as a curated tool."""
    paths = {f"/service{number % 30}/things/{{thing_id}}/op{number}": {"post": _operation(number)} for number in range(operations)}
    schemas = {f"Thing{number}": _object(f"field_{index}" for index in range(6)) for number in range(50)}
    schemas |= {f"Answer{number}": _object(f"result_{index}" for index in range(10)) for number in range(50)}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Many operations", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas},
    }
    path.write_text(json.dumps(document), encoding="utf-8")


def _operation(number: int) -> dict[str, Any]:
    body = _object(f"field_{index}" for index in range(6))
    body["properties"]["things"] = {"type": "array", "items": {"$ref": f"#/components/schemas/Thing{number % 50}"}}
    return {
        "operationId": f"service{number % 30}_op{number}",
        "summary": f"Do the thing number {number}.",
        "tags": [f"service{number % 30}"],
        "parameters": [
            {"name": "thing_id", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "id_kind", "in": "query", "schema": {"type": "string", "enum": ["open_id", "user_id"]}},
            {"name": "page_size", "in": "query", "schema": {"type": "integer", "minimum": 1}},
        ],
        "requestBody": {"content": {"application/json": {"schema": body}}},
        "responses": {
            "200": {
                "description": "What was done.",
                "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/Answer{number % 50}"}}},
            }
        },
    }


def _object(names: Any) -> dict[str, Any]:
    kinds = ("string", "integer", "boolean")
    return {
        "type": "object",
        "properties": {
            name: {"type": kinds[index % 3], "description": f"The {name} of the thing."} for index, name in enumerate(names)
        },
    }
