"""Tokens of apps and of persons, over the real transport and cache."""

import anyio
import pytest

from placet.contract.call import Actor
from placet.contract.errors import CredentialUnavailable, RequestRefused
from placet.contract.platform import Credential, NeedsAuthorisation, Secret, Tenant, UserToken
from placet.contract.stores import StoreError
from placet.contract.words import Identity
from placet.platforms.feishu.platform import FeishuPlatform
from placet.platforms.feishu.tokens import EARLY_S
from placet.testing import FakeFeishu, Fault
from placet.tokens import CredentialCache
from placet.transport.pool import Transport
from placet.transport.services import RuntimeServices
from tests.runtime.platforms.feishu.conftest import Clock, Logins
from tests.runtime.platforms.feishu.wire import tenant

pytestmark = pytest.mark.anyio

PERSON = Actor(user="ou_zhangsan")
TENANT_CALL = "POST /open-apis/auth/v3/tenant_access_token/internal"
USER_CALL = "POST /open-apis/authen/v2/oauth/token"


async def app_token(platform: FeishuPlatform, of: Tenant, *, force: bool = False) -> Credential:
    got = await platform.credential(of, Identity.TENANT, Actor(), force=force)
    assert isinstance(got, Credential)
    return got


async def person_token(
    platform: FeishuPlatform, of: Tenant, *, force: bool = False
) -> Credential | NeedsAuthorisation:
    return await platform.credential(of, Identity.USER, PERSON, force=force)


def log_in(fake: FakeFeishu, logins: Logins, clock: Clock, *, lives_s: float = 7200.0) -> UserToken:
    given = fake.user_tokens("cli_a1", "ou_zhangsan", lives_s=lives_s)
    login = UserToken(
        access=Secret(given.access),
        access_expires_at=clock.now + lives_s,
        refresh=Secret(given.refresh),
        refresh_expires_at=clock.now + 604800,
        scopes=("offline_access",),
    )
    logins.kept["cli_a1", "ou_zhangsan"] = login
    return login


async def test_an_apps_token_is_fetched_once_and_used(fake: FakeFeishu, platform: FeishuPlatform) -> None:
    """Twenty calls at once ask once; the answer's token and life are taken from beside its code."""
    of = tenant(base_url=fake.base_url)
    got: list[Credential] = []

    async def one() -> None:
        got.append(await app_token(platform, of))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            for _ in range(20):
                tasks.start_soon(one)

    assert fake.token_requests("cli_a1") == 1
    assert {(one.identity, one.expires_at) for one in got} == {(Identity.TENANT, 1_780_007_200.0)}
    assert got[0].token.reveal().startswith("t-")


async def test_apps_secrets_and_hosts_do_not_share_a_token(
    fake: FakeFeishu, platform: FeishuPlatform
) -> None:
    """Another app has another token, and a wrong secret is not answered with the right one's."""
    first = await app_token(platform, tenant(base_url=fake.base_url))
    other = await app_token(platform, tenant(app="cli_b2", secret=Secret("other"), base_url=fake.base_url))

    assert first.token != other.token
    with pytest.raises(CredentialUnavailable):
        await app_token(platform, tenant(secret=Secret("guessed"), base_url=fake.base_url))


@pytest.mark.parametrize(
    ("fault", "code", "category", "retryable", "words"),
    [
        pytest.param(Fault(code=10014), "10014", "token_invalid", False, ["secret", "brand"], id="secret"),
        pytest.param(
            Fault(code=1000040351), "1000040351", "invalid_argument", False, ["other brand"], id="brand"
        ),
        pytest.param(Fault(code=20050, status=500), "20050", "server", True, ["other brand"], id="brand-500"),
        pytest.param(Fault(status=502), "", "server", True, ["status 502"], id="gateway"),
        pytest.param(Fault(body=b"{}"), "", "server", True, ["no readable body"], id="no-code"),
        pytest.param(
            Fault(body=b'{"code":0,"tenant_access_token":"","expire":7200}'), "", "server", True,
            ["without a usable token"], id="empty-token",
        ),
        pytest.param(
            Fault(body=b'{"code":0,"tenant_access_token":"t-x","expire":0}'), "", "server", True,
            ["without a usable token"], id="expired-token",
        ),
        pytest.param(Fault(drop=True), "", "network", True, ["no answer"], id="reset"),
    ],
)  # fmt: skip
async def test_a_refused_token_says_where_and_what_to_check(
    fake: FakeFeishu,
    platform: FeishuPlatform,
    fault: Fault,
    code: str,
    category: str,
    retryable: bool,
    words: list[str],
) -> None:
    """The error names the endpoint and the brand and what to do, and shows no secret."""
    fake.inject(TENANT_CALL, fault)

    with pytest.raises(CredentialUnavailable) as caught:
        await app_token(platform, tenant(base_url=fake.base_url))

    error = caught.value
    assert (error.code, error.category, error.retryable) == (code, category, retryable)
    assert all(word in str(error) for word in [*words, "tenant_access_token/internal", "brand 'feishu'"])
    assert "s3cret" not in str(error)


