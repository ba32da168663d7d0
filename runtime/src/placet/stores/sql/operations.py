"""Each operation as one function over a session. The same code runs on every SQL database."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import asdict

from placet.contract.stores import (
    BeginWrite,
    Begun,
    FinishWrite,
    LedgerRow,
    LookUpWrite,
    ResolveWrite,
    StoredToken,
)
from placet.stores.rules import begun
from placet.stores.sql.session import Session
from placet.stores.sql.statements import LEDGER_FIELDS, SharedStatements, TruthStatements

__all__ = [
    "acquire",
    "begin_write",
    "finish_write",
    "get_token",
    "look_up_write",
    "put_token",
    "release",
    "resolve_write",
    "take",
]


def begin_write(session: Session, sql: TruthStatements, begin: BeginWrite) -> Begun:
    fresh = begun(None, begin)
    if session.run(sql.begin, asdict(fresh.row)):
        return fresh
    # The row is there: another transaction that was entering it has ended, and this one now holds its lock.
    answer = begun(_row(session.rows(sql.locked_row, {"key": begin.key})), begin)
    if answer.verdict == "started":
        session.run(sql.begin_again, {**asdict(answer.row), "at_key": begin.key})
    return answer


def finish_write(session: Session, sql: TruthStatements, finish: FinishWrite) -> bool:
    written = session.run(
        sql.finish,
        {
            "at_key": finish.key,
            "at_token": finish.token,
            "status": finish.status,
            "finished_at": finish.at,
            "result": finish.result,
            "error_class": finish.error_class,
        },
    )
    return written == 1


def resolve_write(session: Session, sql: TruthStatements, resolve: ResolveWrite) -> bool:
    written = session.run(
        sql.resolve,
        {
            "at_key": resolve.key,
            "at": resolve.at,
            "status": resolve.status,
            "finished_at": resolve.at,
            "resolved_by": resolve.by,
        },
    )
    return written == 1


def look_up_write(session: Session, sql: TruthStatements, look_up: LookUpWrite) -> LedgerRow | None:
    return _row(session.rows(sql.row, {"key": look_up.key}))


def acquire(name: str, owner: str, ttl_s: float) -> Callable[[Session, SharedStatements], int | None]:
    def work(session: Session, sql: SharedStatements) -> int | None:
        now = session.now()
        values = {
            "name": name,
            "owner": owner,
            "expires_at": now + ttl_s,
            "token": int(now * 1000),
            "now": now,
        }
        if session.run(sql.acquire, values) != 1:
            return None
        token: int = session.rows(sql.lease_token, {"name": name})[0][0]
        return token

    return work


def release(name: str, owner: str) -> Callable[[Session, SharedStatements], None]:
    def work(session: Session, sql: SharedStatements) -> None:
        session.run(sql.release, {"at_name": name, "of_owner": owner})

    return work


def take(bucket: str, count: int, per_s: float) -> Callable[[Session, SharedStatements], float]:
    """The last `count` calls stand in a ring of slots; the oldest must be `per_s` old before its place is free."""

    def work(session: Session, sql: SharedStatements) -> float:
        found = session.rows(sql.window, {"bucket": bucket})
        if not found:
            session.run(sql.open_window, {"bucket": bucket, "size": count, "taken": 0})
            found = session.rows(sql.window, {"bucket": bucket})
        size, taken = found[0]
        if size != count:
            session.run(sql.empty_slots, {"of_bucket": bucket})
            taken = 0
        # After the row is locked: whoever held it before took its place earlier than this.
        now = session.now()
        slot = taken % count
        oldest = session.rows(sql.slot, {"bucket": bucket, "slot": slot})
        if oldest and oldest[0][0] + per_s > now:
            wait_s: float = min(per_s, oldest[0][0] + per_s - now)
            return wait_s
        session.run(sql.fill_slot, {"bucket": bucket, "slot": slot, "taken_at": now})
        session.run(sql.move_window, {"at_bucket": bucket, "size": count, "taken": taken + 1})
        return 0.0

    return work


def get_token(key: str) -> Callable[[Session, SharedStatements], StoredToken | None]:
    def work(session: Session, sql: SharedStatements) -> StoredToken | None:
        found = session.rows(sql.token, {"key": key})
        if not found:
            return None
        sealed, expires_at, version = found[0]
        return StoredToken(sealed=sealed, expires_at=expires_at, version=version)

    return work


def put_token(key: str, token: StoredToken) -> Callable[[Session, SharedStatements], bool]:
    def work(session: Session, sql: SharedStatements) -> bool:
        return session.run(sql.put_token, {"key": key, **asdict(token)}) == 1

    return work


def _row(found: list[tuple[Any, ...]]) -> LedgerRow | None:
    return LedgerRow(**dict(zip(LEDGER_FIELDS, found[0], strict=True))) if found else None
