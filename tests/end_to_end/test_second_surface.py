"""`placet init`: another API becomes a surface of its own that builds, checks and imports."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.project import Project, changed_files


def answer(**properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return {"200": {"description": "Done.", "content": {"application/json": {"schema": schema}}}}


TEXT = {"type": "string"}
ORDER = {"name": "order_id", "in": "path", "required": True, "schema": TEXT}
BODY = {"type": "object", "required": ["item"], "properties": {"item": TEXT, "count": {"type": "integer"}}}
API = {
    "openapi": "3.1.0",
    "info": {"title": "Acme", "version": "1"},
    "paths": {
        "/orders": {
            "get": {
                "operationId": "listOrders",
                "summary": "List orders",
                "responses": answer(
                    orders={"type": "array", "items": {"type": "object", "properties": {"id": TEXT}}}
                ),
            },
            "post": {
                "operationId": "createOrder",
                "summary": "Create an order",
                "requestBody": {"required": True, "content": {"application/json": {"schema": BODY}}},
                "responses": answer(id=TEXT),
            },
        },
        "/orders/{order_id}": {
            "get": {
                "operationId": "getOrder",
                "summary": "Get an order",
                "parameters": [ORDER],
                "responses": answer(id=TEXT, total={"type": "integer"}),
            },
            "delete": {
                "operationId": "deleteOrder",
                "summary": "Delete an order",
                "parameters": [ORDER],
                "responses": {"204": {"description": "Gone."}},
            },
        },
    },
}


@pytest.fixture
def acme(tmp_path: Path) -> Project:
    """An empty folder with an OpenAPI document, after `placet init`."""
    (tmp_path / "acme.json").write_text(json.dumps(API), encoding="utf-8")
    project = Project(tmp_path)
    done = project.run("init", "--openapi", "acme.json", "--package", "acme_tools")
    assert done.returncode == 0, done.stderr
    return project


def test_a_document_becomes_a_surface_that_builds_checks_and_imports(acme: Project) -> None:
    """From a document to typed tools without an edit: one tool an operation, each with its risk."""
    built, checked = acme.run("build"), acme.run("check", "--full")
    code = (
        "import acme_tools; print(*(f'{tool.name} {tool.risk.value}' for tool in acme_tools.surface.tools))"
    )
    imported = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(acme.root / "generated/src")},
        capture_output=True,
        text=True,
        check=True,
    )

    assert (built.returncode, checked.returncode) == (0, 0), built.stderr + checked.stderr
    assert checked.stdout.endswith(
        "acme: 4 tools in 1 domain (2 read, 1 write, 1 high-risk-write); no drift\n"
    )
    assert imported.stdout.split() == [
        *("orders.create_order", "write", "orders.delete_order", "high-risk-write"),
        *("orders.get_order", "read", "orders.list_orders", "read"),
    ]


def test_a_surface_that_is_there_is_not_overwritten(acme: Project) -> None:
    """A second init refuses and changes nothing."""
    before = acme.files()

    done = acme.run("init", "--openapi", "acme.json", "--package", "acme_tools")

    assert done.returncode != 0
    assert "already there" in done.stderr
    assert changed_files(before, acme.files()) == set()


def test_a_broken_document_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    """A document that cannot be read is a finding with a place, not a traceback."""
    (tmp_path / "broken.json").write_text('{"openapi": "3.1.0", "info": [}', encoding="utf-8")
    project = Project(tmp_path)

    done = project.run("init", "--openapi", "broken.json", "--package", "acme_tools")

    assert done.returncode == 1
    assert done.stderr.startswith("broken.json:1:")
    assert "Traceback" not in done.stderr
    assert set(project.files()) == {"broken.json"}
