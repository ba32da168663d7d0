"""A surface of an OpenAPI document on the platform `http`: the whole gate, and not one module of another vendor."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.project import Project
from tests.end_to_end.test_second_surface import API

CHILD = """
import asyncio, json, re, sys
from aiohttp import web
import acme_tools
from placet.approvals import Decider
from placet.audit import verify
from placet.contract.call import Actor, CallContext
from placet.contract.platform import Secret, Tenant
from placet.contract.policy import Decision, Policy
from placet.gate import Gate
from placet.policy import ask_for_writes
from placet.stores.memory import MemoryTruth

async def main():
    seen = []
    async def serve(request):
        body = await request.text()
        seen.append([request.method, request.path, request.headers.get("Authorization"), body])
        if request.path == "/orders/missing":
            return web.Response(status=404, text="<html>")
        if request.method == "GET" and request.path == "/orders":
            return web.json_response({"orders": [{"id": "1", "secret": "s"}, {"id": "2"}]})
        if request.method == "GET":
            return web.json_response({"id": "1", "total": 3, "password": "hunter2-hunter2"})
        return web.json_response({"id": "9"})
    runner = web.ServerRunner(web.Server(serve))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    base = "http://%s:%s" % runner.addresses[0][:2]
    writes = ("orders.create_order", "orders.delete_order")
    store = MemoryTruth()
    results = {}
    async with Gate(
        surfaces=[acme_tools.surface],
        tenants=[Tenant(app="acme", platform="http", brand="acme", secret=Secret("key-of-acme"), base_url=base)],
        store=store, authoriser=ask_for_writes, policy=Policy(write_allow=writes[:1]),
    ) as gate:
        ctx = CallContext(app="acme", actor=Actor(user="ann"), session="s")
        async def call(name, arguments):
            return await gate.call("orders." + name, arguments, ctx)
        results["list"] = (await call("list_orders", {})).unwrap()
        results["read"] = (await call("get_order", {"order_id": "1"})).unwrap()
        results["missing"] = (await call("get_order", {"order_id": "missing"})).category
        results["wrong"] = (await call("get_order", {"ordr_id": "1"})).reason
        results["off"] = (await call("delete_order", {"order_id": "1"})).code
        new = {"item": "pen", "count": 2, "idempotency_key": "k"}
        results["rehearsed"] = (await call("create_order", {**new, "dry_run": True})).unwrap()
        pending = await call("create_order", new)
        shown = await gate.desk.show(pending.id, app="acme")
        ann = Decider(name="ann", strength="person")
        decided = await gate.desk.decide(
            pending.id, app="acme", decider=ann, digest=shown.row.digest, approve=True
        )
        results["done"] = (await gate.desk.perform(decided.row)).unwrap()
        again = await call("create_order", new)
        results["again"] = [again.replayed, again.data]
    await runner.cleanup()
    results["seen"] = seen
    results["whole"] = verify(store.trail(), store.keys).is_whole
    results["vendor"] = sorted(name for name in sys.modules if re.search("feishu|lark", name))
    print(json.dumps(results))

asyncio.run(main())
"""


@pytest.fixture
def acme(tmp_path: Path) -> Project:
    """The pack, made from its document."""
    (tmp_path / "acme.json").write_text(json.dumps(API), encoding="utf-8")
    project = Project(tmp_path)
    for words in (["init", "--openapi", "acme.json", "--package", "acme_tools"], ["build"]):
        done = project.run(*words)
        assert done.returncode == 0, done.stderr
    return project


def test_a_second_surface_passes_the_whole_gate(acme: Project) -> None:
    """Reads, refusals, dry run, approval, ledger and audit, with no vendor's module loaded."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", CHILD],
        env={**os.environ, "PYTHONPATH": str(acme.root / "generated/src")},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["vendor"] == []
    assert found["whole"]
    assert found["list"] == {"orders": [{"id": "1"}, {"id": "2"}]}
    assert found["read"] == {"id": "1", "total": 3}
    assert found["missing"] == "not_found"
    assert "order_id" in found["wrong"]
    assert found["off"] == "tool_not_enabled"
    assert found["rehearsed"]["requests"][0]["body"] == {"item": "pen", "count": 2}
    assert found["done"] == {"id": "9"}
    assert found["again"] == [True, {"id": "9"}]
    assert [one[0] for one in found["seen"]] == ["GET", "GET", "GET", "POST"]
    assert {one[2] for one in found["seen"]} == {"Bearer key-of-acme"}
