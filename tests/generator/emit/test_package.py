"""The emitted package is Python that people would have written, and it works."""

import importlib
import inspect
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from placet.contract import CONTRACT, CallContext, Identity, Ok, Result, Risk, Tool
from placet_generator.emit import emit_surface
from placet_generator.ir import ListType, ObjectType, ScalarType
from tests.generator.emit.conftest import PACKAGE
from tests.generator.emit.emitted import run_tool, write_package
from tests.generator.emit.sample import UPDATE_RECORD, member, sample_surface, surface_with, tool

CTX = CallContext(app="cli_a1")


class Recorder:
    """A caller that keeps what it is given and answers with nothing."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, CallContext, Any]] = []

    async def invoke(self, tool: Tool[Any, Any], ctx: CallContext, args: Any) -> Result[Any]:
        self.calls.append((tool, ctx, args))
        return Ok(data=tool.result())


def run(call: Any) -> Any:
    """Runs a coroutine that waits for nothing."""
    try:
        call.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waited")


def module(package: ModuleType, name: str) -> Any:
    return importlib.import_module(f"{package.__name__}.{name}")


def test_the_package_is_laid_out_linted_and_typed(emitted_folder: Path, workspace: Path) -> None:
    """`ruff format`, `ruff check` and `mypy --strict` find nothing, builtins hidden by names included."""
    settings = workspace / "pyproject.toml"
    laid_out = run_tool(
        "ruff", "format", "--check", "--no-cache", "--config", settings, ".", cwd=emitted_folder
    )
    linted = run_tool("ruff", "check", "--no-cache", "--config", settings, ".", cwd=emitted_folder)
    typed = run_tool(
        "mypy",
        "--strict",
        "--config-file=",
        "--cache-dir=.mypy_cache",
        "-p",
        PACKAGE,
        cwd=emitted_folder / "generated/src",
        MYPYPATH=str(workspace / "runtime/src"),
    )

    assert (laid_out.returncode, laid_out.stdout) == (0, laid_out.stdout)
    assert (linted.returncode, linted.stdout) == (0, "All checks passed!\n")
    assert typed.returncode == 0, typed.stdout + typed.stderr


def test_a_call_takes_typed_arguments_through_the_gate(emitted_package: ModuleType) -> None:
    """The function builds the arguments and hands tool, context and arguments over."""
    bitable, gate = module(emitted_package, "bitable"), Recorder()

    result = run(
        bitable.update_record(
            gate, CTX, app_token="b", fields={"a": None}, record_id="r", note=None, dry_run=True
        )
    )

    assert isinstance(result, Ok)
    assert result.unwrap() == bitable.UpdateRecordResult()
    ((called, ctx, args),) = gate.calls
    assert (called, ctx) == (bitable.UPDATE_RECORD, CTX)
    assert args == bitable.UpdateRecordArgs(
        app_token="b", fields={"a": None}, record_id="r", note=None, idempotency_key=UNSET, dry_run=True
    )
    assert msgspec.to_builtins(args) == {
        "app_token": "b",
        "fields": {"a": None},
        "record_id": "r",
        "note": None,
        "dry_run": True,
    }


def test_absent_stays_absent(emitted_package: ModuleType) -> None:
    """What was not given is not among the arguments (S24)."""
    bitable, gate = module(emitted_package, "bitable"), Recorder()

    run(bitable.query_records(gate, CTX, app_token="b"))

    assert msgspec.to_builtins(gate.calls[0][2]) == {"app_token": "b"}


def test_a_tool_is_the_ir_as_data(emitted_package: ModuleType) -> None:
    """Name, risk, scopes and binding are what the resolver decided."""
    found = module(emitted_package, "bitable").UPDATE_RECORD

    assert (found.name, found.wire_name) == ("bitable.update_record", "bitable_update_record")
    assert (found.risk, found.identity) == (Risk.WRITE, (Identity.TENANT, Identity.USER))
    assert (found.scopes, found.binding) == (UPDATE_RECORD.scopes, UPDATE_RECORD.binding)


def test_the_index_finds_every_tool(emitted_package: ModuleType) -> None:
    """Each entry agrees with the tool it points to."""
    surface = emitted_package.surface
    assert (surface.contract, emitted_package.CONTRACT, surface.package) == (CONTRACT, CONTRACT, PACKAGE)
    assert [entry.name for entry in surface.tools] == sorted(entry.name for entry in surface.tools)
    assert len(surface.tools) == 7
    for entry in surface.tools:
        path, _, constant = entry.target.partition(":")
        found = getattr(importlib.import_module(path), constant)
        assert (found.name, found.wire_name, found.digest, found.sensitive) == (
            entry.name,
            entry.wire_name,
            entry.digest,
            entry.sensitive,
        )


def test_listing_loads_no_domain(emitted_folder: Path) -> None:
    """Importing the package and reading its index imports the contract and nothing that a tool needs."""
    script = (
        f"import sys, {PACKAGE}; print([e.name for e in {PACKAGE}.surface.tools] and sorted(sys.modules))"
    )
    source = emitted_folder / "generated/src"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": ":".join([str(source), *sys.path])},
        capture_output=True,
        text=True,
        check=True,
    )

    assert f"'{PACKAGE}.index.bitable'" in done.stdout
    assert f"'{PACKAGE}.bitable'" not in done.stdout
    assert "'placet_generator'" not in done.stdout


def test_a_domain_exports_all_its_parts(emitted_package: ModuleType) -> None:
    """What its modules define is in `__all__`, shapes included."""
    domain = module(emitted_package, "im")

    assert {
        "SEND_MESSAGE",
        "SendMessageArgs",
        "SendMessageResult",
        "send_message",
        "Message",
        "MessageText",
    } <= set(domain.__all__)
    assert all(hasattr(domain, name) for name in domain.__all__)


def test_a_docstring_tells_a_developer_everything(emitted_package: ModuleType) -> None:
    """Summary, advice, arguments, risk, permissions and source."""
    assert inspect.getdoc(module(emitted_package, "bitable").update_record) == (
        "Change chosen fields of one record. Fields not named keep their value.\n"
        "\n"
        "Use when: You hold the record_id and know which fields change.\n"
        "Not when: Several records change at once; use bitable.query_records first.\n"
        "\n"
        "Args:\n"
        "    app_token: The base.\n"
        "    fields: Field name to new value; null clears the cell.\n"
        "    record_id: The record.\n"
        "    note: A remark\n"
        "    idempotency_key: Calls with equal keys run once.\n"
        "    dry_run: Check everything and send nothing.\n"
        "\n"
        "Risk: write. Scopes: any of base:record:update, bitable:app; all of base:a, base:b.\n"
        "Source: bitable.v1.app_table_record.update,\n"
        "    PUT /open-apis/bitable/v1/apps/:app_token/tables/:table_id/records/:record_id."
    )


@pytest.mark.parametrize(
    ("function", "line"),
    [
        pytest.param(
            "upload_file", "    small: drive.v1.file.upload_all, POST /open-apis/drive/v1/all.", id="routine"
        ),
        pytest.param("guidance", "Source: local, nothing is sent.", id="local"),
        pytest.param("guidance", "Risk: read. Scopes: none.", id="no-scopes"),
        pytest.param("all_kinds", "Risk: read. Scopes: im:read.", id="one-scope"),
    ],
)
def test_a_docstring_names_every_source(emitted_package: ModuleType, function: str, line: str) -> None:
    """Routines list their requests, local tools say that nothing is sent."""
    assert line in (inspect.getdoc(getattr(module(emitted_package, "im"), function)) or "").split("\n")


def test_a_header_names_command_and_input() -> None:
    """Whoever opens a module learns where to edit."""
    for path, text in emit_surface(sample_surface()).items():
        if path.endswith(".py"):
            assert text.startswith("# Generated by `make generate` from curation/feishu"), path


def test_a_type_that_two_tools_use_is_defined_once(tmp_path: Path) -> None:
    """Undeclared types of equal name move to `_shapes`, and the domain exports one."""
    point = ObjectType(name="Point", members=(member("x", ScalarType(name="integer"), required=True),))
    tools = (
        tool("im.first", params=(member("at", point),)),
        tool("im.second", params=(member("path", ListType(item=point)),)),
    )
    surface = replace(surface_with(*tools), package="emitted_common")

    source = write_package(surface, tmp_path)

    assert "class Point(" in (source / "emitted_common/im/_shapes.py").read_text()
    for key in ("first", "second"):
        text = (source / f"emitted_common/im/_{key}.py").read_text()
        assert "class Point(" not in text
        assert "from emitted_common.im._shapes import Point" in text
    assert (source / "emitted_common/im/__init__.py").read_text().count('"Point"') == 1
