"""`placet demo`: the whole way of a call, on a loopback platform: nothing outside this machine is touched."""

import secrets
import tempfile
from pathlib import Path
from typing import Any

__all__ = ["command", "run"]

APP = "cli_demo"
UPDATE = "bitable.update_record"


def command() -> int:
    """Show a read, a dry run, a refused write, an allowed one and the audit, on a platform of its own."""
    import anyio

    return anyio.run(run)


async def run() -> int:
    """The demonstration; 0 when every step ended as it should."""
    from placet.audit import verify
    from placet.contract.policy import Policy
    from placet.stores import ChainKeys, open_store, open_trail
    from placet.testing import FakeFeishu

    keys = ChainKeys([secrets.token_bytes(32)])
    with tempfile.TemporaryDirectory(prefix="placet-demo-") as folder:
        url = f"sqlite:///{Path(folder) / 'demo.db'}"
        async with FakeFeishu(apps={APP: "demo-secret"}) as fake:
            place = _place(fake)
            truth, shared = open_store(url, keys=keys)
            try:
                policies = {
                    "asked": Policy(write_allow=(UPDATE,)),
                    "closed": Policy(),
                    "unattended": Policy(write_allow=(UPDATE,), unattended=(UPDATE,)),
                }
                ended_well = await _walk(fake, truth, place, policies)
            finally:
                await shared.close()
                await truth.close()
        trail = open_trail(url)
        try:
            whole = verify(trail, keys).is_whole
        finally:
            trail.close()
    _step("audit", f"every record is in its chain: {whole}")
    return 0 if ended_well and whole else 1


def _place(fake: Any) -> dict[str, str]:
    """A base with one table of two tasks."""
    base = fake.tenant(APP).bitable.add_base()
    table = base.add_table("任务", {"任务": ("Text", []), "状态": ("SingleSelect", ["待办", "已完成"])})
    table.add_records([{"任务": "写周报", "状态": "待办"}, {"任务": "订会议室", "状态": "已完成"}])
    return {"app_token": base.app_token, "table_id": table.table_id}


async def _walk(fake: Any, truth: Any, place: dict[str, str], policies: dict[str, Any]) -> bool:
    from placet.contract.call import Actor, CallContext

    ctx = CallContext(app=APP, actor=Actor(user="ou_x"), session="oc_demo")
    async with _gate(fake, truth, policies["asked"]) as gate:
        tables = await gate.call("bitable.list_tables", {"app_token": place["app_token"]}, ctx)
        _step("list tables", tables)
        wanted = {"conditions": [{"field": "状态", "op": "is", "value": ["待办"]}]}
        found = await gate.call("bitable.query_records", {**place, "filter": wanted}, ctx)
        _step("records with 状态 待办", found)
        record = found.unwrap()["items"][0]["record_id"]
        change = {**place, "record_id": record, "fields": {"状态": "已完成"}}
        rehearsed = await gate.call(UPDATE, {**change, "dry_run": True}, ctx)
        _step("dry run of an update: what would be sent", rehearsed)
    async with _gate(fake, truth, policies["closed"]) as gate:
        refused = await gate.call(UPDATE, change, ctx)
        _step("the update, which nobody enabled", refused)
        deleted = await gate.call("bitable.delete_record", {**place, "record_id": record}, ctx)
        _step("deleting it, which nobody enabled either", deleted)
    async with _gate(fake, truth, policies["unattended"]) as gate:
        done = await gate.call(UPDATE, change, ctx)
        _step("the update, now named by the host and allowed unattended", done)
    kinds = [one.kind for one in (tables, found, rehearsed, refused, deleted, done)]
    return kinds == ["ok", "ok", "ok", "refused", "refused", "ok"]


def _gate(fake: Any, truth: Any, policy: Any) -> Any:
    from placet.contract.platform import Secret, Tenant
    from placet.contract.policy import Decision, Proposal
    from placet.gate import Gate
    from placet.surfaces import installed_surfaces

    async def allow(proposal: Proposal) -> Decision:
        return Decision.ALLOW

    tenant = Tenant(
        app=APP, platform="feishu", brand="feishu", secret=Secret("demo-secret"), base_url=fake.base_url
    )
    return Gate(surfaces=installed_surfaces(), tenants=[tenant], store=truth, policy=policy, authoriser=allow)


def _step(title: str, result: Any) -> None:
    import json

    import msgspec

    print(f"\n{title}")
    if isinstance(result, str):
        print(f"  {result}")
        return
    shown = {
        key: value
        for key, value in msgspec.to_builtins(result).items()
        if value not in (None, False, (), [], {}, "")
    }
    print("  " + json.dumps({"kind": result.kind, **shown}, ensure_ascii=False)[:600])
