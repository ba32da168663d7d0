"""Requests that the loopback platform takes, and its answers read."""

from typing import Any

import msgspec
import pytest

from placet.contract.call import Actor
from placet.contract.platform import Body, Credential, Failure, Tenant, WireCall
from placet.contract.words import Identity
from placet.platforms.feishu.platform import FeishuPlatform
from placet.testing import FakeFeishu, Fault, rate_limit
from placet.transport.pool import Transport
from tests.runtime.platforms.feishu.wire import call, tenant

pytestmark = pytest.mark.anyio

TABLES = "/open-apis/bitable/v1/apps/:app_token/tables"


async def ask(platform: FeishuPlatform, transport: Transport, of: Tenant, wire: WireCall) -> Body | Failure:
    credential = await platform.credential(of, Identity.TENANT, Actor(), force=False)
    assert isinstance(credential, Credential)
    request = platform.request(wire, credential, of)
    return platform.read(await transport.send(request, of, deadline_s=5), wire.call, of)


def list_tables(app_token: str) -> WireCall:
    return WireCall(call=call(TABLES), path={"app_token": app_token}, query=(("page_size", "20"),))


async def test_a_call_carries_the_apps_token_and_its_data_comes_back(
    fake: FakeFeishu, platform: FeishuPlatform, transport: Transport
) -> None:
    """Token, request and envelope fit the platform."""
    got = await ask(platform, transport, tenant(base_url=fake.base_url), list_tables("bascnX"))

    assert isinstance(got, Body | Failure)
    (received,) = fake.calls()
    assert (received.method, received.app, received.identity) == ("GET", "cli_a1", Identity.TENANT)
    assert received.raw_path == "/open-apis/bitable/v1/apps/bascnX/tables?page_size=20"
    if isinstance(got, Failure):
        assert (got.code, got.category, got.effect) == ("1254040", "not_found", "none")


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        pytest.param(rate_limit(reset_s=3), {"category": "rate_limited", "retry_after_s": 3.0}, id="rate"),
        pytest.param(
            Fault(code=99991672, scopes=("bitable:app",), log_id="LOG1"),
            {"category": "missing_scope", "missing_scopes": ("bitable:app",), "log_id": "LOG1"},
            id="scope",
        ),
        pytest.param(
            Fault(code=99992402, violations={"children": "the max len is 50"}),
            {"category": "invalid_argument", "violations": {"children": "the max len is 50"}},
            id="violation",
        ),
        pytest.param(Fault(status=502), {"category": "server", "effect": "unknown"}, id="page"),
    ],
)
async def test_faults_of_the_platform_are_failures(
    fake: FakeFeishu,
    platform: FeishuPlatform,
    transport: Transport,
    fault: Fault,
    expected: dict[str, Any],
) -> None:
    """What the platform says about an error arrives as typed fields."""
    fake.inject("GET *", fault)

    got = await ask(platform, transport, tenant(base_url=fake.base_url), list_tables("bascnX"))

    assert isinstance(got, Failure)
    assert {name: msgspec.structs.asdict(got)[name] for name in expected} == expected
