"""The gate over a loopback Feishu: the flow of a table, typed functions, tokens, and answers of every kind."""

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from msgspec import UNSET

import placet_feishu
from placet.approvals import Decider
from placet.audit import verify
from placet.contract.call import Actor, CallContext
from placet.contract.platform import Secret, Tenant, UserToken
from placet.contract.policy import Policy
from placet.contract.result import Failed, Ok, Pending, Unknown
from placet.contract.words import Identity
from placet.gate import Gate
from placet.policy import ask_for_writes
from placet.sealing import Sealer
from placet.stores.memory import MemoryShared, MemoryTruth
from placet.testing import FakeFeishu, Fault, rate_limit
from placet.transport.pool import TransportOptions
from placet.user_tokens import SealedUserTokens
from placet_feishu.bitable import list_tables, update_record
from tests.runtime.gate.world import allow

pytestmark = pytest.mark.anyio

APP = "cli_a1"
UPDATE = "bitable.update_record"
CTX = CallContext(app=APP, actor=Actor(user="ou_ann"), session="oc_1")


class Desk:
    """A platform with one table, and gates over it."""

    def __init__(self, fake: FakeFeishu) -> None:
        self.fake, self.store = fake, MemoryTruth()
        base = fake.tenant(APP).bitable.add_base()
        self.table = base.add_table("任务", {"任务": "Text", "状态": ("SingleSelect", ["待办", "已完成"])})
        self.table.add_records([{"任务": "写周报", "状态": "待办"}, {"任务": "订会议室", "状态": "已完成"}])
        self.place = {"app_token": base.app_token, "table_id": self.table.table_id}

    def gate(self, **options: Any) -> AbstractAsyncContextManager[Gate]:
        named = (UPDATE, "bitable.create_table")
        chosen: dict[str, Any] = {
            "surfaces": [placet_feishu.surface],
            "tenants": [tenant(APP, self.fake)],
            "store": self.store,
            "policy": Policy(write_allow=named, unattended=named, calls_per_turn=1000),
            "authoriser": allow,
        }
        return Gate(**{**chosen, **options})

    @property
    def change(self) -> dict[str, Any]:
        record = next(iter(self.table.records))
        return {**self.place, "record_id": record, "fields": {"状态": "已完成"}}


def tenant(app: str, fake: FakeFeishu, **more: Any) -> Tenant:
    return Tenant(
        app=app, platform="feishu", brand="feishu", secret=Secret("secret"), base_url=fake.base_url, **more
    )


@asynccontextmanager
async def opened() -> AsyncIterator[Desk]:
    async with FakeFeishu(apps={APP: "secret"}) as fake:
        yield Desk(fake)


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with opened() as found:
        yield found


async def test_the_flow_of_a_table(desk: Desk) -> None:
    """List, query, rehearse, refused, named and done; delete impossible; every record in its chain."""
    wanted = {"conditions": [{"field": "状态", "op": "is", "value": ["待办"]}]}
    async with desk.gate() as gate:
        tables = await gate.call("bitable.list_tables", {"app_token": desk.place["app_token"]}, CTX)
        found = await gate.call("bitable.query_records", {**desk.place, "filter": wanted}, CTX)
        rehearsed = await gate.call(UPDATE, {**desk.change, "dry_run": True}, CTX)
    assert desk.table.values[0]["状态"] == "待办"
    async with desk.gate(policy=Policy()) as gate:
        refused = await gate.call(UPDATE, desk.change, CTX)
        deleted = await gate.call("bitable.delete_record", {**desk.place, "record_id": "rec1"}, CTX)
    assert desk.table.values[0]["状态"] == "待办"
    async with desk.gate() as gate:
        done = await gate.call(UPDATE, desk.change, CTX)

    kinds = [one.kind for one in (tables, found, rehearsed, refused, deleted, done)]
    assert kinds == ["ok", "ok", "ok", "refused", "refused", "ok"]
    assert isinstance(found, Ok)
    assert [one["fields"]["任务"] for one in found.data["items"]] == ["写周报"]
    assert desk.table.values[0]["状态"] == "已完成"
    assert len(desk.table.records) == 2
    report = verify(desk.store.trail(), desk.store.keys)
    assert report.faults == ()


