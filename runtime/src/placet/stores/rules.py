"""What the ledger answers, as pure rules over one row, so that every store decides alike.

| row | begin by another call with the same request | finish with its token | resolve |
|---|---|---|---|
| none | started | - | - |
| started, lease running | in flight | succeeded, not applied or unknown | - |
| started, lease over | started anew inside the native key's memory, else unknown | as above | yes |
| succeeded | replayed | - | - |
| not applied | started anew | - | - |
| unknown | unknown | - | yes |

Another request under a key is a conflict whatever the row says.
"""

from msgspec.structs import replace

from placet.contract.stores import BeginWrite, Begun, FinishWrite, LedgerRow, ResolveWrite

__all__ = ["begun", "finished", "resolved"]


def begun(row: LedgerRow | None, begin: BeginWrite) -> Begun:
    """What `begin` is answered; with the verdict "started" its row is the one to store."""
    if row is None:
        return Begun(verdict="started", row=_attempt(begin, attempt=1, first_at=begin.at))
    if row.digest != begin.digest:
        return Begun(verdict="conflict", row=row)
    if row.status == "succeeded":
        return Begun(verdict="replayed", row=row)
    if row.status == "not_applied":
        return Begun(verdict="started", row=_attempt(begin, attempt=row.attempt + 1, first_at=begin.at))
    if row.status == "unknown":
        return Begun(verdict="unknown", row=row)
    if not _is_abandoned(row, begin.at):
        return Begun(verdict="in_flight", row=row)
    if _may_resend(row, begin):
        return Begun(verdict="started", row=_attempt(begin, attempt=row.attempt + 1, first_at=row.first_at))
    return Begun(verdict="unknown", row=row)


def finished(row: LedgerRow | None, finish: FinishWrite) -> LedgerRow | None:
    """The row after `finish`; None when the token is not the one of the running attempt."""
    if row is None or row.status != "started" or row.token != finish.token:
        return None
    return replace(
        row,
        status=finish.status,
        finished_at=finish.at,
        result=finish.result,
        error_class=finish.error_class,
    )


def resolved(row: LedgerRow | None, resolve: ResolveWrite) -> LedgerRow | None:
    """The row after `resolve`; None when nothing is unknown about it."""
    if row is None:
        return None
    if row.status != "unknown" and not (row.status == "started" and _is_abandoned(row, resolve.at)):
        return None
    return replace(row, status=resolve.status, finished_at=resolve.at)


def _attempt(begin: BeginWrite, *, attempt: int, first_at: float) -> LedgerRow:
    return LedgerRow(
        key=begin.key,
        digest=begin.digest,
        tool=begin.tool,
        tenant=begin.tenant,
        status="started",
        token=begin.token,
        attempt=attempt,
        native_key=begin.native_key,
        first_at=first_at,
        started_at=begin.at,
        lease_until=begin.at + begin.lease_s,
    )


def _is_abandoned(row: LedgerRow, at: float) -> bool:
    return at >= row.lease_until


def _may_resend(row: LedgerRow, begin: BeginWrite) -> bool:
    # Under another native key the platform would take the second sending for a new write.
    return (
        row.native_key != ""
        and row.native_key == begin.native_key
        and begin.at <= row.first_at + begin.resend_s
    )
