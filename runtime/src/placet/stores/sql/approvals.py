"""Proposals in SQL: one row each, its searchable parts as columns, the whole of it as JSON."""

from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam as value

from placet.contract.approvals import ApprovalRow, ApprovalState, ListApprovals
from placet.stores.sql.schema import APPROVALS
from placet.stores.sql.session import Session, Statement, compiled
from placet.stores.sql.statements import upsert

__all__ = ["ApprovalStatements", "SqlApprovals"]

_row_of = msgspec.json.Decoder(ApprovalRow).decode
_encode = msgspec.json.Encoder().encode

_COLUMNS = tuple(column.name for column in APPROVALS.columns if column.name != "body")


class ApprovalStatements:
    """Statements of proposals, compiled once for a dialect."""

    def __init__(self, dialect: sa.Dialect) -> None:
        row = APPROVALS.c
        waiting = row.state == sa.literal_column("'awaiting_confirmation'")

        def built(statement: sa.ClauseElement) -> Statement:
            return compiled(statement, dialect)

        def locked(*conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
            # In one order, so that two writers never wait for each other.
            return sa.select(row.body).where(*conditions).order_by(row.id).with_for_update()

        self.put = built(upsert(APPROVALS, dialect, row.id))
        self.drop = built(sa.delete(APPROVALS).where(row.id == value("at_id")))
        self.get = built(sa.select(row.body).where(row.id == value("at_id")).with_for_update())
        self.look_up = built(sa.select(row.body).where(row.id == value("at_id")))
        self.waiting = built(
            locked(
                waiting,
                row.tenant == value("of_tenant"),
                sa.or_(
                    row.conversation == value("here"),
                    row.requester == value("theirs"),
                    sa.and_(row.op_key == value("same"), row.op_key != sa.literal_column("''")),
                ),
            )
        )
        self.due = {
            "awaiting_confirmation": built(
                sa.select(row.body)
                .where(waiting, row.expires_at <= value("at"))
                .order_by(row.expires_at, row.id)
                .limit(value("most"))
                .with_for_update(skip_locked=True)
            ),
            "executing": built(
                sa.select(row.body)
                .where(row.state == sa.literal_column("'executing'"), row.lease_until <= value("at"))
                .order_by(row.lease_until, row.id)
                .limit(value("most"))
                .with_for_update(skip_locked=True)
            ),
        }
        self._listed: dict[tuple[int, bool, bool], Statement] = {}
        self._dialect = dialect

    def listed(self, asked: ListApprovals) -> Statement:
        """The listing for as many states, with or without each of its limits."""
        key = (len(asked.states or ()), bool(asked.digest), asked.before is not None)
        if key not in self._listed:
            row = APPROVALS.c
            conditions = [row.tenant == value("of_tenant")]
            if asked.states is not None:
                conditions.append(row.state.in_([value(f"state_{n}") for n in range(len(asked.states))]))
            if asked.digest:
                conditions.append(row.digest == value("of_digest"))
            if asked.before is not None:
                conditions.append(row.proposed_at < value("earlier"))
            self._listed[key] = compiled(
                sa.select(row.body)
                .where(*conditions)
                .order_by(row.proposed_at.desc(), row.id.desc())
                .limit(value("most")),
                self._dialect,
            )
        return self._listed[key]


class SqlApprovals:
    """`ApprovalTable` over a session."""

    def __init__(self, session: Session, sql: ApprovalStatements) -> None:
        self._session, self._sql = session, sql

    def alone(self, tenant: str) -> None:
        self._session.lock(f"proposals of {tenant}")

    def get(self, identifier: str) -> ApprovalRow | None:
        return next(iter(self._rows(self._sql.get, {"at_id": identifier})), None)

    def look_up(self, identifier: str) -> ApprovalRow | None:
        return next(iter(self._rows(self._sql.look_up, {"at_id": identifier})), None)

    def waiting(self, row: ApprovalRow) -> Sequence[ApprovalRow]:
        wanted = {
            "of_tenant": row.tenant,
            "here": row.conversation,
            "theirs": row.requester,
            "same": row.op_key,
        }
        return self._rows(self._sql.waiting, wanted)

    def due(self, state: ApprovalState, at: float, most: int) -> Sequence[ApprovalRow]:
        return self._rows(self._sql.due[state], {"at": at, "most": most})

    def listed(self, asked: ListApprovals) -> Sequence[ApprovalRow]:
        if asked.states is not None and not asked.states:
            return ()
        wanted = {
            "of_tenant": asked.tenant,
            "of_digest": asked.digest,
            "earlier": asked.before,
            "most": asked.most,
        }
        states = {f"state_{n}": state for n, state in enumerate(asked.states or ())}
        return self._rows(self._sql.listed(asked), {**wanted, **states})

    def put(self, row: ApprovalRow) -> None:
        columns = {name: getattr(row, name) for name in _COLUMNS}
        self._session.run(self._sql.put, {**columns, "body": _encode(row)})

    def drop(self, identifier: str) -> None:
        self._session.run(self._sql.drop, {"at_id": identifier})

    def _rows(self, statement: Statement, values: dict[str, Any]) -> list[ApprovalRow]:
        return [_row_of(found[0]) for found in self._session.rows(statement, values)]
