"""A lane: one thread that owns one connection and commits what waits in groups.

Several lanes may serve one queue. Jobs of a group stand in the order of their ledger keys, so that two lanes lock
rows in the same order.
"""

import asyncio
import queue
import random
import threading
import time
from collections.abc import Callable
from typing import Any

from placet.contract.stores import EntryRefused, StoreError
from placet.stores.sql.journal import Journal
from placet.stores.sql.session import Connection, Session

__all__ = ["Job", "Jobs", "Lane", "Work"]

Work = Callable[[Session, Journal | None], Any]

GROUP_MAX = 128


class Job:
    """Work that one caller waits for. `order` is its first ledger key; `durable` asks for a commit to disk."""

    __slots__ = ("durable", "future", "loop", "order", "work")

    def __init__(self, work: Work, *, order: str, durable: bool, loop: asyncio.AbstractEventLoop) -> None:
        self.work = work
        self.order = order
        self.durable = durable
        self.loop = loop
        self.future: asyncio.Future[Any] = loop.create_future()


class Jobs:
    """The queue before one or several lanes. Nothing enters it after `close`."""

    def __init__(self) -> None:
        self.waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._entry = threading.Lock()
        self._is_closed = False

    async def do(self, work: Work, *, order: str = "", durable: bool = True) -> Any:
        """The answer of `work`, once it is committed. A cancelled caller's work may still be done."""
        loop = asyncio.get_running_loop()
        job = Job(work, order=order, durable=durable, loop=loop)
        with self._entry:
            if self._is_closed:
                raise StoreError("the store is closed")
            self.waiting.put(job)
        return await job.future

    def close(self, lanes: int) -> None:
        """Let everything that waits be done, then end so many lanes."""
        with self._entry:
            if self._is_closed:
                return
            self._is_closed = True
            for _ in range(lanes):
                self.waiting.put(None)


TRIES = 10
"""How often a group is applied whose transaction the server gave up for another writer's; nothing of it was stored."""


