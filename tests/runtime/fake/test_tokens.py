"""The token desk tells callers the same as the platform would."""

import pytest

from placet.contract.words import Identity
from placet.testing import FakeFeishu
from tests.runtime.fake.client import TOKEN_PATH, PlainClient
from tests.runtime.fake.conftest import Clock

pytestmark = pytest.mark.anyio

TABLES = "/open-apis/bitable/v1/apps/none/tables"
USER_TOKEN_PATH = "/open-apis/authen/v2/oauth/token"


async def test_token_requests_are_counted_by_app(
    fake: FakeFeishu, client: PlainClient, other: PlainClient
) -> None:
    """A test can tell how often each app asked for a token."""
    await client.log_in()
    await client.log_in()
    await other.log_in()

    assert (fake.token_requests("cli_a1"), fake.token_requests("cli_b2")) == (2, 1)


async def test_a_token_is_given_again_until_it_runs_out(client: PlainClient, clock: Clock) -> None:
    """More than half an hour before its end a token is given again, afterwards a new one."""
    first = await client.log_in()
    clock.now += 5300
    again = await client.log_in()
    clock.now += 200
    later = await client.log_in()

    assert first == again != later


async def test_a_revoked_token_is_refused_and_the_next_one_is_new(
    fake: FakeFeishu, client: PlainClient
) -> None:
    """Revocation gives 99991663, and asking again gives a token that works."""
    first = await client.log_in()
    fake.revoke("cli_a1")

    assert (await client.send("GET", TABLES)).code == 99991663
    assert await client.log_in() != first
    assert (await client.send("GET", TABLES)).code == 1254040


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param({"app_id": "cli_a1", "app_secret": "wrong"}, 10014, id="wrong-secret"),
        pytest.param({"app_id": "cli_zz", "app_secret": "secret"}, 10003, id="unknown-app"),
        pytest.param(None, 10003, id="no-body"),
    ],
)
async def test_wrong_credentials_get_the_platforms_code(client: PlainClient, body: object, code: int) -> None:
    """Credentials are checked."""
    assert (await client.send("POST", TOKEN_PATH, body, token="")).code == code


async def test_calls_without_a_good_token_get_the_code_that_says_why(
    fake: FakeFeishu, client: PlainClient, clock: Clock
) -> None:
    """Missing, foreign, expired tokens and tokens of the wrong kind are told apart."""
    tenant = await client.log_in()
    user = fake.user_tokens("cli_a1", "ou_zw").access
    initiated = "/open-apis/approval/v4/instances/initiated"
    instance = "/open-apis/approval/v4/instances/none"

    assert (await client.send("GET", TABLES, token="")).code == 99991661
    assert (await client.send("GET", TABLES, token="t-made-up")).code == 99991663
    assert (await client.send("GET", TABLES, token="u-made-up")).code == 99991668
    assert (await client.send("GET", initiated, token=tenant)).code == 99991663
    assert (await client.send("GET", instance, token=user)).code == 99991668
    clock.now += 7200
    assert (await client.send("GET", TABLES, token=tenant)).code == 99991663
    assert (await client.send("GET", TABLES, token=user)).code == 99991677


async def test_a_refresh_token_works_once(fake: FakeFeishu, client: PlainClient) -> None:
    """Refreshing gives a pair that works and uses up the old refresh token."""
    tokens = fake.user_tokens("cli_a1", "ou_zw")
    body = {
        "grant_type": "refresh_token",
        "client_id": "cli_a1",
        "client_secret": "secret",
        "refresh_token": tokens.refresh,
    }

    fresh = await client.send("POST", USER_TOKEN_PATH, body, token="")
    again = await client.send("POST", USER_TOKEN_PATH, body, token="")

    assert (await client.send("GET", TABLES, token=fresh.json["access_token"])).code == 1254040
    assert again.code == 20064


async def test_requests_say_who_sent_them(fake: FakeFeishu, client: PlainClient) -> None:
    """A recorded call carries the app, the kind of token and the person."""
    await client.send("GET", TABLES)
    await client.send("GET", TABLES, token=fake.user_tokens("cli_a1", "ou_zw").access)

    said = [(one.app, one.identity, one.user) for one in fake.calls()]
    assert said == [("cli_a1", Identity.TENANT, ""), ("cli_a1", Identity.USER, "ou_zw")]