async def test_an_unknown_brand_is_asked_nowhere(fake: FakeFeishu, platform: FeishuPlatform) -> None:
    """No brand's host is a default for another brand's secret."""
    with pytest.raises(RequestRefused):
        await app_token(platform, tenant(brand="other"))

    assert fake.requests == []


async def test_a_persons_token_comes_from_their_login(
    fake: FakeFeishu, platform: FeishuPlatform, logins: Logins, clock: Clock
) -> None:
    """A login that is good is used as it is; nothing is asked."""
    login = log_in(fake, logins, clock)

    got = await person_token(platform, tenant(base_url=fake.base_url))

    assert got == Credential(identity=Identity.USER, token=login.access, expires_at=login.access_expires_at)
    assert fake.requests == []


@pytest.mark.parametrize(
    "actor",
    [
        pytest.param(Actor(), id="nobody"),
        pytest.param(Actor(user="ou_lisi"), id="another-person"),
        pytest.param(Actor(user="ou_lisi", ids={"open_id": "ou_zhangsan"}), id="two-people"),
    ],
)
async def test_a_login_serves_nobody_else(
    fake: FakeFeishu, platform: FeishuPlatform, logins: Logins, clock: Clock, actor: Actor
) -> None:
    """Without a login of the acting person the answer is what is missing, never the app's token."""
    log_in(fake, logins, clock)

    got = await platform.credential(tenant(base_url=fake.base_url), Identity.USER, actor, force=False)

    assert isinstance(got, NeedsAuthorisation)
    assert fake.requests == []


async def test_a_login_that_nears_its_end_is_refreshed_once(
    fake: FakeFeishu, platform: FeishuPlatform, logins: Logins, clock: Clock
) -> None:
    """Callers at once share one refresh, and the new login replaces the old one in the store."""
    old = log_in(fake, logins, clock)
    clock.now += 7200 - EARLY_S + 1
    of = tenant(base_url=fake.base_url)
    got: list[Credential | NeedsAuthorisation] = []

    async def one() -> None:
        got.append(await person_token(platform, of))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(one)

    kept = logins.kept["cli_a1", "ou_zhangsan"]
    assert len(fake.requests) == 1
    assert kept.access != old.access and kept.refresh != old.refresh
    assert {one.token for one in got if isinstance(one, Credential)} == {kept.access}
    assert kept.refresh_expires_at == clock.now + 604800


async def test_a_rejected_token_is_refreshed_though_it_looks_good(
    fake: FakeFeishu, platform: FeishuPlatform, logins: Logins, clock: Clock
) -> None:
    """A forced refresh replaces a token that the platform no longer takes."""
    old = log_in(fake, logins, clock)
    of = tenant(base_url=fake.base_url)
    await person_token(platform, of)

    got = await person_token(platform, of, force=True)

    assert isinstance(got, Credential)
    assert got.token != old.access and got.token == logins.kept["cli_a1", "ou_zhangsan"].access


async def test_a_refresh_that_another_process_made_is_taken_over(
    fake: FakeFeishu, platform: FeishuPlatform, transport: Transport, logins: Logins, clock: Clock
) -> None:
    """A refresh token works once: who comes second takes the new login instead of losing it."""
    log_in(fake, logins, clock)
    stale = dict(logins.kept)
    clock.now += 7200
    of = tenant(base_url=fake.base_url)
    other = FeishuPlatform(
        RuntimeServices(transport, CredentialCache(clock=clock), clock=clock), users=logins
    )
    first = await person_token(other, of)

    class Late(Logins):
        """Reads the old login until the refresh has failed."""

        async def get(self, app: str, subject: str) -> UserToken | None:
            late = len(fake.requests) < 2
            return stale[app, subject] if late else logins.kept[app, subject]

    second = FeishuPlatform(
        RuntimeServices(transport, CredentialCache(clock=clock), clock=clock), users=Late()
    )
    got = await person_token(second, of)

    assert isinstance(first, Credential) and isinstance(got, Credential)
    assert got.token == first.token
    assert len(fake.requests) == 2


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Fault(status=502), id="gateway"),
        pytest.param(Fault(drop=True), id="reset"),
        pytest.param(Fault(code=20050, status=500), id="server"),
        pytest.param(Fault(code=20064), id="refused"),
        pytest.param(Fault(body=b'{"code":0,"access_token":"","expires_in":7200}'), id="empty"),
    ],
)
async def test_a_refresh_that_fails_leaves_the_login_as_it_was(
    fake: FakeFeishu, platform: FeishuPlatform, logins: Logins, clock: Clock, fault: Fault
) -> None:
    """While the token lives it goes on serving, and the stored login is never deleted or emptied."""
    login = log_in(fake, logins, clock)
    clock.now += 7200 - EARLY_S + 1
    fake.inject(USER_CALL, fault)

    got = await person_token(platform, tenant(base_url=fake.base_url))

    assert isinstance(got, Credential) and got.token == login.access
    assert logins.kept == {("cli_a1", "ou_zhangsan"): login}


