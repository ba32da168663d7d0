"""Schemas: the tables that the steps make, steps that come later, and databases of another version."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from placet.contract.stores import StoreError
from placet.stores import open_store
from placet.stores.sql import migrations, postgres, schema, sqlite
from placet.stores.sql.session import Statement
from tests.runtime.stores.asking import KEYS, audited

COMPONENTS = {"truth": schema.TRUTH, "shared": schema.SHARED}


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Any, str]]:
    """A function that opens a component, and the address as SQLAlchemy writes it."""
    if request.param == "sqlite":
        path = tmp_path / "placet.db"
        yield lambda name: sqlite.open_writer(path, name, clock=lambda: 1.0), f"sqlite:///{path}"
    else:
        url = request.getfixturevalue("postgres_url")
        yield lambda name: postgres.open_connection(url, name), url.replace("://", "+psycopg://")


def described(tables: sa.MetaData) -> dict[str, Any]:
    """Columns, keys and unique constraints, in a form that compares."""
    return {
        table.name: (
            [
                (column.name, str(column.type), column.nullable, column.primary_key)
                for column in table.columns
            ],
            sorted(
                tuple(column.name for column in constraint.columns)
                for constraint in table.constraints
                if isinstance(constraint, sa.UniqueConstraint)
            ),
        )
        for table in tables.sorted_tables
    }


@pytest.mark.parametrize("component", COMPONENTS)
def test_the_steps_make_the_tables_of_the_schema(database: tuple[Any, str], component: str) -> None:
    """What statements are written against is what a new database has."""
    opened, url = database
    opened(component).close()
    engine = sa.create_engine(url)
    found, wanted = sa.MetaData(), sa.MetaData()
    found.reflect(engine, only=list(COMPONENTS[component].tables))
    # The schema's own tables, made by SQLAlchemy beside them, so that both are read back by the same eyes.
    for table in COMPONENTS[component].sorted_tables:
        copied = table.to_metadata(sa.MetaData(), name=f"wanted_{table.name}")
        for constraint in copied.constraints:
            constraint.name = None
        for index in copied.indexes:
            index.name = sa.quoted_name(f"wanted_{index.name}", quote=None)
        copied.create(engine)
    wanted.reflect(engine, only=[f"wanted_{name}" for name in COMPONENTS[component].tables])
    engine.dispose()

    assert {f"wanted_{name}": table for name, table in described(found).items()} == described(wanted)


def test_only_steps_that_are_missing_run(database: tuple[Any, str]) -> None:
    """A later version adds its steps to the database of an earlier one, once."""
    opened, _ = database
    connection = opened("truth")

    def second() -> Sequence[sa.ClauseElement]:
        return [sa.schema.CreateTable(sa.Table("placet_more", sa.MetaData(), sa.Column("x", sa.Integer)))]

    steps = (*migrations.COMPONENTS["truth"], second)
    migrations.migrate(connection, "truth", steps)
    migrations.migrate(connection, "truth", steps)
    version = connection.rows(
        Statement("SELECT version FROM placet_schema WHERE component = 'truth'", (), {}), {}
    )
    connection.close()

    assert version == [(len(steps),)]


def test_a_step_that_fails_leaves_nothing(database: tuple[Any, str]) -> None:
    """A half migrated database does not exist."""
    opened, _ = database
    connection = opened("truth")

    def broken() -> Sequence[sa.ClauseElement]:
        made = sa.Table("placet_more", sa.MetaData(), sa.Column("x", sa.Integer))
        return [sa.schema.CreateTable(made), sa.text("NOT SQL")]

    with pytest.raises((sqlite3.Error, psycopg.Error)):
        migrations.migrate(connection, "truth", (*migrations.COMPONENTS["truth"], broken))
    migrations.migrate(
        connection,
        "truth",
        (
            *migrations.COMPONENTS["truth"],
            lambda: [
                sa.schema.CreateTable(sa.Table("placet_more", sa.MetaData(), sa.Column("x", sa.Integer)))
            ],
        ),
    )
    connection.close()


@pytest.mark.anyio
async def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """An older program refuses to touch it and says what to do."""
    path = tmp_path / "placet.db"
    sqlite.open_writer(path, "truth", clock=lambda: 1.0).close()
    raw = sqlite3.connect(path)
    raw.execute("UPDATE placet_schema SET version = 99")
    raw.commit()
    raw.close()
    truth, shared = open_store(f"sqlite:///{path}", keys=KEYS)

    with pytest.raises(StoreError, match=r"schema 99 .* upgrade"):
        await truth.apply(audited())
    await truth.close()
    await shared.close()


OPEN = """
import sys
from pathlib import Path
from placet.stores.sql import postgres, sqlite
kind, place = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
for component in ("truth", "shared"):
    if kind == "sqlite":
        sqlite.open_writer(Path(place), component, clock=lambda: 1.0).close()
    else:
        postgres.open_connection(place, component).close()
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_any_number_of_processes_may_start_at_once(
    tmp_path: Path, request: pytest.FixtureRequest, kind: str
) -> None:
    """Eight starters over an empty database all come up."""
    place = str(tmp_path / "placet.db") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN, kind, place],
            env=os.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()

    ended = [(process.communicate(timeout=60)[1], process.returncode) for process in processes]

    assert ended == [("", 0)] * 8
