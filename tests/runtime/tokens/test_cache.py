"""One token per key, fetched once, refreshed early, forced once; a refresh that fails costs nothing."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anyio
import pytest

from placet.contract.digest import sha256_of
from placet.contract.errors import CredentialUnavailable, PlacetError
from placet.contract.platform import Credential, Secret
from placet.contract.stores import StoredToken, StoreError
from placet.contract.words import Identity
from placet.sealing import Sealer
from placet.stores.memory import MemoryShared
from placet.tokens import CredentialCache, credential_key

pytestmark = pytest.mark.anyio

SEALS = Sealer([bytes(range(32))])

KEY = credential_key(base_url="https://a.example", app="cli_a", secret=Secret("s-1"), kind="tenant")
PERSON = credential_key(
    base_url="https://a.example", app="cli_a", secret=Secret("s-1"), kind="user", user="ou_1"
)


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Source:
    """A platform that counts and numbers the tokens it gives."""

    def __init__(self, clock: Clock, *, life_s: float = 7200, prefix: str = "t") -> None:
        self.clock, self.life_s, self.prefix = clock, life_s, prefix
        self.given = 0
        self.fault: Exception | None = None
        self.hold: anyio.Event | None = None
        self.waiting = 0

    async def __call__(self) -> Credential:
        self.waiting += 1
        await anyio.lowlevel.checkpoint()
        if self.hold is not None:
            await self.hold.wait()
        if self.fault is not None:
            raise self.fault
        self.given += 1
        return Credential(
            identity=Identity.TENANT,
            token=Secret(f"{self.prefix}-{self.given}"),
            expires_at=self.clock.now + self.life_s,
        )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def source(clock: Clock) -> Source:
    return Source(clock)


@pytest.fixture(params=["alone", "shared"])
def cache(request: pytest.FixtureRequest, clock: Clock) -> CredentialCache:
    if request.param == "alone":
        return CredentialCache(clock=clock)
    return CredentialCache(shared=MemoryShared(clock=clock), seals=SEALS, clock=clock)


async def token(
    cache: CredentialCache,
    source: Callable[[], Awaitable[Credential]],
    *,
    force: bool = False,
    key: tuple[str, ...] = KEY,
) -> str:
    with anyio.fail_after(5):
        return (await cache.cached_credential(key, source, force=force)).token.reveal()


async def at_once(n: int, call: Callable[[], Awaitable[str]]) -> list[str]:
    found: list[str] = []

    async def one() -> None:
        found.append(await call())

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            for _ in range(n):
                group.start_soon(one)
    return found


async def in_its_own_task(call: Callable[[], Awaitable[str]]) -> str:
    return (await at_once(1, call))[0]


async def test_a_hundred_first_calls_fetch_once(cache: CredentialCache, source: Source) -> None:
    """A cold cache is one request, however many wait for it."""
    assert set(await at_once(100, lambda: token(cache, source))) == {"t-1"}
    assert source.given == 1


async def test_a_hundred_forced_calls_fetch_once(cache: CredentialCache, source: Source) -> None:
    """Callers whose token was rejected at the same time share one refresh."""
    await token(cache, source)

    assert set(await at_once(100, lambda: token(cache, source, force=True))) == {"t-2"}
    assert source.given == 2


async def test_a_late_complaint_is_about_the_old_token(cache: CredentialCache, source: Source) -> None:
    """Calls that left with one revoked token come back one after the other: one refresh serves them all."""
    left, back = anyio.Event(), anyio.Event()
    found: list[str] = []

    async def late() -> None:
        await token(cache, source)
        left.set()
        await back.wait()
        found.append(await token(cache, source, force=True))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(late)
            await left.wait()
            await token(cache, source)
            assert await token(cache, source, force=True) == "t-2"
            back.set()

    assert (found, source.given) == (["t-2"], 2)


async def test_a_new_complaint_is_heard(cache: CredentialCache, source: Source) -> None:
    """A task whose newer token is rejected as well gets another."""
    assert [await token(cache, source, force=force) for force in (False, True, True, False)] == [
        "t-1",
        "t-2",
        "t-3",
        "t-3",
    ]


@pytest.mark.parametrize(
    ("life_s", "fresh_s", "due_s"),
    [
        pytest.param(7200, 6899, 6901, id="five-minutes-before-the-end"),
        pytest.param(600, 479, 481, id="at-80-percent"),
        pytest.param(60, 47, 49, id="short-life"),
    ],
)
async def test_a_token_is_refreshed_early_and_not_sooner(
    cache: CredentialCache, source: Source, clock: Clock, life_s: float, fresh_s: float, due_s: float
) -> None:
    """At 80 % of its life or five minutes before its end, whichever is later."""
    start = clock.now
    source.life_s = life_s
    await token(cache, source)

    clock.now = start + fresh_s
    assert await token(cache, source) == "t-1"
    clock.now = start + due_s
    assert await token(cache, source) == "t-2"


async def test_while_one_call_refreshes_early_the_others_go_on(
    cache: CredentialCache, source: Source, clock: Clock
) -> None:
    """A valid token is used by everybody else without waiting."""
    await token(cache, source)
    clock.now += 7000
    source.hold = anyio.Event()

    async with anyio.create_task_group() as group:
        group.start_soon(lambda: token(cache, source))
        while source.waiting < 2:
            await anyio.lowlevel.checkpoint()
        assert set(await at_once(50, lambda: token(cache, source))) == {"t-1"}
        source.hold.set()

    assert (await token(cache, source), source.given) == ("t-2", 2)


async def test_a_failed_early_refresh_costs_nothing(
    cache: CredentialCache, source: Source, clock: Clock
) -> None:
    """The valid token serves on, the platform is not asked again at once, and later the refresh succeeds."""
    await token(cache, source)
    clock.now += 7000
    source.fault = RuntimeError("down")

    assert [await token(cache, source) for _ in range(5)] == ["t-1"] * 5
    assert source.waiting == 2

    source.fault = None
    clock.now += 30
    assert await token(cache, source) == "t-2"


async def test_a_failed_forced_refresh_keeps_the_token(cache: CredentialCache, source: Source) -> None:
    """Whoever forced it learns of the failure; the good token is still there for everybody else."""
    await token(cache, source)
    source.fault = RuntimeError("down")

    with pytest.raises(RuntimeError, match="down"):
        await token(cache, source, force=True)
    assert await token(cache, source) == "t-1"

    source.fault = None
    assert await token(cache, source, force=True) == "t-2"


async def test_an_expired_token_is_never_used(cache: CredentialCache, source: Source, clock: Clock) -> None:
    """After its end a failing platform means no token, not the old one."""
    await token(cache, source)
    clock.now += 7199
    source.fault = RuntimeError("down")

    with pytest.raises(RuntimeError):
        await token(cache, source)
    source.fault = None
    assert await token(cache, source) == "t-2"


async def test_those_who_waited_share_a_failure(cache: CredentialCache, source: Source) -> None:
    """A hundred waiters of a failing fetch do not ask a hundred times; the next call asks anew."""
    source.fault = RuntimeError("down")
    failures = 0

    async def call() -> str:
        nonlocal failures
        with pytest.raises(RuntimeError):
            await token(cache, source)
        failures += 1
        return ""

    await at_once(100, call)
    assert (failures, source.waiting) == (100, 1)

    source.fault = None
    assert await token(cache, source) == "t-1"


async def test_a_cancelled_fetch_fails_nobody_else(cache: CredentialCache, source: Source) -> None:
    """When the call that fetches is cancelled, the next in line fetches."""
    source.hold = anyio.Event()
    found: list[str] = []

    async def waits() -> None:
        found.append(await token(cache, source))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as others, anyio.create_task_group() as first:
            first.start_soon(waits)
            while source.waiting < 1:
                await anyio.lowlevel.checkpoint()
            others.start_soon(waits)
            await anyio.lowlevel.checkpoint()
            source.hold.set()
            source.hold = anyio.Event()
            first.cancel_scope.cancel()
            source.hold.set()

    assert found[-1].startswith("t-")


@pytest.mark.parametrize(
    ("text", "life_s"),
    [
        pytest.param("", 7200, id="empty"),
        pytest.param(" ", 7200, id="blank"),
        pytest.param("t-1\r\nX-Evil: 1", 7200, id="line-break"),
        pytest.param("t-1\n", 7200, id="line-feed-last"),
        pytest.param("待", 7200, id="non-ascii"),
        pytest.param("t-1", 0, id="no-life"),
        pytest.param("t-1", -1, id="expired"),
        pytest.param("t-1", float("nan"), id="not-a-number"),
        pytest.param("t-1", float("inf"), id="endless"),
    ],
)
async def test_an_unusable_token_is_neither_used_nor_kept(clock: Clock, text: str, life_s: float) -> None:
    """What a platform answers in place of a token does not replace the good one, here or at rest."""
    shared = MemoryShared(clock=clock)
    cache = CredentialCache(shared=shared, seals=SEALS, clock=clock)
    good = Source(clock)
    await token(cache, good)
    before = await shared.get_token("token:" + sha256_of(list(KEY)))

    async def bad() -> Credential:
        return Credential(identity=Identity.TENANT, token=Secret(text), expires_at=clock.now + life_s)

    with pytest.raises(CredentialUnavailable) as caught:
        await token(cache, bad, force=True)

    assert text.strip() == "" or text not in f"{caught.value!r} {caught.value}"
    assert await token(cache, good) == "t-1"
    assert before is not None and await shared.get_token("token:" + sha256_of(list(KEY))) == before


def other(**changes: Any) -> tuple[str, ...]:
    named: dict[str, Any] = {
        "base_url": "https://a.example",
        "app": "cli_a",
        "secret": Secret("s-1"),
        "kind": "tenant",
    }
    return credential_key(**{**named, **changes})


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(other(base_url="https://b.example"), id="host"),
        pytest.param(other(app="cli_b"), id="app"),
        pytest.param(other(secret=Secret("s-2")), id="secret"),
        pytest.param(other(kind="app"), id="kind"),
        pytest.param(other(user="ou_1"), id="person"),
        pytest.param(other(user=""), id="empty-person"),
    ],
)
async def test_two_keys_never_share_a_token(
    cache: CredentialCache, clock: Clock, key: tuple[str, ...]
) -> None:
    """Host, app, secret, kind and person each part two tokens."""
    assert await token(cache, Source(clock, prefix="mine")) == "mine-1"
    assert await token(cache, Source(clock, prefix="theirs"), key=key) == "theirs-1"
    assert await token(cache, Source(clock), key=KEY) == "mine-1"


async def test_a_key_and_a_cache_show_no_secret(cache: CredentialCache, source: Source) -> None:
    """The key holds a digest; no repr on the way holds the secret or the token."""
    credential = await cache.cached_credential(KEY, source, force=False)

    entries = [
        vars(cache),
        {slot: getattr(one, slot) for one in cache._entries.values() for slot in one.__slots__},
    ]
    shown = f"{KEY} {cache!r} {credential!r} {entries!r}"
    assert "s-1" not in shown and "t-1" not in shown


# Across processes: two caches over one shared state stand for two processes.


def two(clock: Clock, **options: Any) -> tuple[CredentialCache, CredentialCache, MemoryShared]:
    shared = MemoryShared(clock=clock)
    a = CredentialCache(shared=shared, seals=SEALS, clock=clock, **options)
    return a, CredentialCache(shared=shared, seals=SEALS, clock=clock, **options), shared


async def test_processes_share_what_was_fetched(clock: Clock, source: Source) -> None:
    """A second process takes the first one's token, and after a forced refresh its newer one."""
    a, b, _ = two(clock)
    assert [await token(one, source) for one in (a, b)] == ["t-1", "t-1"]

    forced = [
        await in_its_own_task(partial(token, a, source, force=True)),
        await in_its_own_task(partial(token, b, source, force=True)),
    ]
    assert forced == ["t-2", "t-2"]
    assert source.given == 2