async def test_an_approved_update_shows_what_it_replaces(desk: Desk) -> None:
    """The person sees old and new, says yes, and it happens once."""
    async with desk.gate(authoriser=ask_for_writes) as gate:
        proposed = await gate.call(UPDATE, desk.change, CTX)
        assert isinstance(proposed, Pending)
        shown = await gate.desk.show(proposed.id, app=CTX.app)
        assert shown is not None
        decided = await gate.desk.decide(
            proposed.id,
            app=CTX.app,
            decider=Decider(name=CTX.actor.user or "", strength="person"),
            digest=shown.row.digest,
            approve=True,
        )
        assert decided.row is not None
        done = await gate.desk.perform(decided.row)

    view = shown.view
    assert view is not None
    assert done is not None
    assert view.before["fields"]["状态"] == "待办"
    assert view.arguments["fields"] == {"状态": "已完成"}
    assert done.kind == "ok"
    assert len(desk.fake.calls("PUT *")) == 1


async def test_a_misspelt_field_is_met_before_anybody_is_asked(desk: Desk) -> None:
    """The preflight reads the table's own names; without the right to list them it tells none."""
    change = {**desk.change, "fields": {"状況": "已完成"}}
    async with desk.gate(authoriser=ask_for_writes) as gate:
        met = await gate.call(UPDATE, change, CTX)
    policy = Policy(reads=("bitable.query_records",), write_allow=(UPDATE,))
    async with desk.gate(authoriser=ask_for_writes, policy=policy) as gate:
        silent = await gate.call(UPDATE, change, CTX)

    assert met.kind == "refused"
    assert "'状态'" in met.reason
    assert silent.kind == "pending"
    assert desk.fake.calls("PUT *") == []


async def test_a_table_of_many_fields_is_known_as_a_whole(desk: Desk) -> None:
    """The preflight's list is not cut to a model's budget: the last of 90 names is known."""
    for number in range(88):
        desk.table.add_field(f"一个相当长的字段名称，编号为{number:03}", "Text")
    change = {**desk.change, "fields": {"一个相当长的字段名称，编号为087": "x"}}
    async with desk.gate() as gate:
        result = await gate.call(UPDATE, change, CTX)

    assert result.kind == "ok"


async def test_typed_functions_go_through_the_gate(desk: Desk) -> None:
    """A generated function takes names and gives its own struct; a refusal is the same value as by name."""
    async with desk.gate() as gate:
        tables = await list_tables(gate, CTX, app_token=desk.place["app_token"])
        changed = await update_record(gate, CTX, **desk.change)
        refused = await update_record(gate, CallContext(app="cli_none"), **desk.change)

    items = tables.unwrap().items
    assert items is not UNSET
    assert [one.name for one in items] == ["任务"]
    record = changed.unwrap()
    assert isinstance(record.fields, dict)
    assert record.fields["状态"] == "已完成"
    assert refused.kind == "refused"


async def test_a_revoked_token_is_replaced_within_the_call(desk: Desk) -> None:
    """A token that the platform no longer takes is fetched anew once; the call succeeds."""
    async with desk.gate() as gate:
        first = await gate.call("bitable.list_tables", {"app_token": desk.place["app_token"]}, CTX)
        desk.fake.revoke(APP)
        read = await gate.call("bitable.list_tables", {"app_token": desk.place["app_token"]}, CTX)
        desk.fake.revoke(APP)
        write = await gate.call(UPDATE, desk.change, CTX)

    assert [one.kind for one in (first, read, write)] == ["ok"] * 3
    assert desk.fake.token_requests(APP) == 3
    assert sum(one.answered == 200 for one in desk.fake.calls("PUT *")) == 1