@pytest.mark.parametrize("code", [20026, 20037, 20064, 20073], ids=str)
async def test_a_login_that_is_over_asks_the_person(
    fake: FakeFeishu, platform: FeishuPlatform, logins: Logins, clock: Clock, code: int
) -> None:
    """When the platform takes the refresh token no more, the person has to authorise again."""
    login = log_in(fake, logins, clock)
    clock.now += 7300
    fake.inject(USER_CALL, Fault(code=code))

    got = await person_token(platform, tenant(base_url=fake.base_url))

    assert isinstance(got, NeedsAuthorisation)
    assert logins.kept == {("cli_a1", "ou_zhangsan"): login}


async def test_a_server_fault_is_no_reason_to_ask_the_person(
    fake: FakeFeishu, platform: FeishuPlatform, logins: Logins, clock: Clock
) -> None:
    """An expired token that cannot be refreshed now is unavailable, and may be had later."""
    log_in(fake, logins, clock)
    clock.now += 7300
    fake.inject(USER_CALL, Fault(status=503))

    with pytest.raises(CredentialUnavailable) as caught:
        await person_token(platform, tenant(base_url=fake.base_url))

    assert caught.value.retryable
    assert "authen/v2/oauth/token" in str(caught.value)


async def test_an_expired_refresh_token_is_not_sent(
    fake: FakeFeishu, platform: FeishuPlatform, logins: Logins, clock: Clock
) -> None:
    """A login whose refresh token is over asks the person without asking the platform."""
    log_in(fake, logins, clock)
    clock.now += 604801

    assert isinstance(await person_token(platform, tenant(base_url=fake.base_url)), NeedsAuthorisation)
    assert fake.requests == []


async def test_a_withdrawn_login_ends_at_once_and_is_not_written_back(
    fake: FakeFeishu, platform: FeishuPlatform, logins: Logins, clock: Clock
) -> None:
    """A login that is removed is not served from the cache, and a refresh under way does not bring it back."""
    of = tenant(base_url=fake.base_url)
    log_in(fake, logins, clock)
    await person_token(platform, of)
    clock.now += 7300
    gate = anyio.Event()
    injection = fake.inject(USER_CALL, Fault(hold=gate))
    got: list[Credential | NeedsAuthorisation] = []

    async def one() -> None:
        got.append(await person_token(platform, of))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(one)
            await injection.reached.wait()
            logins.kept.clear()
            gate.set()

    assert isinstance(got[0], NeedsAuthorisation)
    assert logins.kept == {}
    assert isinstance(await person_token(platform, of), NeedsAuthorisation)


async def test_a_new_login_is_used_at_once(
    fake: FakeFeishu, platform: FeishuPlatform, logins: Logins, clock: Clock
) -> None:
    """After authorising again, the cached token of the old login is used no more."""
    of = tenant(base_url=fake.base_url)
    log_in(fake, logins, clock)
    await person_token(platform, of)
    new = log_in(fake, logins, clock)

    got = await person_token(platform, of)

    assert isinstance(got, Credential) and got.token == new.access


async def test_a_store_that_fails_after_a_refresh_costs_no_call(
    fake: FakeFeishu, transport: Transport, clock: Clock
) -> None:
    """The fresh token serves although it could not be kept."""

    class Full(Logins):
        async def put(
            self, app: str, subject: str, token: UserToken, *, replaces: UserToken | None = None
        ) -> bool:
            raise StoreError("the disk is full")

    logins = Full()
    old = log_in(fake, logins, clock)
    clock.now += 7300
    platform = FeishuPlatform(
        RuntimeServices(transport, CredentialCache(clock=clock), clock=clock), users=logins
    )

    got = await person_token(platform, tenant(base_url=fake.base_url))
    again = await person_token(platform, tenant(base_url=fake.base_url))

    assert isinstance(got, Credential) and got.token != old.access
    assert again == got
    assert len(fake.requests) == 1
