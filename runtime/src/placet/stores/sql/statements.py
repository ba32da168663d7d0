"""Every statement of the stores, in SQLAlchemy Core, compiled once for a dialect."""

from functools import cached_property
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam as value
from sqlalchemy.dialects import postgresql, sqlite

from placet.stores.sql.schema import AUDIT, CHAINS, LEASES, LEDGER, RATE_SLOTS, RATE_WINDOWS, TOKENS
from placet.stores.sql.session import Statement, compiled

__all__ = [
    "LEDGER_FIELDS",
    "RECORDS_AT_ONCE",
    "SharedStatements",
    "TrailStatements",
    "TruthStatements",
    "insert_or_nothing",
    "upsert",
]

LEDGER_FIELDS = tuple(column.name for column in LEDGER.columns if column.name != "resolved_by")


def _insert(table: sa.Table, dialect: sa.Dialect, *columns: str) -> sqlite.Insert | postgresql.Insert:
    insert = sqlite.insert if dialect.name == "sqlite" else postgresql.insert
    names = columns or tuple(column.name for column in table.columns)
    # Inline: an identity column is the server's to fill, not to be asked for beforehand.
    return insert(table).values({name: value(name) for name in names}).inline()


def upsert(table: sa.Table, dialect: sa.Dialect, *key: "sa.Column[str]") -> sa.ClauseElement:
    """Insert a row, or replace all of the one with its key."""
    row = _insert(table, dialect)
    others = {column.name: row.excluded[column.name] for column in table.columns if column not in set(key)}
    return row.on_conflict_do_update(index_elements=list(key), set_=others)


def insert_or_nothing(table: sa.Table, dialect: sa.Dialect, *key: "sa.Column[str]") -> sa.ClauseElement:
    """Insert a row unless there is one with its key."""
    return _insert(table, dialect).on_conflict_do_nothing(index_elements=list(key))


RECORD_FIELDS = ("chain", "seq", "key_id", "body", "mac")

RECORDS_AT_ONCE = 32
"""Records of one statement; a thread that runs a statement for each would ask for the interpreter as often."""


class TruthStatements:
    """Statements of ledger and chains."""

    def __init__(self, dialect: sa.Dialect) -> None:
        ledger = LEDGER.c
        self._dialect = dialect

        def built(statement: sa.ClauseElement) -> Statement:
            return compiled(statement, dialect)

        self.begin = built(
            _insert(LEDGER, dialect, *LEDGER_FIELDS).on_conflict_do_nothing(index_elements=[ledger.key])
        )
        self.row = built(
            sa.select(*(LEDGER.c[name] for name in LEDGER_FIELDS)).where(ledger.key == value("key"))
        )
        self.locked_row = built(
            sa.select(*(LEDGER.c[name] for name in LEDGER_FIELDS))
            .where(ledger.key == value("key"))
            .with_for_update()
        )
        self.begin_again = built(
            sa.update(LEDGER)
            .where(ledger.key == value("at_key"))
            .values(
                {name: value(name) for name in LEDGER_FIELDS if name != "key"} | {"resolved_by": sa.null()}
            )
        )
        self.finish = built(
            sa.update(LEDGER)
            .where(
                ledger.key == value("at_key"),
                ledger.token == value("at_token"),
                ledger.status == sa.literal_column("'started'"),
            )
            .values(
                status=value("status"),
                finished_at=value("finished_at"),
                result=value("result"),
                error_class=value("error_class"),
            )
        )
        self.resolve = built(
            sa.update(LEDGER)
            .where(
                ledger.key == value("at_key"),
                sa.or_(
                    ledger.status == sa.literal_column("'unknown'"),
                    sa.and_(
                        ledger.status == sa.literal_column("'started'"),
                        ledger.lease_until <= value("at"),
                    ),
                ),
            )
            .values(
                status=value("status"), finished_at=value("finished_at"), resolved_by=value("resolved_by")
            )
        )
        record = _insert(AUDIT, dialect, *RECORD_FIELDS)
        self.append = built(record)
        self.append_or_find = built(
            record.on_conflict_do_nothing(index_elements=[AUDIT.c.chain, AUDIT.c.seq])
        )
        self.open_chain = built(_insert(CHAINS, dialect))
        self.settle_chain = built(
            sa.update(CHAINS)
            .where(CHAINS.c.chain == value("at_chain"))
            .values(is_settled=sa.literal_column("1"))
        )
        older = AUDIT.alias("older")
        last = sa.select(sa.func.max(older.c.seq)).where(older.c.chain == CHAINS.c.chain).scalar_subquery()
        self.heads = built(
            sa.select(AUDIT.c.chain, AUDIT.c.seq, AUDIT.c.mac, AUDIT.c.body)
            .select_from(CHAINS)
            .join(AUDIT, sa.and_(AUDIT.c.chain == CHAINS.c.chain, AUDIT.c.seq == last))
            .where(CHAINS.c.is_settled == sa.literal_column("0"), CHAINS.c.chain != value("own"))
            .order_by(AUDIT.c.chain)
        )

    @cached_property
    def append_many(self) -> Statement:
        """As `append`, for exactly `RECORDS_AT_ONCE` records; its places are theirs, one record after the other."""
        rows: list[dict[str, Any]] = [
            {name: value(f"{name}_{at}") for name in RECORD_FIELDS} for at in range(RECORDS_AT_ONCE)
        ]
        return compiled(sa.insert(AUDIT).values(rows).inline(), self._dialect)


