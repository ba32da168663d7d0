"""Addresses of stores: what each opens, and what is refused with its reason."""

import subprocess
import sys
from pathlib import Path

import pytest

from placet.stores import ChainKeys, StoreUrlError, open_shared, open_store, open_trail
from placet.stores.chain import Chain
from placet.stores.opening import _postgres
from tests.runtime.stores.asking import KEYS, SECRET, audited


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        pytest.param("redis://127.0.0.1/0", "no truth", id="redis-is-no-truth"),
        pytest.param("rediss://127.0.0.1/0", "no truth", id="redis-over-tls-neither"),
        pytest.param("mysql://127.0.0.1/x", "'mysql' is no kind of store", id="unknown-kind"),
        pytest.param("placet.db", "'' is no kind of store", id="a-bare-path"),
        pytest.param("sqlite://", "sqlite:///relative.db", id="sqlite-without-a-file"),
        pytest.param("sqlite://placet.db", "sqlite:///relative.db", id="sqlite-with-two-slashes"),
        pytest.param("sqlite:///placet.db?mode=ro", "sqlite:///relative.db", id="sqlite-with-options"),
        pytest.param("postgresql://h/d?lanes=0", "from 1 to 64", id="no-lanes"),
        pytest.param("postgresql://h/d?lanes=x", "from 1 to 64", id="lanes-that-are-no-number"),
    ],
)
def test_an_address_that_cannot_be_is_refused(url: str, reason: str) -> None:
    """The error says what is wrong with it."""
    with pytest.raises(StoreUrlError, match=reason):
        open_store(url, keys=KEYS)


def test_an_error_shows_no_password() -> None:
    """An address in an error would carry its password into a log."""
    with pytest.raises(StoreUrlError) as caught:
        open_store("postgresql://me:hunter2@host/db?lanes=x", keys=KEYS)

    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "conninfo", "lanes"),
    [
        ("postgresql://u:p%40@h:5/d", "postgresql://u:p%40@h:5/d", 2),
        ("postgres://h/d?lanes=7&sslmode=require", "postgresql://h/d?sslmode=require", 7),
        ("postgresql+psycopg:///d?host=%2Ftmp", "postgresql:///d?host=%2Ftmp", 2),
    ],
)
def test_a_postgres_address_goes_to_the_driver_without_our_options(
    url: str, conninfo: str, lanes: int
) -> None:
    """Everything that is not ours is the driver's."""
    assert _postgres(url) == (conninfo, lanes)


@pytest.mark.parametrize("url", ["memory://", "redis://127.0.0.1/0"])
def test_a_store_without_an_audit_on_disk_cannot_be_read_by_another(url: str) -> None:
    """The error says so instead of showing an empty audit."""
    with pytest.raises(StoreUrlError, match="keeps no audit"):
        open_trail(url)


@pytest.mark.parametrize("secrets", [[], [b"short"], [SECRET, b"short"]], ids=["none", "short", "one-short"])
def test_no_key_no_start(secrets: list[bytes]) -> None:
    """A chain without a real key would prove nothing."""
    with pytest.raises(ValueError, match="key"):
        ChainKeys(secrets)


def test_a_key_is_in_no_repr() -> None:
    """Neither a key nor what it was derived from is shown."""
    shown = repr(KEYS.signing) + repr(KEYS) + repr(Chain("c", KEYS.signing))

    assert SECRET.decode() not in shown
    assert KEYS.signing.key.hex() not in shown and repr(KEYS.signing.key) not in shown


@pytest.mark.anyio
async def test_the_key_is_not_in_the_store(tmp_path: Path) -> None:
    """Whoever has the database cannot sign."""
    truth, shared = open_store(f"sqlite:///{tmp_path / 'placet.db'}", keys=KEYS)
    await truth.apply(audited())
    await truth.close()
    await shared.close()

    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())

    assert KEYS.signing.id.encode() in kept
    assert SECRET not in kept and KEYS.signing.key not in kept and KEYS.signing.key.hex().encode() not in kept


LIGHT = """
import sys
import placet.stores, placet.audit, placet.ledger, placet.sealing
heavy = {"sqlalchemy", "psycopg", "redis", "cryptography", "aiohttp", "sqlite3", "typer"} & sys.modules.keys()
assert not heavy, heavy
placet.stores.open_store("memory://", keys=placet.stores.ChainKeys([b"k" * 32]))
assert "sqlalchemy" not in sys.modules
"""


def test_importing_the_rooms_loads_no_driver() -> None:
    """Drivers and SQLAlchemy come with the store that needs them."""
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=False)

    assert done.stderr == ""


@pytest.mark.anyio
async def test_shared_state_alone_can_be_opened(tmp_path: Path) -> None:
    """Truth in one store and shared state in another is a configuration."""
    shared = open_shared(f"sqlite:///{tmp_path / 'placet.db'}")
    await shared.acquire("l", owner="a", ttl_s=1.0)
    await shared.close()

    assert [file.name for file in tmp_path.iterdir()] == ["placet.db.shared"]
