"""Operations and entries as the tests ask for them."""

import secrets

from placet.contract.stores import AppendAudit, AuditEntry, BeginWrite, FinishWrite
from placet.stores import ChainKeys

__all__ = ["KEYS", "SECRET", "audited", "begin", "finish", "new_key"]

SECRET = b"a key of the tests, and of nobody else"
KEYS = ChainKeys([SECRET])


def new_key() -> str:
    return secrets.token_hex(32)


def audited(
    event: str = "intent", *, at: float = 1.0, ledger_key: str = "", call_id: str = "c1"
) -> AppendAudit:
    entry = AuditEntry(
        at=at,
        event=event,
        call_id=call_id,
        tenant="cli_a",
        tool="notes.write",
        actor="u_1",
        ledger_key=ledger_key,
        steps=(("policy", "passed", 12),),
        details={"b": 1, "a": ["字"]},
    )
    return AppendAudit(entry=entry)


def begin(
    key: str,
    *,
    token: str = "t1",
    digest: str = "d1",
    at: float = 1000.0,
    lease_s: float = 300.0,
    native_key: str = "",
    resend_s: float = 0.0,
) -> BeginWrite:
    return BeginWrite(
        key=key,
        digest=digest,
        tool="notes.write",
        tenant="cli_a",
        token=token,
        native_key=native_key,
        lease_s=lease_s,
        resend_s=resend_s,
        at=at,
    )


def finish(
    key: str,
    *,
    token: str = "t1",
    status: str = "succeeded",
    at: float = 1001.0,
    result: bytes | None = b"{}",
) -> FinishWrite:
    return FinishWrite(key=key, token=token, status=status, at=at, result=result)  # type: ignore[arg-type] # a table
