"""The two stores over lanes: `SqlTruth` applies tuples, `SqlShared` leases, rate windows and tokens."""

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import anyio.to_thread
import sqlalchemy as sa

from placet.contract.approvals import DecideApproval, ResolveApproval, SettleApproval, SwapApproval
from placet.contract.documents import ListDocuments, LookUpDocument, SwapDocument
from placet.contract.stores import (
    AppendAudit,
    BeginWrite,
    FinishWrite,
    LookUpWrite,
    Operation,
    ResolveWrite,
    StoredToken,
)
from placet.stores.approval_table import answer
from placet.stores.chain import ChainKeys
from placet.stores.document_table import answer_document
from placet.stores.outcomes import with_outcome
from placet.stores.sql import operations
from placet.stores.sql.approvals import ApprovalStatements, SqlApprovals
from placet.stores.sql.documents import DocumentStatements, SqlDocuments
from placet.stores.sql.journal import Anchoring, Journal
from placet.stores.sql.lane import Jobs, Lane
from placet.stores.sql.session import Connection, Session
from placet.stores.sql.statements import SharedStatements, TruthStatements
from placet.stores.sql.trail import SqlTrail

__all__ = ["SqlShared", "SqlTruth"]

T = TypeVar("T")

_OF_LEDGER = (BeginWrite, FinishWrite, LookUpWrite, ResolveWrite)
_OF_A_ROW = (DecideApproval, SettleApproval, ResolveApproval, SwapApproval, SwapDocument)


class SqlTruth:
    """Ledger, approvals and audit in SQL.

    Args:
        connect: Opens a writing connection; called in each lane's thread, and again after a connection was lost.
        read: Opens a reading one.
        lanes: Connections, and thus chains, of this process.
    """

    def __init__(
        self,
        connect: Callable[[], Connection],
        read: Callable[[], SqlTrail],
        *,
        dialect: sa.Dialect,
        keys: ChainKeys,
        lanes: int,
        anchoring: Anchoring,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._read = read
        self._sql = TruthStatements(dialect)
        self._approvals = ApprovalStatements(dialect)
        self._documents = DocumentStatements(dialect)
        self._jobs = Jobs()
        seen: dict[str, int] = {}
        self._lanes = [
            Lane(
                f"placet-truth-{number}",
                self._jobs,
                connect,
                Journal(self._sql, keys, anchoring=anchoring, seen=seen, clock=clock),
            )
            for number in range(lanes)
        ]
        for lane in self._lanes:
            lane.start()

    async def apply(self, *operations: Operation) -> tuple[Any, ...]:
        sql, approvals, kept = self._sql, self._approvals, self._documents

        def work(session: Session, journal: Journal | None) -> tuple[Any, ...]:
            if journal is not None and len(operations) > 2:
                entries = [one.entry for one in operations if isinstance(one, AppendAudit)]
                if len(entries) == len(operations):
                    return tuple(journal.append_all(session, entries))
            table, documents = SqlApprovals(session, approvals), SqlDocuments(session, kept)
            answers: list[Any] = []
            for operation in operations:
                answers.append(
                    _answer(session, sql, table, documents, journal, with_outcome(operation, answers))
                )
            return tuple(answers)

        return cast("tuple[Any, ...]", await self._jobs.do(work, order=_first_key(operations)))

    async def ready(self) -> None:
        """Wait until the store answers.

        Raises:
            StoreError: it does not; the reason is in the message.
        """
        await self._jobs.do(lambda session, journal: None)

    async def close(self) -> None:
        """Do what waits, end the chains, and let the connections go. May be called twice."""
        await _end(self._jobs, self._lanes)

    def trail(self) -> SqlTrail:
        """The audit's reading end, over a connection of its own.

        Raises:
            StoreError: the store cannot be read.
        """
        return self._read()


class SqlShared:
    """Shared state in SQL. Commits of leases and rate windows need not reach the disk; a token's does."""

    def __init__(self, connect: Callable[[], Connection], *, dialect: sa.Dialect, lanes: int) -> None:
        self._sql = SharedStatements(dialect)
        self._jobs = Jobs()
        self._lanes = [Lane(f"placet-shared-{number}", self._jobs, connect, None) for number in range(lanes)]
        for lane in self._lanes:
            lane.start()

    async def acquire(self, name: str, *, owner: str, ttl_s: float) -> int | None:
        return await self._do(operations.acquire(name, owner, ttl_s), name)

    async def release(self, name: str, *, owner: str) -> None:
        await self._do(operations.release(name, owner), name)

    async def take(self, bucket: str, *, count: int, per_s: float) -> float:
        return await self._do(operations.take(bucket, count, per_s), bucket)

    async def get_token(self, key: str) -> StoredToken | None:
        return await self._do(operations.get_token(key), key)

    async def put_token(self, key: str, token: StoredToken) -> bool:
        return await self._do(operations.put_token(key, token), key, durable=True)

    async def close(self) -> None:
        await _end(self._jobs, self._lanes)

    async def _do(
        self, work: Callable[[Session, SharedStatements], T], order: str, *, durable: bool = False
    ) -> T:
        sql = self._sql
        done = await self._jobs.do(lambda session, _: work(session, sql), order=order, durable=durable)
        return cast("T", done)


def _answer(
    session: Session,
    sql: TruthStatements,
    table: SqlApprovals,
    documents: SqlDocuments,
    journal: Journal | None,
    operation: Operation,
) -> Any:
    match operation:
        case AppendAudit():
            assert journal is not None
            return journal.append(session, operation.entry)
        case BeginWrite():
            return operations.begin_write(session, sql, operation)
        case FinishWrite():
            return operations.finish_write(session, sql, operation)
        case LookUpWrite():
            return operations.look_up_write(session, sql, operation)
        case ResolveWrite():
            return operations.resolve_write(session, sql, operation)
        case SwapDocument() | LookUpDocument() | ListDocuments():
            return answer_document(documents, operation)
        case _:
            return answer(table, operation)


def _first_key(asked: Sequence[Operation]) -> str:
    """What groups stand in the order of, so that two lanes seldom wait for each other.

    Proposals before ledger keys: several callers want one proposal's row, and only its executor its ledger row.
    """
    ids = (operation.id for operation in asked if isinstance(operation, _OF_A_ROW))
    keys = (operation.key for operation in asked if isinstance(operation, _OF_LEDGER))
    return next(ids, None) or next(keys, "")


async def _end(jobs: Jobs, lanes: Sequence[Lane]) -> None:
    jobs.close(len(lanes))
    for lane in lanes:
        await anyio.to_thread.run_sync(lane.join)