class TrailStatements:
    """Statements of whoever reads the chains."""

    def __init__(self, dialect: sa.Dialect) -> None:
        columns = (AUDIT.c.chain, AUDIT.c.seq, AUDIT.c.key_id, AUDIT.c.body, AUDIT.c.mac)
        self.chains = compiled(
            sa.union(sa.select(CHAINS.c.chain), sa.select(AUDIT.c.chain)).order_by("chain"), dialect
        )
        self.records = compiled(
            sa.select(*columns)
            .where(AUDIT.c.chain == value("of"), AUDIT.c.seq >= value("first"))
            .order_by(AUDIT.c.seq)
            .limit(value("count")),
            dialect,
        )
        self.head = compiled(
            sa.select(*columns)
            .where(AUDIT.c.chain == value("of"))
            .order_by(AUDIT.c.seq.desc())
            .limit(value("count")),
            dialect,
        )
        self.latest = compiled(sa.select(*columns).order_by(AUDIT.c.id.desc()).limit(value("count")), dialect)


class SharedStatements:
    """Statements of leases, rate windows and tokens."""

    def __init__(self, dialect: sa.Dialect) -> None:
        def built(statement: sa.ClauseElement) -> Statement:
            return compiled(statement, dialect)

        lease = _insert(LEASES, dialect)
        held, wanted = LEASES.c, lease.excluded
        is_running = held.expires_at > value("now")
        self.acquire = built(
            lease.on_conflict_do_update(
                index_elements=[held.name],
                set_={
                    "owner": wanted.owner,
                    "expires_at": wanted.expires_at,
                    # The first token is the time in milliseconds, so tokens rise even when the row was lost.
                    "token": sa.case(
                        (is_running, held.token),
                        (held.token >= wanted.token, held.token + sa.literal_column("1")),
                        else_=wanted.token,
                    ),
                },
                where=sa.or_(sa.not_(is_running), held.owner == wanted.owner),
            )
        )
        self.lease_token = built(sa.select(held.token).where(held.name == value("name")))
        self.release = built(
            sa.update(LEASES)
            .where(held.name == value("at_name"), held.owner == value("of_owner"))
            .values(expires_at=sa.literal_column("0"))
        )
        window = RATE_WINDOWS.c
        self.open_window = built(
            _insert(RATE_WINDOWS, dialect).on_conflict_do_nothing(index_elements=[window.bucket])
        )
        self.window = built(
            sa.select(window.size, window.taken).where(window.bucket == value("bucket")).with_for_update()
        )
        self.move_window = built(
            sa.update(RATE_WINDOWS)
            .where(window.bucket == value("at_bucket"))
            .values(size=value("size"), taken=value("taken"))
        )
        slot = RATE_SLOTS.c
        self.slot = built(
            sa.select(slot.taken_at).where(slot.bucket == value("bucket"), slot.slot == value("slot"))
        )
        fill = _insert(RATE_SLOTS, dialect)
        self.fill_slot = built(
            fill.on_conflict_do_update(
                index_elements=[slot.bucket, slot.slot], set_={"taken_at": fill.excluded.taken_at}
            )
        )
        self.empty_slots = built(sa.delete(RATE_SLOTS).where(slot.bucket == value("of_bucket")))
        kept = TOKENS.c
        self.token = built(
            sa.select(kept.sealed, kept.expires_at, kept.version).where(kept.key == value("key"))
        )
        newer = _insert(TOKENS, dialect)
        self.put_token = built(
            newer.on_conflict_do_update(
                index_elements=[kept.key],
                set_={
                    "sealed": newer.excluded.sealed,
                    "expires_at": newer.excluded.expires_at,
                    "version": newer.excluded.version,
                },
                where=kept.version < newer.excluded.version,
            )
        )