async def test_a_process_waits_for_the_one_that_fetches(clock: Clock, source: Source) -> None:
    """The lease lets one fetch; the other sleeps between looks and takes the result."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            assert source.hold is not None
            source.hold.set()
        await anyio.sleep(0)

    a, b, _ = two(clock, sleep=sleep)
    source.hold = anyio.Event()
    found: list[str] = []

    async def call(one: CredentialCache) -> None:
        found.append(await token(one, source))

    async with anyio.create_task_group() as group:
        group.start_soon(call, a)
        group.start_soon(call, b)

    assert (found, source.given) == (["t-1", "t-1"], 1)
    assert len(slept) >= 3 and min(slept) >= 0.01


async def test_a_dead_process_holds_nobody_up_for_ever(clock: Clock, source: Source) -> None:
    """A lease whose owner died runs out."""

    async def sleep(seconds: float) -> None:
        clock.now += seconds
        await anyio.sleep(0)

    a, _, shared = two(clock, sleep=sleep)
    await shared.acquire("token:" + sha256_of(list(KEY)), owner="dead", ttl_s=30)

    assert await token(a, source) == "t-1"


async def test_at_rest_a_token_is_sealed_under_its_own_key(clock: Clock, source: Source) -> None:
    """The bytes hold no token, and another key's bytes put in their place do not open: a new one is fetched."""
    a, b, shared = two(clock)
    await token(a, source)
    name, stolen = ("token:" + sha256_of(list(key)) for key in (KEY, other(app="cli_b")))
    kept = await shared.get_token(name)
    assert kept is not None and b"t-1" not in kept.sealed

    await shared.put_token(stolen, StoredToken(sealed=kept.sealed, expires_at=kept.expires_at, version=9))

    assert await token(b, Source(clock, prefix="own"), key=other(app="cli_b")) == "own-1"
    replaced = await shared.get_token(stolen)
    assert replaced is not None and replaced.version == 10


