"""The rate limit holds, is fair, and says at once when it cannot be met."""

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from placet.contract.platform import RateKey
from placet.contract.stores import SharedState, StoredToken, StoreError
from placet.transport import TransportError, TransportReason
from placet.transport.limiter import Limiter

pytestmark = pytest.mark.anyio


class Time:
    """A clock that only sleeping moves; tasks wake in the order of their moments."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def windows_hold(moments: list[float], key: RateKey) -> bool:
    return all(b - a >= key.per_s - 1e-9 for a, b in zip(moments, moments[key.count :], strict=False))


@given(
    count=st.integers(1, 5),
    per_s=st.floats(0.1, 10),
    gaps=st.lists(st.floats(0, 3), max_size=40),
)
def test_no_window_ever_holds_more_than_the_rate(count: int, per_s: float, gaps: list[float]) -> None:
    """Whenever calls come, any `per_s` seconds see at most `count` of them."""
    key = RateKey(name="a", count=count, per_s=per_s)

    async def run() -> list[float]:
        time = Time()
        limiter = Limiter(clock=time, sleep=time.sleep)
        left = []
        for gap in gaps:
            time.now += gap
            await limiter.wait(key, deadline_s=1e6)
            left.append(time.now)
        return left

    assert windows_hold(anyio.run(run), key)


async def test_waiting_calls_leave_in_the_order_they_came() -> None:
    """Twenty callers at once over a rate of two: first come, first served, each sleeping once."""
    key = RateKey(name="a", count=2, per_s=0.02)
    limiter = Limiter()
    order: list[int] = []

    async def call(n: int) -> None:
        await limiter.wait(key, deadline_s=5)
        order.append(n)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            for n in range(20):
                group.start_soon(call, n)

    assert order == list(range(20))


async def test_a_wait_beyond_the_deadline_is_refused_at_once_and_takes_nothing() -> None:
    """The caller learns how long it would have been, and later callers are not pushed back."""
    time = Time()
    limiter = Limiter(clock=time, sleep=time.sleep)
    key = RateKey(name="a", count=1, per_s=60)
    await limiter.wait(key, deadline_s=1)

    for _ in range(3):
        with pytest.raises(TransportError) as caught:
            await limiter.wait(key, deadline_s=5)
        assert (caught.value.sent, caught.value.reason) == (False, TransportReason.RATE_LIMIT)
        assert caught.value.retry_after_s == pytest.approx(60)
    await limiter.wait(key, deadline_s=61)

    assert time.slept == [60]


async def test_a_cancelled_wait_gives_its_turn_back() -> None:
    """The next caller gets the moment that was given up."""
    key = RateKey(name="a", count=1, per_s=30)
    time = Time()
    waiting = anyio.Event()

    async def sleep(seconds: float) -> None:
        waiting.set()
        await anyio.sleep_forever()

    limiter = Limiter(clock=time, sleep=sleep)
    await limiter.wait(key, deadline_s=100)
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: limiter.wait(key, deadline_s=100))
        with anyio.fail_after(5):
            await waiting.wait()
        group.cancel_scope.cancel()

    time.now += 30
    with anyio.fail_after(5):
        await limiter.wait(key, deadline_s=0)


async def test_buckets_do_not_share() -> None:
    """One app's calls do not use up another's rate."""
    limiter = Limiter()
    with anyio.fail_after(5):
        for name in ("a", "b", "c"):
            await limiter.wait(RateKey(name=name, count=1, per_s=60), deadline_s=0)


class Shared(SharedState):
    """Counts askers and answers from a list."""

    def __init__(self, answers: list[float | Exception]) -> None:
        self.answers, self.asking, self.most, self.asked = answers, 0, 0, 0

    async def take(self, bucket: str, *, count: int, per_s: float) -> float:
        self.asking += 1
        self.asked += 1
        self.most = max(self.most, self.asking)
        await anyio.lowlevel.checkpoint()
        self.asking -= 1
        found = self.answers.pop(0) if self.answers else 0.0
        if isinstance(found, Exception):
            raise found
        return found

    async def acquire(self, name: str, *, owner: str, ttl_s: float) -> int | None:
        raise NotImplementedError

    async def release(self, name: str, *, owner: str) -> None:
        raise NotImplementedError

    async def get_token(self, key: str) -> StoredToken | None:
        raise NotImplementedError

    async def put_token(self, key: str, token: StoredToken) -> bool:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError


KEY = RateKey(name="a", count=100, per_s=1)


async def test_processes_share_a_bucket_and_never_spin() -> None:
    """The shared state's wait is slept, even one of no length worth naming, and one task of a process asks at a time."""
    time = Time()
    shared = Shared([0.5, 1e-9, 0.0])
    limiter = Limiter(shared, clock=time, sleep=time.sleep)

    await limiter.wait(KEY, deadline_s=5)

    assert (time.slept, shared.asked) == ([0.5, 0.005], 3)

    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(lambda: limiter.wait(KEY, deadline_s=5))
    assert shared.most == 1


async def test_a_shared_wait_beyond_the_deadline_is_refused() -> None:
    """The answer of the shared state counts like the own window's."""
    limiter = Limiter(Shared([9.0]))

    with anyio.fail_after(5), pytest.raises(TransportError) as caught:
        await limiter.wait(KEY, deadline_s=1)

    assert (caught.value.reason, caught.value.retry_after_s) == (TransportReason.RATE_LIMIT, 9.0)


async def test_without_the_shared_state_the_own_window_holds() -> None:
    """A store that is down stops no call, and the process still keeps its rate."""
    time = Time()
    limiter = Limiter(Shared([StoreError(), StoreError()]), clock=time, sleep=time.sleep)
    key = RateKey(name="a", count=1, per_s=2)

    await limiter.wait(key, deadline_s=5)
    await limiter.wait(key, deadline_s=5)

    assert time.slept == [2]


@pytest.mark.parametrize(("count", "per_s"), [(0, 1.0), (1, 0.0), (1, -1.0), (1, float("nan"))])
async def test_a_bucket_that_lets_nothing_through_is_an_error(count: int, per_s: float) -> None:
    """A platform's slip is named, not waited for."""
    with pytest.raises(ValueError, match="'a'"):
        await Limiter().wait(RateKey(name="a", count=count, per_s=per_s), deadline_s=1)