async def test_a_wrong_secret_is_a_typed_failure_that_shows_no_secret(desk: Desk) -> None:
    """The sentence names app and brand; the secret is nowhere."""
    wrong = Tenant(
        app=APP,
        platform="feishu",
        brand="feishu",
        secret=Secret("not-the-secret"),
        base_url=desk.fake.base_url,
    )
    async with desk.gate(tenants=[wrong]) as gate:
        result = await gate.call("bitable.list_tables", {"app_token": "b"}, CTX)

    assert isinstance(result, Failed)
    assert result.code == "10014"
    assert "not-the-secret" not in repr(result)
    assert desk.fake.calls() == []


async def test_a_persons_login_is_used_and_refreshed(desk: Desk) -> None:
    """Without a login the call waits for it; with one it carries the person's token, an expired one refreshed."""
    shared = MemoryShared()
    sealer = Sealer([b"k" * 32])
    users = SealedUserTokens(shared, sealer)
    who = CallContext(app=APP, identity=Identity.USER, actor=Actor(user="ou_ann"))
    tenants = [tenant(APP, desk.fake, identities=tuple(Identity))]
    async with desk.gate(
        tenants=tenants, shared=shared, seals=sealer, users=users, policy=Policy(identities=tuple(Identity))
    ) as gate:
        arguments = {"app_token": desk.place["app_token"]}
        missing = await gate.call("bitable.list_tables", arguments, who)
        given = desk.fake.user_tokens(APP, "ou_ann")
        await users.put(
            APP,
            "ou_ann",
            UserToken(access=Secret(given.access), access_expires_at=1.0, refresh=Secret(given.refresh)),
        )
        found = await gate.call("bitable.list_tables", arguments, who)

    assert isinstance(missing, Pending)
    assert missing.needs == "authorisation"
    assert found.kind == "ok"
    (received,) = desk.fake.calls()
    assert (received.identity, received.user) == (Identity.USER, "ou_ann")
    assert received.headers["authorization"] != f"Bearer {given.access}"


HUGE = b'{"code": 0, "data": {"items": [' + b'{"name": "' + b"n" * 900 + b'"},' * 3000 + b'{"name": "n"}]}}'

ANSWERS = [
    pytest.param(Fault(body=b"{"), "failed", "unknown", id="malformed"),
    pytest.param(Fault(body=b""), "failed", "unknown", id="empty"),
    pytest.param(Fault(body=b"\xff\xfe"), "failed", "unknown", id="bytes"),
    pytest.param(Fault(body=b"[" * 100_000), "failed", "unknown", id="deep"),
    pytest.param(Fault(body=HUGE), "failed", "unknown", id="larger-than-allowed"),
    pytest.param(Fault(status=502), "failed", "unknown", id="html"),
    pytest.param(
        Fault(body=b"<html>login</html>", media_type="text/html"), "failed", "unknown", id="html-of-a-proxy"
    ),
    pytest.param(
        Fault(status=302, headers={"Location": "https://evil.example"}), "failed", "unknown", id="redirect"
    ),
    pytest.param(Fault(drop=True), "failed", "unknown", id="dropped"),
    pytest.param(Fault(cut_at=10, effect="applied"), "failed", "unknown", id="truncated"),
    pytest.param(
        Fault(content_length=100_000, effect="applied"), "failed", "unknown", id="shorter-than-told"
    ),
    pytest.param(Fault(code=0, status=200, effect="applied"), "ok", "ok", id="nothing-in-it"),
    pytest.param(
        Fault(body=b'{"code": 0, "data": {"items": 7, "record": "x"}}'), "ok", "ok", id="other-forms"
    ),
    pytest.param(Fault(code=1254302), "failed", "failed", id="an-error"),
    pytest.param(rate_limit(reset_s=100), "failed", "failed", id="a-rate-limit"),
]


@pytest.mark.parametrize(("fault", "read", "write"), ANSWERS)
async def test_every_answer_of_a_platform_is_typed(desk: Desk, fault: Fault, read: str, write: str) -> None:
    """A read fails or is answered; a write is done, refused by the platform, or unknown; never an exception."""
    table = {"app_token": desk.place["app_token"], "name": "新表"}
    desk.fake.inject(lambda received: "/bitable/" in received.path, fault)
    async with desk.gate(deadline_s=0.5, transport=TransportOptions(max_answer_bytes=1_000_000)) as gate:
        with anyio.fail_after(10):
            results = [
                await gate.call("bitable.list_tables", {"app_token": desk.place["app_token"]}, CTX),
                await gate.call("bitable.create_table", table, CTX),
            ]

    assert [one.kind for one in results] == [read, write]
    assert len(json.dumps([repr(one) for one in results])) < 5000


