"""How a database got to the tables of `schema`: one ordered list of steps for each component, from the first on.

A step never changes once it was released; the tables it makes are written out here, not taken from `schema`. Steps
run in one transaction that only one starter can hold; a database from a newer version is left alone.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.schema import CreateIndex, CreateTable

from placet.contract.stores import StoreError
from placet.stores.sql.schema import SCHEMA_VERSION
from placet.stores.sql.session import Statement, compiled

__all__ = ["COMPONENTS", "SchemaSession", "Step", "migrate"]

Step = Callable[[], Sequence[sa.ClauseElement]]


class SchemaSession(Protocol):
    """A connection outside any transaction."""

    dialect: sa.Dialect

    def run(self, statement: Statement, values: Mapping[str, Any]) -> int: ...

    def rows(self, statement: Statement, values: Mapping[str, Any]) -> list[tuple[Any, ...]]: ...

    def begin_alone(self) -> None:
        """Begin a transaction that waits until no other starter is inside one."""
        ...

    def commit(self) -> None: ...

    def rollback(self) -> None: ...


def _truth_1() -> Sequence[sa.ClauseElement]:
    tables = sa.MetaData()
    counter = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    sa.Table(
        "placet_ledger",
        tables,
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("native_key", sa.Text, nullable=False),
        sa.Column("first_at", sa.Double, nullable=False),
        sa.Column("started_at", sa.Double, nullable=False),
        sa.Column("lease_until", sa.Double, nullable=False),
        sa.Column("finished_at", sa.Double),
        sa.Column("result", sa.LargeBinary),
        sa.Column("error_class", sa.Text, nullable=False),
        sa.Column("resolved_by", sa.Text),
        sqlite_with_rowid=False,
    )
    sa.Table(
        "placet_audit",
        tables,
        sa.Column("id", counter, sa.Identity(), primary_key=True),
        sa.Column("chain", sa.Text, nullable=False),
        sa.Column("seq", counter, nullable=False),
        sa.Column("key_id", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("mac", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("chain", "seq", name="placet_audit_place"),
    )
    sa.Table(
        "placet_chains",
        tables,
        sa.Column("chain", sa.Text, primary_key=True),
        sa.Column("opened_at", sa.Double, nullable=False),
        sa.Column("is_settled", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    return [CreateTable(table) for table in tables.sorted_tables]


def _truth_2() -> Sequence[sa.ClauseElement]:
    table = sa.Table(
        "placet_approvals",
        sa.MetaData(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("conversation", sa.Text, nullable=False),
        sa.Column("requester", sa.Text, nullable=False),
        sa.Column("op_key", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("proposed_at", sa.Double, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.Column("lease_until", sa.Double, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    indexes = [
        sa.Index("placet_approvals_of_tenant", table.c.tenant, table.c.state, table.c.proposed_at),
        sa.Index("placet_approvals_same", table.c.digest),
        sa.Index("placet_approvals_due", table.c.state, table.c.expires_at),
    ]
    documents = sa.Table(
        "placet_documents",
        sa.MetaData(),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("group", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("due_at", sa.Double),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    indexes += [
        sa.Index("placet_documents_of_group", documents.c.kind, documents.c.tenant, documents.c.group),
        sa.Index("placet_documents_due", documents.c.kind, documents.c.state, documents.c.due_at),
    ]
    return [CreateTable(table), CreateTable(documents), *(CreateIndex(index) for index in indexes)]


def _shared_1() -> Sequence[sa.ClauseElement]:
    tables = sa.MetaData()
    counter = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    sa.Table(
        "placet_leases",
        tables,
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("token", counter, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    sa.Table(
        "placet_rate_windows",
        tables,
        sa.Column("bucket", sa.Text, primary_key=True),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("taken", counter, nullable=False),
        sqlite_with_rowid=False,
    )
    sa.Table(
        "placet_rate_slots",
        tables,
        sa.Column("bucket", sa.Text, primary_key=True),
        sa.Column("slot", sa.Integer, primary_key=True),
        sa.Column("taken_at", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    sa.Table(
        "placet_tokens",
        tables,
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.Column("version", counter, nullable=False),
        sqlite_with_rowid=False,
    )
    return [CreateTable(table) for table in tables.sorted_tables]


COMPONENTS: Mapping[str, tuple[Step, ...]] = {"truth": (_truth_1, _truth_2), "shared": (_shared_1,)}


def migrate(session: SchemaSession, component: str, steps: Sequence[Step] | None = None) -> None:
    """Bring one component up to date. Any number of processes may start at once.

    Raises:
        StoreError: the database is of a newer version.
    """
    steps = COMPONENTS[component] if steps is None else steps
    if _is_current(session, component, steps):
        return
    session.begin_alone()
    try:
        session.run(_text(CreateTable(SCHEMA_VERSION, if_not_exists=True), session), {})
        version = _version(session, component)
        for step in steps[version:]:
            for statement in step():
                session.run(_text(statement, session), {})
        _refuse_newer(version, steps)
        _set_version(session, component, version, len(steps))
        session.commit()
    except BaseException:
        session.rollback()
        raise


def _is_current(session: SchemaSession, component: str, steps: Sequence[Step]) -> bool:
    try:
        version = _version(session, component)
    except Exception:
        # No table yet, or a fault that the transaction below meets again.
        return False
    _refuse_newer(version, steps)
    return version == len(steps)


def _refuse_newer(version: int, steps: Sequence[Step]) -> None:
    if version > len(steps):
        raise StoreError(
            f"the database has schema {version} and this version knows {len(steps)}; upgrade placet"
        )


def _version(session: SchemaSession, component: str) -> int:
    table = SCHEMA_VERSION
    query = sa.select(table.c.version).where(table.c.component == sa.bindparam("component"))
    found = session.rows(_text(query, session), {"component": component})
    return int(found[0][0]) if found else 0


def _set_version(session: SchemaSession, component: str, old: int, new: int) -> None:
    table = SCHEMA_VERSION
    statement: sa.ClauseElement
    if old:
        statement = (
            sa.update(table)
            .where(table.c.component == sa.bindparam("at"))
            .values(version=sa.bindparam("version"))
        )
    else:
        statement = sa.insert(table).values(component=sa.bindparam("at"), version=sa.bindparam("version"))
    session.run(_text(statement, session), {"at": component, "version": new})


def _text(statement: sa.ClauseElement, session: SchemaSession) -> Statement:
    return compiled(statement, session.dialect)