class Lane(threading.Thread):
    """The thread.

    Args:
        connect: Opens the connection, in this thread; raises `StoreError`.
        journal: The lane's chain; None for shared state.
    """

    def __init__(
        self, name: str, jobs: Jobs, connect: Callable[[], Connection], journal: Journal | None
    ) -> None:
        # A daemon: a process that forgets to close its store ends all the same, and what was not answered was not done.
        super().__init__(name=name, daemon=True)
        self._waiting = jobs.waiting
        self._connect = connect
        self._journal = journal
        self._connection: Connection | None = None

    def run(self) -> None:
        is_ending = False
        while not is_ending:
            try:
                first = self._waiting.get(timeout=self._journal.wait_s() if self._journal else None)
            except queue.Empty:
                self._by_itself(lambda session, journal: journal.anchor_if_due(session, is_idle=True))
                continue
            if first is None:
                break
            group = [first]
            while len(group) < GROUP_MAX:
                try:
                    job = self._waiting.get_nowait()
                except queue.Empty:
                    break
                if job is None:
                    is_ending = True
                    break
                group.append(job)
            # A cancelled caller whose turn had not come asks for nothing any more.
            self._commit_group([job for job in group if not job.future.cancelled()])
        if self._journal is not None and self._journal.mark() is not None:
            self._by_itself(lambda session, journal: journal.close(session))
        self._disconnect()

    def _commit_group(self, group: list[Job], tries: int = TRIES) -> None:
        if not group:
            return
        group.sort(key=lambda job: job.order)
        journal = self._journal
        mark = journal.mark() if journal else None
        try:
            connection = self._connected()
        except Exception as error:
            reason = (
                str(error) if isinstance(error, StoreError) else f"the store failed ({type(error).__name__})"
            )
            _refuse(group, reason)
            return
        try:
            connection.begin(durable=any(job.durable for job in group))
            answers = [self._apply(connection, job, is_alone=len(group) == 1) for job in group]
            if journal is not None:
                journal.anchor_if_due(connection)
        except Exception as error:
            self._give_up(connection, mark, error)
            if tries > 1 and _is_a_lost_turn(error):
                # Whoever won commits within milliseconds; who lost together does not try again together.
                time.sleep(random.uniform(0.001, 0.02))
                self._commit_group(group, tries - 1)
                return
            _refuse(group, connection.reason(error), _kind(error))
            return
        try:
            connection.commit()
        except Exception as error:
            if not self._has_landed():
                _refuse(group, connection.reason(error))
                return
        if journal is not None:
            journal.committed()
        _answer(group, answers)

    def _apply(self, connection: Connection, job: Job, *, is_alone: bool) -> Any:
        """The job's answer, or the `StoreError` with which it alone was rolled back."""
        journal = self._journal
        mark = journal.mark() if journal else None
        if not is_alone:
            connection.savepoint()
        try:
            answer = job.work(connection, journal)
        except Exception as error:
            if is_alone or _is_a_lost_turn(error) or not connection.survives(error):
                raise
            connection.rollback_to_savepoint()
            connection.release()
            if journal is not None:
                journal.reset(mark)
            return _kind(error)(connection.reason(error))
        if not is_alone:
            connection.release()
        return answer

    def _by_itself(self, work: Callable[[Session, Journal], bool]) -> None:
        """The lane's own record. Nobody waits for it: when it fails, the next one says what this one would have."""
        journal = self._journal
        if journal is None:
            return
        mark = journal.mark()
        try:
            connection = self._connected()
            connection.begin(durable=True)
        except Exception:
            journal.postpone()
            self._disconnect()
            return
        try:
            if work(connection, journal):
                connection.commit()
                journal.committed()
            else:
                connection.rollback()
        except Exception as error:
            journal.postpone()
            self._give_up(connection, mark, error)

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._connect()
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _give_up(self, connection: Connection, mark: Any, error: Exception) -> None:
        """Undo a transaction that was not to be committed; a connection that cannot even do that is let go."""
        if self._journal is not None:
            self._journal.reset(mark)
        try:
            connection.rollback()
        except Exception:
            self._disconnect()
        else:
            if connection.is_lost(error):
                self._disconnect()

    def _has_landed(self) -> bool:
        """Whether a transaction is stored whose commit raised: looked up through a new connection."""
        self._disconnect()
        journal = self._journal
        if journal is None:
            return False
        try:
            connection = self._connected()
            connection.begin(durable=True)
            has_landed = journal.has_landed(connection)
            connection.rollback()
        except Exception:
            self._disconnect()
            has_landed = None
        if not has_landed:
            journal.abandon()
        return bool(has_landed)


def _is_a_lost_turn(error: Exception) -> bool:
    """PostgreSQL ended one of several writers that waited for each other (SQLSTATE class 40, appendix A)."""
    return getattr(error, "sqlstate", None) in ("40001", "40P01")


def _kind(error: Exception) -> type[StoreError]:
    """What has no form in the database has none tomorrow; everything else may pass."""
    is_data = isinstance(error, TypeError | ValueError | OverflowError)
    return (
        EntryRefused
        if is_data or "DataError" in [one.__name__ for one in type(error).__mro__]
        else StoreError
    )


def _refuse(group: list[Job], reason: str, kind: type[StoreError] = StoreError) -> None:
    # Without a cause: a driver's message may quote the values of a row.
    _answer(group, [kind(reason) for _ in group])


def _answer(group: list[Job], answers: list[Any]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Job, Any]]] = {}
    for job, answer in zip(group, answers, strict=True):
        by_loop.setdefault(job.loop, []).append((job, answer))
    for loop, answered in by_loop.items():
        try:
            loop.call_soon_threadsafe(_hand_over, answered)
        except RuntimeError:
            # The loop has ended, and with it whoever waited.
            continue


def _hand_over(answered: list[tuple[Job, Any]]) -> None:
    for job, answer in answered:
        if job.future.done():
            continue
        if isinstance(answer, StoreError):
            job.future.set_exception(answer)
        else:
            job.future.set_result(answer)