async def test_sharing_needs_a_seal(clock: Clock) -> None:
    """No key, no tokens at rest."""
    with pytest.raises(ValueError, match="sealed"):
        CredentialCache(shared=MemoryShared(clock=clock), clock=clock)


class Down(MemoryShared):
    """A shared state that fails from the first or from a later operation on."""

    def __init__(self, *failing: str) -> None:
        super().__init__()
        self.failing = failing

    def __getattribute__(self, name: str) -> Any:
        if name in ("acquire", "release", "get_token", "put_token") and name in self.failing:
            raise StoreError(name)
        return super().__getattribute__(name)


@pytest.mark.parametrize(
    "failing", [("get_token",), ("acquire",), ("put_token",), ("release",), ("put_token", "release")]
)
async def test_without_the_shared_state_an_apps_token_is_fetched_all_the_same(
    clock: Clock, source: Source, failing: tuple[str, ...]
) -> None:
    """A store that is down costs sharing, not calls."""
    cache = CredentialCache(shared=Down(*failing), seals=SEALS, clock=clock)

    assert [await token(cache, source) for _ in range(3)] == ["t-1"] * 3


@pytest.mark.parametrize("failing", [("get_token",), ("acquire",)])
async def test_without_the_lease_a_persons_token_is_not_refreshed(
    clock: Clock, source: Source, failing: tuple[str, ...]
) -> None:
    """Two refreshes of one login would leave it dead."""
    cache = CredentialCache(shared=Down(*failing), seals=SEALS, clock=clock)

    with pytest.raises(CredentialUnavailable, match="lease"):
        await token(cache, source, key=PERSON)
    assert source.waiting == 0


