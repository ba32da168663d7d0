"""`placet demo`: a conversation on a loopback platform in which one write waits for your yes.

The engine, the gate, the store and the audit are the real ones. The model follows a script, unless OPENAI_API_KEY or
OPENAI_BASE_URL names a real one; then PLACET_MODEL says which. Nothing outside this machine is touched otherwise.
"""

import os
import secrets
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from placet.approvals import Approval
    from placet.engine import Engine, Reply
    from placet.gate import Gate
    from placet.testing.scripted import Step

__all__ = ["command", "run"]

APP = "cli_demo"
PERSON = "ou_x"
UPDATE = "bitable.update_record"

Asks = Callable[[], bool]


def command(
    yes: Annotated[bool, typer.Option("--yes", help="Say yes without being asked.")] = False,
) -> int:
    """Talk to an agent on a platform of its own: a read, a write that waits for your yes, one that nobody enabled."""
    import anyio

    return anyio.run(run, _yes if yes else _ask)


def _yes() -> bool:
    print("Approve this call? [y/N]: y  (--yes)")
    return True


def _ask() -> bool:
    if not sys.stdin.isatty():
        print("Approve this call? [y/N]: no terminal to ask at; `placet demo --yes` says yes")
        return False
    return typer.confirm("Approve this call?", default=False)


async def run(asks: Asks) -> int:
    """The demonstration; 0 when it ended as the person decided and every record is in its chain."""
    from placet.audit import verify
    from placet.contract.policy import Policy
    from placet.gate import Gate
    from placet.policy import ask_for_writes
    from placet.sealing import Sealer
    from placet.stores import ChainKeys, open_store, open_trail
    from placet.surfaces import installed_surfaces
    from placet.testing import FakeFeishu

    key = secrets.token_bytes(32)
    with tempfile.TemporaryDirectory(prefix="placet-demo-") as folder:
        url = f"sqlite:///{Path(folder) / 'demo.db'}"
        async with FakeFeishu(apps={APP: "demo-secret"}) as fake:
            place = _place(fake)
            truth, shared = open_store(url, keys=ChainKeys([key]))
            try:
                async with Gate(
                    surfaces=installed_surfaces(),
                    tenants=[_tenant(fake)],
                    store=truth,
                    seals=Sealer([key]),
                    policy=Policy(reads=("bitable.*",), write_allow=(UPDATE,)),
                    authoriser=ask_for_writes,
                ) as gate:
                    is_right = await _talk(gate, shared, Sealer([key]), fake, place, asks)
            finally:
                await shared.close()
                await truth.close()
        trail = open_trail(url)
        try:
            events = trail.latest(1000)
            is_whole = verify(trail, ChainKeys([key])).is_whole
        finally:
            trail.close()
    print(f"\naudit: {len(events)} records, every one in its chain: {is_whole}")
    return 0 if is_right and is_whole else 1


async def _talk(gate: "Gate", shared: Any, sealer: Any, fake: Any, place: dict[str, str], asks: Asks) -> bool:
    """Three turns; True when exactly what was approved was written."""
    from placet.contract.call import Actor, CallContext
    from placet.engine import Engine

    engine = Engine(gate, models={"demo": _model(place)}, shared=shared, sealer=sealer)
    ctx = CallContext(app=APP, actor=Actor(user=PERSON), session="oc_demo")
    where = f"（多维表格 {place['app_token']}，数据表 {place['table_id']}）"

    await _say(engine, ctx, f"哪些任务还是待办？{where}")
    waits = await _say(engine, ctx, "把“写周报”标为已完成。")
    is_approved = False
    for identifier in waits.waiting:
        shown = await gate.desk.show(identifier, app=APP)
        assert shown is not None
        _card(gate, shown)
        is_approved = asks()
        await _decide(engine, shown, approve=is_approved)
    written = len(fake.calls("PUT *"))
    await _say(engine, ctx, "再把“订会议室”那条删掉。")
    await engine.close()
    print(
        f"\nwrites that reached the platform: {len(fake.calls('PUT *'))}, deletions: {len(fake.calls('DELETE *'))}"
    )
    return written == len(fake.calls("PUT *")) == int(is_approved) and not fake.calls("DELETE *")


async def _say(engine: "Engine", ctx: Any, text: str) -> "Reply":
    print(f"\nyou    {text}")
    reply = await engine.turn(text, ctx)
    if reply.waiting:
        print(f"agent  (waits for a person: {', '.join(reply.waiting)})")
    else:
        print(f"agent  {reply.text}")
    return reply


async def _decide(engine: "Engine", shown: "Approval", *, approve: bool) -> None:
    from placet.approvals import Decider

    decided, reply = await engine.decide(
        shown.row.id,
        app=APP,
        decider=Decider(name="operator:demo", strength="operator"),
        digest=shown.row.digest,
        approve=approve,
    )
    print(f"       {decided.verdict}")
    if reply is not None:
        print(f"agent  {reply.text}")


def _card(gate: "Gate", approval: "Approval") -> None:
    """The proposal as `placet approvals show` prints it."""
    import time

    from placet.approvals import shown
    from placet.cli.approvals import page

    about = shown(approval, gate.runtime.maskings["feishu"], now=time.time())
    print("\n" + page(about))


def _place(fake: Any) -> dict[str, str]:
    """A base with one table of two tasks."""
    base = fake.tenant(APP).bitable.add_base()
    table = base.add_table("任务", {"任务": ("Text", []), "状态": ("SingleSelect", ["待办", "已完成"])})
    table.add_records([{"任务": "写周报", "状态": "待办"}, {"任务": "订会议室", "状态": "已完成"}])
    return {"app_token": base.app_token, "table_id": table.table_id}


def _tenant(fake: Any) -> Any:
    from placet.contract.platform import Secret, Tenant

    return Tenant(
        app=APP, platform="feishu", brand="feishu", secret=Secret("demo-secret"), base_url=fake.base_url
    )


def _model(place: dict[str, str]) -> Any:
    """The model of the environment, else the script."""
    if os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL"):
        from placet.engine.endpoints import chat_model

        return chat_model(
            os.environ.get("PLACET_MODEL", "gpt-5-mini"),
            base_url=os.environ.get("OPENAI_BASE_URL"),
            api_key=os.environ.get("OPENAI_API_KEY"),
        )
    from placet.testing.scripted import Scripted

    return Scripted(_steps(place))


def _steps(place: dict[str, str]) -> "list[Step]":
    """What the scripted model wants, from what it has seen."""
    open_tasks = {"conditions": [{"field": "状态", "op": "is", "value": ["待办"]}]}
    change = {**place, "fields": {"状态": "已完成"}}

    def names(results: list[Any]) -> str:
        found = "、".join(item["fields"]["任务"] for item in results[-1]["data"]["items"])
        return f"还有一项待办：{found}。"

    def updated(results: list[Any]) -> str:
        return "已标为已完成。" if results[-1]["kind"] == "ok" else "好的，没有修改。"

    return [
        lambda results: ("bitable_query_records", {**place, "filter": open_tasks}),
        names,
        lambda results: (
            "bitable_update_record",
            {**change, "record_id": results[-1]["data"]["items"][0]["record_id"]},
        ),
        updated,
        lambda results: ("bitable_delete_record", {**place, "record_id": "recx"}),
        lambda results: "这里没有启用删除记录，所以没有删除。",
    ]
