"""What every store of shared state promises."""

from typing import Any

import anyio
import pytest

from placet.contract.stores import StoredToken, StoreError
from tests.runtime.stores.asking import new_key

__all__ = ["SharedContract"]

LONG_S = 3600.0


@pytest.mark.anyio
class SharedContract:
    """A subclass has a fixture `shared` with an open, empty store."""

    async def test_a_lease_has_one_owner(self, shared: Any) -> None:
        """While one holds it no other gets it; its owner renews it and keeps the token."""
        first = await shared.acquire("l", owner="a", ttl_s=LONG_S)
        other = await shared.acquire("l", owner="b", ttl_s=LONG_S)
        renewed = await shared.acquire("l", owner="a", ttl_s=LONG_S)

        assert first is not None and first > 0
        assert other is None
        assert renewed == first

    async def test_leases_of_other_names_are_free(self, shared: Any) -> None:
        """One lease says nothing about another."""
        assert await shared.acquire("l1", owner="a", ttl_s=LONG_S) is not None
        assert await shared.acquire("l2", owner="b", ttl_s=LONG_S) is not None

    async def test_tokens_of_a_lease_only_rise(self, shared: Any) -> None:
        """Released or run out, by the same owner or another: each new holding has a larger token."""
        tokens = []
        for owner in ("a", "b", "a", "a", "b"):
            tokens.append(await shared.acquire("l", owner=owner, ttl_s=LONG_S))
            await shared.release("l", owner=owner)
        for owner in ("a", "b", "b"):
            tokens.append(await shared.acquire("l", owner=owner, ttl_s=0.0))

        assert None not in tokens
        assert tokens == sorted(set(tokens))

    async def test_only_the_owner_releases(self, shared: Any) -> None:
        """A stranger's release, or one of a lease that is not there, changes nothing."""
        await shared.acquire("l", owner="a", ttl_s=LONG_S)
        await shared.release("l", owner="b")
        await shared.release("nothing", owner="b")

        assert await shared.acquire("l", owner="b", ttl_s=LONG_S) is None

    async def test_a_window_takes_so_many_and_no_more(self, shared: Any) -> None:
        """The calls that fit are taken at once; the next is told how long to wait, which takes nothing."""
        taken = [await shared.take("b", count=3, per_s=LONG_S) for _ in range(3)]
        over = [await shared.take("b", count=3, per_s=LONG_S) for _ in range(3)]

        assert taken == [0.0, 0.0, 0.0]
        assert all(LONG_S - 60 < wait <= LONG_S for wait in over)

    async def test_a_window_that_has_passed_is_free(self, shared: Any) -> None:
        """Calls older than the window count no more."""
        with anyio.fail_after(10):
            for _ in range(10):
                while await shared.take("b", count=1, per_s=0.000_001):
                    await anyio.lowlevel.checkpoint()

    async def test_buckets_do_not_share(self, shared: Any) -> None:
        """One app's calls do not use up another's."""
        assert await shared.take("b1", count=1, per_s=LONG_S) == 0.0
        assert await shared.take("b2", count=1, per_s=LONG_S) == 0.0

    async def test_a_rate_that_changes_is_obeyed(self, shared: Any) -> None:
        """A bucket with another size holds the new number."""
        await shared.take("b", count=5, per_s=LONG_S)

        taken = [await shared.take("b", count=2, per_s=LONG_S) for _ in range(3)]

        assert taken[:2] == [0.0, 0.0]
        assert taken[2] > 0

    async def test_a_token_comes_back_as_it_was(self, shared: Any) -> None:
        """Bytes, time and version are kept; what is not there is None."""
        token = StoredToken(sealed=bytes(range(256)), expires_at=1796080229.123456, version=7)

        assert await shared.put_token("k", token) is True
        assert await shared.get_token("k") == token
        assert await shared.get_token("other") is None

    @pytest.mark.parametrize(
        ("version", "is_kept"),
        [
            pytest.param(4, False, id="older"),
            pytest.param(5, False, id="equal"),
            pytest.param(6, True, id="newer"),
        ],
    )
    async def test_only_a_newer_token_replaces_one(self, shared: Any, version: int, is_kept: bool) -> None:
        """A good login is not overwritten by a late or repeated one."""
        kept = StoredToken(sealed=b"5", expires_at=1.0, version=5)
        offered = StoredToken(sealed=b"new", expires_at=2.0, version=version)
        await shared.put_token("k", kept)

        assert await shared.put_token("k", offered) is is_kept
        assert await shared.get_token("k") == (offered if is_kept else kept)

    async def test_names_of_any_kind_are_kept_apart(self, shared: Any) -> None:
        """Neither colons, spaces nor other scripts let two names meet."""
        names = ["a", "a:b", "a b", "字", "x" * 300, new_key()]
        for number, name in enumerate(names):
            await shared.put_token(name, StoredToken(sealed=b"%d" % number, expires_at=0.5, version=1))

        kept = [await shared.get_token(name) for name in names]

        assert [token.sealed for token in kept] == [b"%d" % number for number in range(len(names))]

    async def test_a_crowd_shares_one_window(self, shared: Any) -> None:
        """Of many at the same time exactly as many are taken as fit."""
        waits: list[float] = []

        async def one() -> None:
            waits.append(await shared.take("b", count=7, per_s=LONG_S))

        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for _ in range(25):
                    group.start_soon(one)

        assert waits.count(0.0) == 7

    async def test_a_closed_store_says_so(self, shared: Any) -> None:
        """After closing, every request is refused."""
        await shared.acquire("l", owner="a", ttl_s=1.0)
        await shared.close()

        for request in (
            shared.acquire("l", owner="a", ttl_s=1.0),
            shared.take("b", count=1, per_s=1.0),
            shared.get_token("k"),
        ):
            with pytest.raises(StoreError):
                await request