async def test_a_persons_refresh_is_finished_though_the_caller_left(clock: Clock, source: Source) -> None:
    """It used up the old login; what it brought is kept."""
    a, b, _ = two(clock)
    source.hold = anyio.Event()

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: token(a, source, key=PERSON))
            while source.waiting < 1:
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
            source.hold.set()

    assert (await token(b, source, key=PERSON), source.given) == ("t-1", 1)


@pytest.mark.parametrize("is_shared", [True, False], ids=["shared", "alone"])
async def test_a_persons_refresh_is_finished_though_the_callers_task_was_cancelled(
    clock: Clock, source: Source, is_shared: bool
) -> None:
    """A host that gives up on its task, as `asyncio.wait_for` does, costs no login."""
    cache = two(clock)[0] if is_shared else CredentialCache(clock=clock)
    source.hold = anyio.Event()
    task = asyncio.ensure_future(token(cache, source, key=PERSON))
    while source.waiting < 1:
        await anyio.lowlevel.checkpoint()

    task.cancel()
    await anyio.lowlevel.checkpoint()
    source.hold.set()
    with anyio.fail_after(5), pytest.raises(asyncio.CancelledError):
        await task

    assert (await token(cache, source, key=PERSON), source.given) == ("t-1", 1)


async def test_a_platforms_own_error_comes_through(cache: CredentialCache, source: Source) -> None:
    """What the platform raised is what the caller sees, so that the gate can type it."""

    class Refused(PlacetError):
        pass

    source.fault = Refused("app secret invalid")
    with pytest.raises(Refused):
        await token(cache, source)