async def test_an_answer_that_never_comes_ends_with_the_deadline(desk: Desk) -> None:
    """A platform that holds a request ends as failure for a read, as unknown for a write."""
    never = anyio.Event()
    desk.fake.inject(lambda received: "/bitable/" in received.path, Fault(hold=never))
    table = {"app_token": desk.place["app_token"], "name": "新表"}
    async with desk.gate(deadline_s=0.2) as gate:
        with anyio.fail_after(10):
            read = await gate.call("bitable.list_tables", {"app_token": desk.place["app_token"]}, CTX)
            write = await gate.call("bitable.create_table", table, CTX)
    never.set()

    assert isinstance(read, Failed)
    assert isinstance(write, Unknown)


async def test_a_rate_limit_is_waited_out(desk: Desk) -> None:
    """The platform's own word on when to come back is kept, for reads and for writes with its own key."""
    desk.fake.inject("GET /open-apis/bitable/*", rate_limit(reset_s=0, times=1))
    desk.fake.inject("PUT *", rate_limit(reset_s=0, times=1))
    async with desk.gate() as gate:
        read = await gate.call("bitable.list_tables", {"app_token": desk.place["app_token"]}, CTX)
        write = await gate.call(UPDATE, desk.change, CTX)

    assert (read.kind, write.kind) == ("ok", "ok")
    keys = {received.first("client_token") for received in desk.fake.calls("PUT *")}
    assert (len(desk.fake.calls("PUT *")), len(keys)) == (2, 1)


async def test_a_thousand_calls_of_fifty_tenants_carry_their_own_marker() -> None:
    """Over real connections: each answer is of the tenant that asked, and each token is fetched once."""
    apps = {f"cli_{number}": "secret" for number in range(50)}
    wrong: list[Any] = []
    async with FakeFeishu(apps=apps) as fake:
        bases = {app: fake.tenant(app).bitable.add_base() for app in apps}
        for app, base in bases.items():
            base.add_table(f"table of {app}", {"a": "Text"})
        async with Gate(
            surfaces=[placet_feishu.surface],
            tenants=[tenant(app, fake) for app in apps],
            store=MemoryTruth(),
        ) as gate:

            async def call(app: str) -> None:
                arguments = {"app_token": bases[app].app_token}
                result = await gate.call("bitable.list_tables", arguments, CallContext(app=app))
                names = [one["name"] for one in result.data["items"]] if isinstance(result, Ok) else result
                if names != [f"table of {app}"]:
                    wrong.append(names)

            with anyio.fail_after(60):
                async with anyio.create_task_group() as group:
                    for _ in range(20):
                        for app in apps:
                            group.start_soon(call, app)
        issued = {fake.token_requests(app) for app in apps}

    assert wrong == []
    assert issued == {1}


def test_typed_functions_are_typed(workspace: Path, tmp_path: Path) -> None:
    """mypy --strict knows arguments and results of generated functions, and finds each wrong use."""
    from mypy import api

    source = (workspace / "tests/runtime/doors/typed_use.txt").read_text(encoding="utf-8")
    file = tmp_path / "use.py"
    file.write_text(source, encoding="utf-8")
    expected = [
        f"{number}: {line.rpartition('  # E ')[2]}"
        for number, line in enumerate(source.splitlines(), start=1)
        if "  # E " in line
    ]

    told, faults, _ = api.run(
        ["--strict", "--config-file", str(workspace / "pyproject.toml"), "--no-error-summary",
         "--cache-dir", str(tmp_path / "cache"), str(file)]
    )  # fmt: skip

    assert faults == ""
    found = [
        f"{line.split(':')[1]}: {line.rpartition('[')[2].rstrip(']')}"
        for line in told.splitlines()
        if ": error:" in line
    ]
    assert found == expected, told
